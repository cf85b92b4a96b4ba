"""How a dump is divided: every page in one range, whatever the size of the ranges."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchormine.errors import UsageError
from anchormine.transforms import dump_plan, dump_range
from anchormine.transforms.dump_plan import plan_dump
from anchormine.transforms.dump_range import read_elements
from anchormine.transforms.read_dump import ReadDump
from anchormine.wiki.revisions import parse_page
from tests.wiki.small_dumps import COMPRESS, dump, page, write_multistream

PAGES = [page(n, f"Page {n}", f"Text {n} " + "word " * (n * 37 % 200)) for n in range(1, 61)]


def titles(path: Path, index: str | None = None, limit: int | None = None) -> tuple[int, list[str]]:
    """How many ranges there are, and the titles of their pages."""
    plan = plan_dump([str(path)], index, limit)
    damages: list = []
    found = [
        parse_page(element.xml).title for part in plan.ranges for element in read_elements(part, damages)
    ]
    assert damages == []
    return len(plan.ranges), found


ALL = [f"Page {n}" for n in range(1, 61)]


def test_paths_of_a_program(tmp_path: Path) -> None:
    """One or several, in any form; of those that cannot be read nobody would hear."""
    path, empty = tmp_path / "w.xml", tmp_path / "v.xml"
    path.write_bytes(dump(*PAGES))
    empty.touch()
    assert plan_dump(path) == plan_dump(str(path)) == plan_dump([path]) == ReadDump(path).plan()
    assert ReadDump(plan_dump([path, empty])).plan() == plan_dump([path, empty])
    told = (
        rf"^{empty}: .*; leave it out, or give the plan of `plan_dump`, whose files say which cannot be read$"
    )
    with pytest.raises(UsageError, match=told):
        ReadDump([path, empty]).plan()
    with pytest.raises(UsageError, match=r"^no path; give the paths of files, or globs$"):
        plan_dump([])


@pytest.mark.parametrize("step", [50, 333, 1000, 7919, 1 << 20])
def test_ranges_of_an_uncompressed_file(tmp_path: Path, monkeypatch, step: int) -> None:
    monkeypatch.setattr(dump_plan, "_MIN_RANGE_BYTES", step)
    monkeypatch.setattr(dump_plan, "_MAX_RANGE_BYTES", step)
    path = tmp_path / "w.xml"
    path.write_bytes(dump(*PAGES))
    ranges, found = titles(path)
    assert found == ALL
    assert (ranges > 1) == (step < path.stat().st_size / 1.5)


def test_what_has_no_pages_is_read_twice_at_most(tmp_path: Path, monkeypatch) -> None:
    """As the zero bytes of a file for which room was made, and which was not fetched whole."""
    path = tmp_path / "w.xml"
    path.write_bytes(dump(*PAGES).replace(b"</mediawiki>", b"").ljust(16 << 20, b"\0"))
    read: list[int] = []

    class CountedFile(dump_range.ResumedFile):
        def read(self, size: int = -1, /) -> bytes:
            data = super().read(size)
            read[-1] += len(data)
            return data

    parts = plan_dump(path).ranges
    assert [(part.start, part.end) for part in parts] == [(n << 20, (n + 1) << 20) for n in range(16)]
    monkeypatch.setattr(dump_range, "ResumedFile", CountedFile)
    found: list[int] = []
    for part in parts:
        read.append(0)
        found.append(len(list(read_elements(part, []))))
    assert found == [60, *[0] * 15]
    chunk = 1 << 18
    assert read == [16 << 20, *[(1 << 20) + chunk] * 14, 1 << 20]


@pytest.mark.parametrize("step", [100, 1000, 1 << 20])
def test_ranges_of_a_multistream_file(tmp_path: Path, monkeypatch, step: int) -> None:
    monkeypatch.setattr(dump_plan, "_MIN_RANGE_BYTES", step)
    monkeypatch.setattr(dump_plan, "_MAX_RANGE_BYTES", step)
    path = tmp_path / "w-multistream.xml.bz2"
    write_multistream(path, PAGES, ALL, each=4)
    ranges, found = titles(path)
    assert found == ALL
    assert (ranges > 1) == (step < 1 << 20)
    assert titles(path, "none") == (1, ALL)


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("limit", [1, 7, 60, 100])
def test_limit(tmp_path: Path, monkeypatch, kind: str, limit: int) -> None:
    monkeypatch.setattr(dump_plan, "_MIN_RANGE_BYTES", 2000)
    path = tmp_path / f"w.{kind}"
    path.write_bytes(COMPRESS[kind](dump(*PAGES)))
    assert titles(path, limit=limit)[1] == ALL[:limit]


def test_several_files_in_the_order_given(tmp_path: Path) -> None:
    for name, pages in (("b.xml", PAGES[:2]), ("a.xml", PAGES[2:4]), ("c.xml", PAGES[4:5])):
        (tmp_path / name).write_bytes(dump(*pages))
    plan = plan_dump([str(tmp_path / "c.xml"), str(tmp_path / "*.xml")])
    assert [Path(file.path).name for file in plan.files] == ["c.xml", "a.xml", "b.xml"]
    assert [part.number for part in plan.ranges] == [0, 1, 2]
