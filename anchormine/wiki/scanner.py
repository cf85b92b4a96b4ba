"""The fast reader of links: one regular expression, for blocks whose brackets are all well formed.

It reads exactly what `tokens.split_links` reads from mwparserfromhell (a test compares the two over real
dumps), and leaves every block that it is not sure of to it.
"""

import re
from typing import Any

_SCHEME = (
    r"(?=[A-Za-z]{2,11}:|//)(?i:(?:bitcoin|geo|magnet|mailto|news|sips?|sms|tel|urn|xmpp):"
    r"|(?:(?:ftps?|git|gopher|https?|ircs?|mms|nntp|redis|sftp|ssh|svn|telnet|worldwind):)?//)"
)
# [[target]] or [[target|label]] with no bracket inside: what MediaWiki's Parser::replaceInternalLinks takes
# first, unless a third bracket stands before it. [[https://...]] is an external link in brackets.
_LINK = re.compile(r"\[\[([^\[\]{}|\n]+)(?:\|([^\[\]]*))?\]\]")
_EXTERNAL = re.compile(rf"\[{_SCHEME}[^\s\[\]<>\"]+(?: +(?! )([^\[\]]*))?\]")
# An address without words: MediaWiki shows a number for it.
BARE_ADDRESS = re.compile(rf"\[{_SCHEME}[^\s\[\]<>\"]+ *\]")
_OPEN_ADDRESS = re.compile(rf"\[{_SCHEME}")


def split_links(markup: str) -> list[str | Any] | None:
    """Splits a block at its links.

    Args:
        markup: a block without templates, tags and quotation marks.

    Returns:
        [text, target, label, text, target, label, ..., text]; a label is None where the link has none.
        None, when the block has brackets that are not plainly links.
    """
    if "[" not in markup:
        return None if "]]" in markup else [markup]
    if (":" in markup or "//" in markup) and _OPEN_ADDRESS.search(markup):
        markup = _EXTERNAL.sub(_label, markup)
        if _OPEN_ADDRESS.search(markup):
            return None
    parts = _LINK.split(markup)
    text = parts[0] if len(parts) == 1 else "".join(parts[::3])
    odd = "[[" in text or "]]" in text or ("[" in text and "[[[" in markup)
    return None if odd else parts


def _label(match: re.Match[str]) -> str:
    return match[1] or ""
