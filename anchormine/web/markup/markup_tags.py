"""The tags of a page as they are written, found before it is parsed.

Comments, values, and texts of elements that hold no elements (`<script>`, `<title>`, ...) are passed over as
HTML's tokenizer does (HTML, 13.2.5). It needs the tree for that in a few places, where only the parser can
tell.
"""

import re
from collections.abc import Iterable, Iterator

from anchormine.web.markup.elements import VOID_ELEMENTS

_SPACE = r"[\t\n\f\r ]"
_OF_TEXT = "script style noscript title textarea xmp iframe noembed noframes".split()
# Elements in which those may hold elements, or be ignored with their tags.
AROUND = frozenset(("svg", "math", "select", "template"))


def _letters(text: str) -> str:
    """A pattern; with IGNORECASE every character would be looked at, where "<" is what is searched for."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in text)


def _any_case(name: str) -> str:
    return _letters(name) + r"(?=[\t\n\f\r />]|\Z)"


_MAY_BE_OF_TEXT = "|".join(sorted({_letters(name[:2]) for name in _OF_TEXT}))


def _tokens(name: str, attributes: str) -> re.Pattern[str]:
    """Finds a tag, all of an element of text without its first and last character, or what is no tag."""
    texts = "|".join(
        rf"{_any_case(name)}{attributes}(?:>.*?(?:</{_any_case(name)}|\Z))?" for name in _OF_TEXT
    )
    tag = rf"{name}{attributes}"
    return re.compile(
        rf"<(?:(/{tag}|(?!{_MAY_BE_OF_TEXT}){tag}|{texts}|{tag})"
        r"|!--(?:>|->|.*?(?:--!?>|\Z))"
        r"|(?:[!?]|/[^a-zA-Z>])[^>]*)",
        re.DOTALL,
    )


_VALUE = r"""(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^\t\n\f\r "'>][^\t\n\f\r >]*)?"""
_ATTRIBUTE = rf"(?:=[^\t\n\f\r />=]*|[^\t\n\f\r />=]+)(?:{_SPACE}*={_SPACE}*{_VALUE})?"
_ATTRIBUTES = rf"(?:[\t\n\f\r /]+|{_ATTRIBUTE})*"
_NAME = r"[a-zA-Z][^\t\n\f\r />]*"
_START = re.compile(rf"/?{_NAME}{_ATTRIBUTES}")
_QUICK_TOKENS = _tokens("[a-zA-Z]", "[^>]*")  # right unless a value has a ">"
_EXACT_TOKENS = _tokens(_NAME, _ATTRIBUTES)
# A start of a tag whose first ">" stands in a quoted value.
OPEN_VALUE = re.compile(rf"""={_SPACE}*(?:"[^">]*|'[^'>]*)>""")
_AROUND_TAG = re.compile(rf"(/?)(?:{'|'.join(map(_any_case, sorted(AROUND)))})")
_VOID_TAG = re.compile(rf"(?:{'|'.join(map(_any_case, sorted(VOID_ELEMENTS)))})[^>]*(?<!/)\Z")
_AROUND_STARTS = re.compile(rf">(?:{'|'.join(map(_any_case, sorted(AROUND)))})")
_LONG_END = re.compile(rf"</(?={_MAY_BE_OF_TEXT})(?:{'|'.join(map(_any_case, _OF_TEXT))})[^>]*[=<]")
_SECTION = "<![CDATA["
TEXT, SPACE = "#text>", "#space>"  # what is no tag, either
_WHITE = " \t\n\f\r"


class UnclearMarkup(Exception):
    """Only the parser can tell what is a tag of a page, and so what it will cost."""


def written_tags(html: str) -> list[str]:
    """Returns the tags of a page in order, each without its "<" and ">".

    Among them are elements of text, which have a ">", and "" for a comment and the like. What is in SVG,
    MathML, a `<select>` or a `<template>` is right if these elements end where they should.

    Raises:
        UnclearMarkup: where tags end depends on the tree that is built: an element of text with a "<", or a
            void element, in one of those; a script in a comment of a script; CDATA sections in what may be
            SVG; an end tag of an element of text that has more than its name.
    """
    if _LONG_END.search(html):
        raise UnclearMarkup("an end tag with more than its name")
    tokens = _QUICK_TOKENS.findall(html)
    different = set(tokens)
    starts = _joined_starts(different)
    if OPEN_VALUE.search(starts):
        tokens = [_without_end(token) for token in _EXACT_TOKENS.findall(html)]
        different = set(tokens)
        starts = _joined_starts(different)
    may_be_around = _AROUND_STARTS.search(starts) is not None
    if may_be_around and _SECTION in html:
        raise UnclearMarkup("a section of text that may be in SVG")
    texts = {token for token in different if ">" in token and "<" in token[: token.rfind("</")]}
    if any("<script" in text[text.find("<!--") :].lower() for text in texts if "<!--" in text):
        raise UnclearMarkup("a comment in a script that has a script")
    if may_be_around:
        _check_places(tokens, texts)
    return tokens


def tags_and_texts(html: str) -> Iterator[str]:
    """Gives the tags of a page as `written_tags` does, and `TEXT` or `SPACE` where there is text between."""
    parts = _EXACT_TOKENS.split(html)
    for text, tag in zip(parts[::2], parts[1::2], strict=False):  # behind the last tag is a text
        if text and text != ">":
            yield TEXT if text.removeprefix(">").strip(_WHITE) else SPACE
        if tag:
            yield _without_end(tag) if ">" in tag else tag


def _joined_starts(tokens: Iterable[str]) -> str:
    """Returns the tags, and of elements of text the start tags, with a ">" before and behind each."""
    starts = (token if ">" not in token else token[: token.find(">")] for token in tokens)
    return ">".join(["", *starts, ""])


def _without_end(token: str) -> str:
    """Returns a token of which only that of an element of text has a ">"."""
    start = _START.match(token)
    end = start.end() if start else 0
    return token[:end].replace(">", " ") + token[end:]


class _Changes(dict[str, str]):
    """What each token does to the depth of `AROUND`: "+", "-" or ""; "!" for what must not be in them."""

    def __init__(self, texts: set[str]) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, token: str) -> str:
        match = _AROUND_TAG.match(token)
        change = ""
        if match:
            change = "-" if match[1] else "+"
        elif token in self._texts or _VOID_TAG.match(token):
            change = "!"
        self[token] = change
        return change


def _check_places(tokens: list[str], texts: set[str]) -> None:
    changes = _Changes(texts)
    written = "".join(map(changes.__getitem__, tokens))
    if "+" not in written.replace("+-", ""):  # as on most pages
        return
    depth = 0
    for token in tokens:
        change = changes[token]
        if change == "+":
            depth += 1
        elif change == "-":
            depth = max(0, depth - 1)
        elif depth and change:
            name = token.partition(">")[0]
            raise UnclearMarkup(f"<{name}> in SVG, MathML, <select> or <template>")
