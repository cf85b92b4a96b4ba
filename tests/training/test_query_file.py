"""Files of queries, in the forms that search engines and TREC write."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import pytest
import zstandard

from anchormine.errors import UsageError
from anchormine.training.query_file import query_files, read_queries
from tests.growth import LINEAR, growth_of
from tests.web.small_crawls import response, warc

COLUMNS = (
    "give a query a line, with its id and a tab before it if there is one, or name the columns in the first "
    "line, that of the queries `query`"
)
TOPICS = (
    "give TREC's topics as XML (a `query` or `title` in each `topic`), or the queries alone, one a line, "
    "the first without `<` at its start"
)
COUNTS = (
    "has two columns, and the second holds only numbers; give ids before the queries, or name the columns in "
    "the first line, that of the queries `query`"
)
NUMBERED = ": its lines are numbered; put a tab between number and query, or give the queries alone"
JUDGED = ": holds judgements or a run, and no queries; give the file of the queries"
COMMAS = "is comma-separated; put a tab between id and query, or give the queries alone"
SEMICOLONS = COMMAS.replace("comma", "semicolon")
RECORDS = 'give JSON lines such as {"_id": "7", "text": "family tree"}, or the queries alone, one a line'


def read(folder: Path, text: str) -> list[str]:
    path = folder / "queries.txt"
    path.write_text(text, encoding="utf-8")
    return read_queries(str(path))


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("obama\n\n how to\n", ["obama", "how to"]),
        ("Query\nobama\nquery\n", ["obama", "query"]),
        ("query\n", ["query"]),
        ("7:obama\nwt09-1:c++: what is\n", ["obama", "c++: what is"]),
        ("7: obama\nwt09-1:  maps\n8:yoga\n", ["obama", "maps", "yoga"]),
        ("c++: what is\n10:30 train\nobama\n", ["c++: what is", "10:30 train", "obama"]),
        ("10:30 train\nobama\n", ["10:30 train", "obama"]),
        ("7\tobama\n8\tid\n", ["obama", "id"]),
        ("id\tquery\n7\tobama\n", ["obama"]),
        ("\nQuery_ID\tText\n7\tobama\n", ["obama"]),
        ("qid\ttitle\n7\tobama\n", ["obama"]),
        ("id\ttype\tquery\tdescription\n7\tfaceted\tobama\tFind him.\n", ["obama"]),
        ("7\tquery\n8\ttitle\n", ["query", "title"]),
        ("7\tfaceted\tobama\tFind him.\n8\tsingle\tmaps\t\n", ["obama", "maps"]),
        ("Topic\tType\tTitle\tDescription\n7\tnavigational\tobama\tFind him.\n", ["obama"]),
        ("qid\tquery\tdid\turl\n7\tobama\tD9\thttp://a.org/\n", ["obama"]),
        ("AnonID\tQuery\tQueryTime\n7\tobama\t2006\n", ["obama"]),
        ("query\tcount\nobama\t9\n", ["obama"]),
        (
            '{"_id": "7", "text": "a\\tb\u2028c"}\n\n {"text": " \\u8a9e\\ud83d"}\r{"text": ""}',
            ["a\tb\u2028c", "語\ufffd", ""],
        ),
        ('{"query": "obama", "text": "Barack Obama was"}\n', ["obama"]),
        ('{"query": 7, "text": "obama"}\n', ["obama"]),
        (
            '\ufeff\n<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE a [<!ELEMENT query (#PCDATA)>]>\n'
            '<a>\n<topic number="7"><query>\n caf\xe9 &amp; <b>bar</b>\n</query><title>no</title></topic>\n'
            "<top><num>8</num><title>maps\tof</title></top>\n</a>\n",
            ["caf\xe9 & bar", "maps of"],
        ),
        ("obama\t\nmaps of\t \n", ["obama", "maps of"]),
        ("7 wonders\n8 mile\nobama\n", ["7 wonders", "8 mile", "obama"]),
        ("8 mile\n7 wonders\n", ["8 mile", "7 wonders"]),
        ("7 wonders\n7 up\n", ["7 wonders", "7 up"]),
        ("7 wonders\n", ["7 wonders"]),
        ("<3 you\nobama\n", ["<3 you", "obama"]),
        ("1,000 genomes\nobama\n2,5 km\n", ["1,000 genomes", "obama", "2,5 km"]),
        ("3,000 meter race\n3,5 km\n", ["3,000 meter race", "3,5 km"]),
        ("obama\n2,5 km\n", ["obama", "2,5 km"]),
        ("1;2 is a tie\n1;3\n", ["1;2 is a tie", "1;3"]),
        ("what is c;\nobama\n", ["what is c;", "obama"]),
        ("query, sql\nobama\n", ["query, sql", "obama"]),
        ("12:10 train\n12:10 bus\n", ["12:10 train", "12:10 bus"]),
        ("{x} in latex\nobama\n", ["{x} in latex", "obama"]),
        ("[1] is what\n{x} in latex\n", ["[1] is what", "{x} in latex"]),
    ],
)
def test_forms(tmp_path: Path, text: str, queries: list[str]) -> None:
    assert read(tmp_path, text) == queries


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 obama\n2 maps\n\n10 yoga\n", NUMBERED),
        (" 1. obama\n 2. maps\n", NUMBERED),
        ("51 0 clueweb09-en0000-16-19379 0\n52 0 clueweb09-en0000-17 -2\n", JUDGED),
        ("51\t0\td1\t1\n", JUDGED),
        ("51 Q0 d1 1 12.5 bm25\n51 Q0 d2 2 11.5 bm25\n", JUDGED),
        ("201 1 clueweb12-0000tw-05-12114 1\n251 0 clueweb12-0000wb-01-01965 -2\n", JUDGED),
        ("1 clueweb09-en0003-55-31884 0 0 1\n20 clueweb09-en0006-21-20387 1 2 0.25\n", JUDGED),
        (
            "7:obama\n\nfamily tree\n8:maps\n",
            ", line 3: has no id before the query, as most lines have; give every line one, or none",
        ),
        (
            "7: obama\n8: maps\nfamily tree\n",
            ", line 3: has no id before the query, as most lines have; give every line one, or none",
        ),
        *((text, f": {COUNTS}") for text in ("qid\tcount\n1\t5\n", "obama\t5\nmaps\t7\n", "obama\t5\n")),
        ("obama\thttp://a.org/\nmaps\thttps://b.org/x\n", f": {COUNTS.replace('numbers', 'addresses')}"),
        ("obama,5\nmaps,7\n", f": {COMMAS}"),
        ('Top queries,Clicks,CTR\nobama,50,3.1%\n"maps, of",7,"1,5%"\n', f": {COMMAS}"),
        ("1|obama\n2|maps\n", f": {COMMAS.replace('comma', 'pipe')}"),
        ("PK\x03\x04", ": is a ZIP archive; unpack it, and give a file of queries"),
        (
            "1\t2\t3\n",
            f", line 1: has 3 columns; {COLUMNS}",
        ),
        (
            "7\tobama\nfamily tree\n",
            f", line 2: has 1 column; {COLUMNS}",
        ),
        (
            "obama\nmaps\n\nfamily\ttree\nyoga\n",
            ", line 4: has a tab, and most lines have none; put a space in its place, or an id and a tab "
            "before every query",
        ),
        (
            "7\tobama\tD9\thttp://a.org/\n",
            f", line 1: has 4 columns; {COLUMNS}",
        ),
        (
            "7\tfaceted\tobama\tFind him.\n8\tmaps\tD9\thttp://a.org/\n",
            f", line 2: has 4 columns; {COLUMNS}",
        ),
        (
            "7\tfaceted\tobama\tFind him.\n8\tmaps\n",
            f", line 2: has 2 columns; {COLUMNS}",
        ),
        (
            "id\ttitle\ttext\n7\tobama\tA page.\n",
            f", line 1: has 3 columns; {COLUMNS}",
        ),
        (
            "qid\tquery\tcount\n7\tobama\n",
            ", line 2: has 2 columns, and 3 are named in the first line; give every line as many",
        ),
        ('{"text": "obama"}\n\n{"title": "maps"}\n', f", line 3: has no string `query` or `text`; {RECORDS}"),
        ('{"text": "obama"}\n{"text": ["maps"]}\n', f", line 2: has no string `query` or `text`; {RECORDS}"),
        ('{"text": "obama"}\nmaps\n{"text": "yoga"}\n', f", line 2: is no JSON object; {RECORDS}"),
        ('{"text": "obama"}\n{"text": "ma', f", line 2: is no JSON object; {RECORDS}"),
        ('[{"text": "obama"}]\n', f", line 1: is no JSON object; {RECORDS}"),
        ('{\n "7": "obama",\n "8": "maps"\n}\n', f", line 1: is no JSON object; {RECORDS}"),
        (
            "<top>\n<num> Number: 301\n<title> Organized Crime\n</top>\n",
            f": begins with `<`, and is no XML (mismatched tag: line 4, column 2); {TOPICS}",
        ),
        ("<br> tag\nobama\n",
            f": begins with `<`, and is no XML (no element found: line 3, column 0); {TOPICS}",
        ),
        ("<html><title>maps</title></html>", f": is XML without a `topic`; {TOPICS}"),
        (
            "<a><topic><query>q</query></topic><topic><p>q</p></topic></a>",
            f", topic 2: has no `query` or `title`; {TOPICS}",
        ),
        ("7,obama\n8,maps, old\n", f": {COMMAS}"),
        ('"7","obama"\n"8","maps"\n', f": {COMMAS}"),
        ("7,obama\n", f": {COMMAS}"),
        ("1;obama family tree\n2;maps, old\n", f": {SEMICOLONS}"),
        ("id;query;count\n1;obama;3\n", f": {SEMICOLONS}"),
        ('q1,obama\nq2,"maps, old"\n', f": {COMMAS}"),
        ("searched,for\n2009-wt.1,obama\n2009-wt.2,maps\n", f": {COMMAS}"),
        ("number,searched\n7,obama\n", f": {COMMAS}"),
        ("id,query\nwt-7,obama\n", f": {COMMAS}"),
        ('"Query","Count"\nobama,9\n', f": {COMMAS}"),
        ("\n", ": no queries in it; write one a line"),
    ],
)  # fmt: skip
def test_files_of_no_form(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        read(tmp_path, text)
    assert str(raised.value) == f"--positives {tmp_path}/queries.txt{message}"


@pytest.mark.parametrize("line", ["{}", "{} a, b"])
def test_long_lines_take_linear_time(tmp_path: Path, line: str) -> None:
    path = tmp_path / "queries.txt"

    def read(digits: int) -> None:
        lines = [line.format("1" * digits), line.format("2" * digits)]
        path.write_text("\n".join(lines))
        assert read_queries(str(path)) == lines

    assert growth_of(read, max_runs=3) <= LINEAR


@pytest.mark.parametrize(
    ("text", "queries", "line"),
    [
        ("# my queries\nobama\n", ["# my queries", "obama"], 1),
        ("\ufeff\n\n# my queries\nobama\n", ["# my queries", "obama"], 3),
        ("#obama\nmaps\n", ["#obama", "maps"], None),
        ("obama\n# maps\n", ["obama", "# maps"], None),
        ("# id\tquery\n7\tobama\n", ["obama"], None),
        ('{"text": "# obama"}\n', ["# obama"], None),
        ("7:# obama\n8:maps\n", ["# obama", "maps"], None),
    ],
)
def test_a_first_line_that_may_be_a_remark(
    tmp_path: Path, text: str, queries: list[str], line: int | None
) -> None:
    path, doubts = tmp_path / "queries.txt", list[str]()
    path.write_text(text, "utf-8")
    doubt = f"{path}, line {line}: begins with `#`, and counts as a query; remove the line if it is a remark"
    assert (read_queries(str(path), doubts), doubts) == (queries, [doubt] if line else [])


def test_a_file_that_is_compressed_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "queries.txt.xz"
    path.write_bytes(lzma.compress(b"obama\nmaps\n"))
    with pytest.raises(UsageError) as raised:
        read_queries(str(path))
    assert str(raised.value) == (
        f"--positives {path}: is compressed by xz; unpack it, and give a file of queries"
    )


def test_queries_from_a_pipe(tmp_path: Path) -> None:
    """As of `<(...)` in a shell, which can be read once."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(path.write_text, "# my queries\nobama\n")
        doubts: list[str] = []
        assert read_queries(str(path), doubts) == ["# my queries", "obama"]
    assert len(doubts) == 1


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, zstandard.compress])
def test_compressed_files(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "queries"
    path.write_bytes(compress("\ufeff7:caf\xe9\n8:ma".encode()) + compress(b"ps\n"))
    assert read_queries(str(path)) == ["caf\xe9", "maps"]


GIVE = "give a file of queries, one a line, or of TREC's topics"
DUMP = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><page><title>Obama</title></page>\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            gzip.compress(b"obama\n", mtime=0)[:-4],
            "broken at byte 22 (cut off: the gz stream that starts at byte 0 has no end); give a whole copy",
        ),
        ("obama\n".encode("utf-16"), "is UTF-16; save it as UTF-8"),
        (codecs.BOM_UTF16_BE + "obama\n".encode("utf-16-be"), "is UTF-16; save it as UTF-8"),
        ("obama\n".encode("utf-16-le"), "has zero bytes, as UTF-16 has; save it as UTF-8"),
        (gzip.compress("obama\n".encode("utf-16"), mtime=0), "is UTF-16; save it as UTF-8"),
        (b"caf\xe9\n", "not UTF-8 at byte 3; save it as UTF-8"),
        (warc(response("http://a.example/", "obama")), f"is a file of a crawl; {GIVE}"),
        (gzip.compress(warc(), mtime=0), f"is a file of a crawl; {GIVE}"),
        (DUMP.encode(), f"is a MediaWiki dump; {GIVE}"),
        (bz2.compress(DUMP.encode()), f"is a MediaWiki dump; {GIVE}"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "queries.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError) as raised:
        read_queries(str(path))
    assert str(raised.value) == f"--positives {path}: {message}"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (".", f"is a folder; {GIVE}"),
        ("none", "cannot be read (No such file or directory); give an existing file of queries"),
    ],
)
def test_what_is_no_file(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_queries(str(tmp_path / name))
    assert str(raised.value) == f"--positives {tmp_path / name}: {message}"


def test_of_a_folder_the_topics_of_trec_are_read(tmp_path: Path) -> None:
    folder, plain, empty = tmp_path / "web", tmp_path / "plain.txt", tmp_path / "empty"
    for path in (folder / "inner", empty):
        path.mkdir(parents=True)
    texts = {
        "topics.2.txt": "\ufeff<topics><topic><query>maps</query></topic></topics>",
        "topics.1.txt": "<?xml version='1.0'?>\n<t>\n<topic number='1'>\n<query>obama</query></topic></t>",
        "qrels.txt": "1 0 clueweb09-en0000-16-19379 0\n",
        "README.md": "# <topic>\n",
        "page.html": "<!doctype html><title>Topics</title>",
        "inner/topics.3.txt": "<topics><topic><query>yoga</query></topic></topics>",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    for path in (plain, empty / "queries.txt"):
        path.write_text("how to sail\n")
    doubts: list[str] = []
    topics = [str(folder / "topics.1.txt"), str(folder / "topics.2.txt")]
    given = [str(plain), str(folder), str(empty), str(tmp_path / "none")]
    assert query_files(given, doubts) == [str(plain), *topics, str(empty), str(tmp_path / "none")]
    assert doubts == [f"{folder}: is a folder, of which TREC's topics are read: 2 files of 5"]
    assert [read_queries(path) for path in topics] == [["obama"], ["maps"]]


@pytest.mark.data
def test_topics_of_trec_are_those_of_its_table() -> None:
    root = os.environ.get("ANCHORMINE_DATA")
    if not root or not (folder := Path(root) / "querysets" / "webtrack").is_dir():
        pytest.skip("ANCHORMINE_DATA names no folder with TREC's topics")
    first = range(1, 300, 50)
    files = [str(folder / f"topics.web.{n}-{n + 49}.txt") for n in first]
    topics = [read_queries(path) for path in files]
    assert list(chain.from_iterable(topics)) == read_queries(str(folder / "web_topics_1-300.tsv"))
    assert [len(queries) for queries in topics] == [50] * 6
    assert query_files([str(folder)], []) == sorted(files)
