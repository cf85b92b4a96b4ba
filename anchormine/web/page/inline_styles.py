"""What the `style` of an element says of its text: whether it is shown, and where its lines end."""

import re
from collections.abc import Mapping
from typing import NamedTuple

# Comments, and strings, in which neither ";" nor ":" says anything (CSS Syntax, 4.3.2 and 4.3.5).
_NO_WORDS = re.compile(r"""/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""", re.DOTALL)
_IMPORTANT = "important"
_EVERYWHERE = frozenset("inherit initial unset revert revert-layer".split())
_BLOCKS = frozenset(
    "block flow flow-root flex grid list-item table table-row table-row-group table-header-group "
    "table-footer-group table-caption table-cell -webkit-box -webkit-flex".split()
)
_IN_LINES = frozenset(
    "inline inline-block inline-flex inline-grid inline-table run-in -webkit-inline-box "
    "-webkit-inline-flex".split()
)
# What makes a block of each child (CSS Flexible Box, 4; CSS Grid, 6), whatever it is itself. Not so
# `-webkit-box`, by which sites cut a text off after some lines.
_OF_BLOCKS = frozenset("flex grid inline-flex inline-grid -webkit-flex -webkit-inline-flex".split())
# What an element that makes a block by its name does not with this display (for it, "initial" is "inline").
_NO_BLOCKS = frozenset("inline contents initial unset".split())
# Values of which one display may have several (CSS Display, 2).
_JOINED = frozenset("block inline run-in flow flow-root table flex grid ruby math list-item".split())
# What takes an element out of the line that it is written in (CSS 2, 9.7).
_OUT_OF_LINE = {
    "float": frozenset("left right inline-start inline-end".split()),
    "position": frozenset("absolute fixed".split()),
}
_GONE = frozenset("none table-column table-column-group".split())  # columns hold nothing that is shown
_NOT_DISPLAYED = _GONE | {"revert", "revert-layer"}  # the latter as a browser has it by itself
_UNSEEN = {"visibility": frozenset(("hidden", "collapse"))}
# The values of each property; a browser passes over a declaration with any other.
_VALUES = {
    "display": _BLOCKS | _IN_LINES | _GONE | _EVERYWHERE
    | frozenset("contents ruby ruby-base ruby-text math".split()),
    "visibility": _UNSEEN["visibility"] | _EVERYWHERE | {"visible"},
    "float": _OUT_OF_LINE["float"] | _EVERYWHERE | {"none"},
    "position": _OUT_OF_LINE["position"] | _EVERYWHERE | frozenset("static relative sticky".split()),
}  # fmt: skip


class InlineStyle(NamedTuple):
    """What a style does to the text of its element.

    Attributes:
        hidden: whether a browser shows nothing in its place.
        gone: whether it takes no place either.
        displayed: whether it says how it is laid out.
        block: whether it stands in lines of its own.
        inline: whether it does not, even if its name says so.
        of_blocks: whether each of its children stands in lines of its own.
        is_out: whether it is taken out of the line that it is written in, which goes on behind it.
    """

    hidden: bool = False
    gone: bool = False
    displayed: bool = False
    block: bool = False
    inline: bool = False
    of_blocks: bool = False
    is_out: bool = False


PLAIN = InlineStyle()


def inline_style(style: str) -> InlineStyle:
    """Reads a style: of a property the last value counts, or the last important one (CSS Cascade, 6.1)."""
    values: dict[str, tuple[bool, frozenset[str]]] = {}
    for declaration in _NO_WORDS.sub(_blank, style).lower().split(";"):
        name, _, written = declaration.partition(":")
        value, mark, priority = written.partition("!")
        name, words = name.strip(), frozenset(value.split())
        if not _is_valid(name, value.split()) or (mark and priority.strip() != _IMPORTANT):
            continue
        if bool(mark) >= values.get(name, (False, words))[0]:
            values[name] = bool(mark), words
    found = {name: words for name, (_, words) in values.items()}
    display = found.get("display", frozenset())
    is_out = _is_any(found, _OUT_OF_LINE)
    is_block = is_out or bool(display & _BLOCKS and not display & _IN_LINES)
    return InlineStyle(
        hidden=_is_any(found, _UNSEEN),
        gone=bool(display & _GONE),
        displayed=bool(display - _NOT_DISPLAYED),
        block=is_block,
        inline=bool(display) and display <= _NO_BLOCKS and not is_block,
        of_blocks=bool(display & _OF_BLOCKS),
        is_out=is_out,
    )


def _is_valid(name: str, words: list[str]) -> bool:
    allowed = _VALUES.get(name, frozenset())
    if len(words) > 1:
        allowed = allowed & _JOINED  # none of a property but display
    return bool(words) and allowed.issuperset(words) and len(set(words)) == len(words)


def _blank(match: re.Match[str]) -> str:
    return " " if match[0].startswith("/*") else " '' "


def _is_any(found: Mapping[str, frozenset[str]], sought: Mapping[str, frozenset[str]]) -> bool:
    return any(found.get(name, frozenset()) & words for name, words in sought.items())
