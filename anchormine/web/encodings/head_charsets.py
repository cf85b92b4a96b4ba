"""The encoding that the head of a page names, as browsers look for it before they parse (HTML, 13.2.3.2)."""

import re

from anchormine.web.encodings.labels import encoding_in, encoding_of

_HEAD_BYTES, _LONG_HEAD_BYTES = 4096, 1 << 18

_XML = re.compile(r"\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.:+-]+)")
# What stands in a tag, up to its ">", which may be in quotes.
_INSIDE = r"""(?:[^>"'=]+|=\s*(?:"[^"]*"|'[^']*')?|["'])*"""
# A comment or a tag; of `meta`, its attributes. What stands in a value or a comment is none.
_MARKUP = re.compile(rf"<(?:!(?=--).*?(?:-->|\Z)|meta(?=[\s/])({_INSIDE})|/?[a-z]{_INSIDE})", re.DOTALL)
# What is no markup, whatever stands in it; and what ends the head.
_RAW = re.compile(r"<(script|style)\b.*?(?:</\1|\Z)", re.DOTALL)
_HEAD_END = re.compile(r"</head\b|<body\b")
_ATTRIBUTE = re.compile(r"""(=[^\s/>=]*|[^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"'][^\s>]*)?)?""")


def encoding_in_head(body: bytes) -> str | None:
    """Returns the standard's name of the encoding that a page's XML declaration or `meta` names, or None."""
    head = _lower(body[:_HEAD_BYTES])
    xml = _XML.match(head)
    return _not_utf_16((encoding_of(xml[1]) if xml else None) or _first_in_meta(head))


def encoding_in_long_head(body: bytes) -> str | None:
    """Returns what a `meta` names that scripts and styles keep from the start of a page, or None.

    Browsers take it up as they parse the page ("changing the encoding while parsing", 13.2.3.4).
    """
    head = _RAW.sub("", _lower(body[:_LONG_HEAD_BYTES]))
    end = _HEAD_END.search(head)
    return _not_utf_16(_first_in_meta(head[: end.start()] if end else head))


def _lower(head: bytes) -> str:
    return head.lower().decode("latin-1")  # no name or label depends on its case


def _not_utf_16(encoding: str | None) -> str | None:
    """What could be read as ASCII is not UTF-16."""
    return "utf-8" if encoding and encoding.startswith("utf-16") else encoding


def _first_in_meta(head: str) -> str | None:
    if "charset" not in head:
        return None
    return next(filter(None, map(_encoding_in_meta, _MARKUP.finditer(head))), None)


def _encoding_in_meta(markup: re.Match[str]) -> str | None:
    values: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(markup[1] or ""):
        values.setdefault(name, value.strip("\"'/"))  # "/": the end of a tag behind a value without quotes
    if "charset" in values:
        return encoding_of(values["charset"])
    if values.get("http-equiv") == "content-type":
        return encoding_in(values.get("content", ""))
    return None
