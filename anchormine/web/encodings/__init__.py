"""Character encodings: which a page is in, and bytes to text and back by the WHATWG's standard."""
