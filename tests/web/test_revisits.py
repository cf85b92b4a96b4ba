"""Revisits: what their address means, and whether the page that they repeat is in the input."""

from __future__ import annotations

import hashlib
import random
from base64 import b32encode
from pathlib import Path
from typing import NamedTuple

import pytest

from anchormine.hypertext.address_table import AddressRow, AddressTable
from anchormine.hypertext.latest_rows import find_duplicates, with_repeats, without_replaced_redirects
from anchormine.pipelines import web
from anchormine.pipelines.cli import main
from anchormine.web.urls import page_id_of
from tests.pipelines.command_runs import QUIET, checksums, funnel, read_table
from tests.web.crawl_files import FOLDER, needs_crawls
from tests.web.small_crawls import DATE, html, moved, record, response, revisit, warc_gz

EARLIER, LATER = "2023-01-01T00:00:00Z", "2025-01-01T00:00:00Z"
HOST = "http://harbour.example"
PIER, QUAY, MOLE, WEIR = f"{HOST}/pier", f"{HOST}/quay", f"{HOST}/mole", f"{HOST}/weir"
RECORDS = (
    response(PIER, html("<p>A pier.</p>", "Pier")),
    response(QUAY, html("<p>A quay.</p>", "Quay")),
    response(
        f"{HOST}/",
        html("".join(f"<p><a href='/{name}'>{name}</a></p>" for name in (
            "pier", "pier2", "pier3", "pier4", "quay", "old", "lost", "lost2", "style", "gone", "mole",
        ))),
    ),
    revisit(PIER, status="304 Not Modified", date=LATER),  # the same address, which is not named
    revisit(QUAY, QUAY, date=LATER),
    revisit(f"{HOST}/pier2?utm_source=x", PIER, date=LATER),
    revisit(f"{HOST}/pier3", f"{HOST}/pier4", date=LATER),  # from one to the next, in the order of nobody
    revisit(f"{HOST}/pier4", f"{PIER}#deck", date=EARLIER),
    moved(f"{HOST}/old", "/quay"),
    revisit(f"{HOST}/old", PIER, date=EARLIER),  # before it led elsewhere
    revisit(f"{HOST}/old", status="302 Found", date=EARLIER, Location="/quay"),
    revisit(f"{HOST}/lost", f"{HOST}/nowhere"),
    revisit(f"{HOST}/lost2", f"{HOST}/lost3"),
    revisit(f"{HOST}/lost3", f"{HOST}/lost2"),
    revisit(f"{HOST}/lost4"),
    revisit(f"{HOST}/style", f"{HOST}/style2", **{"Content-Type": "text/css"}),
    revisit(f"{HOST}/gone", PIER, status="404 Not Found"),
    response(MOLE, html("<p>A mole.</p>", "Mole"), date=EARLIER),
    revisit(MOLE, PIER, date=LATER),  # where links lead now; its own page, though older, stays
    moved(f"{MOLE}?utm_source=x#end", f"{MOLE}?", date=LATER),  # where one form leads to another
)  # fmt: skip


def mined(path: Path, data: bytes, folder: Path) -> Path:
    path.write_bytes(data)
    assert main(["web", str(path), "--output", str(folder), *QUIET]) == 0
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("revisits")
    return mined(place / "a.warc.gz", warc_gz(*RECORDS), place / "out")


def test_captures_of_one_second_in_order(tmp_path: Path) -> None:
    """WARC 1.1 dates to the nanosecond; crawlers write what has ended, in whatever order."""
    data = warc_gz(
        response(PIER, html("<p>A new pier.</p>", "New"), date="2024-05-06T07:08:09.9Z"),
        response(PIER, html("<p>An old pier.</p>", "Old"), date="2024-05-06T07:08:09.100000Z"),
        response(PIER, html("<p>A pier.</p>", "Oldest"), date=DATE),
        response(QUAY, html("<p>A quay.</p>", "Quay"), date="2024-05-06T07:08:10.9+00:00"),
        moved(QUAY, PIER, date="2024-05-06T07:08:10.1999999999Z"),
        response(MOLE, html("<p>A mole.</p>", "Mole"), date="2024-05-06T07:08:10.1Z"),
        moved(MOLE, PIER, date="2024-05-06T07:08:10.5Z"),
        revisit(MOLE, date="2024-05-06T07:08:10.9Z"),
        revisit(WEIR, date="2024-05-06T07:08:10.1Z"),  # of a page that is older, and not in the input
        moved(WEIR, PIER, date="2024-05-06T07:08:10.5Z"),
        response(WEIR, html("<p>A weir.</p>", "Weir"), date="2024-05-06T07:08:10.9Z"),
    )
    folder = mined(tmp_path / "a.warc.gz", data, tmp_path / "out")
    pages = {(page["url"], page["title"], page["timestamp"]) for page in read_table(folder, "pages")}
    assert pages == {
        (PIER, "New", DATE),
        (QUAY, "Quay", "2024-05-06T07:08:10Z"),
        (MOLE, "Mole", "2024-05-06T07:08:10Z"),
        (WEIR, "Weir", "2024-05-06T07:08:10Z"),
    }
    assert funnel(folder, "web")["pages"]["rejected"] == {"redirect": 3, "superseded": 2, "revisit": 2}


def test_links_to_what_was_revisited(folder: Path) -> None:
    pier, quay = map(page_id_of, (PIER, QUAY))
    assert {row["anchor"]: row["destination_page_id"] for row in read_table(folder, "anchors")} == {
        "pier": pier, "pier2": pier, "pier3": pier, "pier4": pier, "quay": quay, "old": quay, "mole": pier,
        "lost": None, "lost2": None, "style": None, "gone": None,
    }  # fmt: skip


def test_pages_keep_what_leads_to_them(folder: Path) -> None:
    rows = read_table(folder, "pages")
    assert {row["url"]: (row["timestamp"], row["redirects_from"]) for row in rows} == {
        PIER: (DATE, [MOLE, f"{HOST}/pier2", f"{HOST}/pier3", f"{HOST}/pier4"]),
        QUAY: (DATE, [f"{HOST}/old"]),
        f"{HOST}/": (DATE, []),
        MOLE: (EARLIER, []),
    }


def test_revisits_are_counted_by_what_became_of_them(folder: Path) -> None:
    rows = funnel(folder, "web")
    assert rows["pages"]["read"] == len(RECORDS)
    assert rows["pages"]["written"] == 4
    assert rows["pages"]["rejected"] == {
        "revisit": 7, "lost_revisit": 4, "redirect": 3, "media_type": 1, "http_error": 1,
    }  # fmt: skip
    rejects = read_table(folder, "rejects/web")
    assert sorted(row["excerpt"] for row in rejects if row["reason"] == "lost_revisit") == [
        f"{HOST}/lost -> {HOST}/nowhere",
        f"{HOST}/lost2 -> {HOST}/lost3",
        f"{HOST}/lost3 -> {HOST}/lost2",
        f"{HOST}/lost4",
    ]
    assert {row["record_id"] for row in rejects if row["reason"] == "revisit"} == {
        page_id_of(url)
        for url in (PIER, QUAY, f"{HOST}/pier2", f"{HOST}/pier3", f"{HOST}/pier4", MOLE, f"{HOST}/old")
    }


def test_many_buckets_change_nothing(folder: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(web, "_BUCKET_FILE_BYTES", 100)
    assert checksums(mined(tmp_path / "a.warc.gz", warc_gz(*RECORDS), tmp_path / "out")) == checksums(folder)


def day(number: int) -> str:
    return f"2024-01-{number:02}T00:00:00Z"


def test_a_revisit_renews_the_page(tmp_path: Path) -> None:
    """Between a page and its revisit its address may have led elsewhere: to set a cookie, or to log in."""
    gate, lock, weir, ford, dock = (f"{HOST}/{name}" for name in ("gate", "lock", "weir", "ford", "dock"))
    records = (
        response(f"{HOST}/", html("".join(f"<a href=/{name}>{name}</a> " for name in (
            "gate", "lock", "weir", "ford", "dock",
        )))),
        response(gate, html("<p>A gate.</p>", "Gate"), date=day(1)),
        moved(gate, "/login", date=day(2)),
        revisit(gate, gate, date=day(2), of_date=day(1)),
        response(f"{HOST}/login", html("<p>Who?</p>", "Login"), date=day(2)),
        response(lock, html("<p>A lock.</p>", "Lock"), date=day(1)),
        moved(lock, "/lock", date=day(3)),
        revisit(lock, date=day(4)),
        moved(lock, "/login", date=day(5)),  # later than that
        response(weir, html("<p>A weir.</p>", "Weir"), date=day(1)),
        response(weir, html("<p>No weir.</p>", "Flood"), date=day(2)),
        revisit(weir, weir, date=day(3), of_date=day(1)),
        response(ford, html("<p>A ford.</p>", "Ford"), date=day(1)),
        response(ford, html("<p>No ford.</p>", "Dam"), date=day(3)),
        revisit(ford, ford, date=day(2), of_date=day(7)),  # which is not there
        response(dock, html("<p>A dock.</p>", "Dock"), date=day(1)),
        moved(dock, "/login", date=day(2)),
        revisit(dock, date=day(3)),  # of the last page before
    )  # fmt: skip
    folder = mined(tmp_path / "a.warc.gz", warc_gz(*records), tmp_path / "out")
    assert {row["url"]: (row["title"], row["timestamp"]) for row in read_table(folder, "pages")} == {
        f"{HOST}/": ("", DATE),
        gate: ("Gate", day(1)),
        f"{HOST}/login": ("Login", day(2)),
        weir: ("Weir", day(1)),
        ford: ("Dam", day(3)),
        dock: ("Dock", day(1)),
    }
    assert {row["anchor"]: row["destination_page_id"] for row in read_table(folder, "anchors")} == {
        "gate": page_id_of(gate),
        "lock": page_id_of(f"{HOST}/login"),
        "weir": page_id_of(weir),
        "ford": page_id_of(ford),
        "dock": page_id_of(dock),
    }
    rows = funnel(folder, "web")["pages"]
    assert rows["read"] == len(records)
    assert rows["rejected"] == {"redirect": 4, "superseded": 3, "revisit": 5}


def linking(*names: str) -> bytes:
    """A page that links to others of the site, by their names."""
    return response(f"{HOST}/", html("".join(f"<p><a href='/{name}'>{name}</a></p>" for name in names)))


def what_links_mean(folder: Path) -> dict[str, str | None]:
    """The titles of the pages that links lead to, by the links' texts; None where they lead to none."""
    titles = {row["page_id"]: row["title"] for row in read_table(folder, "pages")}
    rows = read_table(folder, "anchors")
    return {row["anchor"]: titles.get(row["destination_page_id"]) for row in rows}


def test_a_revisit_of_another_address_is_the_latest_that_is_known_of_its_own(tmp_path: Path) -> None:
    """Two addresses of one content are enough: a folder and its index.html."""
    gate, lock, weir, ford, dock = (f"{HOST}/{name}" for name in ("gate", "lock", "weir", "ford", "dock"))
    records = (
        linking("gate", "lock", "weir", "ford", "dock"),
        response(PIER, html("<p>A pier.</p>", "Pier"), date=day(1)),
        response(QUAY, html("<p>A quay.</p>", "Quay"), date=day(1)),
        revisit(gate, PIER, date=day(1)),  # then it led to the quay, and then it was the pier's again
        moved(gate, "/quay", date=day(2)),
        revisit(gate, PIER, date=day(3)),
        moved(lock, "/nowhere", date=day(2)),
        revisit(lock, PIER, date=day(3)),
        response(weir, html("<p>A weir.</p>", "Weir"), date=day(2)),
        revisit(weir, PIER, date=day(3)),
        response(ford, html("<p>A ford.</p>", "Ford"), date=day(2)),
        revisit(ford, f"{HOST}/nowhere", date=day(3)),  # of no page of the input: its own is what there is
        response(dock, html("<p>A dock.</p>", "Dock"), date=day(2)),
        revisit(dock, PIER, date=day(3)),
        response(dock, html("<p>A dry dock.</p>", "Dry dock"), date=day(4)),
    )  # fmt: skip
    folder = mined(tmp_path / "a.warc.gz", warc_gz(*records), tmp_path / "out")
    assert what_links_mean(folder) == {
        "gate": "Pier", "lock": "Pier", "weir": "Pier", "ford": "Ford", "dock": "Dry dock",
    }  # fmt: skip
    assert {row["title"]: row["redirects_from"] for row in read_table(folder, "pages")} == {
        "": [], "Pier": [gate, lock, weir], "Quay": [], "Weir": [], "Ford": [], "Dry dock": [],
    }  # fmt: skip
    rows = funnel(folder, "web")["pages"]
    assert rows["read"] == len(records)
    assert rows["rejected"] == {"redirect": 2, "superseded": 1, "revisit": 6}


def test_a_revisit_renews_what_stood_at_its_address_before(tmp_path: Path) -> None:
    """Heritrix says of a page that was not modified neither where nor when it was: it may be another's."""
    gate, lock = f"{HOST}/gate", f"{HOST}/lock"
    records = (
        linking("gate", "lock"),
        response(PIER, html("<p>A pier.</p>", "Pier"), date=day(1)),
        response(QUAY, html("<p>A quay.</p>", "Quay"), date=day(1)),
        revisit(gate, PIER, date=day(1)),
        moved(gate, "/quay", date=day(2)),
        record("revisit", gate, b"", date=day(3)),
        response(lock, html("<p>A lock.</p>", "Lock"), date=day(1)),
        revisit(lock, PIER, date=day(2)),
        revisit(lock, lock, date=day(3), of_date=day(1)),
    )
    folder = mined(tmp_path / "a.warc.gz", warc_gz(*records), tmp_path / "out")
    assert what_links_mean(folder) == {"gate": "Pier", "lock": "Lock"}
    assert funnel(folder, "web")["pages"]["rejected"] == {"redirect": 1, "revisit": 4}


def digested(one: bytes, of: bytes, base: int = 32) -> bytes:
    """A record with the digest of a payload, its own or one that it repeats."""
    found = hashlib.sha1(of).digest()
    value = found.hex() if base == 16 else b32encode(found).decode()
    return one.replace(
        b"\r\nContent-Length: ",
        f"\r\nWARC-Payload-Digest: sha1:{value}".encode() + b"\r\nContent-Length: ",
        1,
    )


def test_a_revisit_renews_the_page_of_its_digest(tmp_path: Path) -> None:
    """wget and wpull name what is repeated by the id of its record alone, and by its digest."""
    first, second = (html(f"<p>The {name} one.</p>", name.title()) for name in ("first", "second"))
    pages = (first.encode(), second.encode())
    records = [linking("gate", "lock", "weir", "ford")]
    for name in ("gate", "lock", "weir", "ford"):
        captures = [
            response(f"{HOST}/{name}", page, date=day(number)) for number, page in enumerate(pages, 1)
        ]
        records += [digested(one, page) for one, page in zip(captures, pages, strict=True)]
    records += [
        digested(revisit(f"{HOST}/gate", date=day(3)), pages[0]),
        digested(record("revisit", f"{HOST}/lock", b"", date=day(3)), pages[0], base=16),
        digested(revisit(f"{HOST}/weir", date=day(3)), b"a page that is not in the input"),
        digested(revisit(f"{HOST}/ford", f"{HOST}/ford", date=day(3), of_date=day(2)), pages[0]),
    ]
    folder = mined(tmp_path / "a.warc.gz", warc_gz(*records), tmp_path / "out")
    assert what_links_mean(folder) == {"gate": "First", "lock": "First", "weir": "Second", "ford": "Second"}
    assert funnel(folder, "web")["pages"]["rejected"] == {"superseded": 4, "revisit": 4}


def test_a_revisit_renews_the_capture_of_the_time_that_it_names(tmp_path: Path) -> None:
    """Whatever else it says or not, and whatever was captured within that second.

    A redirect to the address itself is none of what a time names: there nothing else would stand.
    """
    first, second = (html(f"<p>The {name} one.</p>", name.title()) for name in ("first", "second"))
    names = ("gate", "lock", "weir", "ford", "dock", "mole", "dam")
    gate, lock, weir, ford, dock, mole, dam = (f"{HOST}/{name}" for name in names)
    records = [
        linking(*names),
        response(QUAY, html("<p>A quay.</p>", "Quay"), date=day(1)),
        response(gate, first, date=day(1)),
        response(gate, second, date=day(2)),
        revisit(gate, date=day(3), of_date=day(1)),  # of which address it does not say
        digested(response(lock, first, date="2024-01-01T00:00:00.1Z"), first.encode()),
        digested(response(lock, second, date="2024-01-01T00:00:00.9Z"), second.encode()),
        digested(revisit(lock, lock, date=day(3), of_date="2024-01-01T00:00:00.1Z"), first.encode()),
        response(weir, first, date=day(1)),
        moved(weir, "/quay", date=day(2)),
        record("revisit", weir, b"", f"WARC-Refers-To-Date: {day(2)}", date=day(3)),
        response(ford, first, date=""),  # of nobody knows when
        response(ford, second, date=day(2)),
        moved(ford, "/quay", date=day(3)),
        revisit(ford, date=day(4)),
        response(dock, first, date=day(1)),
        moved(dock, "/dock", date=day(2)),
        record("revisit", dock, b"", f"WARC-Refers-To-Date: {day(2)}", date=day(3)),
        digested(response(mole, first, date=day(1)), first.encode()),
        response(mole, second, date=day(2)),
        moved(mole, "/mole", date=day(3)),
        digested(revisit(mole, mole, date=day(4), of_date=day(3)), first.encode()),
        response(dam, first, date=day(1)),
        response(dam, second, date=day(2)),
        record("revisit", dam, b"", f"WARC-Refers-To-Date: {day(1)}", date=day(3)),
        revisit(dam, date=day(4)),  # of what stood there on the day before
    ]
    folder = mined(tmp_path / "a.warc.gz", warc_gz(*records), tmp_path / "out")
    assert what_links_mean(folder) == {
        "gate": "First", "lock": "First", "weir": "Quay", "ford": "Second", "dock": "First", "mole": "First",
        "dam": "First",
    }  # fmt: skip
    assert funnel(folder, "web")["pages"]["rejected"] == {"redirect": 4, "superseded": 6, "revisit": 8}


class Event(NamedTuple):
    """What was captured of an address on a day.

    Attributes:
        kind: "page", "redirect", "turn" to its own address, "repeat" of another, or "renewal" of its own.
        day: of the capture.
        digest: of the content.
        names: of a renewal, the day that it names.
    """

    kind: str
    day: int
    digest: int | None
    names: int | None


def meaning(events: list[Event]) -> tuple[bool, int | None]:
    """Whether an address leads on in the end, and of which day its page is, seen from day to day."""
    captures: list[Event] = []
    contents: list[Event] = []
    stood: list[Event] = []  # contents as they were seen, of captures and by renewals
    last = last_but_repeats = None
    for event in (event for event in events if event.kind != "turn"):
        seen = event
        if event.kind == "renewal":
            named = [one for one in captures if one.day == event.names]
            alike = [one for one in contents if event.digest and one.digest == event.digest]
            if not (named or contents):
                continue
            seen = (named or alike or stood)[-1]
        else:
            captures.append(event)
            contents += [event] * (event.kind != "redirect")
        stood += [seen] * (seen.kind != "redirect")
        last = seen
        last_but_repeats = last_but_repeats if seen.kind == "repeat" else seen
    if last is None:
        return any(event.kind == "turn" for event in events), None
    is_page = last_but_repeats is not None and last_but_repeats.kind == "page"
    page = last_but_repeats.day if is_page and last_but_repeats else None
    return last.kind != "page", page


def address_row(event: Event, ordinal: int) -> AddressRow:
    row = AddressRow("a", "a", "web:a", 0, ordinal, day(event.day), None, None, None, None)
    row = row._replace(digest=event.digest, repeats=event.kind == "repeat")
    if event.kind in ("redirect", "repeat"):
        return row._replace(target_key="b", target_address="b")
    if event.kind == "turn":
        return row._replace(target_key="a", target_address="a", weak=True)
    named = day(event.names) if event.names else ""
    return row._replace(blank=True, renews=named) if event.kind == "renewal" else row


@pytest.mark.parametrize("seed", range(20))
def test_captures_in_any_order_mean_what_one_sees_from_day_to_day(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(300):
        events = [
            Event(
                rng.choice(("page", "redirect", "turn", "repeat", "renewal")),
                number,
                rng.choice((None, 1, 2)),
                rng.choice((None, *range(1, number))),
            )
            for number in range(1, rng.randint(2, 9))
        ]
        shuffled = rng.sample(events, len(events))
        rows = [address_row(event, ordinal) for ordinal, event in enumerate(shuffled)]
        older = {found.ordinal for found in find_duplicates(rows) if found.suffix == ""}
        rows = [row for row in rows if row.ordinal not in older and not row.blank]
        hop = AddressTable(with_repeats(without_replaced_redirects(rows))).find("a", "a")
        place = hop.place if hop else None
        page = None if place is None else shuffled[place.ordinal].day
        assert (hop is not None and hop.key is not None, page) == meaning(events), events


@needs_crawls
@pytest.mark.data
def test_real_revisits(tmp_path: Path) -> None:
    """Of 123, all of the same addresses, 74 are of style sheets and scripts, 49 of fonts and icons."""
    folder = mined(tmp_path / "iana.warc.gz", (FOLDER / "iana.warc.gz").read_bytes(), tmp_path / "out")
    rejected = funnel(folder, "web")["pages"]["rejected"]
    assert rejected == {"media_type": 28 + 74, "lost_revisit": 49, "redirect": 4}
    lost = [row["excerpt"] for row in read_table(folder, "rejects/web") if row["reason"] == "lost_revisit"]
    assert {url.rpartition(".")[2] for url in lost} == {"ttf", "otf", "ico"}
