"""A page as it is written, before it is parsed: what would take time or memory that is not linear."""
