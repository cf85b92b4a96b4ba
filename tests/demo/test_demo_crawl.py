# SPDX-License-Identifier: Apache-2.0
"""The demo crawl is mined to the last link: all that is found is compared with what its pages hold."""

from __future__ import annotations

import json
import zlib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.demo.crawl_captures import PAGES
from tests.demo.crawl_web import (
    BOATS,
    HARBOUR,
    LENS,
    LIGHTHOUSE,
    SIGNALS,
    TIDES,
    expected_links,
    older,
    pages,
)
from tests.demo.make_crawl import CRAWL
from tests.pipelines.command_runs import QUIET, funnel, main, read_table

TEXTS_OF_THE_LENS = {
    "how a fresnel lens works",
    "how these lenses bend light",
    "the page on fresnel lenses",
    "lens",
    "a fresnel lens",
    "more about the lens",
    "the first fresnel lens",
    "the lens that bears his name",
    "the old story of lenses",
    "this link",
    "wie eine fresnel-linse funktioniert",
    "sa lentille à échelons",
    "フレネルレンズの仕組み",
}


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset folder of the crawl."""
    folder = tmp_path_factory.mktemp("crawl")
    assert main(["web", str(CRAWL), "--output", str(folder), "--licence", "CC0-1.0", *QUIET]) == 0
    return folder


def test_the_funnel(mined: Path) -> None:
    assert funnel(mined, "web") == {
        "files": _row("files", 1, 1),
        "records": _row("records", 173, 82, request=80, metadata=10, warcinfo=1),
        # 8 robots.txt, an image and a PDF file; a chain of three redirects, a loop of two and one that leads
        # out; a conversion to text; 404 twice, 500, and a redirect that does not say where to
        "pages": _row(
            "pages",
            82,
            57,
            media_type=10,
            redirect=6,
            http_error=4,
            empty=1,
            conversion=1,
            revisit=1,
            superseded=1,
            too_deep=1,
        ),
        # 17 links with mailto:, 9 with tel:, 12 with javascript:, and 3 in about.html; 12 for printing, 2 in
        # an old menu and 1 of a shop are hidden; an area and an image say nothing
        "links": _row(
            "links",
            794,
            671,
            self=53,
            scheme=41,
            hidden=15,
            superseded=10,
            no_text=2,
            bad_url=1,
            empty_href=1,
        ),
    }


def _row(unit: str, read: int, written: int, **rejected: int) -> dict[str, Any]:
    counts = {"read": read, "written": written, "rejected": rejected, "unreadable": 0}
    return {"step": "web", "unit": unit, **counts}


def test_the_verdict(mined: Path) -> None:
    (entry,) = json.loads((mined / "manifest.json").read_text())["steps"]["web"]["inputs"]
    wrong_length, place = entry["places"]
    data = CRAWL.read_bytes()
    assert (entry["bytes"], entry["verdict"], entry["records"]) == (len(data), "damaged", 173)
    assert zlib.decompressobj(31).decompress(data[wrong_length["offset"] :], 9) == b"WARC/0.18"
    assert {name: wrong_length[name] for name in ("bytes_skipped", "reason")} == {
        "bytes_skipped": 0,
        "reason": "the record that starts here is of another length than it announces",
    }
    assert data[place["offset"] :][:2] == data[place["offset"] + place["bytes_skipped"] :][:2] == b"\x1f\x8b"
    assert "damaged gzip member" in place["reason"]


def test_every_link_is_mined(mined: Path) -> None:
    urls = {row["page_id"]: row["url"] for row in read_table(mined, "pages")}
    rows = read_table(mined, "anchors")
    found = Counter(
        (
            urls[row["source_page_id"]],
            row["anchor"],
            urls.get(row["destination_page_id"]),
            row["region"],
            row["rel"],
            row["image_alt"],
        )
        for row in rows
    )
    expected = expected_links()
    assert found == Counter(
        (source, link.text, to, link.region, link.rel, link.image_alt) for source, link, to in expected
    )
    assert all(row["sentence"][row["start"] : row["end"]] == row["anchor"] for row in rows)
    dropped = Counter(reason for page in (*pages().values(), older()) for reason in page.dropped)
    dropped["self"] += sum(len(page.links) for page in pages().values()) - len(expected)
    dropped["superseded"] = len(older().links)
    assert funnel(mined, "web")["links"]["rejected"] == dropped


def test_what_the_links_are_like(mined: Path) -> None:
    rows = read_table(mined, "anchors")
    assert Counter(row["region"] for row in rows) == {
        "body": 278,
        "header": 113,
        "nav": 93,
        "footer": 78,
        "aside": 62,
        "list": 36,
        "table": 10,
        "caption": 1,
    }
    assert sum(row["image_alt"] for row in rows) == 20  # 16 logos, a figure, a lugger and two areas of a map
    assert Counter(row["rel"] for row in rows if row["rel"]) == {
        "sponsored": 12,
        "sponsored noopener": 1,
        "license": 1,
        "nofollow": 1,
        "ugc nofollow": 1,
    }
    texts: defaultdict[str, set[str]] = defaultdict(set)
    leads_to: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["destination_page_id"]:
            texts[row["destination_page_id"]].add(row["anchor"].lower())
            leads_to[row["anchor"].lower()].add(row["destination_page_id"])
    assert texts[_ids(mined)[LENS]] == TEXTS_OF_THE_LENS
    assert {text: len(leads_to[text]) for text in ("range", "here", "read more", "back")} == {
        "range": 2,
        "here": 3,
        "read more": 4,
        "back": 2,
    }


def _ids(folder: Path) -> dict[str, str]:
    return {row["url"]: row["page_id"] for row in read_table(folder, "pages")}


@pytest.mark.parametrize(
    ("source", "anchor", "destination"),
    [
        (LIGHTHOUSE + "towers/eddystone.html", "More about the lens", LENS),  # three redirects
        (LIGHTHOUSE + "about.html", "the old story of lenses", LENS),  # moved by its own head
        (LIGHTHOUSE + "about.html", "tides", TIDES),  # no path
        (LIGHTHOUSE + "about.html", "signals", SIGNALS),  # no scheme
        (HARBOUR + "visitors/", "how to pick up a mooring", HARBOUR + "guide/moorings.html"),  # another base
        (HARBOUR + "visitors/", "Back", HARBOUR),
        (HARBOUR + "visitors/", "small berths", None),  # a loop
        (BOATS + "oars.html", "sculling over the stern", None),  # the page that is lost
        (SIGNALS, "very deep drawing", None),
        (TIDES + "tables.html", "tides for tomorrow", None),
        ("https://toudai.example/", "フレネルレンズの仕組み", LENS),
        ("https://phares.example/", "sa lentille à échelons", LENS),
        ("https://leuchtturm.example/", "wie eine Fresnel-Linse funktioniert", LENS),
    ],
)
def test_where_links_lead(mined: Path, source: str, anchor: str, destination: str | None) -> None:
    ids = _ids(mined)
    urls = {page_id: url for url, page_id in ids.items()}
    found = {
        (urls[row["source_page_id"]], row["anchor"]): urls.get(row["destination_page_id"])
        for row in read_table(mined, "anchors")
    }
    assert found[source, anchor] == destination


def test_the_pages(mined: Path) -> None:
    rows = {row["url"]: row for row in read_table(mined, "pages")}
    assert set(rows) == set(pages())
    assert {url: row["encoding"] for url, row in rows.items() if row["encoding"] != "utf-8"} == {
        "https://leuchtturm.example/": "windows-1252",
        "https://toudai.example/": "shift_jis",
        HARBOUR + "guide/pilots.html": "windows-1252",
    }
    assert {url: row["language"] for url, row in rows.items() if row["language"] != "en"} == {
        "https://leuchtturm.example/": "de",
        "https://phares.example/": "fr",
        "https://toudai.example/": "ja",
    }
    assert {url: row["robots"] for url, row in rows.items() if row["robots"]} == {
        LIGHTHOUSE + "about.html": "follow,noindex",
        TIDES + "tables.html": "nofollow",
        SIGNALS + "flags.html": "noai,noimageai",
        TIDES + "spring-and-neap.html": "noai",
    }
    assert {url: row["redirects_from"] for url, row in rows.items() if row["redirects_from"]} == {
        LENS: [
            "http://lighthouse.example/fresnel",
            "https://lighthouse.example/fresnel",
            "https://lighthouse.example/lens",
            "https://lighthouse.example/lens-story.html",
        ],
        BOATS + "dinghies.html": [BOATS + "print/dinghies.html"],
        SIGNALS + "bells.html": ["https://www.signals.example/bells.html"],
    }
    assert rows[TIDES + "almanac.html"]["title"] == "Tide almanac 2025"
    assert "three o’clock" in rows[SIGNALS + "cardinal-marks.html"]["text"]


def test_pages_are_found_at_their_places(mined: Path) -> None:
    with CRAWL.open("rb") as file:
        for row in read_table(mined, "pages"):
            file.seek(row["warc_offset"])
            record = next(iter(ArchiveIterator(file)))
            assert record.rec_headers.get_header("WARC-Target-URI") == row["url"]
            assert record.rec_headers.get_header("WARC-Date") == row["timestamp"]


def test_pages_are_of_prose(mined: Path) -> None:
    short = {LIGHTHOUSE + "lens-story.html", BOATS + "print/dinghies.html", "https://toudai.example/"}
    lengths = {row["url"]: len(row["text"].split()) for row in read_table(mined, "pages")}
    assert len(lengths) - len(short) == 54
    assert {url for url, words in lengths.items() if not 120 <= words <= 400} == short
    assert len(list(PAGES.rglob("*.html"))) == 59


# --- what is kept -----------------------------------------------------------


def test_every_rule_drops_something(mined: Path) -> None:
    assert main(["filter", str(mined), "--classifier", "none", *QUIET]) == 0
    in_text = [row for row in expected_links() if row[1].region in ("body", "list", "table", "caption")]
    same_site = [source for source, link, _ in in_text if _site(source) == _site(link.url)]
    assert funnel(mined, "filter")["anchors"]["rejected"] == {
        "header_footer": 113 + 93 + 78 + 62,
        "same_site": len(same_site),
        "cleaning": 2,
        "keywords": 8,
        "length": 1,
    }
    rejects = read_table(mined, "rejects/filter")
    assert {row["excerpt"] for row in rejects if row["reason"] in ("cleaning", "keywords")} == {
        "»", "1", "here", "click here", "more", "read more", "visit website", "Weiterlesen", "Lire la suite",
        "こちら",
    }  # fmt: skip


def _site(url: str) -> str:
    """The registered domain, where that is the last two names of the host."""
    return ".".join(url.split("/")[2].split(".")[-2:])
