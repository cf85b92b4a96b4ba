"""The main text of a page, picked from its blocks."""
