"""Pages of the web with texts that are part of what they say, and texts that are not, as people chose them.

They are those that trafilatura is measured by, with those that go-trafilatura adds: 984 pages, most of them
of news and blogs, many in German. The source of that has them (`scripts/comparison/data.go` and `test-files`
of https://github.com/markusmobius/go-trafilatura; what is said of them here is of version 1.12.2).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from anchormine.web.encodings.charsets import decode_text
from tests.web.real_pages import RealPage

_ENTRY = re.compile(r'^\t("(?:[^"\\]|\\.)*"): \{\n(.*?)^\t\},', re.DOTALL | re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`')


class Listed(NamedTuple):
    """A page, and texts that are and that are not of it."""

    page: RealPage
    inside: Sequence[str]
    outside: Sequence[str]


def listed_pages(source: Path) -> Iterator[Listed]:
    """Yields the pages of go-trafilatura's source."""
    for url, entry in _ENTRY.findall((source / "scripts/comparison/data.go").read_text("utf-8")):
        for name in _strings(entry, r"File:\s+"):
            paths = (source / "test-files" / folder / name for folder in ("comparison", "mock"))
            for path in filter(Path.is_file, paths):
                page = RealPage(json.loads(url), "200", decode_text(path.read_bytes(), "text/html").text)
                yield Listed(page, _strings(entry, r"With:\s+"), _strings(entry, r"Without:\s+"))


def _strings(entry: str, field: str) -> list[str]:
    found = re.search(rf"\b{field}(?:\[\]string\{{(.*?)\}},\n|(.*?),\n)", entry, re.DOTALL)
    texts = _STRING.findall(found[1] or found[2]) if found else []
    return [json.loads(text) if text[0] == '"' else text[1:-1] for text in texts]


def precision_and_recall(
    sample: Sequence[Listed], candidate: Callable[[RealPage], str]
) -> tuple[float, float]:
    """Of the listed texts that a candidate gives those of the pages; of those of the pages those it gives."""
    inside = outside = wanted = 0
    for page, good, bad in sample:
        text = " ".join(candidate(page).split())
        inside += sum(" ".join(words.split()) in text for words in good)
        outside += sum(" ".join(words.split()) in text for words in bad)
        wanted += len(good)
    return inside / (inside + outside), inside / wanted
