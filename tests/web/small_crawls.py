"""Crawl files of a few records, made in the test."""

from __future__ import annotations

import gzip
import zlib

DATE = "2024-05-06T07:08:09Z"


def record(kind: str, url: str, block: bytes, *fields: str, date: str = DATE) -> bytes:
    """A WARC record."""
    head = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {url}",
        f"WARC-Date: {date}",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{zlib.crc32((kind + url + date).encode()):012x}>",
        *fields,
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def response(url: str, body: str | bytes, status: str = "200 OK", date: str = DATE, **headers: str) -> bytes:
    """A capture of HTTP; HTML if nothing else is said."""
    data = body.encode() if isinstance(body, str) else body
    fields = {"Content-Type": "text/html; charset=utf-8"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in fields.items())]
    block = "\r\n".join(lines).encode() + b"\r\n\r\n" + data
    return record("response", url, block, "Content-Type: application/http; msgtype=response", date=date)


def moved(url: str, to: str, status: str = "301 Moved Permanently", date: str = DATE) -> bytes:
    """A redirect."""
    return response(url, "", status, date=date, Location=to)


def html(body: str, title: str = "", head: str = "") -> str:
    """A page."""
    return f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def warc(*records: bytes) -> bytes:
    """An uncompressed file, with the record that every file starts with."""
    return record("warcinfo", "", b"software: test\r\n") + b"".join(records)


def warc_gz(*records: bytes) -> bytes:
    """A file with a gzip member for each record."""
    first = record("warcinfo", "", b"software: test\r\n")
    return b"".join(gzip.compress(one, mtime=0) for one in (first, *records))


def revisit(
    url: str, of: str = "", status: str = "200 OK", date: str = DATE, of_date: str = "", **headers: str
) -> bytes:
    """A capture that says that it is the same as another, perhaps of another address."""
    fields = {"Content-Type": "text/html"} | headers
    block = f"HTTP/1.1 {status}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    named = [
        "Content-Type: application/http; msgtype=response",
        *([f"WARC-Refers-To-Target-URI: {of}"] * bool(of)),
        *([f"WARC-Refers-To-Date: {of_date}"] * bool(of_date)),
    ]
    return record("revisit", url, f"{block}\r\n".encode(), *named, date=date)
