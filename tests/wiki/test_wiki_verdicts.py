"""What `anchormine wiki` says of damaged dumps: verdict, byte offsets, and counts that balance."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
import zstandard

from anchormine.datasets import places
from anchormine.pipelines.cli import main
from anchormine.transforms import read_dump
from tests.pipelines.command_runs import QUIET, funnel, read_table
from tests.wiki.small_dumps import dump, page, write_multistream

COUNT = 40


def _long_page(number: int) -> str:
    draws = Random(number)  # text that does not compress well: streams and blocks are of real sizes
    words = " ".join(str(draws.randrange(10**9)) for _ in range(3000))
    return page(number, f"Page {number}", f"Text {number} [[page {number % COUNT + 1}]]. {words}")


PAGES = [_long_page(number) for number in range(1, COUNT + 1)]
ADDRESSES = [f"Page {number}" for number in range(1, COUNT + 1)]
WHOLE = dump(*PAGES)
GZ = gzip.compress(WHOLE, mtime=0)
ZST = zstandard.ZstdCompressor(write_checksum=True).compress(WHOLE)
SINGLE = bz2.compress(WHOLE, 1)  # in blocks of 100 kB


class Result(NamedTuple):
    """What a run did: its exit status, lines of standard error, and the input's entry in the manifest."""

    status: int
    lines: list[str]
    entry: dict[str, Any]
    titles: list[str]
    rows: dict[str, dict[str, Any]]

    def spans(self) -> list[tuple[int, int]]:
        return [(place["offset"], place["bytes_skipped"]) for place in self.entry["places"]]

    def reasons(self) -> list[str]:
        return [place["reason"] for place in self.entry["places"]]


@pytest.fixture
def mine(tmp_path, capsys):
    """Runs `anchormine wiki` on a file; the funnel is checked for balance when it is read."""

    def run(data: bytes, *options: str, name: str = "w.xml", status: int = 0) -> Result:
        path = tmp_path / name
        path.write_bytes(data)
        out = tmp_path / "out"
        command = ["wiki", str(path), "--output", str(out), "--overwrite", *options, *QUIET]
        assert main(command) == status
        lines = capsys.readouterr().err.splitlines()
        (entry,) = json.loads((out / "manifest.json").read_text())["steps"]["wiki"]["inputs"]
        assert entry["bytes"] == len(data)
        titles = [row["title"] for row in read_table(out, "pages")]
        return Result(status, lines, entry, titles, funnel(out, "wiki"))

    return run


def flipped(data: bytes, at: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 0xFF
    return bytes(changed)


def multistream(folder: Path) -> tuple[bytes, bytes]:
    """A multistream dump of five pages in a stream, and its index as text."""
    index = write_multistream(folder / "made-multistream.xml.bz2", PAGES, ADDRESSES, each=5)
    return (folder / "made-multistream.xml.bz2").read_bytes(), bz2.decompress(index.read_bytes())


@pytest.mark.parametrize(("kind", "data"), [("gz", GZ), ("zst", ZST), ("bz2", SINGLE)])
def test_cut_in_the_middle(mine, kind: str, data: bytes) -> None:
    cut = len(data) // 2
    result = mine(data[:cut])
    assert result.entry["verdict"] == "damaged"
    assert result.spans()[0] == (cut, 0)
    assert result.reasons()[0] == f"cut off: the {kind} stream that starts at byte 0 has no end"
    count = len(result.titles)
    assert COUNT // 4 < count < COUNT
    assert result.titles == ADDRESSES[:count]
    assert result.rows["pages"]["unreadable"] == 1  # the one in which the file ends
    assert mine(data[:cut], "--limit", "5").titles == ADDRESSES[:5]
    assert mine(data[:cut], "--limit", "5").entry["verdict"] == "complete"  # as far as it was read
    assert mine(data[:cut], "--limit", "39").reasons() == result.reasons()


@pytest.mark.parametrize("options", [[], ["--limit", "39"]], ids=["all", "limit"])
def test_a_flipped_byte_in_a_multistream_dump(mine, tmp_path, options: list[str]) -> None:
    data, _ = multistream(tmp_path)
    starts = [at for at in range(len(data)) if data.startswith(b"BZh9", at)]
    broken = starts[4]  # the head is the first: of pages 16 to 20
    result = mine(flipped(data, (broken + starts[5]) // 2), *options)
    assert result.spans() == [(broken, starts[5] - broken)]
    assert result.reasons()[0].startswith(f"damaged bz2 stream (it starts at byte {broken}): ")
    assert result.titles == ADDRESSES[:15] + ADDRESSES[20:]
    assert result.rows["pages"]["read"] == COUNT - 5


@pytest.mark.parametrize(("kind", "data"), [("gz", GZ), ("zst", ZST), ("bz2", SINGLE)])
def test_a_flipped_byte_in_a_single_stream(mine, kind: str, data: bytes) -> None:
    """Only bzip2 is sure to find out where; in others the pages behind may be garbled up to a checksum."""
    at = len(data) // 2
    result = mine(flipped(data, at))
    assert result.entry["verdict"] == "damaged"
    reason = f"damaged {kind} stream (it starts at byte 0): "
    ((offset, skipped),) = [
        span for span, text in zip(result.spans(), result.reasons(), strict=True) if text.startswith(reason)
    ]
    assert offset + skipped == len(data)
    assert offset <= at or kind != "bz2"
    before = COUNT * 2 // 5
    assert result.titles[:before] == ADDRESSES[:before]


def test_broken_xml_in_the_middle(mine) -> None:
    at = WHOLE.index(b"Text 20 ")
    result = mine(WHOLE[:at] + b"<<<&&&" + WHOLE[at:])
    assert [offset for offset, _ in result.spans()] == [at + 1]
    assert result.titles == ADDRESSES[:19] + ADDRESSES[20:]
    assert mine(WHOLE[:at] + b"<<<&&&" + WHOLE[at:], "--limit", "19").entry["verdict"] == "complete"


@pytest.mark.parametrize("options", [[], ["--limit", "5"], ["--limit", "39"]], ids=["all", "5", "39"])
def test_what_is_no_damage(mine, options: list[str]) -> None:
    members = gzip.compress(WHOLE[:40_000], mtime=0) + gzip.compress(WHOLE[40_000:], mtime=0)
    for data in (members, GZ + bytes(600), WHOLE):
        result = mine(data, *options)
        assert (result.entry["verdict"], result.entry["places"], result.lines) == ("complete", [], [])
        assert result.titles == ADDRESSES[: int(options[1]) if options else COUNT]


@pytest.mark.parametrize(("kind", "data"), [("bz2", SINGLE), ("gz", GZ)])
def test_garbage_behind_the_end(mine, kind: str, data: bytes) -> None:
    result = mine(data + b"garbage here" * 3)
    assert result.spans() == [(len(data), 36)]
    assert result.reasons() == [f"no {kind} stream starts here"]
    assert result.titles == ADDRESSES
    assert mine(data + b"garbage", "--limit", "5").entry["verdict"] == "complete"


def test_a_cut_dump_beside_its_whole_index(mine, tmp_path) -> None:
    data, index = multistream(tmp_path)
    (tmp_path / "w-multistream-index.txt").write_bytes(index)
    starts = [at for at in range(len(data)) if data.startswith(b"BZh9", at)]
    cut = (starts[4] + starts[5]) // 2
    result = mine(data[:cut], name="w-multistream.xml")
    assert result.spans()[0] == (cut, 0)
    assert result.reasons()[0] == f"cut off: the bz2 stream that starts at byte {starts[4]} has no end"
    assert result.titles == ADDRESSES[:15]


def test_indexes(tmp_path, capsys) -> None:
    data, index = multistream(tmp_path)
    dump_path, path = tmp_path / "w.bz2", tmp_path / "index.txt"
    dump_path.write_bytes(data)
    lines = index.splitlines(keepends=True)
    offset = int(lines[7].partition(b":")[0])
    wrong = [*lines[:5], *(line.replace(b"%d:" % offset, b"%d:" % (offset + 3)) for line in lines[5:10])]
    packed = bz2.compress(index)
    out = str(tmp_path / "out")
    for text, reason in (
        (
            b"".join(wrong),
            f"is not the index of {dump_path} (no bzip2 stream starts at its byte {offset + 3})",
        ),
        (packed[: len(packed) // 2], f"is not the index of {dump_path} (cut off: the bz2 stream"),
        (b"", f"is not the index of {dump_path} (no lines offset:id:title)"),
        (b"2001:A Space Odyssey\n", f"is not the index of {dump_path} (no lines offset:id:title)"),
    ):
        path.write_bytes(text)
        assert main(["wiki", str(dump_path), "--index", str(path), "--output", out, *QUIET]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"anchormine: {path}: {reason}")
        assert line.endswith("; give --index the right file, or --index none")
        assert not Path(out).exists()
    # A title may look like a line's head. An index that was cut off names less; all is read all the same.
    path.write_bytes(b"".join(lines[:12]) + b"%d:12:77:13:Title" % offset)
    assert main(["wiki", str(dump_path), "--index", str(path), "--output", out, *QUIET]) == 0
    assert [row["title"] for row in read_table(Path(out), "pages")] == ADDRESSES


def test_places_are_capped_and_counted(mine, monkeypatch) -> None:
    for module in (places, read_dump):
        monkeypatch.setattr(module, "MAX_PLACES", 3)
    broken = [text.replace("</title>", "</titel>") for text in PAGES[:10]]
    result = mine(dump(*broken, *PAGES[10:]))
    assert len(result.entry["places"]) == 3
    assert result.entry["places_left_out"] == 7
    assert result.lines[0].endswith(", and 9 more places (see manifest.json)")
    assert result.rows["pages"]["unreadable"] == 10
