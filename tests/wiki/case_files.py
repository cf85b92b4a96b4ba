"""The case files of wikitext: what a page says, and what is to be read of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from anchormine.wiki.article import Article

CASES = Path(__file__).with_name("wikitext_cases")
TITLE = "Page"
_HEAD = re.compile(r"(.*) \[([a-z-]+)\]")
_PART = re.compile(r"^%(text|links|dropped)$", re.MULTILINE)
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


class Case(NamedTuple):
    """One case.

    Attributes:
        name: what it shows.
        language: of the wiki.
        wikitext: of the page `TITLE`.
        expected: the lines of its blocks, links and dropped links, as `described` gives them.
    """

    name: str
    language: str
    wikitext: str
    expected: dict[str, list[str]]


def read_cases() -> Iterator[Case]:
    """Reads all case files; their form is explained at the start of each."""
    for path in sorted(CASES.glob("*.txt")):
        for block in re.split(r"^%% ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            head, _, body = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), block).partition("\n")
            wikitext, *parts = _PART.split(body.rstrip("\n"))
            match = _HEAD.fullmatch(head)
            assert match, head
            expected: dict[str, list[str]] = {"text": [], "links": [], "dropped": []}
            for name, lines in zip(parts[::2], parts[1::2], strict=True):
                expected[name] = lines.strip("\n").split("\n") if lines.strip("\n") else []
            yield Case(match[1], match[2], wikitext.removesuffix("\n"), expected)


def described(article: Article) -> dict[str, list[str]]:
    """An article in the lines of a case file."""
    text, links = [], []
    for block in article.blocks:
        gaps = f"<gaps {', '.join(map(str, block.gaps))}>" if block.gaps else ""
        text.append(" ".join(filter(None, (f"{block.region}:", block.text, gaps))))
        for start, end, target, title, fragment in block.links:
            to = title if fragment is None else f"{title}#{fragment}"
            written = f" ({target})" if target != title else ""
            links.append(f"{block.text[start:end]} -> {to} @{block.region} {start}{written}")
    return {"text": text, "links": links, "dropped": [f"{reason} {link}" for reason, link in article.dropped]}
