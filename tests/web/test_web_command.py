"""`anchormine web` on a small crawl: every row, every reject, every count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anchormine.errors import UsageError
from anchormine.pipelines import web
from anchormine.pipelines.cli import main
from anchormine.transforms.crawl_plan import plan_crawl
from anchormine.web.urls import page_id_of
from tests.pipelines.command_runs import QUIET, checksums, funnel, read_table
from tests.transforms import memory_files
from tests.web.small_crawls import DATE, html, moved, record, response, warc, warc_gz

PIER, PILE, QUAY = "http://harbour.example/pier", "http://harbour.example/pile", "http://quay.example/"
LATER = "2025-01-01T00:00:00Z"
RECORDS = (
    record("request", PIER, b"GET /pier HTTP/1.1\r\nHost: harbour.example\r\n\r\n"),
    response(
        PIER,
        html(
            "<nav><a href='/'>Home</a></nav>"
            "<p>A pier stands on <a href='pile?utm_source=x'>piles</a> in the sea. "
            "See <a href='http://quay.example/#kinds' rel='nofollow'>quays</a>, <a href='/old'>the jetty</a>"
            " and <a href='#top'>above</a>.</p>"
            "<ul><li><a href='mailto:a@b.example'>Write</a></li>"
            "<li><a href='/loop-a'><img src=l.png alt='a loop'></a></li></ul>",
            "Pier",
        ),
    ),
    response(PILE, html("<p>A pile is driven into the <a href='/pier'>ground</a>.</p>", "Pile, as it was")),
    response(
        PILE,
        html(
            "<p>A pile stands under a <a href='./pier'>pier</a>.</p>",
            "Pile",
            "<meta name=robots content='noindex'>",
        ),
        date=LATER,
        X_Robots_Tag="noai, other: nosnippet",
    ),
    response(QUAY, html("<p>A quay is a wall.</p>", "Quay")),
    response(
        "http://harbour.example/quays",
        html("<p>Of quays.</p>", "Quays", f"<link rel=canonical href='{QUAY}'>"),
    ),
    moved("http://harbour.example/old", "/older#deck"),
    moved("http://harbour.example/older", "/pile", "302 Found"),
    moved("http://harbour.example/loop-a", "/loop-b"),
    moved("http://harbour.example/loop-b", "/loop-a"),
    moved("http://harbour.example/lost", "mailto:x@y.example"),
    response("http://harbour.example/gone", html("<a href=/pier>Pier</a>"), "404 Not Found"),
    response("http://harbour.example/map.pdf", b"%PDF-1.4", Content_Type="application/pdf"),
    response("http://harbour.example/blank", "\ufeff \n\0"),
    record("revisit", PIER, b"", date=LATER),
    record("response", "dns:harbour.example", b"harbour.example. A 192.0.2.1\n", "Content-Type: text/dns"),
    record("metadata", PIER, b"hops: 1"),
    record("metadata", QUAY, b"hops: 2"),
)  # fmt: skip


def mine(folder: Path, *arguments: str) -> Path:
    assert main(["web", *arguments, "--output", str(folder), *QUIET]) == 0
    return folder


@pytest.fixture(scope="module")
def crawl(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("crawl") / "harbour-00000.warc.gz"
    path.write_bytes(warc_gz(*RECORDS))
    return path


@pytest.fixture(scope="module")
def small(crawl: Path, tmp_path_factory) -> Path:
    return mine(tmp_path_factory.mktemp("small") / "out", str(crawl), "--licence", "CC0-1.0")


def offsets() -> list[int]:
    """Where the records start, the file's own first one among them."""
    return [len(warc_gz(*RECORDS[:count])) for count in range(len(RECORDS))]


def test_pages(small: Path) -> None:
    rows = read_table(small, "pages")
    fixed = {
        "source": "web",
        "language": "en",
        "revision": None,
        "disambiguation": False,
        "warc_file": "harbour-00000.warc.gz",
        "licence": "CC0-1.0",
        "encoding": "utf-8",
    }
    starts = offsets()

    def page(url: str, number: int, title: str, text: str, **more: Any) -> dict[str, Any]:
        given = {"timestamp": DATE, "redirects_from": [], "robots": None, **more}
        return fixed | given | {
            "page_id": page_id_of(url), "url": url, "title": title, "lead": text, "text": text,
            "warc_offset": starts[number],
        }  # fmt: skip

    quays = "http://harbour.example/quays"
    assert rows == [
        page(
            PIER, 1, "Pier",
            "A pier stands on piles in the sea. See quays, the jetty and above.\nWrite",
        ),
        page(
            PILE, 3, "Pile", "A pile stands under a pier.", timestamp=LATER, robots="noai,noindex",
            redirects_from=["http://harbour.example/old", "http://harbour.example/older"],
        ),
        page(QUAY, 4, "Quay", "A quay is a wall.", redirects_from=[quays]),
        page(quays, 5, "Quays", "Of quays."),
    ]  # fmt: skip


def test_anchors(small: Path) -> None:
    pier, pile = page_id_of(PIER), page_id_of(PILE)
    fixed = {"language": "en", "gaps": 0}
    first, second = "A pier stands on piles in the sea.", "See quays, the jetty and above."

    def anchor(
        number: int, sentence_number: int, text: str, sentence: str, target: str, to: str | None, region: str,
        of: str = PIER, start_in_text: int | None = None, **more: Any,
    ) -> dict[str, Any]:  # fmt: skip
        start = sentence.index(text)
        given = {"fragment": None, "rel": None, "image_alt": False, "context": "sentence", **more}
        return fixed | given | {
            "anchor_id": f"{page_id_of(of)}#a{number}",
            "anchor": text,
            "sentence": sentence,
            "start": start,
            "end": start + len(text),
            "sentence_id": f"{page_id_of(of)}#s{sentence_number}",
            "sentence_start": start_in_text,
            "source_page_id": page_id_of(of),
            "source_url": of,
            "target": target,
            "destination_page_id": to,
            "region": region,
        }  # fmt: skip

    host = "http://harbour.example"
    assert read_table(small, "anchors") == [
        anchor(0, 0, "Home", "Home", f"{host}/", None, "nav", context="block"),
        anchor(1, 1, "piles", first, f"{host}/pile?utm_source=x", pile, "body", start_in_text=0),
        anchor(
            2, 2, "quays", second, QUAY, page_id_of(QUAY), "body", start_in_text=35, fragment="kinds",
            rel="nofollow",
        ),
        anchor(3, 2, "the jetty", second, f"{host}/old", pile, "body", start_in_text=35, fragment="deck"),
        anchor(
            4, 3,  "a loop", "a loop", f"{host}/loop-a", None, "list", image_alt=True,
            context="block",
        ),
        anchor(0, 0, "pier", "A pile stands under a pier.", PIER, pier, "body", PILE, 0),
    ]  # fmt: skip


def test_rejects(small: Path) -> None:
    starts = offsets()
    rows = [
        (row["unit"], row["reason"], row["record_id"], row["origin"], row["excerpt"], row["records"])
        for row in read_table(small, "rejects/web")
    ]
    host, name = "http://harbour.example", "harbour-00000.warc.gz"

    def page(number: int, url: str, reason: str, excerpt: str) -> tuple[str, str, str | None, str, str, int]:
        record_id = page_id_of(url) if url.startswith("http") else None
        return ("pages", reason, record_id, f"{name}@{starts[number]}", excerpt, 1)

    assert sorted(rows, key=str) == sorted(
        [
            ("links", "self", None, page_id_of(PIER), "#top", 1),
            ("links", "scheme", None, page_id_of(PIER), "mailto:a@b.example", 1),
            page(2, PILE, "superseded", "Pile, as it was"),
            ("links", "superseded", f"{page_id_of(PILE)}#a0", page_id_of(PILE), PIER, 1),
            page(6, f"{host}/old", "redirect", f"{host}/old -> {host}/older"),
            page(7, f"{host}/older", "redirect", f"{host}/older -> {PILE}"),
            page(8, f"{host}/loop-a", "redirect", f"{host}/loop-a -> {host}/loop-b"),
            page(9, f"{host}/loop-b", "redirect", f"{host}/loop-b -> {host}/loop-a"),
            page(10, f"{host}/lost", "http_error", f"301 to nowhere, {host}/lost"),
            page(11, f"{host}/gone", "http_error", f"404 {host}/gone"),
            page(12, f"{host}/map.pdf", "media_type", f"application/pdf {host}/map.pdf"),
            page(13, f"{host}/blank", "empty", f"{host}/blank"),
            page(14, PIER, "revisit", PIER),
            page(15, "dns:harbour.example", "scheme", "dns:harbour.example"),
            ("records", "request", None, f"{name}@{starts[0]}", PIER, 1),
            ("records", "metadata", None, f"{name}@{starts[16]}", PIER, 2),
            ("records", "warcinfo", None, f"{name}@0", "", 1),
        ],
        key=str,
    )


def test_counts(small: Path) -> None:
    rows = funnel(small, "web")
    assert {unit: (row["read"], row["written"], row["rejected"]) for unit, row in rows.items()} == {
        "files": (1, 1, {}),
        "records": (19, 15, {"metadata": 2, "request": 1, "warcinfo": 1}),
        "pages": (15, 4, {
            "redirect": 4, "http_error": 2, "empty": 1, "media_type": 1, "revisit": 1, "scheme": 1,
            "superseded": 1,
        }),
        "links": (9, 6, {"scheme": 1, "self": 1, "superseded": 1}),
    }  # fmt: skip
    section = json.loads((small / "manifest.json").read_text())["steps"]["web"]
    counted = {
        name: count
        for name, count in section["counts"].items()
        if name.startswith(("redirects.", "aliases.", "links.red", "languages."))
    }
    assert counted == {
        "redirects.resolved": 2, "redirects.broken": 0, "redirects.cycle": 2, "aliases.resolved": 1,
        "links.red": 2, "languages.en": 4,
    }  # fmt: skip
    (entry,) = section["inputs"]
    assert (entry["verdict"], entry["places"]) == ("complete", [])


def test_plain_and_compressed_files_give_the_same(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "harbour-00000.warc"
    path.write_bytes(warc(*RECORDS))
    plain = mine(tmp_path / "out", str(path), "--licence", "CC0-1.0")
    for table in ("pages", "anchors"):
        differing = {"warc_file", "warc_offset"}
        assert [
            {name: value for name, value in row.items() if name not in differing}
            for row in read_table(plain, table)
        ] == [
            {name: value for name, value in row.items() if name not in differing}
            for row in read_table(small, table)
        ]
    assert funnel(plain, "web") == funnel(small, "web")


def test_many_buckets_change_nothing(small: Path, crawl: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(web, "_BUCKET_FILE_BYTES", 100)
    found = mine(tmp_path / "out", str(crawl), "--licence", "CC0-1.0")
    assert checksums(found) == checksums(small)


def test_links_lead_from_file_to_file(tmp_path: Path) -> None:
    """A folder is all its crawl files, also those of folders in it; others are not looked at."""
    (tmp_path / "in" / "b").mkdir(parents=True)
    (tmp_path / "in" / "a.warc").write_bytes(warc(response(PIER, html("<a href=/pile>A pile</a>"))))
    (tmp_path / "in" / "b" / "b.warc.gz").write_bytes(
        warc_gz(response(PILE, html("<a href=/pier>A pier</a>")))
    )
    (tmp_path / "in" / "index.cdx").write_text("no crawl")
    folder = mine(tmp_path / "out", str(tmp_path / "in"))
    assert [(row["anchor"], row["destination_page_id"]) for row in read_table(folder, "anchors")] == [
        ("A pile", page_id_of(PILE)),
        ("A pier", page_id_of(PIER)),
    ]


def test_a_place_in_one_file_is_none_in_another(tmp_path: Path) -> None:
    """The second page of the first file is superseded, and one leads to its first: to those of no other."""
    files = [
        warc(response(PIER, html("<p>A pier.</p>", "Pier")), response(PILE, html("<p>A log.</p>", "Log"))),
        warc(
            response(QUAY, html("<p>A quay.</p>", "Quay")),
            response(PILE, html("<p>A pile.</p>", "Pile"), date=LATER),
            moved("http://harbour.example/old", "/pier"),
        ),
    ]
    paths = [tmp_path / f"{name}.warc" for name in "ab"]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    folder = mine(tmp_path / "out", *map(str, paths))
    pages = [(row["title"], row["warc_file"], row["redirects_from"]) for row in read_table(folder, "pages")]
    assert pages == [
        ("Pier", "a.warc", ["http://harbour.example/old"]),
        ("Quay", "b.warc", []),
        ("Pile", "b.warc", []),
    ]
    rejects = [(row["reason"], row["excerpt"]) for row in read_table(folder, "rejects/web")]
    assert rejects == [
        ("superseded", "Log"),
        ("warcinfo", ""),
        ("redirect", "http://harbour.example/old -> http://harbour.example/pier"),
        ("warcinfo", ""),
    ]


def test_a_folder_of_another_file_system(small: Path, crawl: Path, tmp_path: Path, monkeypatch) -> None:
    """Object stores have no folders: one is whatever stands before the names of files."""
    names = ("crawl/a/harbour-00000.warc.gz", "crawl/.parts/x.warc.gz", "crawl/index.cdx", "other.warc.gz")
    files = {f"mem://bucket/{name}": crawl.read_bytes() for name in names}
    monkeypatch.setattr(memory_files, "FILES", files)
    for pattern in ("crawl", "crawl/a/", "crawl/a/*.warc.gz", "crawl/a/harbour-00000.warc.gz"):
        found = mine(tmp_path / "out", f"mem://bucket/{pattern}", "--licence", "CC0-1.0", "--overwrite")
        assert checksums(found) == checksums(small)
    for pattern, message in (
        ("index", "no file in this folder has a name that ends in .warc, .warc.gz,"),
        ("no.warc.gz", "no such file; give the path of a file, or a glob in quotation marks"),
    ):
        with pytest.raises(UsageError) as caught:
            plan_crawl([f"mem://bucket/{pattern}"])
        assert str(caught.value).startswith(f"mem://bucket/{pattern}: {message}")


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """As the unpacked archives of a browser are, each of which has an archive/data.warc."""
    pages = {"1/archive/data.warc": PIER, "2/archive/data.warc": PILE, "2/archive/more.warc": QUAY}
    for name, url in pages.items():
        path = tmp_path / "crawl" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(warc(response(url, html("<p>A page.</p>")), response(f"{url}?gone", "", "410 Gone")))
    named = {"1/archive/data.warc": PIER, "2/archive/data.warc": PILE, "more.warc": QUAY}
    for workers in ("1", "2"):
        folder = mine(tmp_path / workers, str(tmp_path / "crawl"), "--workers", workers)
        assert {row["warc_file"]: row["url"] for row in read_table(folder, "pages")} == named
        gone = [row for row in read_table(folder, "rejects/web") if row["reason"] == "http_error"]
        assert {row["origin"].partition("@")[0] for row in gone} == named.keys()


def inputs_of(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "manifest.json").read_text())["steps"]["web"]["inputs"]


def test_limit(crawl: Path, tmp_path: Path, capsys) -> None:
    """What is not read is not said to be complete without a word."""
    other = tmp_path / "other.warc.gz"
    other.write_bytes(warc_gz(*RECORDS))
    folder = mine(tmp_path / "out", str(crawl), str(other), "--limit", "4")
    assert [row["url"] for row in read_table(folder, "pages")] == [PIER, PILE]
    assert funnel(folder, "web")["records"]["read"] == 4
    unread = [(entry["verdict"], entry["unread_from"]) for entry in inputs_of(folder)]
    assert unread == [("complete", len(warc_gz(*RECORDS[:3]))), ("complete", 0)]
    said = "unread_from in manifest.json says from where on; verdicts are of what was read\n"
    assert capsys.readouterr().err.endswith(
        f"anchormine: --limit 4 left 2 of 2 files unread, whole or in part; {said}"
    )
    whole = mine(tmp_path / "whole", str(crawl), "--limit", str(len(RECORDS) + 1))
    assert [(entry["verdict"], "unread_from" in entry) for entry in inputs_of(whole)] == [("complete", False)]
    assert "--limit" not in capsys.readouterr().err


def test_a_limit_counts_as_it_reads(tmp_path: Path) -> None:
    """The records of a crawl file that was captured are no records of the one that it is in."""
    inner = warc(*RECORDS[:5]) + bytes(2 << 20)
    first, second = tmp_path / "a.warc.gz", tmp_path / "b.warc.gz"
    first.write_bytes(
        warc_gz(response(f"{PIER}.warc", inner, Content_Type="application/warc"), response(PIER, html("A.")))
    )
    second.write_bytes(warc_gz(response(PILE, html("B.")), response(QUAY, html("C."))))
    folder = mine(tmp_path / "out", str(first), str(second), "--limit", "5")
    assert funnel(folder, "web")["records"]["read"] == 5
    assert [row["url"] for row in read_table(folder, "pages")] == [PIER, PILE]
    unread = [(entry["verdict"], entry.get("unread_from")) for entry in inputs_of(folder)]
    assert unread == [("complete", None), ("complete", len(warc_gz(response(PILE, html("B.")))))]


@pytest.mark.parametrize("limit", [(), ("--limit", "4")])
def test_what_is_wrong_with_the_last_record_of_a_limit(
    limit: tuple[str, ...], tmp_path: Path, capsys
) -> None:
    """It is cut off, and counted as such."""
    path = tmp_path / "in.warc.gz"
    path.write_bytes(warc_gz(*RECORDS[:3])[:-20])
    folder = mine(tmp_path / "out", str(path), *limit)
    (entry,) = inputs_of(folder)
    assert (entry["verdict"], len(entry["places"]), "unread_from" in entry) == ("damaged", 1, False)
    assert "captures that are cut off: 1; they are read as they are\n" in capsys.readouterr().err
    counts = json.loads((folder / "manifest.json").read_text())["steps"]["web"]["counts"]
    assert {name: count for name, count in counts.items() if name.startswith("captures.")} == {
        "captures.truncated": 1
    }


def test_a_verdict_says_nothing_of_what_a_limit_leaves_unread(tmp_path: Path) -> None:
    path, damaged = tmp_path / "in.warc", RECORDS[2].replace(b"WARC-Type", b"WARC\0Type")
    path.write_bytes(warc(RECORDS[1], damaged))
    for limit, verdict, places in (("2", "complete", 0), ("3", "damaged", 1)):
        (entry,) = inputs_of(mine(tmp_path / limit, str(path), "--limit", limit))
        assert (entry["verdict"], len(entry["places"])) == (verdict, places)
        assert entry.get("unread_from") == (path.read_bytes().index(damaged) if limit == "2" else None)


def test_tracking_parameters_are_kept_if_asked_for(crawl: Path, tmp_path: Path) -> None:
    folder = mine(tmp_path / "out", str(crawl), "--keep-tracking")
    found = {row["target"]: row["destination_page_id"] for row in read_table(folder, "anchors")}
    assert found["http://harbour.example/pile?utm_source=x"] is None


def test_a_link_of_a_superseded_capture_is_that_alone(tmp_path: Path) -> None:
    """Though it leads to the page itself too, over a redirect: each link is counted once."""
    old = "http://harbour.example/old"
    page = html("<p><a href='/old'>A pier</a>, a <a href='/pile'>pile</a>.</p>")
    path = tmp_path / "a.warc"
    path.write_bytes(warc(response(PIER, page), response(PIER, page, date=LATER), moved(old, "/pier")))
    folder = mine(tmp_path / "out", str(path))
    row = funnel(folder, "web")["links"]
    assert (row["read"], row["written"], row["rejected"]) == (4, 1, {"superseded": 2, "self": 1})
    rejects = [row for row in read_table(folder, "rejects/web") if row["unit"] == "links"]
    assert [(row["reason"], row["excerpt"]) for row in rejects] == [
        ("superseded", old), ("superseded", PILE), ("self", old),
    ]  # fmt: skip


def test_a_superseded_capture_without_title_is_named_by_its_url(tmp_path: Path) -> None:
    path = tmp_path / "in.warc.gz"
    path.write_bytes(warc_gz(response(PIER, "<p>Old."), response(PIER, "<p>New.", date=LATER)))
    rejects = read_table(mine(tmp_path / "out", str(path)), "rejects/web")
    assert [(row["reason"], row["excerpt"]) for row in rejects if row["unit"] == "pages"] == [
        ("superseded", PIER)
    ]
