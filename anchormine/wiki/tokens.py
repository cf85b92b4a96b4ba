"""The careful reader of links: mwparserfromhell's tokenizer, read as a flat stream of tokens.

Building its tree takes three quarters of mwparserfromhell's time; the stream alone holds all that is needed.
"""

import re
from typing import Any

from mwparserfromhell.parser import tokens as token
from mwparserfromhell.parser._tokenizer import CTokenizer

from anchormine.wiki.errors import PageRejected
from anchormine.wiki.marks import NOTHING, PROTECT

_BRACKETS = re.compile(r"\[+|\]+")
_MAX_OPEN = 400
_LITERAL_LESS = PROTECT[ord("<")]
_LITERAL = {ord("<"): _LITERAL_LESS}


class _Link:
    """A link that is open: what its target and its label hold so far."""

    def __init__(self) -> None:
        self.target: list[Any] = []
        self.label: list[Any] | None = None


def split_links(markup: str) -> list[str | Any]:
    """Splits a block at its links; the same result as `scanner.split_links`.

    A link within another one's label wins over it, as in MediaWiki.

    Args:
        markup: a block without templates, tags and quotation marks.

    Returns:
        [text, target, label, text, target, label, ..., text]; a label is None where the link has none.

    Raises:
        PageRejected: more brackets are open at once than any article has.
    """
    _check_brackets(markup)
    # "<" is literal here, for the tags are gone; NOTHING keeps the start of the block from being read
    # as a list.
    stream = CTokenizer().tokenize(NOTHING + markup.translate(_LITERAL), 0, True)
    root: list[Any] = []
    opened: list[_Link] = []
    items = root
    external: list[bool] = []  # of each open external link: is its address being read
    for tok in stream:
        kind = type(tok)
        if kind is token.Text:
            if not (external and external[-1]):
                items.append(tok.text)
        elif kind is token.WikilinkOpen:
            opened.append(_Link())
            items = opened[-1].target
        elif kind is token.WikilinkSeparator:
            items = opened[-1].label = []
        elif kind is token.WikilinkClose:
            link = opened.pop()
            items = (
                root if not opened else opened[-1].target if opened[-1].label is None else opened[-1].label
            )
            items.extend(_close(link))
        elif kind is token.HTMLEntityStart:
            items.append("&")
        elif kind is token.HTMLEntityNumeric:
            items.append("#")
        elif kind is token.HTMLEntityHex:
            items.append(tok.char)
        elif kind is token.HTMLEntityEnd:
            items.append(";")
        elif kind is token.ExternalLinkOpen:
            external.append(tok.brackets)
        elif kind is token.ExternalLinkSeparator:
            external[-1] = False
        elif kind is token.ExternalLinkClose:
            external.pop()
        else:
            raise ValueError(f"unexpected {tok!r} in {markup[:80]!r}")
    return _flat(root)


def _check_brackets(markup: str) -> None:
    """What mwparserfromhell needs for brackets that are never closed grows with their square."""
    depth = 0
    for match in _BRACKETS.finditer(markup):
        length = match.end() - match.start()
        depth = depth + length if match[0][0] == "[" else max(0, depth - length)
        if depth > _MAX_OPEN:
            raise PageRejected("nesting", f"more than {_MAX_OPEN} open brackets")


def _close(link: _Link) -> list[Any]:
    """What a link that ends is to the text around it: itself, or its words where a link stands within it."""
    inner = link.target if link.label is None else link.target + link.label
    if any(isinstance(item, tuple) for item in inner):
        return link.target if link.label is None else link.label
    return [("".join(link.target), None if link.label is None else "".join(link.label))]


def _flat(items: list[Any]) -> list[str | Any]:
    parts: list[str | Any] = []
    text: list[str] = []
    for item in items:
        if isinstance(item, tuple):
            parts.append("".join(text))
            parts.extend(item)
            text = []
        else:
            text.append(item)
    parts.append("".join(text))
    parts = [part if part is None else part.replace(_LITERAL_LESS, "<") for part in parts]
    parts[0] = parts[0].replace(NOTHING, "", 1)
    return parts
