"""The careful reader of links: mwparserfromhell's tokenizer, read as a flat stream of tokens.

Building its tree takes three quarters of mwparserfromhell's time; the stream alone holds all that is needed.
"""

import re
from typing import Any

from mwparserfromhell.parser import tokens as token
from mwparserfromhell.parser._tokenizer import CTokenizer

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.wiki.marks import NOTHING, PROTECT

_BRACKETS = re.compile(r"\[+|\]+")
_MAX_OPEN = 400
_LITERAL_LESS = PROTECT[ord("<")]
_LITERAL = {ord("<"): _LITERAL_LESS}
_LINE_START = f"\n{NOTHING}"


# Tokens of an entity, as they are written; None stands for the token's own character.
_ENTITY = {
    token.HTMLEntityStart: "&",
    token.HTMLEntityNumeric: "#",
    token.HTMLEntityHex: None,
    token.HTMLEntityEnd: ";",
}
_EXTERNAL = frozenset((token.ExternalLinkOpen, token.ExternalLinkSeparator, token.ExternalLinkClose))
_WIKILINK = frozenset((token.WikilinkOpen, token.WikilinkSeparator, token.WikilinkClose))


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
    # "<" is literal here, for the tags are gone; NOTHING keeps the starts of the block and of its lines from
    # being read as a list, heading or rule: that of "'''*''' see", whose quotation marks are gone, is none.
    literal = f"{NOTHING}{markup.translate(_LITERAL)}".replace("\n", _LINE_START)
    stream = CTokenizer().tokenize(literal, 0, True)
    root: list[Any] = []
    opened: list[_Link] = []
    addresses: list[bool] = []  # of each open external link: is its address being read
    for tok in stream:
        kind = type(tok)
        if kind is token.Text:
            if not (addresses and addresses[-1]):
                _innermost(root, opened).append(tok.text)
        elif kind in _ENTITY:
            _innermost(root, opened).append(_ENTITY[kind] or tok.char)
        elif kind in _EXTERNAL:
            _read_external(tok, addresses)
        elif kind in _WIKILINK:
            _read_wikilink(kind, root, opened)
        else:
            raise ValueError(f"unexpected {tok!r} in {markup[:80]!r}")
    return _flat(root)


def _innermost(root: list[Any], opened: list[_Link]) -> list[Any]:
    """What text and links are put to: the open link's label or target, or the block itself."""
    if not opened:
        return root
    link = opened[-1]
    return link.target if link.label is None else link.label


def _read_external(tok: Any, addresses: list[bool]) -> None:
    kind = type(tok)
    if kind is token.ExternalLinkOpen:
        addresses.append(tok.brackets)
    elif kind is token.ExternalLinkSeparator:
        addresses[-1] = False
    else:
        addresses.pop()


def _read_wikilink(kind: type, root: list[Any], opened: list[_Link]) -> None:
    if kind is token.WikilinkOpen:
        opened.append(_Link())
    elif kind is token.WikilinkSeparator:
        opened[-1].label = []
    else:
        link = opened.pop()
        _innermost(root, opened).extend(_close(link))


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
    parts = [part and part.replace(_LITERAL_LESS, "<").replace(_LINE_START, "\n") for part in parts]
    parts[0] = parts[0].replace(NOTHING, "", 1)
    return parts
