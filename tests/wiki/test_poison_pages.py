"""Pages that would hang a reader: each costs its limit, is set aside with its reason, and the run goes on."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anchormine.errors import UsageError
from anchormine.hypertext.page_limits import PageLimits
from anchormine.hypertext.page_rejected import PageRejected
from anchormine.pipelines.cli import main
from anchormine.text.sentences import sentence_model
from anchormine.wiki.article import read_plain_article
from anchormine.wiki.extraction import extract
from anchormine.wiki.page_reader import PageReader
from anchormine.wiki.site import Site
from tests.growth import LINEAR, growth_of
from tests.pipelines.command_runs import QUIET, funnel, read_table
from tests.wiki.open_markup import OPEN, growth
from tests.wiki.small_dumps import dump, page, unit_row

SITE = Site.of_language("en")
MODEL = sentence_model("en")
ODD = "An [[odd [b] link]] and a [[ship]]." + " [ ]" * 10


@pytest.mark.parametrize("piece", OPEN)
def test_time_is_linear_in_size(piece: str) -> None:
    assert len(OPEN) >= 12
    # 64 where time grows by the square: far from what a busy machine does to a figure of 8.
    assert growth(piece, times=8, linear=24) <= 24


@pytest.mark.parametrize(
    ("piece", "before", "after", "language"),
    [
        ("=a=\n", "{|\n|a\n", "|}\n", "en"),
        (" ", "[[File:a.png|100", "x]]", "en"),
        ("1", "[[File:a.png|upright=", "x]]", "en"),
        ("|", "[[File:a.png|[[", "]]]]", "en"),
        (" ''", "[http://a", "x[", "en"),
        ("The [[ship]]{{x}} sails far. ", "", "", "en"),
        ("[[ship]]{{x}}, ", "", "", "en"),
        ("ب", "", " [[ship]]", "ar"),
    ],
)
def test_time_is_linear_in_what_repeats_within_one_thing(
    piece: str, before: str, after: str, language: str
) -> None:
    """Headings of a table, white space and digits of a picture's option, its bars, gaps beside links ..."""
    site = Site.of_language(language)

    def read(pieces: int) -> None:
        article = read_plain_article(before + piece * pieces + after, "Page", site)
        if article is not None:
            extract(article, MODEL)

    assert growth_of(read) <= LINEAR


def test_time_is_linear_in_the_lines_of_a_redirect_without_a_target() -> None:
    assert growth_of(lambda lines: SITE.redirect.match("#REDIRECT" + "\n" * lines + "x")) <= LINEAR


@pytest.mark.parametrize(
    ("wikitext", "target"),
    [
        ("#REDIRECT [[Ship]]", "Ship"),
        (" :#redirect : [[Ship|x]] y", "Ship"),
        ("#REDIRECT\n\n:\n[[Ship]]", "Ship"),
        ("#REDIRECT:[[Ship]]", "Ship"),
        ("#REDIRECT :: [[Ship]]", None),
        ("#REDIRECT\nto [[Ship]]", None),
    ],
)
def test_what_stands_between_the_word_and_the_target_of_a_redirect(wikitext: str, target: str | None) -> None:
    match = SITE.redirect.match(wikitext)
    assert (match and match[1]) == target


@pytest.fixture
def reader() -> Iterator[PageReader]:
    """It takes milliseconds for what it is asked; on a busy machine that may be seconds."""
    with contextlib.closing(PageReader(PageLimits(characters=4_000_000, seconds=60))) as reader:
        yield reader


@pytest.fixture
def hasty_reader() -> Iterator[PageReader]:
    with contextlib.closing(PageReader(PageLimits(seconds=2))) as reader:
        yield reader


def rejected(reader: PageReader, wikitext: str, model: Any = MODEL) -> tuple[str, str]:
    """Reason and message; the limit holds, and the reader reads the page before, and the next one."""
    assert [anchor.anchor for anchor in reader.read(ODD, "Page", SITE, MODEL).anchors] == ["ship"]
    started = time.monotonic()
    with pytest.raises(PageRejected) as found:
        reader.read(wikitext, "Page", SITE, model)
    assert time.monotonic() - started < 12  # the limit, on a busy machine
    assert [anchor.anchor for anchor in reader.read(ODD, "Page", SITE, MODEL).anchors] == ["ship"]
    return found.value.reason, str(found.value)


def test_a_page_that_is_too_large(reader: PageReader) -> None:
    message = "5000000 characters, the limit is 4000000"
    assert rejected(reader, "a " * 2_500_000) == ("too_large", message)


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        ("{{", "more than 400 open templates"),
        ("{{a|b=", "more than 400 open templates"),
        ("[[", "more than 400 open brackets"),
        ("[[a|", "more than 400 open brackets"),
        ("[[File:a.png|thumb|", "more than 400 open links"),
    ],
)
def test_megabytes_of_open_brackets(reader: PageReader, piece: str, message: str) -> None:
    assert rejected(reader, piece * (3_000_000 // len(piece))) == ("nesting", message)


def test_deep_nesting_that_is_closed(reader: PageReader) -> None:
    assert rejected(reader, "{{a|" * 2000 + "}}" * 2000)[0] == "nesting"
    assert rejected(reader, "[[a|" * 2000 + "]]" * 2000)[0] == "nesting"


@pytest.mark.parametrize("piece", ["<ref>", "<b>", "<!--", "<nowiki>", "\n{|", "'''a''"])
def test_megabytes_that_are_only_odd_are_read(piece: str) -> None:
    with contextlib.closing(PageReader(PageLimits(seconds=60))) as reader:
        extraction = reader.read("A [[ship]].\n\n" + piece * (2_000_000 // len(piece)), "Page", SITE, MODEL)
    assert [anchor.anchor for anchor in extraction.anchors] == ["ship"]


def test_a_page_that_takes_too_long(hasty_reader: PageReader) -> None:
    assert rejected(hasty_reader, "\n* [[a" * 600_000) == ("timeout", "not read within 2 seconds")


@pytest.mark.parametrize(
    ("wikitext", "text", "titles"),
    [
        (f"A &#{'9' * 5000}; [[ship]].", "A \ufffd ship.", ["ship"]),
        (f"A &#{'0' * 5000}65; [[ship]].", "A A ship.", ["ship"]),
        (f"A [[{'en:' * 5000}ship]].", f"A {'en:' * 5000}ship.", ["ship"]),
        (f"A [[{'EN : ' * 5000}Ship#Sail|ship]].", "A ship.", ["Ship"]),
    ],
    ids=["digits", "zeros", "prefixes", "prefixes with spaces"],
)
def test_thousands_of_digits_or_prefixes(wikitext: str, text: str, titles: list[str]) -> None:
    with contextlib.closing(PageReader(PageLimits())) as reader:
        extraction = reader.read(wikitext, "Page", SITE, MODEL)
    assert (extraction.text, [anchor.address for anchor in extraction.anchors]) == (text, titles)
    assert extraction.dropped == []


def test_arguments_of_six_braces_are_closed_again(reader: PageReader) -> None:
    """A template holds hundreds of them, one after another: no more than three are open at once."""
    extraction = reader.read("{{a|" + "{{{{{{b}}}}}}" * 500 + "}}A [[ship]].", "Page", SITE, MODEL)
    assert (extraction.text, [anchor.anchor for anchor in extraction.anchors]) == ("A ship.", ["ship"])


class Unpickled:
    """Calls a C function where the child process reads the question."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = function, arguments

    def __reduce__(self) -> tuple[Any, ...]:
        return self.call


def test_a_hang_in_c_code(hasty_reader: PageReader) -> None:
    assert rejected(hasty_reader, ODD, Unpickled(time.sleep, 600)) == ("timeout", "not read within 2 seconds")


def test_a_crash_in_c_code(reader: PageReader) -> None:
    assert rejected(reader, ODD, Unpickled(os._exit, 7)) == (
        "crash",
        "the reading process ended with status 7",
    )


def test_a_few_odd_brackets_need_no_child_process(reader: PageReader) -> None:
    extraction = reader.read("An [[odd [b] link]] and a [[ship]].", "Page", SITE, MODEL)
    assert extraction.text == "An odd [b] link and a ship."
    assert [anchor.anchor for anchor in extraction.anchors] == ["ship"]
    assert not reader._process.is_running


def test_limits_are_checked() -> None:
    with pytest.raises(UsageError, match="--max-page-characters 0: give 1 or more"):
        PageLimits(characters=0)
    for seconds in (-1, 0, math.nan, math.inf, 86_401):
        remedy = f"--page-timeout {seconds}: give more than 0 seconds, and 86,400 at most"
        with pytest.raises(UsageError, match=f"^{remedy}$"):
            PageLimits(seconds=seconds)
    assert PageLimits(seconds=86_400).seconds == 86_400


@pytest.mark.parametrize(
    ("program", "how"),
    [
        ("false", "ended with status 1 as it started"),
        ("/nowhere", "could not be started (No such file or directory)"),
    ],
)
def test_a_process_that_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, program: str, how: str
) -> None:
    """It is not the page's fault, so the run ends, and says why."""
    path = tmp_path / "odd.xml"
    path.write_bytes(dump(page(1, "Odd", ODD)))
    monkeypatch.setattr(sys, "executable", program)
    assert main(["wiki", str(path), "--output", str(tmp_path / "out"), *QUIET]) == 1
    assert capsys.readouterr() == (
        "",
        f"anchormine: a process that reads pages {how}; nothing was published: give fewer --workers, or make "
        "room for more processes (`ulimit -u`, `ulimit -v`)\n",
    )
    assert not (tmp_path / "out").exists()


def test_a_dump_with_poison_pages(tmp_path: Path) -> None:
    pages = [
        page(1, "First", "A [[last]]."),
        page(2, "Templates", "{{a|" * 300_000),
        page(3, "Links", "[[a|" * 300_000),
        page(4, "Slow", "\n* [[a" * 600_000),
        page(5, "Large", "a " * 3_000_000),
        page(6, "Odd", ODD),
        page(7, "Last", "A [[first]]."),
    ]
    path = tmp_path / "poison.xml"
    path.write_bytes(dump(*pages))
    options = ("--max-page-characters", "5000000", "--page-timeout", "2")
    folder = tmp_path / "out"
    assert main(["wiki", str(path), "--output", str(folder), *QUIET, *options]) == 0
    assert [
        (row["reason"], row["record_id"], row["excerpt"]) for row in read_table(folder, "rejects/wiki")
    ] == [
        ("nesting", "harbourwiki:2", "Templates: more than 400 open templates"),
        ("nesting", "harbourwiki:3", "Links: more than 400 open brackets"),
        ("timeout", "harbourwiki:4", "Slow: not read within 2 seconds"),
        ("too_large", "harbourwiki:5", "Large: 6000000 characters, the limit is 5000000"),
        ("unclosed", None, "[[odd [b] link]] and a ship. [ ] [ ] [ ]"),
    ]
    assert [(row["anchor"], row["destination_page_id"]) for row in read_table(folder, "anchors")] == [
        ("last", "harbourwiki:7"),
        ("ship", None),
        ("first", "harbourwiki:1"),
    ]
    assert funnel(folder, "wiki")["pages"] == unit_row("pages", 7, 3, nesting=2, timeout=1, too_large=1)
