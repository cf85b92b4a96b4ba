"""What `anchormine clueweb22` says of input that it cannot read, and what it leaves behind."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from anchormine.datasets import places
from anchormine.transforms import import_clueweb22, kept_damages
from tests.clueweb22.clueweb22_files import line, links, members, offsets, page_id, text, write_file
from tests.clueweb22.small_collection import FAR, PIER, PILE, QUAY
from tests.pipelines.command_runs import DEMO, QUIET, funnel, main, read_table
from tests.transforms import memory_files
from tests.web.small_crawls import html, response, warc, warc_gz

FOUND = "txt/en/en00/en0000/en0000-00.json.gz"
LOOKED_FOR = f"{FOUND}, and the same under inlink/ or outlink/"
PAGES = (text(0, PIER, "A pier."), text(1, PILE, "A pile."), text(2, QUAY, "A quay."))
NO_RECORD = f"no record of ClueWeb22 in its first bytes; give files such as {LOOKED_FOR}"
NOT_JSON, NOT_OURS = "a record is not JSON: Expecting", "a record is not one of ClueWeb22:"
NO_ID = "ClueWeb22-ID: expected one such as clueweb22-en0000-00-00004"
IN_QUOTES = "enclosed in double quotes"
UNLIKE = "unlike the file; the members were read without it"
LINKS = (links("inlink", 0, PIER, [[PILE, "H", "a pier", "", "en", page_id(1)]]), b"\n")


@pytest.fixture
def run(tmp_path: Path, capsys):
    """Runs the command on paths below the test's folder, and gives its status and the lines it says."""

    def run_on(*paths: str, options: tuple[str, ...] = (), step: str = "clueweb22") -> tuple[int, list[str]]:
        named = [str(tmp_path / path) for path in paths]
        status = main([step, *named, "--output", str(tmp_path / "out"), *QUIET, *options])
        said = capsys.readouterr().err.replace(f"{tmp_path}/", "").splitlines()
        return status, [line.removeprefix("anchormine: ") for line in said]

    return run_on


def entry(folder: Path, name: str) -> dict:
    inputs = json.loads((folder / "out" / "manifest.json").read_text())["steps"]["clueweb22"]["inputs"]
    return next(entry for entry in inputs if entry["path"].endswith(name))


def test_a_folder_without_such_files(run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "page.html").write_text("<html>")
    said = f"{tmp_path}/in: no files of ClueWeb22 in this folder; it is to hold {LOOKED_FOR}"
    assert run("in") == (2, [said.replace(f"{tmp_path}/", "")])
    assert not (tmp_path / "out").exists()


def test_lists_of_offsets_alone(run, tmp_path: Path) -> None:
    write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    path = f"in/{FOUND.removesuffix('.json.gz')}.offset"
    said = f"{path}: only says where records start; give the .json.gz beside it, too"
    assert run(path) == (2, [said])


def test_a_path_that_is_not_there(run) -> None:
    said = "in/*.json.gz: no such file; give the path of a file, or a glob in quotation marks"
    assert run("in/*.json.gz") == (2, [said])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (warc_gz(response(PIER, html("<p>A pier."))), "a file of a crawl; `anchormine web` reads it"),
        (warc(response(PIER, html("<p>A pier."))), "a file of a crawl; `anchormine web` reads it"),
        ((DEMO / "wiki.xml").read_bytes()[:5000], "a MediaWiki dump; `anchormine wiki` reads it"),
        (b"", "an empty file; fetch it again"),
        (PAGES[0], f"no gzip file; give ClueWeb22's own, such as {LOOKED_FOR}"),
        (
            gzip.compress(b'{"a": 1}', mtime=0),
            f"no record of ClueWeb22 in its first bytes; give files such as {LOOKED_FOR}",
        ),
        (gzip.compress(b"", mtime=0), NO_RECORD),
    ],
    ids=["warc.gz", "warc", "dump", "empty", "plain", "other JSON", "empty gzip"],
)
def test_something_else(run, tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "in.gz").write_bytes(data)
    assert run("in.gz") == (1, [f"in.gz: {reason}; nothing was published"])
    assert not (tmp_path / "out").exists()


def test_links_without_texts(run, tmp_path: Path) -> None:
    write_file(tmp_path / "in", "inlink", "en0000-00", *LINKS)
    said = "in: links without texts; give the files under txt/ too, or the folder of both"
    assert run("in") == (2, [said.replace("in:", f"{tmp_path}/in:").replace(f"{tmp_path}/", "")])


@pytest.mark.parametrize(
    ("lines", "detail"),
    [
        ((b"{nothing",), f"(byte 0: {NOT_JSON} property name {IN_QUOTES}: line 1 column 2 (char 1))"),
        ((line([1]), line({"URL": PIER})), f"(byte 0: {NOT_OURS} expected an object, got list)"),
        ((b"[" * 100_000,), "(byte 0: a record is not JSON that can be read: nested too deep)"),
        ((text(0, PIER, " "), text(0, PIER, "again")), "(2 records; set aside: empty 1, repeated 1)"),
        ((text(0, PIER, "x", stem="en0000-09"),), "(1 record; set aside: misplaced 1)"),
        ((b"\n", b"\n"), "(0 records; set aside: none)"),
    ],
    ids=["no JSON", "a list", "too deep", "empty", "misplaced", "blank lines"],
)  # fmt: skip
def test_no_page(run, tmp_path: Path, lines: tuple[bytes, ...], detail: str) -> None:
    write_file(tmp_path / "in", "txt", "en0000-00", *lines)
    status, (said,) = run("in")
    assert (status, said) == (1, f"in/{FOUND}: no page could be read {detail}; nothing was published")
    assert not (tmp_path / "out").exists()


def test_links_that_lead_to_no_page(run, tmp_path: Path) -> None:
    write_file(tmp_path / "in", "txt", "en0000-00", PAGES[0])
    write_file(
        tmp_path / "in", "outlink", "en0000-00", links("outlink", 0, PIER, [[FAR, "", "far", "", "en"]])
    )
    assert run("in") == (
        0,
        [
            "no link leads to a page of the input, so there are no pairs of rqp, qdm, rdp, acm, "
            "anchor_document, wlp to make; give more of it, or `anchormine pairs` tasks that need none: "
            "--task rop ict bfs codoc"
        ],
    )


def test_texts_without_links(run, tmp_path: Path) -> None:
    write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    assert run("in/txt") == (
        0,
        [
            "no link leads to a page of the input, so there are no pairs of rqp, qdm, rdp, acm, "
            "anchor_document, wlp to make; give the folder that has inlink/, or outlink/, beside txt/, or "
            "`anchormine pairs` tasks that need none: --task rop ict bfs codoc"
        ],
    )


def test_a_limit_of_records_before_the_first_page(run, tmp_path: Path) -> None:
    write_file(tmp_path / "in", "txt", "en0000-00", text(0, PIER, " "), text(1, PILE, "A pile."))
    none = f"in/{FOUND}: no page could be read (1 record; set aside: empty 1)"
    more = "--limit 1 leaves the rest unread, so give a larger one; nothing was published"
    assert run("in", options=("--limit", "1")) == (1, [f"{none}; {more}"])


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"ClueWeb22-ID": "en0000-00-00003"}, f"{NO_ID}, got 'en0000-00-00003'"),
        ({"ClueWeb22-ID": None}, f"{NO_ID}, got None"),
        ({"URL": 1}, "URL: expected a string, got int"),
        ({"Clean-Text": ["x"]}, "Clean-Text: expected a string, got list"),
    ],
    ids=["another id", "no id", "no URL", "no text"],
)  # fmt: skip
def test_a_record_that_is_none(run, tmp_path: Path, record: dict, reason: str) -> None:
    broken = line({**json.loads(text(3, FAR, "Far.")), **record})
    write_file(tmp_path / "in", "txt", "en0000-00", PAGES[0], broken, PAGES[1])
    place = len(members(PAGES[0])[0])
    status, said = run("in", options=("--strict",))
    assert (status, said[0]) == (
        3,
        f"in/{FOUND}: damaged at byte {place}: {NOT_OURS} {reason}",
    )
    assert len(read_table(tmp_path / "out", "pages")) == 2


def test_bytes_that_are_no_utf_8(run, tmp_path: Path) -> None:
    write_file(tmp_path / "in", "txt", "en0000-00", PAGES[0], PAGES[1].replace(b"A pile", b"A p\xefle"))
    status, said = run("in")
    assert status == 0
    assert "a record is not JSON: 'utf-8' codec can't decode byte 0xef" in said[0]


def test_a_member_that_is_broken(run, tmp_path: Path) -> None:
    path = write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    packed = members(*PAGES)
    data = bytearray(b"".join(packed))
    data[len(packed[0]) + len(packed[1]) - 6] ^= 0xFF
    path.write_bytes(data)
    status, said = run("in")
    assert status == 0
    assert f"damaged gzip member (it starts at byte {len(packed[0])}): " in said[0]
    assert said[0].endswith("incorrect data check")
    assert [row["page_id"] for row in read_table(tmp_path / "out", "pages")] == [page_id(0), page_id(2)]
    assert entry(tmp_path, FOUND)["verdict"] == "damaged"
    assert [(place["offset"], place["bytes_skipped"]) for place in entry(tmp_path, FOUND)["places"]] == [
        (len(packed[0]), len(packed[1]))
    ]
    records = funnel(tmp_path / "out", "clueweb22")["records"]
    assert (records["read"], records["rejected"], records["unreadable"]) == (3, {"damaged": 1}, 0)
    (reject,) = read_table(tmp_path / "out", "rejects/clueweb22")
    assert [reject[name] for name in ("reason", "unit", "record_id", "origin", "excerpt")] == [
        "damaged",
        "records",
        page_id(1),
        f"txt/en0000-00.json.gz@{len(packed[0])}",
        PILE,
    ]


def test_a_file_cut_within_a_member(run, tmp_path: Path) -> None:
    path = write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    size = path.stat().st_size - 40
    path.write_bytes(path.read_bytes()[:size])
    (tmp_path / "in" / "txt/en/en00/en0000/en0000-00.offset").unlink()
    start = sum(map(len, members(*PAGES[:2])))
    status, said = run("in")
    assert (status, len(read_table(tmp_path / "out", "pages"))) == (0, 2)
    assert said[0] == (
        f"in/{FOUND}: damaged at byte {start}: "
        f"cut off: the gzip member that starts at byte {start} has no end"
    )
    assert funnel(tmp_path / "out", "clueweb22")["records"]["unreadable"] == 0


def test_a_file_cut_between_members(run, tmp_path: Path) -> None:
    """Only its list of offsets tells."""
    path = write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    whole, size = path.stat().st_size, sum(map(len, members(*PAGES[:2])))
    path.write_bytes(path.read_bytes()[:size])
    status, said = run("in", options=("--strict",))
    assert (status, said[0]) == (
        3,
        f"in/{FOUND}: damaged at byte {size}: cut off: its .offset file has a place at byte {whole}",
    )


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        (lambda packed: offsets(packed)[:-11], None),
        (lambda packed: offsets(packed)[:11] + offsets(packed)[22:], f"does not list byte {{0}}, {UNLIKE}"),
        (lambda packed: b"0000000007\n" + offsets(packed)[11:], f"lists byte 7, {UNLIKE}"),
        (lambda packed: b"offsets", "not lines of ten digits; it was not compared with the members"),
    ],
    ids=["without the end", "one missing", "one wrong", "no list"],
)  # fmt: skip
def test_a_list_of_offsets_that_is_wrong(run, tmp_path: Path, listed, said: str | None) -> None:
    """It is said, and does the file no harm."""
    write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    packed = members(*PAGES)
    name = f"in/{FOUND}".replace(".json.gz", ".offset")
    (tmp_path / name).write_bytes(listed(packed))
    status, lines = run("in", options=("--strict",))
    assert (status, entry(tmp_path, FOUND)["verdict"]) == (0, "complete")
    assert [line for line in lines if ".offset" in line] == (
        [f"{name}: {said.format(len(packed[0]))}"] if said else []
    )


@pytest.mark.parametrize("count", [2, 50])
def test_a_file_that_was_packed_anew_beside_its_old_list(run, tmp_path: Path, count: int) -> None:
    """Nothing is missing of it, though it ends long before the list does."""
    many = [text(n, f"{PIER}/{n}", f"Pier {n} stands on piles. " * 9) for n in range(count)]
    path = write_file(tmp_path / "in", "txt", "en0000-00", *many)
    path.write_bytes(gzip.compress(b"".join(many), mtime=0))
    name = f"in/{FOUND}".replace(".json.gz", ".offset")
    status, said = run("in", options=("--strict",))
    found = entry(tmp_path, FOUND)
    assert (status, found["verdict"], found["records"], found["places"]) == (0, "complete", count, [])
    listed = len(members(many[0])[0])
    assert [line for line in said if ".offset" in line] == [f"{name}: lists byte {listed}, {UNLIKE}"]


def test_records_around_damages(run, tmp_path: Path) -> None:
    """Each place has the records that start before it and behind it, with the one that starts there."""
    lines = (*PAGES, b"{broken\n", text(3, FAR, "Far."))
    path = write_file(tmp_path / "in", "txt", "en0000-00", *lines)
    write_file(tmp_path / "in", "inlink", "en0000-00", *LINKS)
    packed = members(*lines)
    starts = [sum(map(len, packed[:number])) for number in range(6)]
    data = bytearray(path.read_bytes())
    data[starts[1] : starts[1] + 40] = bytes(40)
    path.write_bytes(data)
    run("in")
    found = entry(tmp_path, FOUND)
    assert (found["verdict"], found["records"]) == ("damaged", 4)
    assert found["places"] == [
        {
            "offset": starts[1], "bytes_skipped": len(packed[1]), "reason": "no gzip member starts here",
            "records_before": 1, "records_after": 3,
        },
        {
            "offset": starts[3], "bytes_skipped": len(packed[3]),
            "reason": f"{NOT_JSON} property name {IN_QUOTES}: line 1 column 2 (char 1)",
            "records_before": 2, "records_after": 2,
        },
    ]  # fmt: skip
    other = entry(tmp_path, f"inlink/{FOUND[4:]}")
    assert (other["records"], other["places"], "unread_from" in found) == (1, [], False)


def test_the_first_places_of_a_file_of_nothing_but_damages(run, tmp_path: Path, monkeypatch) -> None:
    """They are those, though a broken member is listed before the records in it; the others are counted."""
    for module in (kept_damages, places, import_clueweb22):
        monkeypatch.setattr(module, "MAX_PLACES", 5)
    path = write_file(tmp_path / "in", "txt", "en0000-00", PAGES[0])
    start = path.stat().st_size
    broken = gzip.compress(b"{}\n" * 5, 0, mtime=0)[:-8] + bytes(8)
    path.write_bytes(path.read_bytes() + broken + b"".join(members(*[b"{broken\n"] * 40)))
    status, _ = run("in")
    found = entry(tmp_path, FOUND)
    assert (status, found["verdict"], found["records"]) == (0, "damaged", 46)
    reasons = [place["reason"].split(":")[0] for place in found["places"]]
    assert reasons == [NOT_OURS.removesuffix(":")] * 4 + [f"damaged gzip member (it starts at byte {start})"]
    offsets = [place["offset"] for place in found["places"]]
    assert [offset - start for offset in offsets] == [0, 18, 21, 24, 27]
    assert found["places_left_out"] == 40


def test_a_file_that_is_read_among_one_that_is_not(run, tmp_path: Path) -> None:
    write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    (tmp_path / "in" / "txt" / "more.json.gz").write_bytes(b"")
    status, said = run("in")
    assert status == 0
    assert said[0] == "in/txt/more.json.gz: unreadable at byte 0: an empty file; fetch it again"
    files = funnel(tmp_path / "out", "clueweb22")["files"]
    assert (files["read"], files["written"], files["unreadable"]) == (2, 1, 1)


def test_another_file_system(capsys, tmp_path: Path, monkeypatch) -> None:
    """A folder there is whatever stands before the names of files."""
    write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    write_file(tmp_path / "in", "inlink", "en0000-00", *LINKS)
    files = {path: path.read_bytes() for path in (tmp_path / "in").rglob("*.*")}
    monkeypatch.setattr(
        memory_files, "FILES", {f"mem://{path.relative_to(tmp_path)}": data for path, data in files.items()}
    )
    for number, pattern in enumerate(("mem://in", "mem://in/*/en/en00/en0000/*")):
        out = tmp_path / str(number)
        assert main(["clueweb22", pattern, "--output", str(out), *QUIET]) == 0
        assert [row["destination_page_id"] for row in read_table(out, "anchors")] == [page_id(0)]
    assert main(["clueweb22", "mem://elsewhere", "--output", str(tmp_path / "none"), *QUIET]) == 2
    assert "mem://elsewhere: no files of ClueWeb22 in this folder" in capsys.readouterr().err
