"""Payloads whose HTTP head is broken or missing, and heads of ARC 2."""

from __future__ import annotations

import pytest

from anchormine.hypertext.drafts import Redirect
from tests.web.crawl_files import arc, read_page, response, warc


@pytest.mark.parametrize(
    "head",
    [
        "Server: a\r\nContent-Type: text/html\r\n",
        "HTTP 200 OK\r\nContent-Type: text/html\r\n",
        "HTP/1.1 200 OK\nX-Cache: b\nContent-Length: 20\n",
        "ICY 404 Not Found\r\ncontent-type: text/html\r\n",
        "HTTP 302 Found\r\nLocation: /b\r\n",
        "200 OK\r\nContent-Type : text/html\r\n",
        "/1.1 200 OK\r\nLink: <a.css>\r\n",
        "\r\nDate: 3 May\r\n\tGMT\r\nX-Powered-By: a\r\n",
        "Connection: close\r\n",
    ],
)
def test_a_broken_http_head_is_no_page(head: str) -> None:
    block = f"{head}\r\n<html><p>Tea".encode()
    for record in (arc(block), warc(block), warc(block, fields="WARC-Truncated: length\r\n")):
        page = read_page(record)
        assert (page.reason, page.redirect, page.content) == ("unreadable", None, None)


@pytest.mark.parametrize(
    ("status", "reason", "redirect"),
    [("301 Moved", "", Redirect("http://a.example/page12", None)), ("200 OK", "empty", None)],
)
@pytest.mark.parametrize("pack", [warc, arc])
def test_a_head_that_the_end_of_the_file_cuts_off_says_nothing(
    pack, status: str, reason: str, redirect: Redirect | None
) -> None:
    """The address that it names last may be half of one; at the end of a line it is whole."""
    block = response(b"", "Location: /page12\r\nContent-Type: text/html\r\n", f"HTTP/1.1 {status}\r\n")
    data = pack(block)
    start = data.index(block)
    for end in range(len(block) + 1):
        page = read_page(data[: start + end])
        assert page.content is None
        if block[:end].endswith((b"\r\n", b"\r\n\r")):
            assert page.redirect == (redirect if b"page12\r\n" in block[:end] else None)
        else:
            assert (page.reason, page.redirect) == ("unreadable", None)
    whole = read_page(data)
    assert (whole.reason, whole.redirect) == (reason, redirect)


@pytest.mark.parametrize(
    "text",
    [
        "Tea and cups",
        "Tea: with milk\n\nCups",
        "<p>Server: a\n\nTea",
        "Server: a\n<p>Tea",
        "Welcome\nLocation: <b>Pier</b>, Harbour\n\n<p>Tea",
        "The tea page\nDate: 3 May\n\n<html><body><p>Tea",
        "Location: Pier 3<br>\n<p>Tea",
    ],
)
def test_a_page_without_an_http_head_is_one(text: str) -> None:
    """As HTTP/0.9 has it, and ARC, whose own head says of what type it is."""
    page = read_page(arc(text.encode()))
    assert (page.reason, page.content is not None) == ("", True)


@pytest.mark.parametrize("block", [b"Tea and cups", response(b"Tea and cups")])
def test_heads_of_arc_2(block: bytes) -> None:
    of_version_1 = arc(block)
    size = f" {len(block)}\n".encode()
    page = read_page(of_version_1)
    assert page.content is not None
    assert read_page(of_version_1.replace(size, b" 200 - - 0 a.arc" + size)) == page
