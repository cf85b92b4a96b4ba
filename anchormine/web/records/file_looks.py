"""What a file looks like that holds no records of a crawl, by its first bytes."""

import re

HTML_PAGE = "an HTML page"
_START = rb"(?:\xef\xbb\xbf)?\s*"  # a byte order mark, white space
_LIST = rb"\s*[^\s<>]{1,4000}\.(?:warc|arc|wet|wat)(?:\.gz|\.zstd?)?\s*?(?:\n|\Z)"
_INDEX = rb" ?CDX(?: [a-z]){2,40}\s|(?:![^\n]{1,4000}\n)?[^\s{]{1,4000} \d{14} (?:\{|[a-z]{2,20}:)"
# What stands beside a crawl or in its place, and what to do.
_REMEDIES = {
    _LIST: "a list of crawl files; fetch these, and give them",
    _INDEX: "an index of crawl files (CDX); give the files that it points to",
    rb"WARC/0\.\d+ +\d": "a file of WARC 0.9 or before, which is not read; make one of WARC 1.0 of it",
    rb"(?s:.{257})ustar": "a tar archive; unpack it, and give its folder",
    _START + rb'\{\s*"log"\s*:': "a HAR file of a browser; make a WARC file of it (har2warc)",
}
_LOOKS = {
    _START + rb"<(?:!doctype\s+html|html|head|body)\b": HTML_PAGE,
    _START + rb"<\?xml\b": "XML",
    _START + rb'[\[{]\s*["\[{\]}]': "JSON",
    rb"%PDF-": "a PDF file",
    rb"PAR1": "a Parquet file",
    rb"SQLite format 3\0": "an SQLite database",
}


def remedy(data: bytes) -> str | None:
    """Says what a file is in whose place, or beside which, a crawl file is to be had; None for others.

    Args:
        data: its first bytes, decompressed.
    """
    return _first(_REMEDIES, data)


def look(data: bytes) -> str | None:
    """Says what kind of file it is that starts with some bytes; None for what is not known."""
    return _first(_LOOKS, data)


def _first(kinds: dict[bytes, str], data: bytes) -> str | None:
    return next((words for start, words in kinds.items() if re.match(start, data, re.IGNORECASE)), None)
