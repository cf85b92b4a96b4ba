"""HTTP answers as records hold them: heads, codings of their bodies, media types."""
