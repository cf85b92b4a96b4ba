"""Crawl files: their bytes, whole or damaged, and the records in them."""
