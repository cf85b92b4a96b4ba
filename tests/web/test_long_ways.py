"""Links over any number of redirects and canonical links, to pages, to nowhere and in circles."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from anchormine.pipelines import web
from anchormine.web.urls import page_id_of
from tests.pipelines.command_runs import read_table
from tests.web.small_crawls import html, moved, response, warc_gz
from tests.web.test_web_command import mine

HOST = "http://harbour.example"
ADDRESSES = [f"/{number}" for number in range(400)]


def test_the_place_that_a_link_names_goes_before_that_of_a_redirect(tmp_path: Path) -> None:
    links = "".join(f"<p><a href='{link}'>{link}</a></p>" for link in ("/old", "/old#own", "/old#"))
    path = tmp_path / "in.warc.gz"
    pier = response(f"{HOST}/pier", html("<p>Of piers.</p>", "Pier"))
    path.write_bytes(
        warc_gz(response(f"{HOST}/", html(links, "All")), moved(f"{HOST}/old", "/pier#piles"), pier)
    )
    rows = read_table(mine(tmp_path / "out", str(path)), "anchors")
    assert {row["destination_page_id"] for row in rows} == {page_id_of(f"{HOST}/pier")}
    assert [(row["anchor"], row["fragment"]) for row in rows] == [
        ("/old", "piles"), ("/old#own", "own"), ("/old#", "piles")
    ]  # fmt: skip


def ways() -> dict[str, tuple[str, str]]:
    """What stands at each address, and where it leads; at some stands nothing.

    Half of the redirects lead to a place in the page.
    """
    draw, draw_place = random.Random(7), random.Random(8)
    found = {}
    for address in ADDRESSES:
        kind = draw.choices(["page", "canonical", "redirect", "nothing"], [2, 5, 12, 1])[0]
        if kind != "nothing":
            target = draw.choice([other for other in ADDRESSES if other != address])
            to_place = kind == "redirect" and draw_place.random() < 0.5
            found[address] = kind, f"{target}#{address[1:]}" if to_place else target
    return found


def record_of(address: str, kind: str, target: str) -> bytes:
    if kind == "redirect":
        return moved(HOST + address, target)
    head = f"<link rel=canonical href='{target}'>" if kind == "canonical" else ""
    return response(HOST + address, html(f"<p>Of pier {address}.</p>", address, head))


def walked(address: str, leads: dict[str, tuple[str, str]]) -> tuple[str | None, str | None, int]:
    """Where a link leads, with the first fragment on the way to that page, and over how many addresses.

    A page is found under the address that it names where nothing stands there, but not behind another page.
    """
    naming = [page for page, lead in leads.items() if lead[0] == "canonical"]
    fragment: str | None = None
    pages: list[tuple[str, str | None]] = []
    seen: set[str] = set()
    while address not in seen:
        seen.add(address)
        kind, target = leads.get(address, ("nothing", ""))
        if kind == "page":
            return address, fragment, len(seen)
        if kind == "nothing":
            pages = pages[-1:] or [(page, fragment) for page in naming if leads[page][1] == address]
            break
        if kind == "canonical":
            pages.append((address, fragment))
        address, _, named = target.partition("#")
        fragment = fragment or named or None
    return *(pages[0] if pages else (None, None)), len(seen)


@pytest.mark.parametrize("bucket_bytes", [1 << 30, 1 << 12], ids=["one bucket", "many"])
def test_every_way_is_followed_to_its_end(bucket_bytes: int, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(web, "_BUCKET_FILE_BYTES", bucket_bytes)
    leads = ways()
    links = "".join(f"<p><a href='{address}'>{address}</a></p>" for address in ADDRESSES)
    path = tmp_path / "in.warc.gz"
    records = [record_of(address, *lead) for address, lead in leads.items()]
    path.write_bytes(warc_gz(*records, response(f"{HOST}/", html(links, "All"))))
    rows = read_table(mine(tmp_path / "out", str(path)), "anchors")
    expected = {address: walked(address, leads) for address in ADDRESSES}
    assert {row["anchor"]: (row["destination_page_id"], row["fragment"]) for row in rows} == {
        address: (found and page_id_of(HOST + found), fragment)
        for address, (found, fragment, _) in expected.items()
    }
    steps = Counter(min(count, 6) for *_, count in expected.values())
    assert steps == {1: 71, 2: 58, 3: 49, 4: 35, 5: 27, 6: 160}
