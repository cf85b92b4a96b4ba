"""Links to the address that a page names as its canonical one, where that was not captured."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchormine.hypertext.address_table import AddressRow, AddressTable, Hop, Place
from anchormine.hypertext.latest_rows import find_duplicates
from anchormine.pipelines import web
from anchormine.web.urls import page_id_of
from tests.pipelines.command_runs import funnel, read_table
from tests.web.small_crawls import DATE, html, moved, response, warc_gz
from tests.web.test_web_command import mine

HOST = "http://harbour.example"
LATER = "2025-01-01T00:00:00Z"
CANONICAL_B = "<link rel=canonical href=/b>"


def naming(path: str, canonical: str, body: str = "<p>Of piers.</p>", date: str = DATE) -> bytes:
    return response(f"{HOST}/{path}", html(body, path, f"<link rel=canonical href='{canonical}'>"), date=date)


def going_on(path: str, to: str, head: str = "") -> bytes:
    """A page that goes on to another at once."""
    head += f"<meta http-equiv=refresh content='0; url={to}'>"
    return response(f"{HOST}/{path}", html("<p>Of piers.</p>", path, head))


def linking(*links: str) -> bytes:
    return response(f"{HOST}/", html("".join(f"<p><a href='{link}'>{link}</a></p>" for link in links), "All"))


@pytest.mark.parametrize(
    ("records", "link", "found"),
    [
        ([naming("a.html", "/a")], "/a", "a.html"),
        ([naming("a.html", "https://www.harbour.example/a")], "https://www.harbour.example/a", "a.html"),
        ([naming("a.html", "/a"), moved(f"{HOST}/old", "/a")], "/old", "a.html"),
        ([naming("a.html", "/a"), naming("b.html", "/a")], "/a", "a.html"),
        # What stands at the address itself counts first.
        ([naming("a.html", "/a"), response(f"{HOST}/a", html("<p>A.</p>"))], "/a", "a"),
        ([naming("a.html", "/a"), moved(f"{HOST}/a", "/b"), response(f"{HOST}/b", html("B"))], "/a", "b"),
        # But not a redirect to itself, as sites answer to set a cookie.
        ([naming("a.html", "/a"), moved(f"{HOST}/a", "/a")], "/a", "a.html"),
        ([naming("a.html", "/a"), moved(f"{HOST}/a?utm_source=x", "/a")], "/a", "a.html"),
        # What a page names as its proper address counts before what a browser goes on to.
        ([going_on("a", "/c"), response(f"{HOST}/c", html("C"))], "/a", "c"),
        ([going_on("a", "/c", CANONICAL_B), *(response(f"{HOST}/{x}", html(x)) for x in "bc")], "/a", "b"),
        # Of addresses of other sites a page says nothing.
        ([naming("a.html", "http://quay.example/a")], "http://quay.example/a", None),
        # A page stays itself, though others name the same address.
        ([naming("a.html", "/all"), naming("b.html", "/all")], "/b.html", "b.html"),
        ([naming("a.html", "/all"), naming("b.html", "/all"), moved(f"{HOST}/o", "/b.html")], "/o", "b.html"),
        ([naming("a.html", "/all"), naming("b.html", "/o"), moved(f"{HOST}/o", "/all")], "/b.html", "b.html"),
        # What a superseded capture says does not count.
        ([naming("a.html", "/a"), naming("a.html", "/b", date=LATER)], "/a", None),
        ([naming("a.html", "/a"), naming("a.html", "/b", date=LATER)], "/b", "a.html"),
        ([naming("a.html", "/b", date=LATER), naming("a.html", "/a")], "/b", "a.html"),
    ],
)
@pytest.mark.parametrize("bucket_bytes", [1 << 30, 60], ids=["one bucket", "many"])
def test_destination(
    records: list[bytes], link: str, found: str | None, bucket_bytes: int, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(web, "_BUCKET_FILE_BYTES", bucket_bytes)
    path = tmp_path / "in.warc.gz"
    path.write_bytes(warc_gz(*records, linking(link)))
    (row,) = read_table(mine(tmp_path / "out", str(path)), "anchors")
    assert row["destination_page_id"] == (found and page_id_of(f"{HOST}/{found}"))


def test_a_link_to_the_own_proper_address_stays_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "in.warc.gz"
    path.write_bytes(
        warc_gz(naming("a.html", "/a", "<p>The <a href=/a>original</a>, a <a href=/b>pier</a>.</p>"))
    )
    folder = mine(tmp_path / "out", str(path))
    assert funnel(folder, "web")["links"]["rejected"] == {"self": 1}
    assert [(row["url"], row["redirects_from"]) for row in read_table(folder, "pages")] == [
        (f"{HOST}/a.html", [f"{HOST}/a"])
    ]


@pytest.mark.parametrize("bucket_bytes", [1 << 30, 60], ids=["one bucket", "many"])
def test_pages_have_the_addresses_that_they_are_found_at(
    bucket_bytes: int, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(web, "_BUCKET_FILE_BYTES", bucket_bytes)
    path = tmp_path / "in.warc.gz"
    records = [
        naming("a.html", "/a"), naming("b.html", "/a"), moved(f"{HOST}/old", "/a"), naming("c.html", "/c"),
        response(f"{HOST}/c", html("<p>C.</p>")), naming("d.html", "/d", date=DATE),
        naming("d.html", "/e", date=LATER), naming("f.html", "http://quay.example/f"),
        naming("g.html", "/g.html"),
    ]  # fmt: skip
    path.write_bytes(warc_gz(*records, linking("/a")))
    rows = read_table(mine(tmp_path / "out", str(path)), "pages")
    assert {row["url"].removeprefix(HOST): row["redirects_from"] for row in rows} == {
        "/a.html": [f"{HOST}/a", f"{HOST}/old"],
        "/b.html": [],
        "/c.html": [],
        "/c": [f"{HOST}/c.html"],
        "/d.html": [f"{HOST}/e"],
        "/f.html": [],
        "/g.html": [],
        "/": [],
    }


def test_an_address_that_redirects_to_itself_is_a_page_s_once(tmp_path: Path) -> None:
    path = tmp_path / "in.warc.gz"
    path.write_bytes(warc_gz(naming("a.html", "/a"), moved(f"{HOST}/a", "/a"), linking("/a")))
    rows = read_table(mine(tmp_path / "out", str(path)), "pages")
    assert [(row["url"], row["redirects_from"]) for row in rows] == [
        (f"{HOST}/a.html", [f"{HOST}/a"]),
        (f"{HOST}/", []),
    ]


def test_a_name_is_no_second_use_of_an_id() -> None:
    page = AddressRow("/a.html", "/a.html", "web:1", 0, 0, None, None, "/a", "/a", None, alias=True)
    name = AddressRow("/a", "/a", "web:1", 0, 0, None, None, None, None, None, named=True)
    assert find_duplicates([page, name]) == []
    table = AddressTable([page, name])
    assert table.find("/a", "/a") == Hop("/a", Place("web:1", 0, 0))
    assert table.find("/a", "/a", named=False) is None
