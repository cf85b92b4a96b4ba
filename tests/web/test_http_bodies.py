"""HTTP within records: heads, transfer and content codings, right and wrong, and types by sniffing."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import pickle
import random
import zlib
from io import BytesIO

import brotli
import pytest
import zstandard

from anchormine.hypertext.drafts import Redirect
from anchormine.hypertext.page_limits import PageLimits
from anchormine.web.captures import Capture, read_capture
from anchormine.web.html_reader import HtmlReader
from anchormine.web.http.body_codings import Body, decode_body
from anchormine.web.http.media_types import XHTML, content_type_of, media_type_of, sniff_media_type
from anchormine.web.records.crawl_records import RecordLimits, read_crawl
from tests.web.crawl_files import arc, page, read, read_page, response, warc

PAGE = "<!doctype html><html><p>Ein Fluß, ein Tal. ".encode() + b" ".join(b"%d" % n for n in range(2000))
LIMIT = 1 << 20


def raw_deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def chunked(data: bytes, size: int = 1000, end: bytes = b"0\r\n\r\n") -> bytes:
    parts = [data[start : start + size] for start in range(0, len(data), size)]
    return b"".join(b"%X\r\n%s\r\n" % (len(part), part) for part in parts) + end


def decoded(
    data: bytes, *headers: tuple[str, str], media_type: str = "text/html", limit: int = LIMIT
) -> Body:
    return decode_body(data, list(headers), media_type, limit)


CODED = {
    "gzip": gzip.compress(PAGE, mtime=0),
    "x-gzip": gzip.compress(PAGE, mtime=0),
    "GZIP": gzip.compress(PAGE[:9000], mtime=0) + gzip.compress(PAGE[9000:], mtime=0),
    "deflate": zlib.compress(PAGE),
    "Deflate": raw_deflated(PAGE),
    "br": brotli.compress(PAGE),
    "zstd": zstandard.compress(PAGE),
    "gzip, gzip": gzip.compress(gzip.compress(PAGE, mtime=0), mtime=0),
    "deflate, br": brotli.compress(zlib.compress(PAGE)),
    "identity": PAGE,
    "utf-8": PAGE,
    "gzip ": gzip.compress(PAGE, mtime=0) + b"\r\n",
}


@pytest.mark.parametrize("coding", CODED)
def test_content_codings(coding: str) -> None:
    data = CODED[coding]
    assert decoded(data, ("Content-Encoding", coding)) == Body(PAGE, "")
    assert decoded(data, ("content-encoding", coding), limit=len(PAGE)) == Body(PAGE, "")
    assert decoded(data, ("content-encoding", coding), limit=len(PAGE) - 1) == Body(b"", "too_large")
    both = [("Transfer-Encoding", "chunked"), ("Content-Encoding", coding)]
    assert decoded(chunked(data), *both) == Body(PAGE, "")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "br, gzip"])
def test_what_is_stored_plain_or_undone_once(coding: str) -> None:
    assert decoded(PAGE, ("Content-Encoding", coding)) == Body(PAGE, "")
    for data in (b"", b";", b"<p>Fl\xc3\xbcsse\0\x01"):
        assert decoded(data, ("Content-Encoding", coding)) == Body(data, "")
    assert decoded(gzip.compress(PAGE, mtime=0), ("Content-Encoding", "gzip, gzip")) == Body(PAGE, "")


@pytest.mark.parametrize("first", [b"7 facts about boats", b"?<html>", b"=", b"7z\xbc\xaf\x27\x1c"])
def test_what_begins_as_brotli_of_nothing_does(first: bytes) -> None:
    data = (first + b"\x01 <p>text <a href=/x>link</a></p>") * 30
    assert decoded(data) == Body(data, "")


def test_what_is_gzipped_without_saying_so() -> None:
    data = gzip.compress(PAGE, mtime=0)
    assert decoded(data) == Body(PAGE, "")
    assert decoded(gzip.compress(data, mtime=0), ("Content-Encoding", "gzip")) == Body(PAGE, "")
    assert decoded(data, media_type="application/gzip") == Body(data, "")
    assert decoded(data, ("Content-Encoding", "gzip"), media_type="application/gzip") == Body(PAGE, "")


NOISE = random.Random(7).randbytes(2000)
OTHERWISE_CODED = {
    "zstd, said to be gzip": (zstandard.compress(PAGE), "gzip"),
    "zstd, said to be br": (zstandard.compress(PAGE), "br"),
    "zstd without saying so": (zstandard.compress(PAGE), "identity"),
    "zstd twice": (zstandard.compress(zstandard.compress(PAGE)), "zstd"),
    "zlib twice": (zlib.compress(zlib.compress(PAGE)), "deflate"),
    "zlib, said to be br": (zlib.compress(PAGE), "br"),
    "zlib without saying so": (zlib.compress(PAGE), "identity"),
    "gzip, said to be br": (gzip.compress(PAGE, mtime=0), "br"),
    "gzip twice": (gzip.compress(gzip.compress(PAGE, mtime=0), mtime=0), "gzip"),
    "br, said to be gzip": (brotli.compress(PAGE), "gzip"),
    "br twice": (brotli.compress(brotli.compress(PAGE)), "br"),
    "br without saying so": (brotli.compress(PAGE), "identity"),
    "zstd in br": (brotli.compress(zstandard.compress(PAGE)), "br"),
    "frames of zstd": (zstandard.compress(PAGE[:3000]) + zstandard.compress(PAGE[3000:]), "zstd"),
    "a frame to be skipped": (b"\x5a\x2a\x4d\x18\x04\0\0\0skip" + zstandard.compress(PAGE), "zstd"),
    "a frame to be skipped, without saying so": (
        b"\x50\x2a\x4d\x18\x04\0\0\0skip" + zstandard.compress(PAGE),
        "identity",
    ),
    "a frame to be skipped between others": (
        zstandard.compress(PAGE[:3000]) + b"\x5f\x2a\x4d\x18\x04\0\0\0skip" + zstandard.compress(PAGE[3000:]),
        "zstd",
    ),
    "zstd with padding": (zstandard.compress(PAGE) + b"\r\n", "zstd"),
}


@pytest.mark.parametrize("quality", range(12))
@pytest.mark.parametrize("coding", ["gzip", "deflate", "br, gzip", "br, deflate", "gzip, br"])
def test_brotli_is_taken_for_no_other_coding(coding: str, quality: int) -> None:
    """Of a low quality many begin as a stream of raw deflate does that ends soon."""
    for text in (PAGE, *(page(number, 200) for number in range(40))):
        data = brotli.compress(text, quality=quality)
        assert decoded(data, ("Content-Encoding", coding)) == Body(text, "")


@pytest.mark.parametrize("name", OTHERWISE_CODED)
def test_what_is_coded_otherwise_than_it_says(name: str) -> None:
    data, coding = OTHERWISE_CODED[name]
    assert decoded(data, ("Content-Encoding", coding)) == Body(PAGE, "")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_transfer_codings(coding: str) -> None:
    data = CODED[coding]
    assert decoded(data, ("Transfer-Encoding", coding)) == Body(PAGE, "")
    assert decoded(chunked(data), ("Transfer-Encoding", f"{coding}, chunked")) == Body(PAGE, "")
    both = [("Transfer-Encoding", "gzip, chunked"), ("Content-Encoding", coding)]
    assert decoded(chunked(gzip.compress(data, mtime=0)), *both) == Body(PAGE, "")


@pytest.mark.parametrize("text", ["Реки и горы. " * 50, "川と山。" * 90])
@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "compress"])
def test_text_that_was_undone_before_in_any_charset(text: str, coding: str) -> None:
    for data in (*map(text.encode, ("utf-8", "utf-16", "shift-jis")), f"\ufeff{text}".encode("utf-16-be")):
        assert decoded(data, ("Content-Encoding", coding)) == Body(data, "")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_broken_codings(coding: str) -> None:
    """What can be decoded is kept, and says so; compressed bytes are never taken for text."""
    data = CODED[coding]
    cut = data[: len(data) * 3 // 4]
    body = decoded(cut, ("Content-Encoding", coding))
    if coding == "zstd":  # nothing comes out before the end of a block
        assert body == Body(cut, "content_coding")
    else:
        assert body.problem == "truncated"
        assert len(body.data) > 2000
        assert PAGE.startswith(body.data)
    flipped = (data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :] for at in (12, 20))
    for broken in (data[3:], *flipped, *(b"\0" + bytes([byte]) + data[3:] for byte in range(256))):
        assert decoded(broken, ("Content-Encoding", coding)) == Body(broken, "content_coding")
    assert decoded(NOISE, ("Content-Encoding", coding)) == Body(NOISE, "content_coding")


@pytest.mark.parametrize(
    "start",
    [
        b"\0<p>", b"\0<body>", b"\0\0\0\0<table >", b"\xef\xbb\xbf\0<html>", b"\0\n<!-- a -->", b"<_a>\x02",
        b"< html>\0", "<%=".encode("utf-16-be"), "<p>".encode("utf-16-be"), "<!doctype".encode("utf-16-le"),
        "<p>".encode("utf-32-be"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("coding", ["gzip", "br", "deflate", "zstd"])
def test_pages_that_were_stored_decoded_with_nulls(coding: str, start: bytes) -> None:
    page = start + PAGE
    assert decoded(page, ("Content-Encoding", coding)) == Body(page, "")


@pytest.mark.parametrize("coding", ["compress", "x-compress", "sdch", "dcb", "dcz"])
def test_codings_that_are_not_undone(coding: str) -> None:
    assert decoded(NOISE, ("Content-Encoding", coding)) == Body(NOISE, "content_coding")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_what_is_broken_and_coded_otherwise_than_it_says(coding: str) -> None:
    body = decoded(CODED["gzip"][:3000], ("Content-Encoding", coding))
    assert (body.problem, PAGE.startswith(body.data), len(body.data) > 2000) == ("truncated", True, True)


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_what_comes_out_of_a_broken_coding_and_is_no_text(coding: str) -> None:
    packed = gzip.compress(NOISE, mtime=0) if coding == "gzip" else zlib.compress(NOISE)
    assert decoded(packed[:-500], ("Content-Encoding", coding)) == Body(packed[:-500], "content_coding")


@pytest.mark.parametrize("size", [60, 700, len(PAGE)])
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_wrong_checksum_costs_nothing(coding: str, size: int) -> None:
    whole = PAGE[:size]
    data = bytearray(gzip.compress(whole, mtime=0) if coding == "gzip" else zlib.compress(whole))
    data[-1] ^= 0x55
    assert decoded(bytes(data), ("Content-Encoding", coding)) == Body(whole, "truncated")


def test_bodies_that_cannot_be_decoded_are_set_aside() -> None:
    head = "Content-Type: text/html\r\nContent-Encoding: zstd\r\n"
    broken = CODED["zstd"][:-9]
    for body, outcome in ((broken, ("content_coding", None)), (CODED["zstd"], ("", "Ein Fluß, ein Tal."))):
        page = read_page(warc(response(body, head)))
        lead = page.content and page.content.text[:18]
        assert (page.reason, lead) == outcome
    image = head.replace("text/html", "image/png")
    assert read_page(warc(response(broken, image))).reason == "media_type"


COMPRESS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


@pytest.mark.parametrize("page", [PAGE, PAGE[:100]], ids=["long", "short"])
@pytest.mark.parametrize("coding", COMPRESS)
@pytest.mark.parametrize("behind", [b"\r\n", b"0\r\n\r\n", bytes(range(256)) * 9])
def test_what_stands_behind_a_coding_is_no_matter(behind: bytes, coding: str, page: bytes) -> None:
    data = COMPRESS[coding](page) + behind
    assert decoded(data, ("Content-Encoding", coding)) == Body(page, "")


@pytest.mark.parametrize("coding", COMPRESS)
def test_a_coding_that_is_cut_off_gives_what_is_before(coding: str) -> None:
    page = random.Random(1).randbytes(300_000).hex().encode()
    body = decoded(COMPRESS[coding](page)[:200_000], ("Content-Encoding", coding), media_type="")
    assert body.problem == "truncated"
    assert page.startswith(body.data)
    assert len(body.data) > 250_000


@pytest.mark.parametrize("coding", COMPRESS)
def test_a_coding_that_is_not_announced_and_cut_off(coding: str) -> None:
    data = COMPRESS[coding](PAGE)
    cut = data[: len(data) // 2]
    body = decoded(cut)
    page = read_page(warc(response(cut, "Content-Type: text/html\r\n")))
    if coding in ("gzip", "deflate"):
        assert body.problem == "truncated"
        assert PAGE.startswith(body.data)
        assert page.content is not None
        assert page.content.text.startswith("Ein Fluß, ein Tal. 0 1 2 ")
    else:  # no signature, or nothing comes out before a block ends
        assert body == Body(cut, "")
        assert page.reason == "media_type"


# Few bytes of these are none of a text.
PICKLES = [pickle.dumps([f"{n} more words of one text" for n in range(90)], protocol) for protocol in (4, 5)]
BINARY = {
    "application/x-bzip2": bz2.compress(PAGE),
    "application/x-xz": lzma.compress(PAGE),
    "application/gzip": b"\x1f\x8b\x08\xff",
    "audio/mpeg": b"ID3\3" + bytes(2000),
    "application/octet-stream": random.Random(2).randbytes(3000),
}


@pytest.mark.parametrize("media_type", BINARY)
def test_binary_data_that_is_said_to_be_a_page(media_type: str) -> None:
    assert sniff_media_type("text/html", BINARY[media_type]) == media_type
    assert sniff_media_type("text/html", b"<p>" + BINARY[media_type]) == "text/html"
    page = read_page(warc(response(BINARY[media_type], "Content-Type: text/html\r\n")))
    assert (page.reason, page.excerpt) == ("media_type", f"{media_type} http://a.example/")


@pytest.mark.parametrize("data", PICKLES)
def test_a_pickle_of_texts_is_no_page(data: bytes) -> None:
    assert len(data.translate(None, bytes(range(9)))) > 0.95 * len(data)
    assert sniff_media_type("text/html", data) == "application/octet-stream"
    assert sniff_media_type("text/html", b"\x01\0" + PAGE + data) == "text/html"


@pytest.mark.parametrize(
    "text",
    [
        "日本語 " * 300,
        "Привет " * 300,
        "Text\x0b with a few signs\x02 here and there that are none. " * 40,
        "\x02",
        "Ein Fluß",
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-32", "gb18030", "iso2022_jp"])
def test_text_of_a_page_without_tags(text: str, codec: str) -> None:
    assert sniff_media_type("text/html", text.encode(codec, "replace")) == "text/html"


CHUNKED = {
    "right": (chunked(PAGE), PAGE, ""),
    "with extensions": (chunked(PAGE).replace(b"\r\n", b";a=b\r\n", 1), PAGE, ""),
    "with trailers": (chunked(PAGE, end=b"0\r\nX-A: 1\r\n\r\n"), PAGE, ""),
    "with two carriage returns": (b"%x\r\r\n%s\r\r\n0\r\r\n\r\r\n" % (len(PAGE), PAGE), PAGE, ""),
    "joined before": (PAGE, PAGE, ""),
    "no end": (chunked(PAGE, end=b""), PAGE, "transfer_coding"),
    "cut off": (chunked(PAGE)[:1500], PAGE[: 1500 - 5 - 2 - 5], "transfer_coding"),
    "cut off in a size": (chunked(PAGE[:1000], end=b"3e"), PAGE[:1000], "transfer_coding"),
    "cut off behind a size": (chunked(PAGE[:1000], end=b"3e8;a=b\r"), PAGE[:1000], "transfer_coding"),
    "cut off in an end": (chunked(PAGE[:1000], end=b"")[:-1], PAGE[:1000], "transfer_coding"),
    "zeros in front": (b"%020X\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE), PAGE, ""),
    "wrong": (chunked(PAGE[:1000], end=b"") + b"rest", PAGE[:1000] + b"rest", "transfer_coding"),
    "empty": (b"0\r\n\r\n", b"", ""),
}


def test_chunks_that_are_not_announced_or_twice() -> None:
    """As programs store them that undo the head's codings, or those of a proxy."""
    data = chunked(PAGE)
    assert decoded(data) == decoded(data, media_type="") == Body(PAGE, "")
    assert decoded(data, media_type="text/plain") == Body(data, "")
    assert decoded(chunked(data), ("Transfer-Encoding", "chunked, chunked")) == Body(PAGE, "")
    assert decoded(data, ("Transfer-Encoding", "chunked, chunked")) == Body(PAGE, "")
    assert decoded(chunked(CODED["gzip"]), ("Content-Encoding", "gzip")) == Body(PAGE, "")
    assert decoded(chunked(PAGE, end=b"0\r\nX-A: 1\r\n\r\n")) == Body(PAGE, "")
    for text in (
        chunked(b"All of it?") + b"No, this too.",
        b"7\r\nIn 1998, a pier",
        b"add\n" + PAGE,
        b"0\r\n",
        b"0\n\n" + PAGE,
        b"5\nhello\nworld and more",
        b"1\n\n\n" + PAGE,
    ):
        assert decoded(text) == Body(text, "")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_chunks_in_chunks_and_in_codings(coding: str) -> None:
    """Of which a head tells once, or not at all."""
    packed = CODED[coding]
    within = {
        "deflate": zlib.compress(chunked(PAGE)),
        "br": brotli.compress(chunked(PAGE)),
        "zstd": zstandard.compress(chunked(PAGE)),
        "gzip": gzip.compress(chunked(PAGE), mtime=0),
    }[coding]
    both = [("Transfer-Encoding", "chunked"), ("Content-Encoding", coding)]
    for data in (chunked(chunked(PAGE)), chunked(chunked(packed)), within, chunked(within)):
        for headers in (both, both[:1], both[1:], []):
            if headers or coding != "br":
                assert decoded(data, *headers) == Body(PAGE, "")
    assert decoded(gzip.compress(chunked(packed), mtime=0), both[1]) == Body(PAGE, "")
    assert decoded(chunked(chunked(PAGE)), media_type="text/plain") == Body(chunked(chunked(PAGE)), "")


@pytest.mark.parametrize("name", CHUNKED)
def test_chunks(name: str) -> None:
    data, body, problem = CHUNKED[name]
    assert decoded(data, ("Transfer-Encoding", "chunked")) == Body(body, problem)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("HTTP/1.1 200 OK\r\n", 200),
        ("HTTP/1.0 404\n", 404),
        ("HTTP/2 200\r\n", 200),
        ("HTTP/2.0 301 \r\n", 301),
        ("HTTP/3 503 Busy\r\n", 503),
        ("http/1.1  200  OK\r\n", 200),
        ("HTTP/1.1 0 No Content\r\n", 0),
        ("HTTP/1.1 OK\r\n", None),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 203 Fine\r\n", 203),
        ("HTTP/1.0 200 Connection established\r\nVia: b\r\n\r\nHTTP/1.1 404 Gone\r\n", 404),
        ("\r\nHTTP/1.1 200 OK\r\n", 200),
    ],
)
def test_status_lines(line: str, status: int | None) -> None:
    (record,), _ = read(warc(response(b"<p>x", status=line)))
    expected = (status, "text/html", [("Content-Type", "text/html")], b"<p>x", "")
    assert (record.status, record.media_type, record.headers, record.body, record.problem) == expected


def test_a_body_that_starts_like_a_head() -> None:
    body = response(b"is what a server says", status="HTTP/1.1 404 Not Found\r\n")
    for status in (199, 200):
        (record,), _ = read(warc(response(body, status=f"HTTP/1.1 {status} OK\r\n")))
        assert (record.status, record.body) == ((200, body) if status == 200 else (404, body[-21:]))


def test_problems_of_codings_are_those_of_the_record() -> None:
    for body, field, problem in (
        (chunked(PAGE, end=b""), "Transfer-Encoding: chunked", "transfer_coding"),
        (CODED["gzip"][:3000], "Content-Encoding: gzip", "truncated"),
        (NOISE, "Content-Encoding: gzip", "content_coding"),
    ):
        (record,), damages = read(warc(response(body, f"Content-Type: text/html\r\n{field}\r\n")))
        assert (record.problem, damages) == (problem, [])


@pytest.mark.parametrize("limit", [10_000, 100])
def test_a_record_that_is_damaged_is_damaged_whatever_its_body_is(limit: int) -> None:
    """The address that a redirect gives may be wrong, too."""
    fields = "Location: /a\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
    block = response(NOISE[:2000], fields, "HTTP/1.1 302 Found\r\n")
    digest = hashlib.sha1(block.replace(b"/a", b"/b"), usedforsecurity=False).hexdigest()
    data = warc(block, fields=f"WARC-Block-Digest: sha1:{digest}\r\n")
    (record,), _ = read(data, RecordLimits(limit) if limit > 2000 else None)
    page = read_page(data)
    assert (record.problem, page.reason, page.redirect) == ("damaged", "damaged", None)


@pytest.mark.parametrize(
    ("content_type", "status", "reason"),
    [
        ("text/html", 200, "too_large"),
        ("", 200, "too_large"),
        ("video/mp4", 200, "media_type"),
        ("text/html", 404, "http_error"),
        ("text/html", 301, ""),
    ],
)
def test_what_is_too_large_is_told_by_its_head(content_type: str, status: int, reason: str) -> None:
    head = f"Content-Type: {content_type}\r\nLocation: /b\r\n"
    block = response(b"x" * 100_000, head, f"HTTP/1.1 {status} OK\r\n")
    (record,) = read_crawl(BytesIO(warc(block)), [], RecordLimits(10_000))
    page = read_capture(Capture(0, 0, "a.warc", record), HtmlReader(PageLimits()))
    assert (record.problem, page.reason) == ("too_large", reason)


def test_no_http_head() -> None:
    (record,), _ = read(warc(b"<html><p>x"))
    assert (record.status, record.headers, record.body, record.problem) == (
        None,
        [],
        b"<html><p>x",
        "http_head",
    )
    page = read_page(warc(b"<html><p>x"))
    assert (page.reason, page.content and page.content.text) == ("", "x")
    assert read_page(warc(b"noise")).reason == "unreadable"
    (record,), _ = read(arc(b"<html><p>x"))
    assert (record.media_type, record.body, record.problem) == ("text/html", b"<html><p>x", "http_head")
    (record,), _ = read(warc(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"))
    assert (record.status, record.media_type, record.body) == (200, "text/html", b"")


def test_header_values() -> None:
    head = "Content-Type: text/html;\r\n charset=utf-8\r\nX-Ä: ä\r\nno colon\r\nX-Empty:\r\n"
    (record,), _ = read(warc(response(b"<p>x", head)))
    assert record.content_type == "text/html; charset=utf-8"
    assert record.headers[1:] == [("X-Ä", "ä"), ("X-Empty", "")]
    block = response(b"<p>x", "X-A: 1\r\n").replace(b"X-A: 1", b"X-A: \xe4\r\nX-B: \xc3\xa4")
    (record,), _ = read(warc(block))
    assert record.headers == [("X-A", "ä"), ("X-B", "ä")]


def test_what_the_crawler_cut() -> None:
    (record,), damages = read(warc(response(b"<p>x"), fields="WARC-Truncated: length\r\n"))
    assert (record.body, record.problem, damages) == (b"<p>x", "truncated", [])


def test_a_revisit_is_not_cut_though_wget_says_so() -> None:
    data = warc(response(b""), fields="WARC-Truncated: length\r\n").replace(
        b"WARC-Type: response", b"WARC-Type: revisit"
    )
    (record,), damages = read(data)
    assert (record.kind, record.problem, damages) == ("revisit", "", [])


def test_what_head_and_page_say_to_robots() -> None:
    head = "Content-Type: text/html\r\nX-Robots-Tag: noai\r\nX-Own: noindex\r\nx-robots-tag: nosnippet\r\n"
    for body, robots in (
        (b"<p>x", "noai,nosnippet"),
        (b"<meta name=robots content=none>x", "noai,nofollow,noindex,nosnippet"),
    ):
        page = read_page(warc(response(body, head)))
        assert page.content is not None
        assert page.content.robots == robots


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects(status: int) -> None:
    page = read_page(warc(response(b"", "Location: /b?x#c\r\n", f"HTTP/1.1 {status} Moved\r\n")))
    assert (page.reason, page.redirect) == ("", Redirect("http://a.example/b?x", "c"))


@pytest.mark.parametrize("status", [0, 300, 304, 305, 306, 400])
def test_answers_that_are_no_redirect_though_they_name_a_place(status: int) -> None:
    page = read_page(warc(response(b"", "Location: /b\r\n", f"HTTP/1.1 {status} Other\r\n")))
    assert (page.reason, page.redirect) == ("http_error", None)


@pytest.mark.parametrize(
    ("content_range", "reason"),
    [
        ("bytes 0-3/4", ""),
        ("Bytes 0-3/4 ", ""),
        ("", ""),
        ("bytes 0-3/5", "http_error"),
        ("bytes 0-3/*", "http_error"),
        ("bytes 1-4/5", "http_error"),
    ],
)
def test_a_part_of_a_page_is_none(content_range: str, reason: str) -> None:
    head = f"Content-Type: text/html\r\nContent-Range: {content_range}\r\n"
    page = read_page(warc(response(b"<p>x", head).replace(b"200 OK", b"206 Partial Content")))
    assert page.reason == reason


@pytest.mark.parametrize(
    ("content_type", "name"),
    [
        ("text/html; charset=utf-8", "text/html"),
        (" Text/HTML ", "text/html"),
        ("text/html, text/html", "text/html"),
        ("html", ""),
        ("", ""),
        (";", ""),
        ("Application/vnd.wap.XHTML+xml; charset=utf-8", XHTML),
    ],
)
def test_media_types(content_type: str, name: str) -> None:
    assert media_type_of(content_type) == name


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], ""),
        (["html", "?"], "html"),
        (["text/html"], "text/html"),
        (["text/html", "text/html; charset=gbk"], "text/html; charset=gbk"),
        (["text/html; charset=gbk", "text/html"], "text/html; charset=gbk"),
        (["text/html;charset=gbk, text/html"], "text/html;charset=gbk"),
        (["text/html;charset=gbk", "text/plain", "text/html"], "text/html"),
        (["text/html;charset=gbk", "*/*", "text/html;charset=utf-8", ""], "text/html;charset=utf-8"),
        (["text/html;charset=gbk", "*/*"], "text/html;charset=gbk"),
        (["text/html, charset=gbk"], "text/html, charset=gbk"),
        (["text/plain,text/html"], "text/html"),
    ],
)
def test_content_types_that_are_said_again(values: list[str], expected: str) -> None:
    assert content_type_of(values) == expected


def test_the_last_content_type_counts() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\ncontent-type: text/html; charset=gbk\r\n\r\n<p>"
    (record,), _ = read(warc(head))
    assert (record.media_type, record.content_type) == ("text/html", "text/html; charset=gbk")


@pytest.mark.parametrize("end", [">", " lang=en>", "\n>"])
@pytest.mark.parametrize(
    "tag", ["!doctype  html", *"html head script iframe h1 div font table a style title b body br p".split()]
)
def test_tags_that_a_page_may_start_with(tag: str, end: str) -> None:
    for start in (f"<{tag}{end}", f"\ufeff\n\t\f\r <{tag.upper()}{end}"):
        assert sniff_media_type("", start.encode()) == "text/html"
    assert sniff_media_type("", f"<{tag}x{end}".encode()) == ""


@pytest.mark.parametrize(
    ("named", "body", "sniffed"),
    [
        ("", b" \n<!DOCTYPE html><p>", "text/html"),
        ("", b"\xef\xbb\xbf<HTML lang=en>", "text/html"),
        ("", b"<!-- x --><p>", "text/html"),
        ("", b"<p>x", "text/html"),
        ("", b"<path d=1>", ""),
        ("", b"", ""),
        *(
            (name, b"<title>x", "text/html")
            for name in ("application/octet-stream", "binary/octet-stream", "*/*")
        ),
        *((name, b"<title>x", "text/html") for name in ("application/unknown", "unknown/unknown")),
        ("application/octet-stream", b"\x89PNG", "application/octet-stream"),
        ("text/plain", b"<html><p>x", "text/html"),
        ("text/plain", b"<p> is a tag", "text/plain"),
        ("", b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC>", "application/xhtml+xml"),
        ("", b"<?xml version='1.0'?><!DOCTYPE\t html><p>", "application/xhtml+xml"),
        ("", b"<?xml version='1.0'?><rss>", ""),
        *(
            (name, b"<?xml version='1.0'?><html lang='en' xmlns = \"http://www.w3.org/1999/xhtml\">", XHTML)
            for name in ("text/xml", "application/xml")
        ),
        (
            "text/xml",
            b"<?xml version='1.0'?><?xml-stylesheet href='a>b'?><!-- <a> --><!DOCTYPE html PUBLIC '-//W3C'>\n"
            b"<html xmlns='http://www.w3.org/1999/xhtml'>",
            XHTML,
        ),
        (
            "text/xml",
            b"<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
            b"<html xmlns='http://www.w3.org/1999/xhtml'>",
            "text/xml",
        ),
        ("text/xml", b"<!-- <html xmlns='http://www.w3.org/1999/xhtml'> --><data/>", "text/xml"),
        ("text/xml", b"<html xmlns:x='http://www.w3.org/1999/xhtml'>", "text/xml"),
        ("application/xml", b"<?xml version='1.0'?><!DOCTYPE html><html>", "application/xml"),
        ("application/rss+xml", b"<html xmlns='http://www.w3.org/1999/xhtml'>", "application/rss+xml"),
        ("image/png", b"<html>", "image/png"),
        ("text/html", b"\x89PNG", "text/html"),
        ("text/html", b"\x89PNG\r\n\x1a\n\0", "image/png"),
        ("text/html", b"%PDF-1.4 <html>", "application/pdf"),
        ("application/xhtml+xml", b"PK\x03\x04", "application/zip"),
        ("text/html", b"GIF is a format of images", "text/html"),
    ],
)
def test_sniffing(named: str, body: bytes, sniffed: str) -> None:
    assert sniff_media_type(named, body) == sniffed
