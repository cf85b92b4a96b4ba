"""`anchormine clueweb22` on a small collection: every row, every reject, every count."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from anchormine.clueweb22.link_fields import link_fields
from anchormine.transforms.clueweb22_plan import plan_clueweb22
from anchormine.web.urls import page_id_of
from tests.clueweb22.clueweb22_files import line, members, page_id, text, write_file
from tests.clueweb22.small_collection import (
    FAR,
    IN_LINKS,
    KAI,
    MOLE,
    PIER,
    PILE,
    QUAY,
    TEXTS,
    write_collection,
)
from tests.pipelines.command_runs import QUIET, checksums, funnel, main, read_table

P0, P1, Q0 = page_id(0), page_id(1), page_id(0, "en0000-01")
KAI_ID, MOLE_ID = page_id(0, "zh_chs0000-00"), page_id(3, "de0000-00")
FAR_ID = page_id_of(FAR)
ANCHOR_COLUMNS = (
    "anchor_id", "anchor", "source_page_id", "destination_page_id", "target", "fragment", "region",
    "language", "source_url",
)  # fmt: skip


def mine(folder: Path, *arguments: str | Path) -> Path:
    assert main(["clueweb22", *map(str, arguments), "--output", str(folder), *QUIET]) == 0
    return folder


@pytest.fixture(scope="module")
def collection(tmp_path_factory) -> Path:
    return write_collection(tmp_path_factory.mktemp("collection"), "txt", "inlink", "outlink")


@pytest.fixture(scope="module")
def mined(collection: Path, tmp_path_factory) -> Path:
    return mine(tmp_path_factory.mktemp("mined") / "out", collection)


@pytest.fixture(scope="module")
def from_out_links(tmp_path_factory) -> Path:
    root = write_collection(tmp_path_factory.mktemp("collection"), "txt", "outlink")
    return mine(tmp_path_factory.mktemp("mined") / "out", root)


def offset(lines: tuple[bytes, ...], number: int) -> int:
    return sum(map(len, members(*lines[:number])))


def columns(rows: list[dict[str, Any]], *names: str) -> list[tuple]:
    return [tuple(row[name] for name in names) for row in rows]


def counted(folder: Path) -> dict[str, tuple]:
    return {
        unit: (row["read"], row["written"], row["rejected"], row["unreadable"])
        for unit, row in funnel(folder, "clueweb22").items()
    }


def test_pages(mined: Path) -> None:
    rows = read_table(mined, "pages")
    named = {"page_id", "language", "url", "lead", "text", "warc_file", "warc_offset"}
    assert [{name: value for name, value in row.items() if name in named} for row in rows] == [
        {
            "page_id": page,
            "language": language,
            "url": url,
            "lead": of_page,
            "text": of_page,
            "warc_file": f"{page[10:-6]}.json.gz",
            "warc_offset": at,
        }
        for page, language, url, of_page, at in (
            (P0, "en", PIER, "A pier stands on piles.\nIt is long.", 0),
            (P1, "en", PILE, "A pile is driven into the ground.", offset(TEXTS["en0000-00"], 1)),
            (Q0, "en", QUAY, "A quay is a wall.", 0),
            (KAI_ID, "zh", KAI, "码头。\n第二段。", 0),
        )
    ]
    others = {name: value for name, value in rows[0].items() if name not in named}
    assert others == {
        "source": "clueweb22", "title": "", "revision": None, "timestamp": None, "redirects_from": [],
        "disambiguation": False, "licence": None, "encoding": "utf-8", "robots": None,
    }  # fmt: skip


def test_anchors_of_in_links(mined: Path) -> None:
    """Where no id is said, the page that links is looked up by its URL in the whole input."""
    rows = read_table(mined, "anchors")
    blank = "http://harbour.example/blank"
    assert columns(rows, *ANCHOR_COLUMNS) == [
        (f"{MOLE_ID}#i0", "Mole", FAR_ID, None, MOLE, None, "body", "de", FAR),
        (f"{P0}#i0", "the pier", P1, P0, PIER, None, "body", "en", PILE),
        (f"{P0}#i1", "piers", Q0, P0, PIER, None, "body", "en", QUAY),
        (f"{P0}#i2", "Ein Pier", FAR_ID, P0, PIER, None, "header", "de", "HTTP://far.example:80/#top"),
        (f"{P0}#i3", "Pier", FAR_ID, P0, PIER, None, "body", "de", FAR),
        (f"{page_id(2)}#i0", "blank page", FAR_ID, None, blank, None, "body", "xx", FAR),
        (f"{KAI_ID}#i0", "码头 \ufffd", FAR_ID, KAI_ID, KAI, None, "body", "zh", FAR),
        (f"{KAI_ID}#i1", "harbour wall", Q0, KAI_ID, KAI, None, "body", "en", "HTTP://Quay.example#wall"),
    ]
    for row in rows:
        assert row["sentence"] == row["anchor"] == row["sentence"][row["start"] : row["end"]]
        assert (row["sentence_id"], row["sentence_start"]) == (row["anchor_id"], None)
        assert (row["context"], row["image_alt"], row["gaps"], row["rel"]) == ("anchor", False, 0, None)


@pytest.mark.parametrize("kind", ["inlink", "outlink"])
def test_records_of_links_that_say_an_id_or_a_url_alone(kind: str, tmp_path: Path) -> None:
    """Either finds the page among the texts. Where it has none, it goes by what is said."""
    key = {"inlink": "anchors", "outlink": "outlinks"}[kind]
    write_file(tmp_path / "in", "txt", "en0000-00", *TEXTS["en0000-00"][:2])
    write_file(
        tmp_path / "in",
        kind,
        "en0000-00",
        line(
            {"url": PIER + "\n", "urlhash": "H", "language": "en", key: [[FAR, "H", "pier", "", "en", None]]}
        ),
        line({"ClueWeb22-ID": P1, key: [[FAR, "H", "pile", "", "en"], [PILE, "H", "self", "", "en"]]}),
        line({"ClueWeb22-ID": None, "url": MOLE, "language": "de", key: [[PIER, "H", "mole", "", "en"]]}),
        line({"ClueWeb22-ID": page_id(7), key: [[PILE, "H", "seven", "", "en"]]}),
        line({"ClueWeb22-ID": page_id(8), "url": QUAY, key: None}),
        line({"url": " ", key: []}),
    )
    out = mine(tmp_path / "out", tmp_path / "in")
    mole = page_id_of(MOLE)
    names = ("anchor_id", "anchor", "source_page_id", "destination_page_id", "target", "source_url")
    assert (
        columns(read_table(out, "anchors"), *names)
        == {
            "inlink": [
                (f"{P0}#i0", "pier", FAR_ID, P0, PIER, FAR),
                (f"{P1}#i0", "pile", FAR_ID, P1, PILE, FAR),
                (f"{mole}#i0", "mole", P0, None, MOLE, PIER),
                (f"{page_id(7)}#i0", "seven", P1, None, page_id(7), PILE),
            ],
            "outlink": [
                (f"{P0}#a0", "pier", P0, None, FAR, PIER),
                (f"{P1}#a0", "pile", P1, None, FAR, PILE),
                (f"{mole}#a0", "mole", mole, P0, PIER, MOLE),
                (f"{page_id(7)}#a0", "seven", page_id(7), P1, PILE, None),
            ],
        }[kind]
    )
    assert counted(out)["records"] == (8, 7, {}, 1)
    assert counted(out)["links"] == (5, 4, {"self": 1}, 0)


@pytest.mark.parametrize(
    ("flag", "region"),
    [
        *(
            (flag, "body")
            for flag in (None, False, 0, 0.0, "", "0", "0.0", "False", "None", "false", "null", "0 ")
        ),
        *((flag, "header") for flag in (True, 1, 1.0, "1", "True", "true", "header")),
    ],
)
def test_flags_of_links(flag: object, region: str) -> None:
    fields = link_fields(["http://a.example/", "h", "Piers", flag, "en", None])
    assert fields == ("http://a.example/", "Piers", region, "en", None)


def test_a_text_that_is_null(tmp_path: Path) -> None:
    null = line({"URL": PILE, "ClueWeb22-ID": P1, "Language": "en", "Clean-Text": None})
    write_file(tmp_path / "in", "txt", "en0000-00", TEXTS["en0000-00"][0], null)
    out = mine(tmp_path / "out", tmp_path / "in")
    assert counted(out)["pages"] == (2, 1, {"empty": 1}, 0)
    (row,) = read_table(out, "rejects/clueweb22")
    assert (row["reason"], row["record_id"], row["excerpt"]) == ("empty", P1, PILE)


def test_anchors_of_out_links(from_out_links: Path) -> None:
    """Destinations are looked up in the whole input, by URL where no id is said.

    Blank pages and those of missing texts are none.
    """
    rows = read_table(from_out_links, "anchors")
    blank = "http://harbour.example/blank"
    five = PILE.replace("http://h", "HTTP://H")
    assert columns(rows, *ANCHOR_COLUMNS) == [
        (f"{MOLE_ID}#a0", "Kai", MOLE_ID, Q0, QUAY, None, "body", "de", MOLE),
        (f"{P0}#a0", "piles", P0, P1, PILE, None, "body", "en", PIER),
        (f"{P0}#a1", "quays", P0, Q0, QUAY, "kinds", "header", "en", PIER),
        (f"{P0}#a2", "Kai", P0, KAI_ID, KAI, None, "body", "en", PIER),
        (f"{P0}#a3", "far away", P0, None, FAR, None, "body", "en", PIER),
        (f"{P0}#a4", "moles", P0, None, MOLE, None, "body", "en", PIER),
        (f"{P0}#a5", "blank", P0, None, blank, None, "body", "en", PIER),
        (f"{P0}#a9", "five fields", P0, P1, five, "oak", "body", "en", PIER),
        (f"{Q0}#a0", "a pier", Q0, P0, PIER, None, "body", "en", QUAY),
    ]
    assert [row["sentence_id"] for row in rows][1:3] == [f"{P0}#s0", f"{P0}#s1"]


def test_funnel(mined: Path, from_out_links: Path) -> None:
    aside = {"misplaced": 1, "repeated": 1}
    assert counted(mined) == {
        "files": (9, 6, {"other_side": 3}, 0),
        "records": (15, 9, {"misplaced": 1, "repeated": 2}, 3),
        "pages": (5, 4, {"empty": 1}, 0),
        "links": (18, 8, {"malformed": 3, "no_text": 2, "self": 2, "bad_url": 2, "scheme": 1}, 0),
    }
    assert counted(from_out_links) == {
        "files": (6, 6, {}, 0),
        "records": (12, 8, aside, 2),
        "pages": (5, 4, {"empty": 1}, 0),
        "links": (13, 9, {"no_text": 1, "scheme": 1, "self": 2}, 0),
    }


def test_rejects(mined: Path) -> None:
    texts, inlinks = TEXTS["en0000-00"], IN_LINKS["en0000-00"]
    in_texts = [f"txt/en0000-00.json.gz@{offset(texts, n)}" for n in range(len(texts))]
    in_links = [f"inlink/en0000-00.json.gz@{offset(inlinks, n)}" for n in range(len(inlinks))]
    rows = read_table(mined, "rejects/clueweb22")
    assert columns(rows, "unit", "reason", "record_id", "origin") == [
        ("files", "other_side", None, "outlink/de0000-00.json.gz"),
        ("files", "other_side", None, "outlink/en0000-00.json.gz"),
        ("files", "other_side", None, "outlink/en0000-01.json.gz"),
        ("pages", "empty", page_id(2), in_texts[2]),
        ("records", "repeated", P0, in_texts[3]),
        ("records", "misplaced", page_id(4, "en0000-07"), in_texts[4]),
        ("records", "unreadable", None, in_texts[5]),
        ("records", "unreadable", None, in_texts[6]),
        ("links", "no_text", f"{P0}#i4", in_links[0]),
        ("links", "no_text", f"{P0}#i5", in_links[0]),
        ("links", "self", f"{P0}#i6", in_links[0]),
        ("links", "self", f"{P0}#i7", in_links[0]),
        ("links", "bad_url", f"{P0}#i8", in_links[0]),
        ("links", "malformed", f"{P0}#i9", in_links[0]),
        ("links", "malformed", f"{P0}#i10", in_links[0]),
        ("links", "malformed", f"{P0}#i11", in_links[0]),
        ("links", "scheme", f"{P0}#i12", in_links[0]),
        ("links", "bad_url", f"{P0}#i13", in_links[0]),
        ("records", "repeated", P0, in_links[3]),
        ("records", "unreadable", None, in_links[4]),
    ]
    assert all(row["step"] == "clueweb22" for row in rows)


def test_files_that_are_set_aside(mined: Path, collection: Path) -> None:
    section = json.loads((mined / "manifest.json").read_text())["steps"]["clueweb22"]
    assert section["inputs_set_aside"] == [
        {"path": f"{collection}/outlink/{name}", "reason": "other_side"}
        for name in (
            "de/de00/de0000/de0000-00.json.gz",
            "en/en00/en0000/en0000-00.json.gz",
            "en/en00/en0000/en0000-01.json.gz",
        )
    ]


def test_verdicts(mined: Path, collection: Path) -> None:
    section = json.loads((mined / "manifest.json").read_text())["steps"]["clueweb22"]
    found = {
        entry["path"].removeprefix(f"{collection}/"): (
            entry["verdict"],
            [(place["offset"], place["bytes_skipped"], place["reason"]) for place in entry["places"]],
        )
        for entry in section["inputs"]
    }
    texts, inlinks = TEXTS["en0000-00"], IN_LINKS["en0000-00"]
    lengths = {n: offset(texts, n + 1) - offset(texts, n) for n in (5, 6)}
    not_json = (
        "a record is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
    )
    not_ours = "a record is not one of ClueWeb22: "
    assert found == {
        "inlink/de/de00/de0000/de0000-00.json.gz": ("complete", []),
        "txt/en/en00/en0000/en0000-00.json.gz": (
            "damaged",
            [
                (offset(texts, 5), lengths[5], not_json),
                (offset(texts, 6), lengths[6], f"{not_ours}Clean-Text: expected a string, got nothing"),
            ],
        ),
        "inlink/en/en00/en0000/en0000-00.json.gz": (
            "damaged",
            [
                (
                    offset(inlinks, 4),
                    offset(inlinks, 5) - offset(inlinks, 4),
                    f"{not_ours}anchors: expected a list, got nothing",
                )
            ],
        ),
        "txt/en/en00/en0000/en0000-01.json.gz": ("complete", []),
        "txt/zh_chs/zh_chs00/zh_chs0000/zh_chs0000-00.json.gz": ("complete", []),
        "inlink/zh_chs/zh_chs00/zh_chs0000/zh_chs0000-00.json.gz": ("complete", []),
    }
    assert section["options"] == {
        "wikis": [
            {
                "wiki": "ClueWeb22", "name": "ClueWeb22", "base": None, "language": "en",
                "languages": ["en", "zh"], "licence": None, "newest": None,
            }
        ],
        "links": "inlink", "wiki": "ClueWeb22", "language": None, "licence": None, "limit": None,
        "max_record_bytes": 64 << 20,
    }  # fmt: skip
    assert section["counts"]["links.red"] == 2
    assert section["counts"]["regions.header"] == 1


def test_texts_say_what_may_leave(mined: Path) -> None:
    for name in ("README.md", "ATTRIBUTION.md"):
        assert "an agreement that keeps its text with those who have signed it" in (mined / name).read_text()


def test_what_is_said(collection: Path, tmp_path: Path, capsys) -> None:
    mine(tmp_path / "out", collection)
    left_out = collection / "outlink/de/de00/de0000/de0000-00.json.gz"
    assert capsys.readouterr().err.splitlines()[2:] == [
        f"anchormine: {left_out}: out-links are not read where there are in-links, which are the same links "
        "from the other side; 3 files are left out",
        "anchormine: 1 of 4 files of links, the first de0000-00, have no texts in the input: their anchors "
        "lead to no page; give the files under txt/ too",
    ]


def test_plan(collection: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    assert main(["clueweb22", str(collection), "--output", str(out), *QUIET, "--dry-run"]) == 0
    de, zh = "de/de00/de0000/de0000-00", "zh_chs/zh_chs00/zh_chs0000/zh_chs0000-00"
    en, en_1 = (f"en/en00/en0000/en0000-0{number}" for number in (0, 1))
    of_stems = (f"inlink/{de}", f"txt/{en}", f"inlink/{en}", f"txt/{en_1}", f"txt/{zh}", f"inlink/{zh}")
    read = [collection / f"{name}.json.gz" for name in of_stems]
    assert capsys.readouterr().out.splitlines() == [
        "anchormine clueweb22, as planned:",
        *(f"  input   {path} ({path.stat().st_size:,} bytes)" for path in read),
        *(f"  aside   {collection}/outlink/{stem}.json.gz (other_side)" for stem in (de, en, en_1)),
        "  step    read texts and in-links (3 files of out-links are left out: the same links from the "
        "other side)",
        "  step    look up pages that link and have no id",
        "  step    write",
        f"  output  {out}/pages",
        f"  output  {out}/anchors",
        f"  output  {out}/rejects/clueweb22",
        "  runner  DirectRunner, 1 worker",
    ]
    assert not out.exists()


def test_globs_and_files_by_name(mined: Path, collection: Path, tmp_path: Path) -> None:
    """`.offset` files that a glob matches too are no input."""
    patterns = [f"{collection}/{kind}/*/*/*/*" for kind in ("outlink", "inlink", "txt")]
    assert checksums(mine(tmp_path / "1", *patterns)) == checksums(mined)
    files = sorted(collection.rglob("*.json.gz"), reverse=True)
    assert checksums(mine(tmp_path / "2", *files)) == checksums(mined)


def test_folders_on_several_disks(mined: Path, collection: Path, tmp_path: Path) -> None:
    """Links to folders are followed, and one that leads back is no trap."""
    root = tmp_path / "root"
    root.mkdir()
    for kind in ("inlink", "outlink", "txt"):
        (root / kind).symlink_to(collection / kind)
    (root / "again").symlink_to(root)
    assert checksums(mine(tmp_path / "out", root)) == checksums(mined)


def test_files_with_names_of_their_own(mined: Path, tmp_path: Path) -> None:
    """What they hold is told from their records; of which pages that is, by nothing: they are one stem."""
    for kind, stems in (("links", IN_LINKS), ("pages", TEXTS)):
        lines = [line for of_stem in stems.values() for line in of_stem]
        (tmp_path / f"{kind}.json.gz").write_bytes(b"".join(members(*lines)))
    out = mine(tmp_path / "out", tmp_path)
    rows = read_table(out, "anchors")
    assert {row["anchor_id"]: row["destination_page_id"] for row in rows} == {
        row["anchor_id"]: row["destination_page_id"] for row in read_table(mined, "anchors")
    }
    assert counted(out)["records"] == (15, 10, {"repeated": 2}, 3)


def test_language_and_licence(collection: Path, tmp_path: Path) -> None:
    out = mine(tmp_path / "out", collection, "--language", "fr", "--licence", "CC0-1.0")
    assert {(row["language"], row["licence"]) for row in read_table(out, "pages")} == {("fr", "CC0-1.0")}
    assert {row["language"] for row in read_table(out, "anchors")} == {"fr"}


@pytest.mark.parametrize(
    ("limit", "pages"), [(2, [P0]), (3, [P0]), (4, [P0, P1]), (99, [P0, P1, Q0, KAI_ID])]
)
def test_limit(collection: Path, tmp_path: Path, limit: int, pages: list[str]) -> None:
    """Texts and links of a stem by turns, stem after stem; the first has one record of links and no texts."""
    out = mine(tmp_path / "out", collection, "--limit", str(limit))
    assert counted(out)["records"][0] == min(limit, 15)
    assert [row["page_id"] for row in read_table(out, "pages")] == pages


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (1, {"de0000-00": (0, 1)}),
        (2, {"de0000-00": (0, 1), "en0000-00": (1, 0)}),
        (4, {"de0000-00": (0, 1), "en0000-00": (2, 1)}),
        (10, {"de0000-00": (0, 1), "en0000-00": (5, 4)}),
        (11, {"de0000-00": (0, 1), "en0000-00": (6, 4)}),
        (12, {"de0000-00": (0, 1), "en0000-00": (7, 4)}),
        (13, {"de0000-00": (0, 1), "en0000-00": (7, 4), "en0000-01": (1, 0)}),
        (14, {"de0000-00": (0, 1), "en0000-00": (7, 4), "en0000-01": (1, 0), "zh_chs0000-00": (1, 0)}),
    ],
)
def test_texts_and_links_of_a_limit(
    collection: Path, limit: int, expected: dict[str, tuple[int, int]]
) -> None:
    """Half of what is left of it are texts, and more where there are not as many links, or the other way."""
    stems = plan_clueweb22([str(collection)], limit).stems
    assert {stem.name: (stem.max_texts, stem.max_links) for stem in stems} == expected


def test_what_a_limit_leaves_unread(collection: Path, tmp_path: Path, capsys) -> None:
    """Where it starts is in the manifest; of files that are read to their ends, nothing is."""
    out = mine(tmp_path / "out", collection, "--limit", "4")
    assert "anchormine: --limit 4 left 5 of 6 files unread, whole or in part; " in capsys.readouterr().err
    entries = json.loads((out / "manifest.json").read_text())["steps"]["clueweb22"]["inputs"]
    assert {
        entry["path"].removeprefix(f"{collection}/"): (entry.get("records"), entry.get("unread_from"))
        for entry in entries
    } == {
        "inlink/de/de00/de0000/de0000-00.json.gz": (1, None),
        "txt/en/en00/en0000/en0000-00.json.gz": (2, offset(TEXTS["en0000-00"], 2)),
        "inlink/en/en00/en0000/en0000-00.json.gz": (1, offset(IN_LINKS["en0000-00"], 2)),
        "txt/en/en00/en0000/en0000-01.json.gz": (None, 0),
        "txt/zh_chs/zh_chs00/zh_chs0000/zh_chs0000-00.json.gz": (None, 0),
        "inlink/zh_chs/zh_chs00/zh_chs0000/zh_chs0000-00.json.gz": (None, 0),
    }


def test_records_that_are_too_long(tmp_path: Path) -> None:
    long = text(1, PILE, "x" * 5000)
    write_file(tmp_path / "in", "txt", "en0000-00", text(0, PIER, "A pier."), long, text(2, QUAY, "A quay."))
    out = mine(tmp_path / "out", tmp_path / "in", "--max-record-bytes", "1000")
    assert counted(out)["records"] == (3, 2, {"too_large": 1}, 0)
    (row,) = read_table(out, "rejects/clueweb22")
    assert (row["reason"], row["excerpt"]) == ("too_large", long[:200].decode())


@pytest.mark.parametrize("kind", ["inlink", "outlink"])
def test_many_rows_in_several_chunks(kind: str, tmp_path: Path, monkeypatch) -> None:
    """Every second link says no id of the page at its other end."""
    from anchormine.transforms import import_clueweb22, link_chunks
    from tests.clueweb22.clueweb22_files import links

    monkeypatch.setattr(import_clueweb22, "_BATCH_ROWS", 7)
    monkeypatch.setattr(link_chunks, "_CHUNK_ROWS", 11)
    urls = [f"http://harbour.example/{n}" for n in range(50)]
    write_file(
        tmp_path / "in", "txt", "en0000-00", *(text(n, url, f"Page {n}.") for n, url in enumerate(urls))
    )
    rows = [[url, "H", f"link {n}", "", "en", page_id(n) if n % 2 else None] for n, url in enumerate(urls)]
    all_to_all = (links(kind, n, url, rows) for n, url in enumerate(urls))
    write_file(tmp_path / "in", kind, "en0000-00", *all_to_all)
    out = mine(tmp_path / "out", tmp_path / "in")
    ends = ("source_page_id", "destination_page_id")
    here, other = ends if kind == "outlink" else ends[::-1]
    assert [(row[here], row["anchor"], row[other]) for row in read_table(out, "anchors")] == [
        (page_id(n), f"link {m}", page_id(m)) for n in range(50) for m in range(50) if m != n
    ]
    assert [row["text"] for row in read_table(out, "pages")] == [f"Page {n}." for n in range(50)]


@pytest.mark.parametrize("links", ["mined", "from_out_links"])
def test_provenance_is_of_the_page_that_links(links: str, request, tmp_path: Path) -> None:
    """It is that of `anchors/`, whatever the link's id says; of a page that was read, what was read."""
    folder = tmp_path / "out"
    shutil.copytree(request.getfixturevalue(links), folder)
    assert main(["pairs", str(folder), "--task", "anchor_document", "--min-words", "1", *QUIET]) == 0
    anchors = {row["anchor_id"]: row for row in read_table(folder, "anchors")}
    pages = {row["page_id"]: row for row in read_table(folder, "pages")}
    pairs = read_table(folder, "pairs/anchor_document")
    assert len(pairs) == {"mined": 6, "from_out_links": 6}[links]
    expected = []
    for pair in pairs:
        anchor = anchors[pair["anchor_id"]]
        page = pages.get(anchor["source_page_id"], {})
        stands = (
            *(anchor[name] for name in ("anchor_id", "source_page_id")),
            page.get("url", anchor["source_url"]),
        )
        was_read = (page.get(name) for name in ("timestamp", "warc_file", "warc_offset"))
        expected.append((pair["pair_id"], *stands, *was_read))
    rows = [tuple(row.values()) for row in read_table(folder, "provenance/anchor_document")]
    assert sorted(rows) == sorted(expected)
