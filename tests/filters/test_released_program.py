"""The rules `anchor-dr-code` keep what Anchor-DR's released program keeps."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from anchormine.clueweb22.records import LinkRecord
from anchormine.clueweb22.rows import in_link_rows
from anchormine.filters.decisions import Candidate, judge
from anchormine.filters.keywords import shipped_keywords
from anchormine.filters.rule_set import BUILT_IN
from anchormine.schemas.anchors import Anchor

FOLDER = Path(os.environ.get("ANCHORMINE_DATA") or "nowhere") / "peers" / "anchordr"
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="ANCHORMINE_DATA names no folder with Anchor-DR's files"),
]


def released_program(anchor: list[str], page_url: str, keywords: set[str]) -> str:
    """The program in the words of its description: the clean text of an in-link record, "" if it is dropped.

    Args:
        anchor: the record: source URL, its hash, anchor text, header or footer flag, source language.
        page_url: of the page that has the record.
        keywords: the functional ones, without spaces.
    """
    source_url, _, text, flag, *_ = anchor
    if flag not in ("", "0"):
        return ""
    if host(source_url) == host(page_url):
        return ""
    for tag, word in (("math", "formula"), ("code", "codice")):
        pattern = rf"<\s*{tag}(\s*| [^>]+?)>.*?<\s*/\s*{tag}\s*>"
        for number, match in enumerate(re.finditer(pattern, text, re.DOTALL | re.IGNORECASE), 1):
            text = text.replace(match.group(), f"{word}_{number}")
    text = re.sub(r"[ \t\n]+", " ", text).strip(" ")
    if text.startswith("|"):
        return ""
    text = " ".join(re.sub(r"[^A-Za-z0-9 ]", "", text).split())
    squeezed = text.replace(" ", "")
    if squeezed.isnumeric() or len(squeezed) <= 1:
        return ""
    if text.replace(" ", "").lower() in keywords:
        return ""
    return "" if len(text.split()) > 64 else text


def host(url: str) -> str:
    """What the program takes for the host of an address that begins with http:// or https://."""
    return url[8 if "https://" in url else 7 :].split("/")[0]


def lines(name: str) -> list[str]:
    return (FOLDER / name).read_text("utf-8").splitlines()


def test_the_kept_set_is_the_same() -> None:
    keywords = {line.replace(" ", "") for line in lines("keywords_to_filter_out.txt")}
    texts = [
        *lines("train_neg.txt"),
        *lines("keywords_to_filter_out.txt"),
        "w " * 64,
        "w " * 65,
        "|x y",
        "ÄÖ",
        "555 0100",
        "A & B",
        "7 &",
        "Using <code>foo</code> well",
        "<CODE class=x>a</CODE> <code>b</code> < code >a</ code> <code>b</code>",
        "<math>x</math>",
        "<math>x",
    ]
    places = [
        ("http://www.one.com/a", "1"), ("http://www.one.com/a", ""), ("http://www.two.com/a", "0"),
        ("http://one.com/a", ""), ("http://www.one.com:80/a", ""), ("https://www.one.com/a", "0"),
        ("http://www.one.com?x", ""), ("http://www.one.com/to?https://two.com/", ""),
    ]  # fmt: skip
    kept: dict[bool, list] = {True: [], False: []}
    for text in texts:
        links = [[source_url, "hash", text, flag, "en"] for source_url, flag in places]
        record = LinkRecord("clueweb22-en0000-00-00000", "http://www.one.com/", "en", links)
        rows = {row.anchor_id: row for row in in_link_rows(record, is_page=True) if isinstance(row, Anchor)}
        for number, link in enumerate(links):
            theirs = released_program(link, record.url, keywords)
            kept[True] += [(*link, theirs)] * bool(theirs)
            row = rows.get(f"{record.page_id}#i{number}")  # none of one without text, or to the page itself
            if row is None:
                continue
            candidate = Candidate(row.anchor, row.target, row.region, row.rel, row.language, row.source_url)
            decision = judge(candidate, BUILT_IN["anchor-dr-code"])
            kept[False] += [(*link, decision.clean)] * (decision.reason is None)
    assert kept[False] == kept[True]
    assert len(kept[True]) == 5 * 931


def test_keywords_are_those_of_the_file() -> None:
    assert shipped_keywords("en") == {line.replace(" ", "") for line in lines("keywords_to_filter_out.txt")}
