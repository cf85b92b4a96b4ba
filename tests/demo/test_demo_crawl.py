# SPDX-License-Identifier: Apache-2.0
"""The demo crawl: it is made from its pages, holds what crawls hold, and is mined to the last link."""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter, defaultdict
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from warcio.archiveiterator import ArchiveIterator

from anchormine.archives.compression import Damage
from anchormine.web.crawl_records import CrawlRecord, read_crawl
from tests.demo.crawl_captures import PAGES, Capture, captures
from tests.demo.crawl_links import PageLink, PageLinks
from tests.demo.make_crawl import CRAWL, crawl_bytes
from tests.pipelines.command_runs import QUIET, funnel, main, read_table

LIGHTHOUSE, TIDES, SIGNALS = (
    "https://lighthouse.example/",
    "https://tides.example/",
    "https://signals.example/",
)
HARBOUR, BOATS = "http://harbour.example/", "https://www.boats.example/"
LENS = LIGHTHOUSE + "optics/fresnel-lens.html"
LOST = BOATS + "sculling.html"
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


def _records(data: bytes) -> tuple[list[CrawlRecord], list[Damage]]:
    damages: list[Damage] = []
    return list(read_crawl(BytesIO(data), damages)), damages


@cache
def _pages() -> dict[str, PageLinks]:
    """The pages that are to be written, by URL."""
    pages = [page for page in captures() if _is_page(page) and page.day != "2024-06-01"]
    return {page.url: _read(page) for page in pages}


def _is_page(page: Capture) -> bool:
    is_html = page.status.split()[1] == "200" and "html" in (page.content_type or "html")
    return is_html and bool(page.body) and page.kind != "revisit" and not page.broken and not _is_deep(page)


def _is_deep(page: Capture) -> bool:
    return page.url == SIGNALS + "deep.html"


def _read(page: Capture) -> PageLinks:
    encodings = {
        "https://leuchtturm.example/": "cp1252",
        "https://toudai.example/": "cp932",
        HARBOUR + "guide/pilots.html": "cp1252",
    }
    return PageLinks(page.url, page.body.decode(encodings.get(page.url, "utf-8-sig")))


def _older() -> PageLinks:
    (page,) = (page for page in captures() if page.day == "2024-06-01")
    return _read(page)


def _destination(url: str) -> str | None:
    """Where a link leads: the last page on its way, None for none."""
    moved = {page.url: urljoin(page.url, page.location) for page in captures() if page.location}
    seen: set[str] = set()
    last = None
    while url not in seen:
        seen.add(url)
        page = _pages().get(url)
        last = url if page else last
        url = (page.proper if page else moved.get(url)) or url
        url = url.partition("#")[0]
    return last


def _expected_links() -> list[tuple[str, PageLink, str | None]]:
    found = [(url, link, _destination(link.url)) for url, page in _pages().items() for link in page.links]
    return [row for row in found if row[0] != row[2]]


# --- the file ---------------------------------------------------------------


def test_the_file_is_made_from_the_pages() -> None:
    """What is compressed is compared unpacked: other versions of zlib pack it in other bytes."""
    made, committed = crawl_bytes(), CRAWL.read_bytes()
    assert made == crawl_bytes()
    (records, damages), (others, other_damages) = _records(made), _records(committed)
    assert [_without_place(record) for record in records] == [_without_place(record) for record in others]
    assert len(damages) == len(other_damages) == 1


def _without_place(record: CrawlRecord) -> CrawlRecord:
    headers = [(name, value) for name, value in record.headers if name != "Content-Length"]
    return record._replace(offset=0, size=0, headers=headers)


def test_every_record_but_one_is_read() -> None:
    records, (damage,) = _records(CRAWL.read_bytes())
    assert Counter(record.kind for record in records) == {
        "warcinfo": 1,
        "response": 79,
        "request": 80,
        "metadata": 10,
        "resource": 1,
        "conversion": 1,
        "revisit": 1,
    }
    assert [record.problem for record in records if record.problem] == []
    assert sum(record.size for record in records) + damage.bytes_skipped == CRAWL.stat().st_size
    (behind,) = (record for record in records if record.offset == damage.offset + damage.bytes_skipped)
    assert (behind.kind, behind.url) == ("request", LOST)
    with pytest.raises(zlib.error):
        gzip.decompress(CRAWL.read_bytes()[damage.offset :])


def test_records_are_sent_in_many_ways() -> None:
    records, _ = _records(CRAWL.read_bytes())
    answers = [record for record in records if record.kind == "response"]
    fields = Counter(field for record in answers for field in record.headers)
    codings = {
        (name, value): count
        for (name, value), count in fields.items()
        if name in ("Content-Encoding", "Transfer-Encoding")
    }
    assert codings == {
        ("Content-Encoding", "gzip"): 2,
        ("Content-Encoding", "br"): 1,
        ("Content-Encoding", "deflate"): 1,
        ("Transfer-Encoding", "chunked"): 2,
    }
    assert Counter(record.status for record in answers) == {
        200: 69, 301: 2, 302: 4, 308: 1, 404: 2, 500: 1,
    }  # fmt: skip
    assert Counter(record.media_type for record in answers) == {
        "text/html": 60,
        "text/plain": 8,
        "image/png": 1,
        "application/pdf": 1,
        "": 9,  # redirects, the 500, and a page
    }
    responses = [page for page in captures() if page.kind == "response" and not page.broken]
    assert [record.body for record in answers] == [page.body for page in responses]
    assert Counter(page.status for page in responses if page.status.startswith("HTTP/2")) == {
        "HTTP/2 200": 1,
        "HTTP/2 404": 1,
    }


# --- what is mined ----------------------------------------------------------


def test_the_funnel(mined: Path) -> None:
    assert funnel(mined, "web") == {
        "files": _row("files", 1, 1),
        "records": _row("records", 173, 82, request=80, metadata=10, warcinfo=1),
        # 8 robots.txt, an image, a PDF file and a conversion; a chain of three redirects, a loop of two and
        # one that leads out; 404 twice, 500, and a redirect that does not say where to
        "pages": _row(
            "pages",
            82,
            57,
            media_type=11,
            redirect=6,
            http_error=4,
            empty=1,
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
    (place,) = entry["places"]
    data = CRAWL.read_bytes()
    assert (entry["bytes"], entry["verdict"]) == (len(data), "damaged")
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
    expected = _expected_links()
    assert found == Counter(
        (source, link.text, to, link.region, link.rel, link.image_alt) for source, link, to in expected
    )
    assert all(row["sentence"][row["start"] : row["end"]] == row["anchor"] for row in rows)
    dropped = Counter(reason for page in (*_pages().values(), _older()) for reason in page.dropped)
    dropped["self"] += sum(len(page.links) for page in _pages().values()) - len(expected)
    dropped["superseded"] = len(_older().links)
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
    assert set(rows) == set(_pages())
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
    }
    assert {url: row["redirects_from"] for url, row in rows.items() if row["redirects_from"]} == {
        LENS: [
            "http://lighthouse.example/fresnel",
            "https://lighthouse.example/fresnel",
            "https://lighthouse.example/lens",
            "https://lighthouse.example/lens-story.html",
        ],
        BOATS + "dinghies.html": [BOATS + "print/dinghies.html"],
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
    in_text = [row for row in _expected_links() if row[1].region in ("body", "list", "table", "caption")]
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
