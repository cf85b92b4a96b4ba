"""Bytes that take long to decode cost their page, and its time."""

from __future__ import annotations

import time
from contextlib import closing

import pytest

from anchormine.hypertext.page_limits import PageLimits
from anchormine.hypertext.reading_process import ReadingProcess
from anchormine.web.captures import Capture, read_capture
from anchormine.web.encodings.charsets import DecodedText, decode_text
from anchormine.web.html_reader import HtmlReader
from tests.web.crawl_files import read, response, warc

JAPANESE = "text/html; charset=euc-jp"
BROKEN = b"<p>" + b"\x1b$B" * 4_000_000  # takes twenty seconds


def captures(*bodies: bytes) -> list[Capture]:
    records, _ = read(b"".join(warc(response(body)) for body in bodies))
    return [Capture(0, number, "a.warc", record) for number, record in enumerate(records)]


@pytest.mark.parametrize(("size", "is_apart"), [(400_000, False), (400_001, True)])
def test_long_pages_are_decoded_in_a_process_of_their_own(size: int, is_apart: bool, monkeypatch) -> None:
    """Those of more than 200,000 bytes for each second that they may take: a process can be ended."""
    asked: list[float] = []

    def ask(_: ReadingProcess, question: tuple, seconds: float) -> DecodedText:
        asked.append(seconds)
        return decode_text(*question)

    monkeypatch.setattr(ReadingProcess, "ask", ask)
    body = "<p>川".encode("euc-jp").ljust(size, b"x")
    assert HtmlReader(PageLimits(seconds=2)).decode(body, JAPANESE) == (body.decode("euc-jp"), "euc-jp")
    assert asked == [2] * is_apart


def test_the_process_decodes_as_the_reader_does() -> None:
    body = "<p>Über dem Fluß liegt die Brücke. ".encode("latin-1") * 30_000
    with closing(HtmlReader(PageLimits(seconds=2))) as reader:
        assert reader.decode(body, "") == decode_text(body, "")


def test_what_takes_too_long_costs_its_time() -> None:
    with closing(HtmlReader(PageLimits(seconds=1))) as reader:
        started = time.monotonic()
        pages = [read_capture(capture, reader) for capture in captures(BROKEN, b"<a href=/x>x</a>")]
        assert time.monotonic() - started < 12
    assert [(page.reason, page.excerpt) for page in pages] == [
        ("timeout", "http://a.example/: not read within 1 seconds"),
        ("", ""),
    ]
    assert pages[1].content is not None
    assert [anchor.anchor for anchor in pages[1].content.anchors] == ["x"]
