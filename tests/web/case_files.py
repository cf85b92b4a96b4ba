"""The case files of HTML: what a page says, and what is to be read of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from anchormine.text.model import SentenceModel
from anchormine.text.sentences import sentence_model
from anchormine.web.html_page import WebExtraction, read_html

CASES = Path(__file__).with_name("html_cases")
URL = "http://a.test/b/page.html"
PARTS = ("text", "sentences", "links", "dropped", "facts")
_PART = re.compile(rf"^%({'|'.join(PARTS)})$", re.MULTILINE)
_LINK_IN_TEXT = re.compile(r"<(?:a|area)[\s/][^<>]*?\bhref\s*=[^<>]", re.IGNORECASE)
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


class Case(NamedTuple):
    """One case.

    Attributes:
        name: what it shows.
        html: of the page `URL`.
        expected: the lines of its text, sentences, links, dropped links and facts, as `described` gives them.
    """

    name: str
    html: str
    expected: dict[str, list[str]]


@cache
def model_of(language: str | None) -> SentenceModel:
    """The sentence model of a language, English if none."""
    return sentence_model(language or "en")


def link_count(html: str) -> int:
    """How many links a page has, in the way of a browser that runs scripts, and those for other browsers."""
    tree = LexborHTMLParser(html.encode("utf-8", "replace"), scripting=True)
    others = tree.css("noscript, noframes, noembed")
    unparsed = [node.text() for node in others if not node.css_matches("svg *, math *")]
    written = sum(len(_LINK_IN_TEXT.findall(text)) for text in unparsed)
    return len(tree.css("a[href], area[href]")) + written


def read_cases() -> Iterator[Case]:
    """Reads all case files; their form is explained at the start of each."""
    for path in sorted(CASES.glob("*.txt")):
        for block in re.split(r"^%% ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            name, _, body = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), block).partition("\n")
            html, *parts = _PART.split(body.rstrip("\n"))
            expected: dict[str, list[str]] = {part: [] for part in PARTS}
            for part, lines in zip(parts[::2], parts[1::2], strict=True):
                expected[part] = lines.strip("\n").split("\n") if lines.strip("\n") else []
            yield Case(name, html.removesuffix("\n"), expected)


def described(page: WebExtraction) -> dict[str, list[str]]:
    """A page in the lines of a case file."""
    facts = zip(
        ("title", "language", "robots", "canonical", "refresh"),
        (page.title or None, page.language, page.robots, page.canonical, page.refresh),
        strict=True,
    )
    return {
        "text": page.text.split("\n") if page.text else [],
        "sentences": [f"{'-' if start is None else start} {text}" for text, start, _ in page.sentences],
        "links": [_described_link(anchor) for anchor in page.anchors],
        "dropped": [f"{reason} {href}".rstrip() for reason, href in page.dropped],
        "facts": [f"{name} {value}" for name, value in facts if value is not None],
    }


def _described_link(draft: tuple) -> str:
    anchor, sentence, start, end, target, address, fragment, region, rel, image_alt, context = draft
    assert end - start == len(anchor)
    assert address == target
    return " ".join(
        filter(
            None,
            (
                f"{anchor} -> {target}" + (f"#{fragment}" if fragment else ""),
                f"@{region} {context} {sentence}:{start}",
                f"rel={rel}" if rel else "",
                "image" if image_alt else "",
            ),
        )
    )


def read_case(html: str, is_watched: bool = True) -> WebExtraction:
    """Reads the page of a case, as the watched process does, or as it is tried before."""
    return read_html(html, URL, model_of, is_watched=is_watched)
