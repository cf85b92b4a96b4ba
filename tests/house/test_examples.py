"""Each example is run as a program, and says what it should."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.house.floors import ROOT
from tests.web.small_crawls import html, response, warc_gz

DUMP = """<mediawiki xml:lang="en"><siteinfo><sitename>Pond</sitename><dbname>pondwiki</dbname>
<base>https://pond.example/wiki/Main_Page</base><case>first-letter</case></siteinfo>
<page><title>Frog</title><ns>0</ns><id>1</id><revision><id>11</id>
<text>A frog lives in a [[pond]]. Its young,
the [[tadpole]], eats [[Alga|green stuff]].</text></revision></page>
<page><title>Tadpole</title><ns>0</ns><id>2</id><revision><id>12</id>
<text>A tadpole becomes a [[frog]] or
a [[Toad|frog]]. It eats [[moss|green stuff]].</text></revision></page>
<page><title>Pond</title><ns>0</ns><id>3</id><revision><id>13</id>
<text>A pond is still water with a [[frog]] in
it.</text></revision></page>
<page><title>Pool</title><ns>0</ns><id>4</id><redirect title="Pond"/><revision><id>14</id>
<text>#REDIRECT [[Pond]]</text></revision></page>
</mediawiki>
"""


# Of Beam itself, in any pipeline that writes a file where its clients of Google's stores are not installed.
NO_CLIENTS = (
    "WARNING:root:apitools not found, and bigquery client libraries are not available despite the import not "
    "raising an ImportError.\n"
)


MINED = """\
anchormine: pairs are made of anchors/
anchormine: attention is compared with the others under --weights attention only
anchormine: qdm: no pair was made
anchormine: rdp: no pair was made
anchormine: acm: no pair was made
"""


def run(example: str, *arguments: str | Path, told: str = "") -> str:
    """Runs an example, which tells this on standard error; returns what it prints on standard output."""
    command = [sys.executable, "-W", "ignore", ROOT / "examples" / example, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr.replace(NO_CLIENTS, "")) == (0, told)
    return done.stdout


def test_look_at_a_page(tmp_path: Path) -> None:
    page = tmp_path / "frog.txt"
    page.write_text(
        "{{Infobox|x=[[a]]}}'''Frogs''' are [[amphibian]]s of the [[Order (biology)|order]] Anura."
        "<ref>[[b]]</ref> They live in [[water]].\n* See [[Toad#Skin|toads]].\n== Uses ==\n"
        "They are [[:Category:Food|eaten]].",
        encoding="utf-8",
    )
    assert (
        run("look_at_a_page.py", page, "--title", "Frog")
        == """\
Frogs are amphibians of the order Anura. They live in water.
See toads.
Frogs are amphibians of the order Anura.
  10-20 'amphibians' (body) -> amphibian
  28-33 'order' (body) -> Order (biology)
They live in water.
  13-18 'water' (body) -> water
See toads.
  4-9 'toads' (list) -> Toad#Skin
no anchor: [[:Category:Food]] (namespace)
no anchor: [[b]] (reference)
no anchor: [[a]] (template)
"""
    )


def test_read_a_crawl(tmp_path: Path) -> None:
    pond, frog = "http://pond.example/", "http://pond.example/frog"
    crawl = warc_gz(
        response(
            pond, html("<p>A <a href=frog>frog</a> lives here.</p><ul><li><a href=/>Up</a></ul>", "Pond")
        ),
        response(frog, html("<p>It lives in a <a href='/?utm_source=f'>pond</a>.</p>", "Frog")),
    )
    path = tmp_path / "pond.warc.gz"
    path.write_bytes(crawl + b"?")
    assert (
        run("read_a_crawl.py", path)
        == f"""\
{pond} 'Pond'
  A [frog] lives here. (body) -> {frog}
{frog} 'Frog'
  It lives in a [pond]. (body) -> {pond}
byte {len(crawl)}: no gzip member starts here
"""
    )


def test_own_pipeline(tmp_path: Path) -> None:
    dump, output = tmp_path / "pond.xml", tmp_path / "ambiguous.tsv"
    dump.write_text(DUMP, encoding="utf-8")
    run("own_pipeline.py", dump, output)
    assert sorted(output.read_text("utf-8").splitlines()) == [
        "frog\tToad\t1",
        "frog\tfrog\t2",
        "green stuff\tAlga\t1",
        "green stuff\tmoss\t1",
    ]


def test_mine_a_dump(tmp_path: Path) -> None:
    dump = tmp_path / "pond.xml"
    dump.write_text(DUMP, encoding="utf-8")
    printed = run(
        "mine_a_dump.py", dump, tmp_path / "out", "--workers", "1", "--progress", "none", told=MINED
    )
    shown = printed[printed.rindex("anchors: ") :]
    assert (
        shown
        == """\
anchors: 7 rows
pages: 3 rows
pairs-rqp: 4 rows
rejects-pairs: 3 rows
rejects-wiki: 1 rows
pairs-rqp: 'tadpole stuff tadpole' is answered by pondwiki:2
"""
    )


def test_mine_a_dump_is_the_commands_that_it_names(tmp_path: Path) -> None:
    dump = tmp_path / "pond.xml"
    dump.write_text(DUMP, encoding="utf-8")
    options = ["--workers", "1", "--progress", "none"]
    run("mine_a_dump.py", dump, tmp_path / "by-example", *options, told=MINED)
    named = re.findall(r"`anchormine (.+?)`", (ROOT / "examples" / "mine_a_dump.py").read_text("utf-8"))
    for command in named:
        words = command.replace("DUMP", str(dump)).replace("OUT", str(tmp_path / "by-hand")).split()
        subprocess.run(
            [sys.executable, "-m", "anchormine", *words, *options], check=True, capture_output=True
        )
    assert tables(tmp_path / "by-hand") == tables(tmp_path / "by-example")


def tables(folder: Path) -> dict[str, bytes]:
    """The bytes of all tables of a dataset folder, by their paths in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.parquet")}
