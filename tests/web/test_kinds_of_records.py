"""Records by their kinds: those that hold pages, those about the crawl, and kinds that no standard has."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

from anchormine.pipelines.cli import main
from tests.pipelines.command_runs import QUIET, funnel, read_table
from tests.web.small_crawls import html, record, response, warc, warc_gz

PIER, PRINTED, TEXT = (f"http://harbour.example/{name}" for name in ("pier", "printed", "text"))
HTML, PLAIN = "Content-Type: text/html", "Content-Type: text/plain"
A_PIER = html("<p>A pier by the <a href=/printed>harbour</a>.</p>")


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes((data[place] ^ 0x55,)) + data[place + 1 :]


def test_a_record_that_breaks_is_damaged_whatever_is_left_of_its_head(tmp_path: Path) -> None:
    member = gzip.compress(response(PIER, A_PIER), mtime=0)
    broken = [flipped(member, place) for place in range(10, len(member), 3)]
    whole = warc_gz(response(PRINTED, html("<p>Printed.</p>")))
    (tmp_path / "in.warc.gz").write_bytes(whole + b"".join(broken) + whole)
    out = tmp_path / "out"
    assert main(["web", str(tmp_path / "in.warc.gz"), "--output", str(out), *QUIET]) == 0
    reasons = {(row["unit"], row["reason"]) for row in read_table(out, "rejects/web")}
    told = {("records", "warcinfo"), ("pages", "superseded"), ("records", "damaged"), ("pages", "damaged")}
    assert reasons == told
    assert [row["url"] for row in read_table(out, "pages")] == [PRINTED]


def mined(tmp_path: Path, *records: bytes) -> Path:
    (tmp_path / "in.warc").write_bytes(warc(*records))
    out = tmp_path / "out"
    assert main(["web", str(tmp_path / "in.warc"), "--output", str(out), *QUIET]) == 0
    return out


def rows_of(out: Path, unit: str) -> dict[str, Any]:
    row = funnel(out, "web")[unit]
    return {name: row[name] for name in ("read", "written", "rejected")}


def rejects(out: Path) -> list[tuple[Any, ...]]:
    """The unit, reason, excerpt and number of records of each reject of records and pages."""
    rows = [row for row in read_table(out, "rejects/web") if row["unit"] != "links"]
    return sorted(tuple(row[name] for name in ("unit", "reason", "excerpt", "records")) for row in rows)


def test_kinds(tmp_path: Path) -> None:
    out = mined(
        tmp_path,
        record(
            "request", PIER, b"GET /pier HTTP/1.1\r\n\r\n", "Content-Type: application/http; msgtype=request"
        ),
        response(PIER, A_PIER),
        record("metadata", PIER, b"fetchTimeMs: 7\r\n", "Content-Type: application/warc-fields"),
        record("continuation", PIER, b"...", "WARC-Segment-Number: 2"),
        record("resource", PRINTED, html("<p>Printed.</p>").encode(), HTML),
        record("conversion", TEXT, b"A pier.", PLAIN),
        record("conversion", f"{TEXT}.html", html("<p>Converted.</p>").encode(), HTML),
        record("Screenshot", PIER, b"\x89PNG\r\n\x1a\n", "Content-Type: image/png"),
        record("respoose", PRINTED, b"HTTP/1.1 200 OK\r\n\r\n"),
        record("", PRINTED, b"?"),
    )
    assert sorted(row["url"] for row in read_table(out, "pages")) == [PIER, PRINTED, f"{TEXT}.html"]
    assert rows_of(out, "records") == {
        "read": 11,
        "written": 4,
        "rejected": {"warcinfo": 1, "request": 1, "metadata": 1, "continuation": 1, "unknown": 3},
    }
    assert rows_of(out, "pages") == {"read": 4, "written": 3, "rejected": {"conversion": 1}}
    assert rejects(out) == [
        ("pages", "conversion", f"text/plain {TEXT}", 1),
        ("records", "continuation", PIER, 1),
        ("records", "metadata", PIER, 1),
        ("records", "request", PIER, 1),
        ("records", "unknown", f"screenshot {PIER}", 3),
        ("records", "warcinfo", "", 1),
    ]


def test_damaged_records_are_told_from_unknown_ones_in_any_order(tmp_path: Path) -> None:
    damaged = response(PRINTED, A_PIER).replace(b"WARC-Type: response", b"WARC-T\0\0\0: response")
    unknown = [record("screenshot", PIER, b"?")] * 3
    for number, others in enumerate(([damaged, *unknown], [*unknown, damaged])):
        (tmp_path / str(number)).mkdir()
        out = mined(tmp_path / str(number), response(PIER, A_PIER), *others)
        rejected = {"warcinfo": 1, "damaged": 1, "unknown": 3}
        assert rows_of(out, "records") == {"read": 6, "written": 1, "rejected": rejected}


def test_kinds_that_broken_files_have(tmp_path: Path) -> None:
    """However many there are, they are one reason, and one row of the rejects."""
    own = [record(f"response{number}", f"{PIER}/{number}", b"?") for number in range(500)]
    out = mined(tmp_path, response(PIER, A_PIER), *own)
    assert rows_of(out, "records") == {
        "read": 502,
        "written": 1,
        "rejected": {"warcinfo": 1, "unknown": 500},
    }
    assert rejects(out) == [
        ("records", "unknown", f"response0 {PIER}/0", 500),
        ("records", "warcinfo", "", 1),
    ]
