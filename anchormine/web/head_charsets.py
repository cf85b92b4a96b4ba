"""The encoding that the head of a page names, as browsers look for it before they parse (HTML, 13.2.3.2)."""

import re

from anchormine.web.encodings import encoding_in, encoding_of

_HEAD_BYTES = 4096

_XML = re.compile(r"\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.:+-]+)")
# What stands in a tag, up to its ">", which may be in quotes.
_INSIDE = r"""(?:[^>"'=]+|=\s*(?:"[^"]*"|'[^']*')?|["'])*"""
# A comment or a tag; of `meta`, its attributes. What stands in a value or a comment is none.
_MARKUP = re.compile(rf"<(?:!(?=--).*?(?:-->|\Z)|meta(?=[\s/])({_INSIDE})|/?[a-z]{_INSIDE})", re.DOTALL)
_ATTRIBUTE = re.compile(r"""(=[^\s/>=]*|[^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"'][^\s>]*)?)?""")


def encoding_in_head(body: bytes) -> str | None:
    """Returns the standard's name of the encoding that a page's XML declaration or `meta` names, or None."""
    head = body[:_HEAD_BYTES].lower().decode("latin-1")  # no name or label depends on its case
    xml = _XML.match(head)
    encoding = encoding_of(xml[1]) if xml else None
    if encoding is None and "charset" in head:
        encoding = next(filter(None, map(_encoding_in_meta, _MARKUP.finditer(head))), None)
    # What could be read as ASCII is not UTF-16.
    return "utf-8" if encoding and encoding.startswith("utf-16") else encoding


def _encoding_in_meta(markup: re.Match[str]) -> str | None:
    values: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(markup[1] or ""):
        values.setdefault(name, value.strip("\"'/"))  # "/": the end of a tag behind a value without quotes
    if "charset" in values:
        return encoding_of(values["charset"])
    if values.get("http-equiv") == "content-type":
        return encoding_in(values.get("content", ""))
    return None
