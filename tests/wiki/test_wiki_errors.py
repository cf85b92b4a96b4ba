"""`anchormine wiki` on bad input and wrong usage: one line that names file, place and remedy; exit status."""

from __future__ import annotations

import bz2
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anchormine.pipelines.cli import main
from anchormine.transforms import tabulate_pages
from anchormine.transforms.parquet_shards import ShardWriter
from tests.pipelines.command_runs import QUIET, checksums, funnel, read_table
from tests.wiki.small_dumps import FOOT, HEAD, dump, page, unit_row, write_multistream

PAGES = [page(n, f"Page {n}", f"Text {n} and [[page {n % 9 + 1}]].") for n in range(1, 10)]
WHOLE = dump(*PAGES)


class Result:
    """What a command did."""

    def __init__(self, status: int, out: str, err: str, folder: Path) -> None:
        self.status, self.out, self.folder = status, out, folder
        self.lines = err.splitlines()

    def published(self) -> bool:
        return (self.folder / "manifest.json").exists()

    def inputs(self) -> list[dict[str, Any]]:
        return json.loads((self.folder / "manifest.json").read_text())["steps"]["wiki"]["inputs"]

    def titles(self) -> list[str]:
        return [row["title"] for row in read_table(self.folder, "pages")]


@pytest.fixture
def command(tmp_path, capsys):
    """Runs `anchormine wiki`; files are given as bytes by name."""

    def run(*arguments: str, output: str = "out", **files: bytes) -> Result:
        paths = []
        for name, data in files.items():
            path = tmp_path / name.replace("__", ".")
            path.write_bytes(data)
            paths.append(str(path))
        folder = tmp_path / output
        status = main(["wiki", *paths, *arguments, "--output", str(folder), *QUIET])
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err, folder)

    return run


def fails(result: Result, status: int, *parts: str) -> None:
    """One line on standard error that holds the parts, nothing on standard output, nothing published."""
    assert result.status == status, result.lines
    assert len(result.lines) == 1
    assert result.lines[0].startswith("anchormine: ")
    for part in parts:
        assert part in result.lines[0]
    assert result.out == ""
    assert not result.published()
    assert not result.folder.exists()


# --- nothing can be read


def test_wrong_path(command, tmp_path) -> None:
    fails(command(str(tmp_path / "no.xml")), 2, f"{tmp_path}/no.xml: no such file", "give the path of a file")


def test_glob_without_match(command, tmp_path) -> None:
    fails(command(str(tmp_path / "*.bz2")), 2, f"{tmp_path}/*.bz2: no such file", "glob in quotation marks")


def test_unknown_file_system(command) -> None:
    fails(command("ftp://a/b.xml"), 2, "ftp://a/b.xml: cannot open this file system", "use a local path")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "an empty file; fetch it again"),
        (b"Not XML at all.\n" * 50, "no MediaWiki XML dump: neither <mediawiki> nor <page>"),
        (b"<html><body>404 Not Found</body></html>", "no MediaWiki XML dump"),
        (bz2.compress(b"Not XML at all."), "no MediaWiki XML dump"),
        (b"PK\x03\x04" + bytes(99), "a zip archive, which is not read; unpack it"),
        (bz2.compress(WHOLE)[:40], "cut off: the bz2 stream"),
        (b"BZh9 no bzip2", "no MediaWiki XML dump"),
        ((HEAD + FOOT).encode(), "no page could be read"),
    ],
    ids=["empty", "text", "html", "bz2 of text", "zip", "bz2 cut at once", "no bz2", "no pages"],
)
def test_no_readable_page(command, tmp_path, data: bytes, reason: str) -> None:
    fails(command(w__xml=data), 1, f"{tmp_path}/w.xml: {reason}", "nothing was published")


def test_no_readable_page_in_several_files(command, tmp_path) -> None:
    fails(command(a__xml=b"", b__xml=b"no"), 1, f"{tmp_path}/a.xml (and 1 more file): an empty file")


def test_only_broken_pages(command, tmp_path) -> None:
    broken = (HEAD + PAGES[0].replace("</revision>", "")).encode()
    fails(command(w__xml=broken), 1, f"{tmp_path}/w.xml", "nothing was published")


# --- some can


def test_an_unreadable_file_among_others(command, tmp_path) -> None:
    result = command(a__xml=WHOLE, b__xml=b"", c__xml=b"no dump")
    assert result.status == 0
    assert result.lines == [
        f"anchormine: {tmp_path}/b.xml: unreadable at byte 0: an empty file; fetch it again",
        f"anchormine: {tmp_path}/c.xml: unreadable at byte 0: no MediaWiki XML dump: neither <mediawiki> "
        "nor <page> in its first bytes; give a file such as ...-pages-articles.xml.bz2",
    ]
    assert [entry["verdict"] for entry in result.inputs()] == ["complete", "unreadable", "unreadable"]
    assert funnel(result.folder, "wiki")["files"] == unit_row("files", 3, 1, unreadable=2)


@pytest.mark.parametrize("bad", [b"", b"no dump"], ids=["empty", "no dump"])
def test_an_unreadable_file_is_of_no_wiki(command, bad: bytes) -> None:
    """It changes neither the card's name, licence and language, nor what is known of wikis."""
    french = dump(
        *PAGES,
        head=HEAD.replace('xml:lang="en"', 'xml:lang="fr"')
        .replace("harbourwiki", "frwiki")
        .replace("harbour.example", "fr.wikipedia.org"),
    )
    alone, beside = command(a__xml=french), command(output="beside", a__xml=french, b__xml=bad)
    assert (alone.status, beside.status) == (0, 0)
    steps = [json.loads((run.folder / "manifest.json").read_text())["steps"] for run in (alone, beside)]
    assert [[wiki["wiki"] for wiki in step["wiki"]["options"]["wikis"]] for step in steps] == [["frwiki"]] * 2
    assert steps[0]["wiki"]["options"] == steps[1]["wiki"]["options"]
    heads = [(run.folder / "README.md").read_text().split("\n# ")[0] for run in (alone, beside)]
    assert heads[0].startswith("---\nlicense:\n- cc-by-sa-4.0\nlanguage:\n- fr\npretty_name: ")
    assert heads[0] == heads[1]
    names = [json.loads((run.folder / "croissant.json").read_text())["name"] for run in (alone, beside)]
    assert names[0] == names[1]


def test_strict(command) -> None:
    result = command("--strict", a__xml=WHOLE, b__xml=b"")
    assert result.status == 3
    assert len(result.titles()) == 9


def test_strict_with_all_well(command) -> None:
    assert command("--strict", a__xml=WHOLE).status == 0


def test_broken_xml_keeps_the_rest(command, tmp_path) -> None:
    pages = list(PAGES)
    pages[3] = pages[3].replace("</title>", "</titel>")
    data = dump(*pages)
    result = command(w__xml=data)
    assert result.status == 0
    place = data.index(b"</titel>")
    assert [entry["verdict"] for entry in result.inputs()] == ["damaged"]
    (found,) = result.inputs()[0]["places"]
    assert (found["offset"], found["bytes_skipped"]) == (place + len("</"), len(pages[3]) - len("  ") - 1)
    assert "mismatched tag" in found["reason"]
    assert result.lines == [f"anchormine: {tmp_path}/w.xml: damaged at byte {place + 2}: {found['reason']}"]
    assert result.titles() == [f"Page {n}" for n in range(1, 10) if n != 4]
    assert funnel(result.folder, "wiki")["pages"]["unreadable"] == 1
    (reject,) = [row for row in read_table(result.folder, "rejects/wiki") if row["unit"] == "pages"]
    assert (reject["reason"], reject["record_id"]) == ("unreadable", None)
    assert reject["origin"] == f"w.xml@{data.index(pages[3].strip().encode())}"
    assert reject["excerpt"].startswith("<page>\n    <title>Page 4</titel>")


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("<ns>0</ns>", "<ns>abc</ns>", "'abc' in <ns> of a <page>: not a number"),
        ("<id>1004</id>", "<id>x1004</id>", "'x1004' in <id> of a <revision>: not a number"),
        ("<id>4</id>", f"<id>{'9' * 30}</id>", f"'{'9' * 20}' in <id> of a <page>: not a number"),
        ("<id>4</id>", "<id>-4</id>", "a page without title or id"),
        ("<title>Page 4</title>", "<title> _ </title>", "a page without title or id"),
    ],
)
def test_numbers_that_are_none(command, right: str, wrong: str, reason: str) -> None:
    pages = list(PAGES)
    pages[3] = pages[3].replace(right, wrong)
    assert pages[3] != PAGES[3]
    data = dump(*pages)
    result = command(w__xml=data)
    assert result.status == 0
    (place,) = result.inputs()[0]["places"]
    start = data.index(pages[3].strip().encode())
    assert place == {"offset": start, "bytes_skipped": len(pages[3].strip()), "reason": reason}
    assert result.titles() == [f"Page {n}" for n in range(1, 10) if n != 4]
    assert funnel(result.folder, "wiki")["pages"]["unreadable"] == 1


def test_a_namespace_without_number_is_none_of_the_wikis(command) -> None:
    odd = '<namespace key="x">Odd</namespace><namespace>None</namespace><namespace key="14"'
    data = dump(
        page(1, "Pier", "A [[Category:Ships]] [[odd:Ship]]."), head=HEAD.replace('<namespace key="14"', odd)
    )
    result = command(w__xml=data)
    assert result.status == 0
    assert result.lines == [
        "anchormine: no link leads to a page of the input, so there are no pairs of rqp, qdm, rdp, acm, "
        "anchor_document, wlp to make; give the whole dump, or `anchormine pairs` tasks that need none: "
        "--task rop ict bfs codoc"
    ]
    assert [row["reason"] for row in read_table(result.folder, "rejects/wiki")] == ["namespace"]
    assert [row["target"] for row in read_table(result.folder, "anchors")] == ["odd:Ship"]


def test_a_dump_cut_off_within_a_page(command, tmp_path) -> None:
    start = WHOLE.rindex(b"<page>")
    result = command(w__xml=WHOLE[: start + 100])
    assert result.status == 0
    assert result.titles() == [f"Page {n}" for n in range(1, 9)]
    assert result.inputs()[0]["places"] == [
        {"offset": start, "bytes_skipped": 100, "reason": "cut off: the file ends within a page"}
    ]


def test_a_page_that_is_never_closed(command) -> None:
    pages = list(PAGES)
    pages[2] = pages[2].replace("</page>", "")
    result = command(w__xml=dump(*pages))
    assert result.titles() == [f"Page {n}" for n in range(1, 10) if n != 3]
    (place,) = result.inputs()[0]["places"]
    assert place["reason"] == "a page without </page>"
    assert place["offset"] == dump(*pages).index(b"<title>Page 3") - len("<page>\n    ")


def test_a_cut_bz2(command, tmp_path) -> None:
    """Blocks before the cut are read; of a small dump there is one block, so streams are cut."""
    path = tmp_path / "w-multistream.xml.bz2"
    write_multistream(path, PAGES, [f"Page {n}" for n in range(1, 10)], each=3)
    data = path.read_bytes()
    path.unlink()
    last = data.rindex(b"BZh9")
    cut = data.rindex(b"BZh9", 0, last) + 60
    result = command("--index", "none", w__bz2=data[:cut])
    assert result.status == 0
    assert result.titles() == [f"Page {n}" for n in range(1, 7)]
    places = result.inputs()[0]["places"]
    assert [place["offset"] for place in places if "bz2" in place["reason"]] == [cut]
    assert "cut off" in places[0]["reason"]
    assert result.inputs()[0]["verdict"] == "damaged"
    assert len(result.lines) == 1


def test_a_damaged_bz2_goes_on_at_the_next_stream(command, tmp_path) -> None:
    path = tmp_path / "w-multistream.xml.bz2"
    write_multistream(path, PAGES, [f"Page {n}" for n in range(1, 10)], each=3)
    data = bytearray(path.read_bytes())
    path.unlink()
    second = data.index(b"BZh9", data.index(b"BZh9", 4) + 4)
    data[second + 60] ^= 0xFF
    result = command(w__bz2=bytes(data))
    assert result.titles() == [f"Page {n}" for n in (1, 2, 3, 7, 8, 9)]
    (place,) = result.inputs()[0]["places"]
    assert second <= place["offset"] < second + place["bytes_skipped"]
    assert "damaged bz2 stream" in place["reason"]


def test_a_cut_gzip(command) -> None:
    many = [
        page(n, f"Page {n}", f"Text {n} " + " ".join(str(n * k * 7919) for k in range(3000)))
        for n in range(1, 40)
    ]
    data = gzip.compress(dump(*many), mtime=0)
    result = command(w__gz=data[: len(data) // 2])
    assert result.status == 0
    assert 5 < len(result.titles()) < 39
    assert "cut off: the gz stream that starts at byte 0 has no end" in result.lines[0]


def test_no_siteinfo(command, tmp_path) -> None:
    result = command(w__xml=b"<mediawiki>\n" + "".join(PAGES).encode() + FOOT.encode())
    assert result.status == 0
    assert result.lines == [
        f"anchormine: {tmp_path}/w.xml: has no siteinfo, read as wiki in language en; --wiki and "
        "--language say otherwise"
    ]
    assert read_table(result.folder, "pages")[0]["page_id"] == "wiki:1"


def test_an_unknown_language(command, tmp_path) -> None:
    lines = {
        code: command("--language", code, "--overwrite", w__xml=WHOLE).lines
        for code in ("qx", "pt-AO", "als")
    }
    assert lines == {
        "qx": [
            f"anchormine: {tmp_path}/w.xml: nothing is known of the language qx, so its words for redirects, "
            "files and categories are taken for English; --language says otherwise"
        ],
        "pt-AO": [],
        "als": [],
    }


def test_a_namespace_that_siteinfo_does_not_name(command) -> None:
    """The page's own number counts, whatever its title's prefix."""
    pages = [
        page(1, "Portal:Sea", "The [[pier]].", ns=100),
        page(2, "Odd: title", "A [[Portal:Sea]] and a [[Odd: Title]]."),
    ]
    result = command(w__xml=dump(*pages))
    assert result.titles() == ["Odd: title"]
    assert funnel(result.folder, "wiki")["pages"]["rejected"] == {"namespace": 1}


def test_a_name_that_differs_from_siteinfo(command, tmp_path) -> None:
    result = command(frwiki__xml=WHOLE)
    assert result.status == 0
    assert result.lines == [
        f"anchormine: {tmp_path}/frwiki.xml: its siteinfo says harbourwiki, its name frwiki; if the name "
        "is right, give --wiki frwiki --language CODE"
    ]


@pytest.mark.parametrize(
    ("head", "wiki", "told"),
    [
        ("<dbname>\n zh_min-nan.wiki2é\n</dbname>", "zh_min-nan.wiki2é", None),
        ("<dbname>a b:\n&lt;#c</dbname>", "a_b_c", r"'a b:\n<#c'"),
        ("<dbname>\u202e\x85</dbname>", "_", r"'\u202e'"),
        ("<base>https://x#y.wikipedia.org/</base>", "wiki", None),
        ("<base>http://a\n[b.wikipedia.org/</base>", "wiki", None),
        ("<base>\n http://ä|;b.wikipedia.org/wiki/A\n</base>", "ä_bwiki", None),
    ],
)
def test_ids_are_words(command, tmp_path, head, wiki, told) -> None:
    head = f'<mediawiki xml:lang="en"><siteinfo><sitename>W</sitename>{head}</siteinfo>'
    result = command(w__xml=dump(*PAGES, head=head))
    assert result.status == 0
    assert read_table(result.folder, "pages")[0]["page_id"] == f"{wiki}:1"
    assert result.lines == (
        []
        if told is None
        else [
            f"anchormine: {tmp_path}/w.xml: its siteinfo says {told}, and page ids begin with {wiki}, as "
            "they have letters, digits, _, - and . only; --wiki says otherwise"
        ]
    )
    assert command("--wiki", "w", "--overwrite", w__xml=dump(*PAGES, head=head)).lines == []


# --- wrong usage


def test_a_wrong_index(command, tmp_path) -> None:
    data = bz2.compress(WHOLE)
    index = tmp_path / "i.txt"
    for lines, reason in (
        (f"{len(data) + 5}:1:Page 1\n", "offsets beyond its end"),
        ("no lines of an index\n", "no lines offset:id:title"),
        (f"{'9' * 5000}:1:P1\n", "offsets beyond its end"),
    ):
        index.write_text(lines)
        result = command("--index", str(index), w__bz2=data)
        fails(result, 2, f"{index}: is not the index of {tmp_path}/w.bz2 ({reason})", "--index none")
    fails(command("--index", str(tmp_path / "no.txt"), w__bz2=data), 2, f"{tmp_path}/no.txt", "--index")


def test_an_index_of_another_dump(command, tmp_path) -> None:
    """Its offsets lie within the file, but no stream starts there."""
    pages = [
        page(n, f"P{n}", f"{n} " + " ".join(str(n * k * 7919 % 100003) for k in range(60000)))
        for n in range(1, 20)
    ]
    data = bz2.compress(dump(*pages))
    assert len(data) > 2 << 20
    index = tmp_path / "i.txt"
    index.write_text(f"{(1 << 20) + 17}:1:P1\n")
    result = command("--index", str(index), w__bz2=data)
    fails(result, 2, f"no bzip2 stream starts at its byte {(1 << 20) + 17}", "--index none")


def test_one_index_for_two_files(command, tmp_path) -> None:
    (tmp_path / "i.txt").write_text("0:1:a\n")
    result = command(
        "--index", str(tmp_path / "i.txt"), a__bz2=bz2.compress(WHOLE), b__bz2=bz2.compress(WHOLE)
    )
    fails(result, 2, "i.txt: belongs to one file, but 2 are given")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--lnguage", "fr"], "unknown option --lnguage; did you mean --language?"),
        (["--page-timeouts=3"], "unknown option --page-timeouts; did you mean --page-timeout?"),
        (["--limit", "0"], "argument --limit: 0: give 1 or more"),
        (["--workers", "none"], "argument --workers"),
        (["--wiki", "en/wiki"], "--wiki 'en/wiki': page ids begin with it: letters, digits, _, - and . only"),
        (["--page-timeout", "0"], "--page-timeout 0.0: give more than 0 seconds"),
        (["--direct_running_mode=multi_threading"], "loses records in Beam 2.77; use --workers N"),
        (["--direct_running_mode=multi_processing"], "use --workers N for worker processes"),
        (["--direct_num_workers=4"], "--direct_num_workers=4: is not followed here; use --workers N"),
        (["--direct_num_workers", "4"], "--direct_num_workers: is not followed here; use --workers N"),
        (["--runner"], "--runner"),
        (["--runner=drectrunner"], "no such runner of Beam; did you mean DirectRunner?"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_wrong_options(command, options: list[str], message: str) -> None:
    fails(command(*options, w__xml=WHOLE), 2, message)


def test_config_file(command, tmp_path) -> None:
    (tmp_path / "c.toml").write_text('limit = 3\nwiki = "mywiki"\n')
    result = command("--config", str(tmp_path / "c.toml"), "--wiki", "ourwiki", w__xml=WHOLE)
    assert [row["page_id"] for row in read_table(result.folder, "pages")] == [
        "ourwiki:1",
        "ourwiki:2",
        "ourwiki:3",
    ]


@pytest.mark.parametrize(("typed", "written"), [("overwrite", "resume"), ("resume", "overwrite")])
def test_what_is_typed_wins_over_its_rival_in_a_config_file(
    command, tmp_path, typed: str, written: str
) -> None:
    (tmp_path / "c.toml").write_text(f"{written} = true\n")
    (manifest,) = command(w__xml=WHOLE).folder.glob("manifest.json")
    before = manifest.stat().st_mtime_ns
    result = command("--config", str(tmp_path / "c.toml"), f"--{typed}", w__xml=WHOLE)
    assert (result.status, len(result.titles())) == (0, 9)
    assert (manifest.stat().st_mtime_ns == before) == (typed == "resume")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limt = 3", "c.toml: unknown option --limt; did you mean --limit?"),
        ("lnguage = false", "c.toml: unknown option --lnguage; did you mean --language?"),
        ("flink_mastr = 'x'", "c.toml: unknown option --flink_mastr; did you mean --flink_master?"),
        ("runner = 'drectrunner'", "c.toml: --runner=drectrunner: no such runner of Beam; did you mean"),
        ("limit = 'many'", "c.toml: argument --limit"),
        ("limit = ", "c.toml: not TOML"),
        (
            f"limit = {'[' * 5000}",
            "c.toml: nested too deeply; write values without so many brackets",
        ),
        ("help = true", "c.toml: help is for the command line only; leave it out"),
        ("config = 'd.toml'", "c.toml: config is for the command line only; leave it out"),
        ('output = "a\\u0000b"', "c.toml: a value holds a zero byte (\\u0000); leave it out"),
        ("[wiki]\nlimit = 3", "c.toml: [wiki] is a table; write its options without it: limit = ..."),
    ],
)
def test_wrong_config(command, tmp_path, text: str, message: str) -> None:
    (tmp_path / "c.toml").write_text(text)
    fails(command("--config", str(tmp_path / "c.toml"), w__xml=WHOLE), 2, message)


# --- the output folder


def test_a_folder_with_something_else(command, tmp_path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    result = command(w__xml=WHOLE)
    assert result.status == 2
    assert len(result.lines) == 1
    assert "out: is not empty (notes.txt)" in result.lines[0]
    assert "give another folder" in result.lines[0]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["notes.txt"]


def test_a_folder_that_cannot_be_written(command, tmp_path) -> None:
    (tmp_path / "file").write_text("")
    result = command(output="file/out", w__xml=WHOLE)
    assert result.status == 2
    assert len(result.lines) == 1
    assert f"{tmp_path}/file/out: cannot be " in result.lines[0]
    assert "another folder" in result.lines[0]


@pytest.mark.parametrize("make", [Path.touch, os.mkfifo])  # opening a pipe waits for who writes to it
def test_a_file_for_a_folder(command, tmp_path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "out")
    result = command(w__xml=WHOLE)
    assert result.status == 2
    assert result.lines == [f"anchormine: {tmp_path}/out: is a file; give a folder"]


@pytest.mark.parametrize("output", ["", " "])
def test_an_output_without_a_name(tmp_path, monkeypatch, capsys, output: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.xml").write_bytes(WHOLE)
    assert main(["wiki", "w.xml", "--output", output, *QUIET]) == 2
    assert capsys.readouterr().err == f"anchormine: --output {output!r}: names no folder; give one\n"
    assert [path.name for path in tmp_path.iterdir()] == ["w.xml"]


def test_an_output_folder_that_is_a_link_to_nothing(command, tmp_path) -> None:
    (tmp_path / "out").symlink_to("elsewhere")
    result = command(w__xml=WHOLE)
    fails(result, 2, f"{tmp_path}/out: is a link to elsewhere, which is not there; make that folder")
    (tmp_path / "elsewhere").mkdir()
    assert command(w__xml=WHOLE).status == 0


def test_a_manifest_that_is_none(command, tmp_path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_text('{"steps"')
    result = command("--overwrite", w__xml=WHOLE)
    assert result.status == 2
    assert len(result.lines) == 1
    assert result.lines[0].startswith(
        f"anchormine: {tmp_path}/out/manifest.json: no manifest of anchormine ("
    )
    assert result.lines[0].endswith("; put a whole copy of it there, or give another folder")


def test_both_in_a_new_folder(command) -> None:
    both = command("--resume", "--overwrite", w__xml=WHOLE)
    assert (both.status, both.lines) == (2, ["anchormine: --overwrite and --resume: give one of them"])
    assert not both.folder.exists()


def test_a_folder_that_is_done(command) -> None:
    first = command(w__xml=WHOLE)
    before = checksums(first.folder)
    again = command(w__xml=WHOLE)
    assert again.status == 2
    assert "holds the output of `anchormine wiki` already; give --overwrite" in again.lines[0]
    resumed = command("--resume", w__xml=WHOLE)
    assert (resumed.status, resumed.out) == (0, "")
    assert "is done already" in resumed.lines[0]
    other = command("--resume", w__xml=WHOLE.replace(b"</mediawiki>", b" </mediawiki>"))
    assert other.status == 2
    assert "other input; give --overwrite, or another folder" in other.lines[0]
    rewritten = command("--resume", w__xml=WHOLE.upper().lower())
    assert rewritten.status == 2
    assert "w.xml was written anew; give --overwrite, or another folder" in rewritten.lines[0]
    assert command("--resume", w__xml=WHOLE).status == 0
    limited = command("--resume", "--limit", "1", w__xml=WHOLE)
    assert limited.status == 2
    assert "with no limit, which is 1 now" in limited.lines[0]
    both = command("--resume", "--overwrite", w__xml=WHOLE)
    assert (both.status, both.lines) == (2, ["anchormine: --overwrite and --resume: give one of them"])
    assert checksums(first.folder) == before
    replaced = command("--overwrite", w__xml=dump(*PAGES[:2]))
    assert replaced.status == 0
    assert replaced.titles() == ["Page 1", "Page 2"]
    assert {path.name for path in replaced.folder.iterdir()} == {
        "README.md", "croissant.json", "ATTRIBUTION.md", "manifest.json", "stats", "pages", "anchors",
    }  # fmt: skip


def test_overwrite_with_bad_input_keeps_the_old(command) -> None:
    first = command(w__xml=WHOLE)
    before = checksums(first.folder)
    failed = command("--overwrite", w__xml=b"")
    assert failed.status == 1
    assert checksums(first.folder) == before
    assert first.published()


def test_dry_run_touches_nothing(command, tmp_path) -> None:
    result = command("--dry-run", w__xml=WHOLE)
    assert (result.status, result.lines) == (0, [])
    assert not result.folder.exists()
    assert result.out.splitlines() == [
        "anchormine wiki, as planned:",
        f"  input   {tmp_path}/w.xml ({len(WHOLE):,} bytes)",
        "  step    read",
        "  step    parse",
        "  step    resolve titles",
        "  step    write",
        f"  output  {tmp_path}/out/pages",
        f"  output  {tmp_path}/out/anchors",
        f"  output  {tmp_path}/out/rejects/wiki",
        "  runner  DirectRunner, 1 worker",
    ]


def test_a_failure_in_the_middle(command, monkeypatch) -> None:
    """Nothing is published, and nothing is left behind; what was there before is there still."""
    first = command(w__xml=WHOLE)
    before = checksums(first.folder)

    def broken(self, rows):
        raise LookupError("no room")

    monkeypatch.setattr(ShardWriter, "write", broken)
    with pytest.raises(LookupError):
        command("--overwrite", w__xml=WHOLE)
    assert checksums(first.folder) == before
    with pytest.raises(LookupError):
        command(output="fresh", w__xml=WHOLE)
    assert not (first.folder.parent / "fresh").exists()


def test_memory_that_is_full_in_the_middle(command, monkeypatch) -> None:
    def full(self, rows):
        raise MemoryError("malloc of size 64 failed")

    monkeypatch.setattr(ShardWriter, "write", full)
    result = command(w__xml=WHOLE)
    fails(result, 1, "there is no more memory; nothing was published; give fewer --workers")
    assert not result.folder.exists()


def test_a_funnel_that_does_not_balance(command, monkeypatch) -> None:
    """A page that the runner loses is found out, and nothing is published."""
    monkeypatch.setattr(
        tabulate_pages,
        "_counts_report",
        lambda counts: {"counts": {name: n + 1 for name, n in counts.items()}},
    )
    result = command(w__xml=WHOLE)
    fails(result, 1, "10 links read, but 9 accounted for", "nothing was published")


def test_json(command) -> None:
    result = command("--json", w__xml=WHOLE)
    printed = json.loads(result.out)
    assert printed["output"] == str(result.folder)
    assert printed["funnel"] == json.loads((result.folder / "stats" / "funnel.json").read_text())
