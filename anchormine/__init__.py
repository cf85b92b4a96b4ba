"""Mines the links of Wikipedia dumps and web crawls into training data for search."""

__version__ = "0.1.0"
