"""Dual encoders: texts as vectors, and what they find by exact search."""
