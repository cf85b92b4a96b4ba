"""`anchormine web` on every real crawl file at once: what each of them gives, to the last record and byte."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from anchormine.web.urls import canonical_url, page_id_of
from tests.crawls.command_results import Result, column, rows, section
from tests.pipelines.command_runs import funnel
from tests.web.crawl_files import FOLDER, needs_crawls

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_crawls]

# The reason of the texts of WET files, which are in records of this kind.
CONVERSION = "conversion"
CUT = "cut off: the {} that starts at byte {} has no end"
LENGTH = "the record that starts here is of another length than it announces"
DIGEST = "the record that starts here does not fit its digest"

BLACKBOOK = {"scheme": 38, "media_type": 120, "redirect": 7, "http_error": 40, "warcinfo": 1}
# Of each file: records, pages, links that are written, and records that give no page. The pages of the ARC
# are in the WARC behind it with the same times, so they are those of that file; so are some in malformed/.
FILES: dict[str, tuple[int, int, int, dict[str, int]]] = {
    "blackbook.arc.gz": (300, 0, 0, BLACKBOOK | {"superseded": 94}),
    "blackbook.warc.gz": (822, 92, 29304, BLACKBOOK | {"superseded": 2, "request": 261, "metadata": 261}),
    "clueweb09-en0040-54-sample.warc.gz": (101, 100, 2699, {"warcinfo": 1}),
    "clueweb09-ja-eucjp.warc.gz": (30, 29, 2689, {"warcinfo": 1}),
    "commoncrawl-50-records.warc.gz": (50, 16, 1141, {"metadata": 16, "request": 17, "warcinfo": 1}),
    "commoncrawl-dolma-sample-0001.warc.gz": (
        34, 13, 717, {"superseded": 2, "scheme": 2, "metadata": 1, "request": 15, "warcinfo": 1},
    ),
    "contextwiki-00000.warc.gz": (1001, 1000, 18851, {"warcinfo": 1}),
    "contextwiki-00001.warc.gz": (792, 791, 18544, {"warcinfo": 1}),
    "http-return-codes.warc.gz": (
        98, 3, 35,
        {"media_type": 5, "scheme": 35, "http_error": 7, "redirect": 16, "request": 31, "warcinfo": 1},
    ),
    "iana.warc.gz": (
        343, 16, 5136, {"media_type": 102, "lost_revisit": 49, "redirect": 4, "request": 171, "warcinfo": 1},
    ),
    "kiwix-with-redirects.warc.gz": (
        105, 3, 220, {"redirect": 3, "media_type": 45, "scheme": 3, "request": 51},
    ),
    "mtawiki-00000.warc.gz": (1001, 1000, 138020, {"warcinfo": 1}),
    "mtawiki-00001.warc.gz": (1001, 1000, 194961, {"warcinfo": 1}),
    "mtawiki-00002.warc.gz": (1001, 1000, 103867, {"warcinfo": 1}),
    "Evil-Warc-Headers.warc": (1, 0, 0, {"media_type": 1}),
    "IAH-20080430204825-00000-blackbook-truncated.warc.gz": (
        23, 1, 102,
        {"scheme": 1, "media_type": 5, "superseded": 1, "metadata": 7, "request": 7, "warcinfo": 1},
    ),
    "appended_zip_fragment_unexpected_eof.wet.gz": (17, 0, 0, {CONVERSION: 16, "warcinfo": 1}),
    "broken.warc": (6, 1, 0, {"media_type": 1, "metadata": 1, "request": 2, "warcinfo": 1}),
    "clipped.warc.gz": (1, 1, 93, {}),
    "corrupt_two_warcinfo.wet.gz": (7, 0, 0, {CONVERSION: 5, "warcinfo": 2}),
    "example-bad-length.warc": (6, 0, 0, {"superseded": 1, "revisit": 1, "request": 2, "warcinfo": 2}),
    "example-bad-non-chunked.warc.gz": (
        6, 0, 0, {"superseded": 1, "revisit": 1, "request": 2, "warcinfo": 2},
    ),
    "example-trunc.warc": (4, 0, 0, {"superseded": 1, "request": 1, "warcinfo": 2}),
    "example-wget-bad-target-uri.warc.gz": (
        6, 0, 0, {"superseded": 1, "scheme": 2, "metadata": 1, "request": 1, "warcinfo": 1},
    ),
    "example-wrong-chunks.warc.gz": (2, 1, 1, {"request": 1}),
    "invalid-arcfile-record-then-garbage.arc": (1, 1, 0, {}),
    "invalid-warcfile-digest-fields.warc": (4, 1, 0, {"damaged": 1, "superseded": 2}),
    "invalid-warcfile-encoding-headers.warc.gz": (4, 2, 0, {"media_type": 1, "warcinfo": 1}),
    "invalid-warcfile-record-then-garbage.warc": (1, 0, 0, {"media_type": 1}),
    "transfer_compression_brotli.warc.gz": (
        5, 1, 0, {"scheme": 1, "metadata": 1, "request": 1, "warcinfo": 1},
    ),
    "transfer_compression_gzip_chunked.warc.gz": (3, 1, 161, {"request": 1, "warcinfo": 1}),
    "transfer_compression_none_truncated.warc.gz": (3, 0, 0, {"superseded": 1, "request": 1, "warcinfo": 1}),
    "whirlwind.warc.wat.gz": (2, 0, 0, {"metadata": 1, "warcinfo": 1}),
    "whirlwind.warc.wet.gz": (2, 0, 0, {CONVERSION: 1, "warcinfo": 1}),
}  # fmt: skip
# Where those that are not complete are damaged: byte, bytes skipped, reason, records before it and behind.
DAMAGED: dict[str, tuple[int, int, str, int, int]] = {
    "Evil-Warc-Headers.warc": (1258, 0, CUT.format("record", 0), 1, 0),
    "appended_zip_fragment_unexpected_eof.wet.gz": (51200, 0, CUT.format("gzip member", 49258), 17, 0),
    "broken.warc": (3058, 0, LENGTH, 5, 1),
    "clipped.warc.gz": (18184, 0, CUT.format("gzip member", 0), 1, 0),
    "example-bad-length.warc": (1197, 0, LENGTH, 2, 4),
    "example-trunc.warc": (1197, 0, LENGTH, 2, 2),
    "invalid-arcfile-record-then-garbage.arc": (2329, 25, "no record starts here", 1, 0),
    "invalid-warcfile-digest-fields.warc": (0, 0, DIGEST, 0, 4),
    "invalid-warcfile-record-then-garbage.warc": (1135, 55, "no record starts here", 1, 0),
    "transfer_compression_none_truncated.warc.gz": (1500, 0, CUT.format("gzip member", 881), 3, 0),
}
LINKS = {
    "self": 42635, "superseded": 29630, "no_text": 4704, "scheme": 859, "hidden": 443, "bad_url": 27,
    "empty_href": 5,
}  # fmt: skip
RECORDS = {"request": 565, "metadata": 289, "warcinfo": 31}


def file_of(origin: str) -> str:
    """The file that a reject names, which has the byte behind its name."""
    return origin.rpartition("@")[0]


def test_what_it_says(everything: Result) -> None:
    assert everything.status == 0
    assert everything.out.endswith(f"\n{everything.folder}\n")
    damages = [
        f"anchormine: {FOLDER / 'malformed' / name}: damaged at byte {at}: {reason}"
        for name, (at, _, reason, _, _) in DAMAGED.items()
    ]
    assert everything.err.splitlines() == [
        *damages,
        "anchormine: captures that are cut off: 4; they are read as they are",
        "anchormine: captures that are of another length than their record announces: 4; they are read as "
        "they are",
    ]


def test_the_funnel(everything: Result) -> None:
    """In balance, and the sums of what each file gives."""
    found = funnel(everything.folder, "web")
    assert {unit: (row["read"], row["written"]) for unit, row in found.items()} == {
        "files": (34, 34), "records": (6783, 5898), "pages": (5898, 5073), "links": (594844, 516541),
    }  # fmt: skip
    assert {row["unreadable"] for row in found.values()} == {0}
    set_aside = sum((Counter(reasons) for *_, reasons in FILES.values()), Counter())
    pages = Counter(set_aside) - Counter(RECORDS)
    assert pages == Counter({
        CONVERSION: 22, "media_type": 401, "scheme": 120, "superseded": 106, "http_error": 87,
        "lost_revisit": 49, "redirect": 37, "revisit": 2, "damaged": 1,
    })  # fmt: skip
    assert {unit: row["rejected"] for unit, row in found.items()} == {
        "files": {}, "records": RECORDS, "pages": dict(pages), "links": LINKS,
    }  # fmt: skip


def test_every_file(everything: Result) -> None:
    """Each record of each file is a page or a reject."""
    inputs = section(everything.folder, "web")["inputs"]
    records = {entry["path"].rpartition("/")[2]: entry["records"] for entry in inputs}
    assert len(inputs) == len(records) == 34
    files = {row["page_id"]: row["warc_file"] for row in rows(everything.folder, "pages")}
    pages = Counter(files.values())
    links = Counter(files[page] for page in column(everything.folder, "anchors", "source_page_id"))
    rejects: dict[str, Counter[str]] = {name: Counter() for name in records}
    for row in rows(everything.folder, "rejects/web"):
        if row["unit"] in ("records", "pages"):
            rejects[file_of(row["origin"])][row["reason"]] += row["records"]
    assert {
        name: (count, pages[name], links[name], dict(rejects[name])) for name, count in records.items()
    } == FILES
    assert {name: count - pages[name] for name, count in records.items()} == {
        name: sum(found.values()) for name, found in rejects.items()
    }


def test_every_verdict(everything: Result) -> None:
    def place(entry: dict[str, Any]) -> tuple[int, int, str, int, int]:
        (only,) = entry["places"]
        assert list(only) == ["offset", "bytes_skipped", "reason", "records_before", "records_after"]
        return tuple(only.values())

    inputs = {
        entry["path"].rpartition("/")[2]: entry for entry in section(everything.folder, "web")["inputs"]
    }
    damaged = {name: entry for name, entry in inputs.items() if entry["verdict"] == "damaged"}
    assert {name: place(entry) for name, entry in damaged.items()} == DAMAGED
    complete = [entry for name, entry in inputs.items() if name not in DAMAGED]
    assert [(entry["verdict"], entry["places"]) for entry in complete] == [("complete", [])] * 24
    sizes = {path.name: path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()}
    assert {name: entry["bytes"] for name, entry in inputs.items()} == sizes


def test_every_page(everything: Result) -> None:
    pages = list(rows(everything.folder, "pages"))
    assert len({row["page_id"] for row in pages}) == len(pages) == 5073
    for row in pages:
        assert row["page_id"] == page_id_of(row["url"])
        assert row["url"] == canonical_url(row["url"])
        assert row["text"].startswith(row["lead"])
    assert Counter(row["encoding"] for row in pages) == {
        "utf-8": 4966, "windows-1252": 68, "euc-jp": 29, "gbk": 6, "big5": 2, "windows-1251": 1,
        "iso-8859-2": 1,
    }  # fmt: skip
    languages = {"en": 4848, None: 220, "de": 2, "it": 1, "nl": 1, "zh": 1}
    assert Counter(row["language"] for row in pages) == languages


def test_every_span(everything: Result) -> None:
    """An anchor is where its row says it is: in its sentence and, if that is there, in the page's text."""
    pages = {row["page_id"]: row for row in rows(everything.folder, "pages", ["page_id", "url", "text"])}
    checked: Counter[str] = Counter()
    names = ["anchor", "sentence", "start", "end", "sentence_start", "source_page_id", "source_url"]
    for row in rows(everything.folder, "anchors", [*names, "destination_page_id", "context"]):
        source, at = pages[row["source_page_id"]], row["sentence_start"]
        assert row["sentence"][row["start"] : row["end"]] == row["anchor"] != ""
        assert row["source_url"] == source["url"]
        if at is not None:
            assert source["text"][at : at + len(row["sentence"])] == row["sentence"]
            assert source["text"][at + row["start"] : at + row["end"]] == row["anchor"]
            checked["in the page's text"] += 1
        if row["destination_page_id"] is not None:
            assert row["destination_page_id"] in pages
            assert row["destination_page_id"] != row["source_page_id"]
            checked["to a page of the input"] += 1
        checked[row["context"]] += 1
    assert checked == {
        "block": 473861, "sentence": 42680, "in the page's text": 394707, "to a page of the input": 287309,
    }  # fmt: skip


def test_every_link(everything: Result) -> None:
    ids = column(everything.folder, "anchors", "anchor_id")
    assert len(set(ids)) == len(ids) == 516541
    assert Counter(column(everything.folder, "anchors", "region")) == {
        "list": 342729, "nav": 74353, "table": 50371, "body": 22652, "footer": 22137, "header": 4283,
        "aside": 11, "caption": 5,
    }  # fmt: skip
    assert Counter(column(everything.folder, "anchors", "image_alt")) == {False: 506054, True: 10487}
