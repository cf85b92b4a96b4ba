"""Lists without a stop that are too long to be sentences."""

from __future__ import annotations

from pathlib import Path

from anchormine.hypertext.drafts import SentenceDraft
from anchormine.pipelines.cli import main
from anchormine.text.sentences import sentence_model
from anchormine.wiki.extraction import Extraction, read_page
from anchormine.wiki.site import Site
from tests.pipelines.command_runs import QUIET, read_table
from tests.wiki.small_dumps import dump, page

LONGEST = 2000


def read(wikitext: str) -> Extraction:
    return read_page(wikitext, "Index", Site.of_language("en"), sentence_model("en"))


def test_a_sentence_of_2000_characters_is_whole() -> None:
    rest = "x" * (LONGEST - 6) + "."
    found = read(f"[[Pier]] {rest}")
    assert found.sentences == [SentenceDraft(f"Pier {rest}", 0, 0)]
    assert [(anchor.start, anchor.end, anchor.context) for anchor in found.anchors] == [(0, 4, "sentence")]


def test_a_longer_one_is_cut_between_words() -> None:
    found = read("The [[pier]] " + "and so on, " * 182 + "to the [[new quay]].")
    first = "The pier " + "and so on, " * 44 + "and so"
    assert found.sentences == [
        SentenceDraft(first, 0, 0),
        SentenceDraft("on, and so on, to the new quay.", 1996, 0),
    ]
    assert len(first) <= 500
    assert [(anchor.anchor, anchor.sentence, anchor.start, anchor.context) for anchor in found.anchors] == [
        ("pier", 0, 4, "block"),
        ("new quay", 1, 22, "block"),
    ]


def test_a_list_of_thousands_of_links(tmp_path: Path) -> None:
    """Whole sentences would be gigabytes: each row has its own."""
    names = [f"Berth {number}" for number in range(20_000)]
    source = tmp_path / "d.xml"
    source.write_bytes(dump(page(1, "Index", " ".join(f"[[{name}]]" for name in names))))
    assert main(["wiki", str(source), "--output", str(tmp_path / "out"), *QUIET]) == 0
    rows = read_table(tmp_path / "out", "anchors")
    assert [row["anchor"] for row in rows] == names
    assert all(row["sentence"][row["start"] : row["end"]] == row["anchor"] for row in rows)
    pieces = list({row["sentence_id"]: row["sentence"] for row in rows}.values())
    assert " ".join(pieces) == " ".join(names)
    assert max(map(len, pieces)) <= 500
