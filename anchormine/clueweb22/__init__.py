"""ClueWeb22's own files: clean texts, and links with their anchor texts."""
