"""What `anchormine web` says of input that it cannot read, and what it leaves behind."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
import random
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
import zstandard

from anchormine.pipelines.cli import main
from anchormine.pipelines.verdicts import failure_lines
from anchormine.web import html_reader
from anchormine.web.html_page import WebExtraction
from anchormine.web.html_reader import read_any_html
from tests.pipelines.command_runs import DEMO, QUIET, funnel, read_table
from tests.web.small_crawls import html, record, response, warc, warc_gz

PAGE = response("http://harbour.example/", html("<p>A <a href=/pier>pier</a>.</p>"))
OTHER = response("http://harbour.example/pier", html("<p>A <a href=/>harbour</a>.</p>"))
NO_DESTINATIONS = (
    "no link leads to a page of the input, so there are no pairs of rqp, qdm, rdp, acm, anchor_document, "
    "wlp to make; give more of the crawl, or `anchormine pairs` tasks that need none: --task rop ict bfs "
    "codoc"
)


@pytest.fixture
def run(tmp_path: Path, capsys):
    """Runs the command on a file of some content, and gives its status and what it says."""

    def run_on(data: bytes | None, *options: str, step: str = "web") -> tuple[int, str]:
        path = tmp_path / "in.warc.gz"
        if data is not None:
            path.write_bytes(data)
        status = main([step, str(path), "--output", str(tmp_path / "out"), *QUIET, *options])
        said = capsys.readouterr().err.replace(f"{tmp_path}/", "").removeprefix("anchormine: ").rstrip("\n")
        return status, said

    return run_on


RANDOM = random.Random(7).randbytes(5000)
NO_CRAWL = "no WARC or ARC record in its first bytes; fetch it again"
WET = record("conversion", "http://harbour.example/", b"A pier.", "Content-Type: text/plain")


@pytest.mark.parametrize(
    ("data", "status", "message"),
    [
        (None, 2, "in.warc.gz: no such file; give the path of a file, or a glob in quotation marks"),
        (b"", 1, "in.warc.gz: an empty file; fetch it again; nothing was published"),
        (RANDOM, 1, f"in.warc.gz: {NO_CRAWL}; nothing was published"),
        (b"<html>", 1, f"in.warc.gz: an HTML page, and {NO_CRAWL}; nothing was published"),
        (
            warc_gz(WET),
            1,
            "in.warc.gz: no page could be read (2 records; set aside: conversion); only captures of HTML "
            "give pages, not WET or WAT; nothing was published",
        ),
        (
            warc_gz(WET, WET)[:-20],
            1,
            "in.warc.gz: no page could be read (2 records; set aside: conversion); only captures of HTML "
            "give pages, not WET or WAT; nothing was published",
        ),
        (
            warc_gz(PAGE)[:200],
            1,
            "in.warc.gz: no page could be read (byte "
            f"{len(warc_gz())}: cut off: the gzip member that starts at byte "
            f"{len(warc_gz())} has no end); nothing was published",
        ),
    ],
    ids=["missing", "empty", "random", "html", "wet", "cut wet", "cut"],
)
def test_nothing_to_read(run, tmp_path: Path, data: bytes | None, status: int, message: str) -> None:
    assert run(data) == (status, message)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("damage", [bytes(300_000), random.Random(3).randbytes(300_000)], ids=["0", "random"])
@pytest.mark.parametrize("packed", [True, False], ids=["gz", "plain"])
def test_a_start_that_is_damaged(run, tmp_path: Path, packed: bool, damage: bytes) -> None:
    """What is behind it is read, where the name tells that it is a crawl."""
    before = [response(f"http://harbour.example/{n}", random.Random(n).randbytes(9000)) for n in range(40)]
    pack = warc_gz if packed else warc
    lost = next(n for n in range(40) if len(pack(*before[:n])) > 300_000)
    data = damage + pack(*before, PAGE, OTHER)[300_000:]
    status, said = run(data)
    assert (status, said.partition(":")[0]) == (0, "in.warc.gz")
    section = json.loads((tmp_path / "out" / "manifest.json").read_text())["steps"]["web"]
    (entry,) = section["inputs"]
    reason = "no gzip member starts here" if packed else "no record starts here"
    assert (entry["verdict"], entry["records"], entry["places"]) == (
        "damaged",
        42 - lost,
        [{
            "offset": 0, "bytes_skipped": len(pack(*before[:lost])), "reason": reason,
            "records_before": 0, "records_after": 42 - lost,
        }],
    )  # fmt: skip
    (tmp_path / "in.bin").write_bytes(data)
    assert main(["web", str(tmp_path / "in.bin"), "--output", str(tmp_path / "other"), *QUIET]) == 1


def test_a_start_that_is_damaged_too_far(run) -> None:
    lost = "no WARC or ARC record in its first 16 MiB, though its name is a crawl file's; fetch it again"
    assert run(bytes(17 << 20) + warc_gz(PAGE)) == (1, f"in.warc.gz: {lost}; nothing was published")


def tarred(name: str, data: bytes) -> bytes:
    """A tar archive of one file."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


INDEX = "an index of crawl files (CDX); give the files that it points to"
CDX_LINE = b'example,harbour)/ 20240506070809 {"url": "http://harbour.example/"}\n'
HAR = b'{"log": {"version": "1.2", "entries": []}}'
PATHS = b"crawl-data/CC-MAIN-2024-10/segments/1/warc/CC-MAIN-2024-00000.warc.gz\n" * 9
PACKED = "which is not read; unpack it, or make it .gz or .zst"
# Of 2 KB of zeros, as the lz4 program packs them.
LZ4 = bytes.fromhex("04224d186440a7120000001f000100ffffffffffffffbe5000000000000000000015d76247")


def with_long_window(data: bytes) -> bytes:
    """Data packed as `zstd --long=28` does from a pipe."""
    parameters = zstandard.ZstdCompressionParameters(window_log=28, enable_ldm=True)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return packer.compress(data) + packer.flush()


def with_dictionary(data: bytes) -> bytes:
    """Data packed with a dictionary that is not there."""
    dictionary = zstandard.train_dictionary(1 << 12, [b"%d of %s" % (n, data) for n in range(500)])
    return zstandard.ZstdCompressor(dict_data=dictionary).compress(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (bz2.compress(warc(PAGE)), f"a bzip2 file, {PACKED}"),
        (lzma.compress(warc(PAGE)), f"an xz file, {PACKED}"),
        (LZ4, f"an lz4 file, {PACKED}"),
        (
            with_dictionary(warc(PAGE)),
            "its zstd dictionary does not stand at its start; unpack it with that (zstd -d -D DICTIONARY)",
        ),
        (
            with_long_window(warc(PAGE)),
            "its zstd frames take much memory; unpack it with `zstd -d --long=31`",
        ),
        (gzip.compress(warc_gz(PAGE), mtime=0), "compressed twice; unpack it once"),
        (zstandard.compress(warc_gz(PAGE)), "compressed twice; unpack it once"),
        (gzip.compress(warc_gz(PAGE), 0, mtime=0), "compressed twice; unpack it once"),  # left as it is
        (gzip.compress(gzip.compress(warc(PAGE), 0), 0, mtime=0), "compressed twice; unpack it once"),
        (gzip.compress(PATHS, mtime=0), "a list of crawl files; fetch these, and give them"),
        (PATHS, "a list of crawl files; fetch these, and give them"),
        (b"<a href=a.warc.gz>\n", NO_CRAWL),
        (b" CDX N b a m s k r M S V g\nexample,harbour)/ 2024", INDEX),
        (CDX_LINE, INDEX),
        (gzip.compress(b'!meta 0 {"format": "cdxj-gzip-1.0"}\n' + CDX_LINE, mtime=0), INDEX),
        (
            b"example,harbour)/ 20240506070809 http://harbour.example/ text/html 200 AAAA - - 9 0 a.warc\n",
            INDEX,
        ),
        (
            gzip.compress(tarred("a.warc.gz", warc_gz(PAGE)), mtime=0),
            "a tar archive; unpack it, and give its folder",
        ),
        (
            gzip.compress(
                b"warc/0.9 395 response http://harbour.example/ 20060825210905 text/html uuid:1\r\n", mtime=0
            ),
            "a file of WARC 0.9 or before, which is not read; make one of WARC 1.0 of it",
        ),
        (b"\xef\xbb\xbf" + HAR, "a HAR file of a browser; make a WARC file of it (har2warc)"),
        (b'\n{"error": "no such file"}', f"JSON, and {NO_CRAWL}"),
        (b'<?xml version="1.0"?><Error/>', f"XML, and {NO_CRAWL}"),
        (b"%PDF-1.7\n", f"a PDF file, and {NO_CRAWL}"),
        (
            gzip.compress(b"<!DOCTYPE html><title>404</title>", mtime=0),
            f"an HTML page, compressed, and {NO_CRAWL}",
        ),
        (gzip.compress(b"Harbours.", mtime=0), f"compressed, and {NO_CRAWL}"),
        (gzip.compress(b"", mtime=0) * 2, f"an empty file, compressed, and {NO_CRAWL}"),
        (gzip.compress(b"", mtime=0) + b"x", f"compressed, and {NO_CRAWL}"),
    ],
)
def test_other_forms_of_a_crawl(run, data: bytes, said: str) -> None:
    assert run(data) == (1, f"in.warc.gz: {said}; nothing was published")


def test_a_file_of_another_name_that_is_no_crawl(tmp_path: Path, capsys) -> None:
    (tmp_path / "page.html").write_bytes(b"<!doctype html>")
    assert main(["web", str(tmp_path / "page.html"), "--output", str(tmp_path / "out"), *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {tmp_path}/page.html: an HTML page, and no WARC or ARC record in its first bytes; "
        "give a file such as ...warc.gz (warcit makes a crawl file of saved pages); nothing was published\n"
    )


def test_a_limit_that_leaves_nothing_names_its_option(run) -> None:
    assert run(warc_gz(PAGE, OTHER), "--max-page-characters", "20") == (
        1,
        "in.warc.gz: no page could be read (3 records; set aside: too_large); see --max-page-characters and "
        "--max-payload-bytes; nothing was published",
    )


def test_a_limit_of_records_before_the_first_page(run) -> None:
    """What lies behind it may hold pages; where it leaves nothing unread, that is not said."""
    dns = record("response", "dns:harbour.example", b"1.2.3.4", "Content-Type: text/dns")
    crawl, none = warc_gz(dns, PAGE, OTHER), "in.warc.gz: no page could be read"
    more = "leaves the rest unread, so give a larger one; nothing was published"
    assert run(crawl, "--limit", "2") == (
        1,
        f"{none} (2 records; set aside: scheme); --limit 2 {more}",
    )
    assert run(crawl, "--limit", "1") == (1, f"{none} (1 record; set aside: all, by kind); --limit 1 {more}")
    assert run(warc_gz(PAGE, OTHER), "--limit", "2", "--max-page-characters", "20") == (
        1,
        f"{none} (2 records; set aside: too_large); see --max-page-characters and --max-payload-bytes; "
        f"--limit 2 {more}",
    )
    assert run(bytes(99) + crawl, "--limit", "2") == (
        1,
        f"{none} (byte 0: no gzip member starts here); --limit 2 {more}",
    )
    assert run(warc_gz(dns), "--limit", "2") == (
        1,
        f"{none} (2 records; set aside: scheme); only captures of HTML give pages; nothing was published",
    )


def test_each_of_the_two_readers_names_the_other(run, tmp_path: Path) -> None:
    assert run((DEMO / "wiki.xml").read_bytes()) == (
        1,
        "in.warc.gz: a MediaWiki dump; `anchormine wiki` reads it; nothing was published",
    )
    for data in (warc_gz(PAGE), warc(PAGE)):
        assert run(data, step="wiki") == (
            1,
            "in.warc.gz: a file of a crawl; `anchormine web` reads it; nothing was published",
        )


def test_the_index_of_a_dump(run) -> None:
    """In a glob of a dump's folder it comes before the dump."""
    index = b"616:1:Harbour\n616:2:Pier: of stone\n"
    for data in (index, bz2.compress(index)):
        assert run(data) == (
            1,
            "in.warc.gz: the index of a MediaWiki dump; `anchormine wiki` reads the dump beside it; nothing "
            "was published",
        )


def test_a_folder_of_another_extraction(run) -> None:
    """What is asked for is not there, so `--resume` would not help."""
    dump = (DEMO / "wiki.xml").read_bytes()
    assert run(warc_gz(PAGE)) == (0, NO_DESTINATIONS)
    held = (
        "out: holds the output of `anchormine web` already; give --overwrite to replace all of it (anchors, "
        "pages, rejects/web) or another folder"
    )
    for options in ((), ("--resume",)):
        assert run(dump, *options, step="wiki") == (2, held)


NO_FOLDER = "is a folder; give the files in it, such as '{}/*'"
NO_CLUEWEB = (
    "no files of ClueWeb22 in this folder; it is to hold txt/en/en00/en0000/en0000-00.json.gz, and the same "
    "under inlink/ or outlink/"
)


@pytest.mark.parametrize(
    ("command", "said"), [("wiki", NO_FOLDER), ("harp", NO_FOLDER), ("clueweb22", NO_CLUEWEB)]
)
def test_what_a_folder_is_not_and_what_reads_it(command: str, said: str, tmp_path: Path, capsys) -> None:
    (tmp_path / "in" / "b").mkdir(parents=True)
    (tmp_path / "in" / "a.txt").write_text("Of piers.")
    (tmp_path / "in" / "b" / "harbour.warc.gz").write_bytes(warc_gz(PAGE))
    assert main([command, str(tmp_path / "in"), "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {tmp_path / 'in'}: {said.format(tmp_path / 'in')}; "
        "harbour.warc.gz is a file of a crawl; `anchormine web` reads it\n"
    )


CLUEWEB = b'{"ClueWeb22-ID": "clueweb22-en0000-00-00004", "url": "http://a.example/", "anchors": []}\n'
HARP = b'{"sentence": "A pier", "tokenized_sentence": ["A", "pier"], "anchors": []}\n'
COLLECTION = b'{"_id": "1", "title": "Pier", "text": "A pier."}\n'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (gzip.compress(CLUEWEB * 3, mtime=0), "a file of ClueWeb22; `anchormine clueweb22` reads it"),
        (gzip.compress(CLUEWEB * 3, mtime=0)[:-9], "a file of ClueWeb22; `anchormine clueweb22` reads it"),
        (CLUEWEB, f"JSON, and {NO_CRAWL}"),  # unpacked, which that command does not read
        (HARP, "HARP's JSON lines; `anchormine harp` reads them"),
        (COLLECTION, "a file of a test collection; `anchormine evaluate --collection` reads its folder"),
    ],
)
def test_files_that_other_commands_read(run, data: bytes, said: str) -> None:
    assert run(data) == (1, f"in.warc.gz: {said}; nothing was published")


def test_harp_names_what_reads_a_crawl(run) -> None:
    assert run(warc_gz(PAGE), step="harp") == (
        1,
        "in.warc.gz: a file of a crawl; `anchormine web` reads it; nothing was published",
    )
    assert run(gzip.compress(HARP, mtime=0), step="harp")[1].startswith("in.warc.gz: is compressed (gz)")


@pytest.mark.parametrize("bucket", ["s3://bucket", "gs://bucket/"])
def test_a_whole_bucket_as_output(bucket: str, capsys) -> None:
    status = main(["web", "a.warc.gz", "--output", bucket, *QUIET])
    bare = bucket.rstrip("/")
    said = f"anchormine: {bare}: is a whole bucket; give a folder in it, such as {bare}/mined\n"
    assert (status, capsys.readouterr().err) == (2, said)


ZIPPED = "a zip archive, as .wacz files are; unzip it, and give its folder archive/"


@pytest.mark.parametrize("name", ["a.wacz", "a.warc.gz"])
def test_a_zip_archive_of_a_crawl(name: str, tmp_path: Path, capsys) -> None:
    """By name or by its folder, whatever it is called; the crawl files in its folder are read."""
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.warc.gz", warc_gz(PAGE))
    for given in (path, path.parent):
        status = main(["web", str(given), "--output", str(tmp_path / "out"), *QUIET])
        said = capsys.readouterr().err
        if given == path or name == "a.warc.gz":
            assert (status, said) == (1, f"anchormine: {path}: {ZIPPED}; nothing was published\n")
        else:
            assert status == 2
            assert said.endswith(f" give a glob in quotation marks; a.wacz is {ZIPPED}\n")
    assert main(["wiki", str(path), "--output", str(tmp_path / "out"), *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {path}: a zip archive, which is not read; unpack it, or make it .bz2, .gz or .zst; "
        "nothing was published\n"
    )
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    unpacked = str(tmp_path / "archive")
    assert main(["web", unpacked, "--output", str(tmp_path / "out"), *QUIET]) == 0
    capsys.readouterr()
    assert main(["web", unpacked, str(path), "--output", str(tmp_path / "both"), "--strict", *QUIET]) == 3
    assert capsys.readouterr().err == (
        f"anchormine: {path}: unreadable at byte 0: {ZIPPED}\nanchormine: {NO_DESTINATIONS}\n"
    )
    files = funnel(tmp_path / "both", "web")["files"]
    assert (files["read"], files["written"], files["unreadable"]) == (2, 1, 1)


@pytest.mark.parametrize(("option", "status"), [((), 0), (("--strict",), 3)])
def test_a_damaged_file(run, tmp_path: Path, option: tuple[str, ...], status: int) -> None:
    """One broken member costs its record, and the verdict says where."""
    before, broken = warc_gz(PAGE), len(warc_gz(PAGE, OTHER)) - len(warc_gz(PAGE))
    data = bytearray(warc_gz(PAGE, OTHER, OTHER.replace(b"/pier", b"/mole")))
    data[len(before) + broken // 2] ^= 0xFF
    found, said = run(bytes(data), *option)
    assert found == status
    assert re.match(r"in\.warc\.gz: damaged at byte \d+: damaged gzip member", said), said
    section = json.loads((tmp_path / "out" / "manifest.json").read_text())["steps"]["web"]
    (entry,) = section["inputs"]
    assert (entry["verdict"], entry["records"]) == ("damaged", 4)
    (place,) = entry["places"]
    assert len(before) < place["offset"] < len(before) + broken
    assert (place["records_before"], place["records_after"]) == (3, 1)  # the broken one starts before it
    urls = [row["url"] for row in read_table(tmp_path / "out", "pages")]
    assert urls[0] == "http://harbour.example/"
    assert urls[-1] == "http://harbour.example/mole"
    assert funnel(tmp_path / "out", "web")["files"]["written"] == 1
    again = "out: `anchormine web` is done already"
    assert run(bytes(data), "--resume", *option) == (status, again)


def test_a_step_that_is_done_prints_its_funnel_again(tmp_path: Path, capsys) -> None:
    """With `--json`, for a program that reads it."""
    (tmp_path / "in.warc.gz").write_bytes(warc_gz(PAGE, OTHER))
    command = ["web", str(tmp_path / "in.warc.gz"), "--output", str(tmp_path / "out"), *QUIET, "--json"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    assert main([*command, "--resume"]) == 0
    again = capsys.readouterr()
    assert again.err == f"{tmp_path}/out: `anchormine web` is done already\n"
    assert json.loads(again.out) == {"funnel": first["funnel"], "output": first["output"]}


@pytest.mark.parametrize(("option", "status"), [((), 0), (("--strict",), 3)])
def test_a_page_that_does_not_fit_its_digest(
    run, tmp_path: Path, option: tuple[str, ...], status: int
) -> None:
    """In a file that is not compressed nothing else tells of a wrong letter."""
    digest = hashlib.sha1(OTHER.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n\r\n")).hexdigest()
    field = f"WARC-Block-Digest: sha1:{digest}\r\nContent-Length".encode()
    broken = OTHER.replace(b"Content-Length", field, 1).replace(b">harbour<", b">harbor <")
    before = len(warc(PAGE))
    unfit = f"in.warc.gz: damaged at byte {before}: the record that starts here does not fit its digest"
    assert run(warc(PAGE, broken), *option) == (
        status,
        f"{unfit}\nanchormine: {NO_DESTINATIONS}",
    )
    assert [row["url"] for row in read_table(tmp_path / "out", "pages")] == ["http://harbour.example/"]
    assert funnel(tmp_path / "out", "web")["pages"]["rejected"] == {"damaged": 1}


def test_a_page_whose_links_lead_to_none(run, tmp_path: Path, capsys) -> None:
    """It gives the pairs that need no links, as is said, and those alone."""
    words = "The pier stands at the harbour, and ships pass it. The mole is as old as the town. " * 30
    page = response("http://harbour.example/", html(f"<p>A <a href=/pier>pier</a>.</p><p>{words}</p>"))
    assert run(warc_gz(page)) == (0, NO_DESTINATIONS)
    needless = NO_DESTINATIONS.partition("--task ")[2].split()
    assert main(["pairs", str(tmp_path / "out"), "--task", *needless, *QUIET]) == 0
    capsys.readouterr()
    assert main(["pairs", str(tmp_path / "out"), "--task", "anchor_document", "wlp", *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {tmp_path}/out: of 1 anchor in anchors/ none leads to a page of the input, so "
        "there are no pairs, and nothing was published; make the folder of a whole dump or crawl, or of "
        "more parts\n"
    )


def reasons(folder: Path, unit: str) -> list[str]:
    """Why rows of a unit were set aside."""
    return [row["reason"] for row in read_table(folder, "rejects/web") if row["unit"] == unit]


def test_a_page_that_is_too_deep(run, tmp_path: Path) -> None:
    deep = response("http://harbour.example/deep", "<div>" * 100_000 + "x")
    assert run(warc_gz(PAGE, OTHER, deep)) == (0, "")
    assert reasons(tmp_path / "out", "pages") == ["too_deep"]


def test_a_page_that_is_too_large(run, tmp_path: Path) -> None:
    large = response("http://harbour.example/large", html("<p>word " * 4000))
    assert run(warc_gz(PAGE, OTHER, large), "--max-page-characters", "20000") == (0, "")
    assert reasons(tmp_path / "out", "pages") == ["too_large"]


@pytest.mark.slow
def test_the_limit_of_characters_can_be_raised(run, tmp_path: Path) -> None:
    large = response("http://harbour.example/large", html("<p>word " + "many words " * 1_500_000))
    assert run(warc_gz(PAGE, OTHER, large)) == (0, "")
    assert reasons(tmp_path / "out", "pages") == ["too_large"]
    assert run(warc_gz(PAGE, OTHER, large), "--max-page-characters", "17000000", "--overwrite") == (0, "")
    assert reasons(tmp_path / "out", "pages") == []
    texts = {row["url"]: row["text"] for row in read_table(tmp_path / "out", "pages")}
    assert len(texts["http://harbour.example/large"]) == len("word ") + 11 * 1_500_000 - 1


def test_an_unknown_option(run) -> None:
    status, said = run(warc_gz(PAGE), "--lisence", "CC0-1.0")
    assert status == 2
    assert "--licence" in said


def test_a_page_that_our_own_code_fails_at_costs_that_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def read(text: str, *others: Any) -> WebExtraction:
        if "pier" in text:
            raise IndexError("list index out of range")
        return read_any_html(text, *others)

    monkeypatch.setattr(html_reader, "read_any_html", read)
    (tmp_path / "a.warc.gz").write_bytes(warc_gz(PAGE, OTHER))
    assert main(["web", str(tmp_path / "a.warc.gz"), "--output", str(tmp_path / "out"), *QUIET]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "anchormine: pages that the reader failed at: 1 (crash); they are set aside; `anchormine rejects "
        f"{tmp_path}/out --reason crash` says which, and why",
        f"anchormine: {NO_DESTINATIONS}",
    ]
    assert [row["url"] for row in read_table(tmp_path / "out", "pages")] == ["http://harbour.example/pier"]
    rejects = [row for row in read_table(tmp_path / "out", "rejects/web") if row["unit"] == "pages"]
    line = read.__code__.co_firstlineno + 2
    assert [(row["reason"], row["excerpt"]) for row in rejects] == [
        ("crash", f"http://harbour.example/: IndexError: list index out of range (test_web_errors.py:{line})")
    ]


def test_limits_are_no_failures_of_the_reader() -> None:
    counts = {"pages.rejected.timeout": 4, "pages.rejected.memory": 1, "pages.rejected.crash": 1_200}
    assert list(failure_lines(counts, "out")) == [
        "pages that the reader failed at: 1,200 (crash), 1 (memory); they are set aside; `anchormine rejects "
        "out --reason crash` says which, and why"
    ]
    assert "; `anchormine rejects 'my out' --reason crash` says" in next(failure_lines(counts, "my out"))
    assert list(failure_lines({"pages.rejected.timeout": 4}, "out")) == []


def test_arguments_that_are_no_utf_8(capsys: pytest.CaptureFixture) -> None:
    for arguments in (
        ["train", "classifier", "--positives", "q\udcff.txt", "--negatives-from", "w", "--output", "o"],
        ["run", "q\udcff.txt"],
    ):
        assert main(arguments) == 2
        assert capsys.readouterr().err == "anchormine: q\\xff.txt: its name is not UTF-8; rename it\n"
