"""`anchormine wiki` on small dumps: whole tables, whole funnels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anchormine.pipelines.cli import main
from tests.pipelines.command_runs import QUIET, funnel, read_table
from tests.wiki.small_dumps import (
    COMPRESS,
    HEAD,
    TIME,
    dump,
    page,
    redirect,
    revision,
    unit_row,
    write_multistream,
)

PIER = """A '''pier''' stands on [[pile]]s in the [[sea]]. See [[quay#Kinds|quays]] and [[the Jetty]].

== Kinds ==
* the [[Landing stage|landing]]
* the [[Loop A]] and the [[nowhere]], a [[wikt:pier|word]]<ref>[[Book]]</ref>, {{tl|[[Pile]]}} [[pier]]
{| class="wikitable"
| [[Pile|driven]] || [[Old pier]]
|}
[[Category:Ships]]
"""
ARTICLES = (
    page(1, "Pier", PIER),
    page(2, "Pile", "A [[pier]] stands on piles."),
    page(3, "Quay", "A quay is a wall."),
    redirect(4, "The Jetty", "Landing stage"),
    redirect(5, "Landing stage", "Pier#Stage"),
    redirect(6, "Old pier", "Quay#Old"),
    redirect(7, "Loop A", "Loop B"),
    redirect(8, "Loop B", "Loop A"),
    redirect(9, "Gone", "Nowhere at all"),
    page(10, "Talk:Pier", "A [[pile]].", ns=1),
    page(11, "Void", " \n"),
    page(12, "Style", ".a { b: c }").replace("<model>wikitext<", "<model>css<"),
)
PAGE = {
    "source": "wiki",
    "language": "en",
    "timestamp": TIME,
    "disambiguation": False,
    "warc_file": None,
    "warc_offset": None,
    "licence": None,
    "encoding": None,
    "robots": None,
}
ANCHOR = {"rel": None, "language": "en", "image_alt": False, "context": "sentence", "source_url": None}

EXPORT_0_4 = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.4/" version="0.4" xml:lang="vls">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <base>http://vls.wikipedia.org/wiki/Voorblad</base>
    <generator>MediaWiki 1.18wmf1</generator>
    <case>first-letter</case>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Discuusje</namespace>
      <namespace key="6" case="first-letter">Ofbeeldienge</namespace>
    </namespaces>
  </siteinfo>
"""


def run(tmp_path: Path, *arguments: str, status: int = 0) -> Path:
    folder = tmp_path / "out"
    assert main(["wiki", *arguments, "--output", str(folder), *QUIET]) == status
    return folder


def mine(tmp_path: Path, data: bytes, *options: str) -> Path:
    path = tmp_path / "small.xml"
    path.write_bytes(data)
    return run(tmp_path, str(path), *options)


def short(anchors: list[dict[str, Any]]) -> list[tuple[str, str, str | None, str | None, str]]:
    """(source, anchor, destination, fragment, region) of each, without the wiki's name."""
    return [
        (
            row["source_page_id"].partition(":")[2],
            row["anchor"],
            row["destination_page_id"] and row["destination_page_id"].partition(":")[2],
            row["fragment"],
            row["region"],
        )
        for row in anchors
    ]


def reasons(folder: Path) -> list[tuple[str, str, str | None, str]]:
    """(unit, reason, record, excerpt) of each reject."""
    return [
        (row["unit"], row["reason"], row["record_id"], row["excerpt"])
        for row in read_table(folder, "rejects/wiki")
    ]


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    return mine(tmp_path_factory.mktemp("small"), dump(*ARTICLES))


def test_pages(small: Path) -> None:
    text = (
        "A pier stands on piles in the sea. See quays and the Jetty.\nKinds\nthe landing\n"
        "the Loop A and the nowhere, a word, pier"
    )
    assert read_table(small, "pages") == [
        {"page_id": "harbourwiki:1", "title": "Pier", "url": "https://harbour.example/wiki/Pier",
         "lead": text.partition("\n")[0], "text": text, "revision": 1001,
         "redirects_from": ["Landing stage", "The Jetty"], **PAGE},
        {"page_id": "harbourwiki:2", "title": "Pile", "url": "https://harbour.example/wiki/Pile",
         "lead": "A pier stands on piles.", "text": "A pier stands on piles.", "revision": 1002,
         "redirects_from": [], **PAGE},
        {"page_id": "harbourwiki:3", "title": "Quay", "url": "https://harbour.example/wiki/Quay",
         "lead": "A quay is a wall.", "text": "A quay is a wall.", "revision": 1003,
         "redirects_from": ["Old pier"], **PAGE},
    ]  # fmt: skip


def test_anchors(small: Path) -> None:
    first, second = "A pier stands on piles in the sea.", "See quays and the Jetty."
    items = "the Loop A and the nowhere, a word, pier"

    def row(
        number: int, anchor: str, sentence: str, start: int, sentence_number: int, at: int | None,
        target: str, fragment: str | None, to: str | None, region: str, gaps: int = 0, of: int = 1,
    ) -> dict[str, Any]:  # fmt: skip
        source = f"harbourwiki:{of}"
        return {
            "anchor_id": f"{source}#a{number}",
            "anchor": anchor,
            "sentence": sentence,
            "start": start,
            "end": start + len(anchor),
            "sentence_id": f"{source}#s{sentence_number}",
            "sentence_start": at,
            "source_page_id": source,
            "target": target,
            "fragment": fragment,
            "destination_page_id": to and f"harbourwiki:{to}",
            "region": region,
            "gaps": gaps,
            **ANCHOR,
        }

    rows = read_table(small, "anchors")
    assert rows == [
        row(0, "piles", first, 17, 0, 0, "pile", None, "2", "body"),
        row(1, "sea", first, 30, 0, 0, "sea", None, None, "body"),
        row(2, "quays", second, 4, 1, 35, "quay", "Kinds", "3", "body"),
        # Links that come back to their own page over two redirects are self-links, and among the rejects.
        row(5, "Loop A", items, 4, 3, 78, "Loop A", None, None, "list", 1),
        row(6, "nowhere", items, 19, 3, 78, "nowhere", None, None, "list", 1),
        row(7, "driven", "driven", 0, 4, None, "Pile", None, "2", "table"),
        row(8, "Old pier", "Old pier", 0, 5, None, "Old pier", "Old", "3", "table"),
        row(0, "pier", "A pier stands on piles.", 2, 0, 0, "pier", None, "1", "body", of=2),
    ]
    for found in rows:
        assert found["sentence"][found["start"] : found["end"]] == found["anchor"]


def test_rejects(small: Path) -> None:
    assert reasons(small) == [
        ("links", "interwiki", None, "[[wikt:pier]]"),
        ("links", "self", None, "[[pier]]"),
        ("links", "namespace", None, "[[Category:Ships]]"),
        ("links", "reference", None, "[[Book]]"),
        ("links", "template", None, "[[Pile]]"),
        ("links", "self", "harbourwiki:1#a3", "[[the Jetty]]"),
        ("links", "self", "harbourwiki:1#a4", "[[Landing stage]]"),
        ("pages", "redirect", "harbourwiki:4", "The Jetty -> Landing stage"),
        ("pages", "redirect", "harbourwiki:5", "Landing stage -> Pier"),
        ("pages", "redirect", "harbourwiki:6", "Old pier -> Quay"),
        ("pages", "redirect", "harbourwiki:7", "Loop A -> Loop B"),
        ("pages", "redirect", "harbourwiki:8", "Loop B -> Loop A"),
        ("pages", "redirect", "harbourwiki:9", "Gone -> Nowhere at all"),
        ("pages", "namespace", "harbourwiki:10", "Talk:Pier"),
        ("pages", "empty", "harbourwiki:11", "Void"),
        ("pages", "content_model", "harbourwiki:12", "Style"),
    ]
    origins = [row["origin"] for row in read_table(small, "rejects/wiki")]
    assert origins[0] == "harbourwiki:1"
    data = dump(*ARTICLES)
    assert origins[-1] == f"small.xml@{data.rfind(b'<page>')}"


def test_funnel(small: Path) -> None:
    rows = json.loads((small / "stats" / "funnel.json").read_text())
    assert rows == [
        unit_row("files", 1, 1),
        unit_row("revisions", 12, 12),
        unit_row("pages", 12, 3, content_model=1, empty=1, namespace=1, redirect=6),
        unit_row("links", 15, 8, interwiki=1, namespace=1, reference=1, self=3, template=1),
    ]  # fmt: skip


def test_manifest(small: Path) -> None:
    section = json.loads((small / "manifest.json").read_text())["steps"]["wiki"]
    assert section["options"]["wikis"] == [
        {"wiki": "harbourwiki", "name": "The Harbour", "base": "https://harbour.example/wiki/Main_Page",
         "language": "en", "licence": None, "newest": TIME, "case_sensitive": False},
    ]  # fmt: skip
    counts = section["counts"]
    assert {name: counts[name] for name in counts if name.startswith(("redirects", "links.red"))} == {
        "links.red": 3,
        "redirects.broken": 1,
        "redirects.cycle": 2,
        "redirects.resolved": 3,
    }
    assert [(entry["verdict"], entry["places"]) for entry in section["inputs"]] == [("complete", [])]


def test_a_page_that_is_there_twice(tmp_path: Path) -> None:
    """A later revision supersedes; a number that is used for another title is kept under a suffix."""
    later = page(1, "Pier", "A later [[quay]].").replace(TIME, "2025-01-01T00:00:00Z")
    pages = (
        page(1, "Pier", "An early [[pier two]]."),
        later,
        page(2, "Quay", "The [[pier]]."),
        page(2, "Crane", "A [[Quay]]."),
    )
    folder = mine(tmp_path, dump(*pages))
    assert [(row["page_id"], row["title"], row["text"]) for row in read_table(folder, "pages")] == [
        ("harbourwiki:1", "Pier", "A later quay."),
        ("harbourwiki:2", "Quay", "The pier."),
        ("harbourwiki:2~2", "Crane", "A Quay."),
    ]
    assert short(read_table(folder, "anchors")) == [
        ("1", "quay", "2", None, "body"),
        ("2", "pier", "1", None, "body"),
        ("2~2", "Quay", "2", None, "body"),
    ]
    assert reasons(folder) == [
        ("pages", "superseded", "harbourwiki:1", "Pier"),
        ("links", "superseded", "harbourwiki:1#a0", "[[pier two]]"),
    ]
    assert funnel(folder, "wiki")["pages"] == unit_row("pages", 4, 3, superseded=1)


def test_rejects_of_a_page_whose_number_is_used_twice(tmp_path: Path) -> None:
    """They name the page they are of: `#a` and `~` numbers alike."""
    pages = (page(2, "Quay", "A [[wikt:quay]]."), page(2, "Crane", "A [[wikt:crane]] and a [[Crane]]."),
             page(3, "Pier", "A [[wikt:pier]]."))  # fmt: skip
    folder = mine(tmp_path, dump(*pages))
    assert [(row["reason"], row["origin"], row["excerpt"]) for row in read_table(folder, "rejects/wiki")] == [
        ("interwiki", "harbourwiki:2", "[[wikt:quay]]"),
        ("interwiki", "harbourwiki:2~2", "[[wikt:crane]]"),
        ("self", "harbourwiki:2~2", "[[Crane]]"),
        ("interwiki", "harbourwiki:3", "[[wikt:pier]]"),
    ]


def test_the_latest_of_several_revisions_counts(tmp_path: Path) -> None:
    older = revision("An [[old]] text.", 5, "2020-01-01T00:00:00Z") + revision(
        "A [[new]] text.", 9999, "2026-01-01T00:00:00Z"
    )
    folder = mine(tmp_path, dump(page(1, "Pier", "The middle.", more=older)))
    rows = read_table(folder, "pages")
    assert [(row["text"], row["revision"], row["timestamp"]) for row in rows] == [
        ("A new text.", 9999, "2026-01-01T00:00:00Z")
    ]
    assert funnel(folder, "wiki")["revisions"] == unit_row("revisions", 3, 1, superseded=2)


def test_titles_that_differ_in_the_first_letter(tmp_path: Path) -> None:
    """The exact title wins, an article over a redirect, and the case counts where the wiki says so."""
    pages = (
        redirect(1, "pier", "Quay"),
        page(2, "Pier", "A [[pier]] and a [[Pier]]."),
        page(3, "Quay", "A [[pier]], a [[Pier]], a [[PIER]]."),
    )
    (tmp_path / "a").mkdir()
    folding = mine(tmp_path / "a", dump(*pages))
    assert short(read_table(folding, "anchors")) == [
        ("3", "pier", "2", None, "body"),
        ("3", "Pier", "2", None, "body"),
        ("3", "PIER", None, None, "body"),
    ]
    (tmp_path / "b").mkdir()
    exact = mine(
        tmp_path / "b", dump(*pages, head=HEAD.replace("<case>first-letter", "<case>case-sensitive"))
    )
    assert short(read_table(exact, "anchors")) == [
        ("2", "pier", "3", None, "body"),
        ("3", "Pier", "2", None, "body"),
        ("3", "PIER", None, None, "body"),
    ]


def test_articles_whose_titles_differ_in_the_first_letter(tmp_path: Path) -> None:
    pages = (
        page(1, "pier", "A."),
        page(2, "Pier", "A."),
        redirect(3, "Jetty", "Pier"),
        redirect(4, "Mole", "pier"),
        page(5, "Quay", "A [[pier]], a [[Pier]], a [[jetty]], a [[mole]]."),
    )
    anchors = read_table(mine(tmp_path, dump(*pages)), "anchors")
    assert [(row["anchor"], row["destination_page_id"]) for row in anchors] == [
        ("pier", "harbourwiki:1"),
        ("Pier", "harbourwiki:2"),
        ("jetty", "harbourwiki:2"),
        ("mole", "harbourwiki:1"),
    ]


def test_limit_counts_page_elements(tmp_path: Path) -> None:
    folder = mine(tmp_path, dump(*ARTICLES), "--limit", "5")
    assert [row["title"] for row in read_table(folder, "pages")] == ["Pier", "Pile", "Quay"]
    assert funnel(folder, "wiki")["pages"] == unit_row("pages", 5, 3, redirect=2)
    verdicts = json.loads((folder / "manifest.json").read_text())["steps"]["wiki"]["inputs"]
    assert [entry["verdict"] for entry in verdicts] == ["complete"]


def tables(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """All rows, without where in its file a reject stood."""
    rows = {name: read_table(folder, name) for name in ("pages", "anchors", "rejects/wiki")}
    for row in rows["rejects/wiki"]:
        if row["unit"] == "pages":
            row["origin"] = row["origin"].partition("@")[0].partition(".")[0]
    return rows


@pytest.mark.parametrize("kind", COMPRESS)
def test_every_form_gives_the_same(kind: str, tmp_path: Path, small: Path) -> None:
    path = tmp_path / f"small.{kind}"
    path.write_bytes(COMPRESS[kind](dump(*ARTICLES)))
    assert tables(run(tmp_path, str(path))) == tables(small)


@pytest.mark.parametrize("index", ["beside", "named", "none"])
def test_multistream(index: str, tmp_path: Path, small: Path) -> None:
    path = tmp_path / "small-multistream.xml.bz2"
    beside = write_multistream(path, ARTICLES, [str(number) for number in range(len(ARTICLES))])
    options = {
        "beside": [],
        "none": ["--index", "none"],
        "named": ["--index", str(tmp_path / "other.txt.bz2")],
    }
    if index == "named":
        beside.rename(tmp_path / "other.txt.bz2")
    found = tables(run(tmp_path, str(path), *options[index]))
    for row in found["rejects/wiki"]:
        row["origin"] = row["origin"].replace("small-multistream", "small")
    assert found == tables(small)


def test_the_parts_of_one_dump_are_one_run(tmp_path: Path, small: Path) -> None:
    """Redirects and links lead from one part to the other; a glob finds both, and leaves out an index."""
    for number, pages in enumerate((ARTICLES[:5], ARTICLES[5:]), 1):
        write_multistream(
            tmp_path / f"w-multistream.xml-p{number}.bz2", pages, [str(n) for n in range(len(pages))]
        )
    folder = run(tmp_path, str(tmp_path / "w-multistream*"))
    assert read_table(folder, "pages") == read_table(small, "pages")
    assert read_table(folder, "anchors") == read_table(small, "anchors")
    assert funnel(folder, "wiki")["files"]["read"] == 2


def test_wikis_of_one_run_share_no_titles(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page(1, "Pier", "A [[quay]].")))
    other = HEAD.replace("harbourwiki", "portwiki")
    (tmp_path / "b.xml").write_bytes(
        dump(page(1, "Quay", "A [[pier]] and a [[quay two]]."), page(2, "Quay two", "Text."), head=other)
    )
    folder = run(tmp_path, str(tmp_path / "a.xml"), str(tmp_path / "b.xml"))
    assert [row["page_id"] for row in read_table(folder, "pages")] == [
        "harbourwiki:1",
        "portwiki:1",
        "portwiki:2",
    ]
    assert [(row["anchor_id"], row["destination_page_id"]) for row in read_table(folder, "anchors")] == [
        ("harbourwiki:1#a0", None),
        ("portwiki:1#a0", None),
        ("portwiki:1#a1", "portwiki:2"),
    ]


def test_wiki_and_language_over_the_dumps_own(tmp_path: Path) -> None:
    pages = (
        page(1, "Hafen", "Die [[Schiff]]fahrt. [[Datei:A.png|mini|Ein [[Boot]].]]"),
        page(2, "Schiff", "Text."),
        page(3, "Boot", "#WEITERLEITUNG [[Schiff]]"),
    )
    folder = mine(tmp_path, dump(*pages), "--wiki", "dewiki", "--language", "de", "--licence", "CC-BY-SA-4.0")
    assert [
        (row["page_id"], row["language"], row["licence"], row["redirects_from"])
        for row in read_table(folder, "pages")
    ] == [
        ("dewiki:1", "de", "CC-BY-SA-4.0", []),
        ("dewiki:2", "de", "CC-BY-SA-4.0", ["Boot"]),
    ]
    assert short(read_table(folder, "anchors")) == [
        ("1", "Boot", "2", None, "caption"),
        ("1", "Schifffahrt", "2", None, "body"),
    ]


def test_an_export_of_version_0_4(tmp_path: Path) -> None:
    """It has no <dbname>, <ns> and <model>: the wiki's name is of its address, a namespace of the title."""
    pages = "".join(
        f"<page><title>{title}</title><id>{number}</id>{redirect}<revision><id>{1000 + number}</id>"
        f"<timestamp>{TIME}</timestamp><contributor><username>Ann</username><id>7</id></contributor>"
        f'<text xml:space="preserve">{text}</text></revision></page>\n'
        for number, title, redirect, text in (
            (1, "Kaai", "", "E kaai an [[de Zee]]. [[Ofbeeldienge:A.png|thumb|E [[schip]].]]"),
            (2, "De Zee", "<redirect />", "#DOORVERWIJZING [[Zee#Golven]]"),
            (3, "Zee", "", "Zout [[woater]]."),
            (4, "Discuusje:Zee", "", "Is de [[zee]] zout?"),
            (5, "Aktueel: e boek", "", "Over de [[zee]]."),
        )
    )
    folder = mine(tmp_path, f"{EXPORT_0_4}{pages}</mediawiki>\n".encode())
    assert [(row["page_id"], row["title"], row["url"]) for row in read_table(folder, "pages")] == [
        ("vlswiki:1", "Kaai", "http://vls.wikipedia.org/wiki/Kaai"),
        ("vlswiki:3", "Zee", "http://vls.wikipedia.org/wiki/Zee"),
        ("vlswiki:5", "Aktueel: e boek", "http://vls.wikipedia.org/wiki/Aktueel:_e_boek"),
    ]
    assert {(row["language"], row["timestamp"]) for row in read_table(folder, "pages")} == {("vls", TIME)}
    assert short(read_table(folder, "anchors")) == [
        ("1", "schip", None, None, "caption"),
        ("1", "de Zee", "3", "Golven", "body"),
        ("3", "woater", None, None, "body"),
        ("5", "zee", "3", None, "body"),
    ]
    assert funnel(folder, "wiki")["pages"] == unit_row("pages", 5, 3, namespace=1, redirect=1)


def test_a_wiki_without_links(tmp_path: Path) -> None:
    folder = mine(tmp_path, dump(page(1, "Pier", "A pier."), page(2, "Quay", "A quay.")))
    assert len(read_table(folder, "pages")) == 2
    assert not (folder / "anchors").exists()
    assert funnel(folder, "wiki")["links"] == unit_row("links", 0, 0)
