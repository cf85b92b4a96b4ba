"""Answers whose heads or codings would hang a reader: as no limit ends that, they are read in linear time."""

from __future__ import annotations

import gzip
import tracemalloc
from functools import partial

import pytest

from anchormine.web.encodings.labels import encoding_in
from anchormine.web.http.body_codings import Body, decode_body, join_chunks
from anchormine.web.http.media_types import media_type_of
from anchormine.web.urls import registered_domain
from tests.growth import LINEAR, growth_of
from tests.web.crawl_files import response, warc
from tests.web.test_http_bodies import read_page

PAGE = b"<!doctype html><p>A <a href=/b>link</a>."


def read_answer(before: str, piece: str, after: str, pieces: int) -> None:
    fields = f"Content-Type: text/html\r\n{before}{piece * pieces}{after}\r\n"
    content = read_page(warc(response(PAGE, fields))).content
    assert content is not None
    assert len(content.anchors) == 1


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ("Content-Type: text/html; charset=", " ", ";"),
        ("Content-Type: text/html", "; charset ", ""),
        ("Content-Type: text/html; charset=", '"', ""),
        ("Content-Type: text/html", ", text/html; charset=x", ""),
        ("Link: canonical", "<", ""),
        ("Link: <a>; rel=canonical, ", "<b>, ", ""),
        ("Link: <a>; canonical", "; rel ", ""),
        ('Link: canonical <>"', '\\"<>', ""),
        ("Refresh: 9999999;", " ", "x"),
        ("X-Robots-Tag: ", "noai, ", ""),
        ("X-Robots-Tag: ", "a: ", ""),
        ("Content-Encoding: ", "identity, ", ""),
        ("Set-Cookie: a", "\r\n b", ""),
        ("", "Link: <a>; rel=canonical\r\n", "X: y"),
    ],
)
def test_time_is_linear_in_the_length_of_a_head(before: str, piece: str, after: str) -> None:
    assert growth_of(partial(read_answer, before, piece, after)) <= LINEAR


@pytest.mark.parametrize("coding", ["gzip", "gzip, gzip"])
def test_time_is_linear_in_the_number_of_members(coding: str) -> None:
    def read_members(pieces: int) -> None:
        body = gzip.compress(b"", mtime=0) * (5 * pieces) + gzip.compress(PAGE)
        fields = f"Content-Type: text/html\r\nContent-Encoding: {coding}\r\n"
        content = read_page(warc(response(body, fields))).content
        assert content is not None
        assert len(content.anchors) == 1

    assert growth_of(read_members) <= LINEAR


@pytest.mark.parametrize(
    ("start", "piece", "end"),
    [("", " ", "x"), ("", " ", ";\n"), ("", "0", " x"), (" a", " ", "x")],
)
def test_time_is_linear_in_what_stands_in_place_of_a_chunk(start: str, piece: str, end: str) -> None:
    def join(pieces: int) -> None:
        wrong = f"{start}{piece * pieces}{end}".encode()
        assert join_chunks(b"1\r\n<\r\n" + wrong) == Body(b"<" + wrong, "transfer_coding")

    assert growth_of(join) <= LINEAR


@pytest.mark.parametrize("piece", ["\n0\n", "\n0\na: b\n", "\n0 ;", "\n0;a", "\n0;a:", "\n0\na:", "0"])
def test_time_is_linear_in_what_may_be_the_last_chunk(piece: str) -> None:
    def decode(pieces: int) -> None:
        text = f"1\nx\n{piece * 10 * pieces}\nz".encode()
        assert decode_body(text, [], "text/html", len(text)) == Body(text, "")

    assert growth_of(decode) <= LINEAR


def test_a_head_that_is_too_long_is_said_to_be_unreadable() -> None:
    cookies = "Content-Type: text/html\r\n" + f"Set-Cookie: {'a' * 1000}\r\n" * 200
    assert read_page(warc(response(PAGE, cookies))).content is not None
    assert read_page(warc(response(PAGE, cookies + cookies))).reason == "unreadable"
    for missing in (-1, 0, 1):  # a line ends where the search for the end of the head does
        start = "Content-Type: text/html\r\nX: "
        line = "a" * ((1 << 18) - len("HTTP/1.1 200 OK\r\n" + start) - 2 + missing) + "\r\n"
        assert read_page(warc(response(PAGE, start + line + cookies))).reason == "unreadable"


def test_long_values_are_not_remembered() -> None:
    registered_domain("http://a.example/")  # reads the list of suffixes
    tracemalloc.start()
    for number in range(40):
        charset, host = f"{number:0200000}", f"{number:07000}"
        assert media_type_of(f"text/html; charset={charset}") == "text/html"
        assert encoding_in(f"text/html; charset={charset}") is None
        assert registered_domain(f"http://b.{host}.example/") == f"{host}.example"
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 1_000_000
