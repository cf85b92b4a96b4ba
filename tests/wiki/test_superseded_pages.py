"""Pages that are there more than once: the latest counts, also where it has nothing to say."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from anchormine.hypertext.address_table import AddressRow
from anchormine.hypertext.latest_rows import Duplicate, find_duplicates
from anchormine.pipelines import wiki
from anchormine.pipelines.cli import main
from tests.pipelines.command_runs import QUIET, funnel, read_table
from tests.wiki.small_dumps import TIME, dump, page, redirect, revision, unit_row

LATER = "2025-01-01T00:00:00Z"
PIER = page(1, "Pier", "A [[quay]] and a [[mole]].")
QUAY = page(2, "Quay", "The [[pier]].")


class Mined(NamedTuple):
    """Titles and texts of the pages, (source, destination) of the anchors, rejects, and the funnel."""

    pages: list[tuple[str, str]]
    anchors: list[tuple[str, str | None]]
    rejects: list[tuple[str, str, str | None]]
    rows: dict[str, dict[str, Any]]


def later(element: str) -> str:
    return element.replace(TIME, LATER)


def mine(tmp_path: Path, *pages: str, options: tuple[str, ...] = ()) -> Mined:
    path = tmp_path / "w.xml"
    path.write_bytes(dump(*pages))
    folder = tmp_path / "out"
    assert main(["wiki", str(path), "--output", str(folder), "--overwrite", *options, *QUIET]) == 0
    return Mined(
        [(row["title"], row["text"]) for row in read_table(folder, "pages")],
        [(row["source_page_id"], row["destination_page_id"]) for row in read_table(folder, "anchors")],
        [(row["unit"], row["reason"], row["record_id"]) for row in read_table(folder, "rejects/wiki")],
        funnel(folder, "wiki"),
    )


@pytest.mark.parametrize("bucket_bytes", [1 << 30, 100], ids=["one bucket", "many"])
@pytest.mark.parametrize(
    ("text", "model", "reason"),
    [
        (" \n", "wikitext", "empty"),
        ("x" * 900, "wikitext", "too_large"),
        (".a { b: c }", "css", "content_model"),
    ],
)
def test_a_page_without_text_supersedes(
    text: str, model: str, reason: str, bucket_bytes: int, tmp_path: Path, monkeypatch
) -> None:
    """Its links, and those to it, go with the text, whichever of the two the dump has first."""
    monkeypatch.setattr(wiki, "_BUCKET_XML_BYTES", bucket_bytes)
    blank = later(page(1, "Pier", text)).replace("<model>wikitext<", f"<model>{model}<")
    options = ("--max-page-characters", "500")
    after = mine(tmp_path, PIER, blank, QUAY, options=options)
    assert after.pages == [("Quay", "The pier.")]
    assert after.anchors == [("harbourwiki:2", None)]
    assert after.rejects == [
        ("pages", "superseded", "harbourwiki:1"),
        ("links", "superseded", "harbourwiki:1#a0"),
        ("links", "superseded", "harbourwiki:1#a1"),
        ("pages", reason, "harbourwiki:1"),
    ]
    assert after.rows["pages"] == unit_row("pages", 3, 1, **{reason: 1, "superseded": 1})
    before = mine(tmp_path, blank, PIER, QUAY, options=options)
    assert before[:2] == after[:2]
    assert sorted(map(str, before.rejects)) == sorted(map(str, after.rejects))
    assert before.rows == after.rows


@pytest.mark.parametrize("is_first", [True, False])
def test_a_later_text_supersedes_a_page_without_one(is_first: bool, tmp_path: Path) -> None:
    blank = page(1, "Pier", "")
    pages = (blank, later(PIER)) if is_first else (later(PIER), blank)
    mined = mine(tmp_path, *pages, QUAY)
    assert mined.pages == [("Pier", "A quay and a mole."), ("Quay", "The pier.")]
    assert mined.anchors == [
        ("harbourwiki:1", "harbourwiki:2"),
        ("harbourwiki:1", None),
        ("harbourwiki:2", "harbourwiki:1"),
    ]
    assert mined.rows["pages"] == unit_row("pages", 3, 2, empty=1)


def test_the_latest_of_an_elements_revisions_may_be_blank(tmp_path: Path) -> None:
    element = page(1, "Pier", "A [[quay]].", more=revision("", 9999, LATER))
    mined = mine(tmp_path, element, QUAY)
    assert mined.pages == [("Quay", "The pier.")]
    assert mined.rejects == [("pages", "empty", "harbourwiki:1")]
    assert mined.rows["revisions"] == unit_row("revisions", 3, 2, superseded=1)


def test_a_redirect_that_was_blanked_leads_nowhere(tmp_path: Path) -> None:
    pages = (redirect(1, "Jetty", "Quay"), later(page(1, "Jetty", "")), page(2, "Quay", "A [[jetty]]."))
    mined = mine(tmp_path, *pages)
    assert mined.anchors == [("harbourwiki:2", None)]
    assert mined.rows["pages"] == unit_row("pages", 3, 1, empty=1, redirect=1)


@pytest.mark.parametrize("is_first", [False, True], ids=["last in the dump", "first in the dump"])
@pytest.mark.parametrize("bucket_bytes", [1 << 30, 100], ids=["one bucket", "many"])
@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("Pier", "Wharf", 2),
        ("Berth#Head", "Wharf", 2),
        ("Berth#Head", "Berth", 1),
        ("Wharf", "Berth#Head", 1),
        ("Wharf", "Pier", 1),
        ("Berth", "Nowhere", None),
    ],
)
def test_of_redirects_of_one_title_the_latest_counts(
    old: str, new: str, found: int | None, bucket_bytes: int, is_first: bool, tmp_path: Path, monkeypatch
) -> None:
    """A dump has two where a page was deleted and made again."""
    monkeypatch.setattr(wiki, "_BUCKET_XML_BYTES", bucket_bytes)
    links = (page(9, "Mole", "The [[Jetty]]."), page(10, "Dock", "The [[Quayside]]."))
    ways = (redirect(5, "Wharf", "Quay"), redirect(6, "Berth", "Pier"), redirect(7, "Quayside", "Jetty"))
    both = [redirect(4, "Jetty", old), later(redirect(3, "Jetty", new))]
    mined = mine(tmp_path, PIER, QUAY, *links, *(reversed(both) if is_first else both), *ways)
    end = found and f"harbourwiki:{found}"
    assert mined.anchors[-2:] == [("harbourwiki:9", end), ("harbourwiki:10", end)]
    assert mined.rows["pages"]["rejected"] == {"redirect": 5}


def test_a_page_without_text_keeps_no_number_from_another(tmp_path: Path) -> None:
    """A number that is used for another title goes to the first article."""
    mined = mine(tmp_path, page(1, "Pier", ""), page(1, "Mole", "A [[quay]]."), page(1, "Mole 2", "A."), QUAY)
    assert mined.anchors == [("harbourwiki:1", "harbourwiki:2"), ("harbourwiki:2", None)]
    assert [title for title, _ in mined.pages] == ["Mole", "Mole 2", "Quay"]


def test_links_to_a_page_of_a_number_that_was_used_before(tmp_path: Path) -> None:
    mined = mine(
        tmp_path, page(2, "Mole", "A."), page(2, "Mole 2", "The [[mole 2]]."), page(1, "Pier", "[[Mole 2]]")
    )
    assert mined.pages == [("Mole", "A."), ("Mole 2", "The mole 2."), ("Pier", "Mole 2")]
    assert mined.anchors == [("harbourwiki:1", "harbourwiki:2~2")]


def row(ordinal: int, title: str, time: str, *, to: str | None = None, blank: bool = False) -> AddressRow:
    return AddressRow(title, title, "w:1", 0, ordinal, time, None, to, to, None, blank=blank)


def test_duplicates_of_one_number() -> None:
    rows = [
        row(0, "A", "2020"),
        row(1, "A", "2024", blank=True),
        row(2, "A", "2022", to="B"),
        row(3, "B", "2020", blank=True),
        row(4, "C", "2020"),
        row(5, "D", "2021", blank=True),
        row(6, "D", "2022"),
    ]
    found = {(0, ""), (2, ""), (5, ""), (6, "~2")}
    for given in (rows, rows[::-1]):
        assert set(find_duplicates(given)) == {Duplicate(0, *item) for item in found}


def test_a_number_that_was_used_again_and_again() -> None:
    """Its pages are told apart in the order of the input, whatever they are called and arrive in."""
    rows = [row(0, "C", "2020"), row(1, "A", "2022"), row(2, "D", "2019"), row(3, "B", "2021")]
    numbered = [Duplicate(0, 1, "~2"), Duplicate(0, 2, "~3"), Duplicate(0, 3, "~4")]
    for given in (rows, rows[::-1]):
        assert find_duplicates(given) == numbered
