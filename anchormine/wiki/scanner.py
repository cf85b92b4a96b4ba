"""The fast reader of links: one regular expression, for blocks whose brackets are all well formed.

It reads exactly what `tokens.split_links` reads from mwparserfromhell (a test compares the two over real
dumps), and leaves every block that it is not sure of to it.
"""

import re
from typing import Any

_SCHEME = (
    r"(?=[A-Za-z/])(?i:(?:bitcoin|geo|magnet|mailto|news|sips?|sms|tel|urn|xmpp):"
    r"|(?:(?:ftps?|git|gopher|https?|ircs?|mms|nntp|redis|sftp|ssh|svn|telnet|worldwind):)?//)"
)
# [[target]] or [[target|label]] with no bracket inside: what MediaWiki's Parser::replaceInternalLinks takes
# first, unless a third bracket stands before it. [[https://...]] is an external link in brackets.
_LINK = re.compile(r"\[\[([^\[\]{}|\n]+)(?:\|([^\[\]]*))?\]\]")
_ADDRESS = re.compile(rf"\[\[{_SCHEME}")
_EXTERNAL = re.compile(rf"\[{_SCHEME}[^\s\[\]<>\"]+(?: +([^\[\]]*))?\]")
# An address without words: MediaWiki shows a number for it.
BARE_ADDRESS = re.compile(rf"\[{_SCHEME}[^\s\[\]<>\"]+ *\]")
_EXTERNAL_OPEN = re.compile(rf"\[{_SCHEME}")


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
    links = markup.count("[[")
    if links and "[[[" in markup:
        return None
    if markup.count("[") > 2 * links and _EXTERNAL_OPEN.search(markup):
        markup = _EXTERNAL.sub(_label, markup)
        if _EXTERNAL_OPEN.search(markup):
            return None
    if not links:
        return None if "]]" in markup else [markup]
    if (":" in markup or "//" in markup) and _ADDRESS.search(markup):
        return None
    parts = _LINK.split(markup)
    return parts if len(parts) == 3 * links + 1 and markup.count("]]") == links else None


def _label(match: re.Match[str]) -> str:
    return match[1] or ""
