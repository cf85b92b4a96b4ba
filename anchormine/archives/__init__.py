"""Bytes of input files: decompressed, with everything that is damaged in them reported."""
