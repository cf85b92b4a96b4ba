"""Digests of records: what fits them, and what becomes of a record that does not."""

from __future__ import annotations

import gc
import gzip
import hashlib
import json
import tracemalloc
import zlib
from base64 import b32encode, b64encode, urlsafe_b64encode
from collections.abc import Callable
from io import BytesIO
from itertools import permutations
from pathlib import Path

import pytest

from anchormine.archives.compression import Damage
from anchormine.datasets import places
from anchormine.pipelines.cli import main
from anchormine.transforms import kept_damages, read_crawl
from anchormine.transforms.crawl_reading import FileRecords, FileToRead
from anchormine.transforms.kept_damages import FirstDamages
from anchormine.web.http.http_messages import read_message
from anchormine.web.records.crawl_formats import open_crawl
from anchormine.web.records.crawl_records import RecordLimits
from anchormine.web.records.digests import Digest, DigestCheck, digest_number, fits, parse_digest
from anchormine.web.records.record_blocks import split_records
from tests.pipelines.command_runs import QUIET
from tests.web.crawl_files import FOLDER, frames, members, needs_crawls, page, read, response, urls, warc

DATA = b"a payload"
WRONG = "sha1:2WAXX5NUWNNCS2BDKCO5OVDQBJVNKIVV"
UNFIT = "the record that starts here does not fit its digest"
MOVED = "HTTP/1.1 301 Moved Permanently\r\n"
UNFIT_HEAD = "the HTTP head of the record that starts here does not fit its digest; its payload does"


def sha1(data: bytes) -> str:
    return "sha1:" + b32encode(hashlib.sha1(data).digest()).decode()


def digested(number: int, block: str = "", payload: str = "", kind: str = "response") -> bytes:
    """A page's record with digests: the right ones, if no others are given."""
    body = page(number, 300)
    data = response(body)
    fields = f"WARC-Block-Digest: {block or sha1(data)}\r\nWARC-Payload-Digest: {payload or sha1(body)}\r\n"
    return warc(data, url=f"http://a.example/{number}", kind=kind, fields=fields)


def wrong(number: int) -> bytes:
    return digested(number, WRONG, WRONG)


def offsets(records: list[bytes]) -> list[int]:
    return [sum(map(len, records[:number])) for number in range(len(records))]


@pytest.mark.parametrize("name", ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"])
def test_digests_in_every_base(name: str) -> None:
    raw = hashlib.new(name, DATA).digest()
    label = {"sha256": "SHA-256", "md5": "MD5"}.get(name, name)
    in_32 = b32encode(raw).decode()
    for value in (
        raw.hex(), raw.hex().upper(), in_32, in_32.rstrip("="), in_32.lower(), b64encode(raw).decode(),
        urlsafe_b64encode(raw).decode(), urlsafe_b64encode(raw).decode().rstrip("="),
    ):  # fmt: skip
        digest = parse_digest(f"{label}: {value}")
        assert digest == Digest(name, value.rstrip("="))
        assert fits(digest, memoryview(DATA))
        assert not fits(digest, DATA + b"\n")
        assert digest_number(f"{label}: {value}") == int.from_bytes(raw[:8], "big", signed=True)


@pytest.mark.parametrize(
    "text", ["", "sha1:", "sha1: ABC", "monkey!", ":3I42H3", "crc32:12345678", WRONG[5:]]
)
def test_what_is_no_digest(text: str) -> None:
    assert parse_digest(text) is None
    assert digest_number(text) is None


@pytest.mark.parametrize("letters", ["!" * 32, "0" * 32, "A_" * 16, "ſ" * 32, "z" * 40, "ä" * 27])
def test_what_has_the_length_of_a_digest_and_no_other_sign_of_one(letters: str) -> None:
    assert digest_number(f"sha1:{letters}") is None


@pytest.mark.parametrize("pack", [b"".join, frames, members])
def test_a_flipped_byte_of_a_plain_file_is_noticed(pack) -> None:
    records = [digested(number) for number in range(4)]
    (whole, none), start = read(b"".join(records)), offsets(records)[2]
    head = records[2].index(b"\r\n\r\n") + 4
    body = records[2].index(b"<html>")
    # Without the letters by which it is known as HTTP and the blank line, the payload is another, too.
    needed = {*range(head, head + 5), *range(body - 3, body)}
    assert none == []
    for at in [*range(head, body), *range(body, len(records[2]) - 4, 7)]:
        broken = bytearray(records[2])
        broken[at] ^= 0x01
        data = b"".join([*records[:2], broken, *records[3:]])
        found, damages = read(data)
        assert damages == [Damage(start, 0, UNFIT, "file")]
        assert [record.problem for record in found] == ["", "", "damaged", ""]
        assert [*found[:2], found[3]] == [*whole[:2], whole[3]]
        # A checksum that fits says that a tool wrote the head.
        is_read = pack is members and at < body and at not in needed
        problem, reason = ("", UNFIT_HEAD) if is_read else ("damaged", UNFIT)
        packed, damages = read(pack([*records[:2], bytes(broken), *records[3:]]))
        assert [record.problem for record in packed] == ["", "", problem, ""]
        assert [(damage.offset, damage.reason) for damage in damages] == [(packed[2].offset, reason)]
        assert problem or packed[2].body == whole[2].body


@pytest.mark.parametrize("pack", [members, gzip.compress])
def test_a_payload_that_does_not_fit_is_damaged_whatever_a_checksum_says(pack) -> None:
    records = [digested(0), wrong(1), digested(2, payload=WRONG), digested(3)]
    found, damages = read(pack(records if pack is members else b"".join(records)))
    assert [record.problem for record in found] == ["", "damaged", "", ""]
    assert damages == [Damage(found[1].offset, 0, UNFIT, "file")]


def redirect(status: str, to: str, written: str) -> bytes:
    """A redirect's record, with the digests that it had before its head was written anew."""
    body = b"<p>It is elsewhere."
    block, original = (response(body, f"Location: {place}\r\n", status) for place in (to, written))
    fields = f"WARC-Block-Digest: {sha1(original)}\r\nWARC-Payload-Digest: {sha1(body)}\r\n"
    return warc(block, url="http://a.example/moved", fields=fields)


@pytest.mark.parametrize("status", [MOVED, MOVED.replace("301", "201")])
def test_a_redirect_with_another_head_is_read_where_a_checksum_fits(status: str) -> None:
    records = [digested(0), redirect(status, "/caf%C3%A9", "/café"), digested(1)]
    found, damages = read(b"".join(records))
    assert [record.problem for record in found] == ["", "damaged", ""]
    assert damages == [Damage(found[1].offset, 0, UNFIT, "file")]
    found, damages = read(members(records))
    assert [record.problem for record in found] == ["", "", ""]
    assert damages == [Damage(found[1].offset, 0, UNFIT_HEAD, "file")]
    found, damages = read(frames(records))  # which may have none
    assert [record.problem for record in found] == ["", "damaged", ""]
    found, damages = read(b"".join([*records[1:], digested(2)]))  # before others tell of digests of blocks
    assert [record.problem for record in found] == ["", "", ""]
    assert damages == [Damage(0, 0, UNFIT_HEAD, "file")]


@pytest.mark.parametrize("pack", [members, lambda records: gzip.compress(b"".join(records), mtime=0)])
def test_rewritten_heads_cost_nothing_where_a_checksum_fits(pack) -> None:
    """As `warcio recompress` leaves them: with the digest of the block that was."""
    records = [digested(0), digested(1, block=WRONG), digested(2), digested(3, block=WRONG), digested(4)]
    whole = {record.url: record.body for record in read(b"".join(digested(n) for n in range(5)))[0]}
    for order in permutations(records):
        found, damages = read(pack(order))
        assert {record.url: record.body for record in found} == whole
        assert {record.problem for record in found} == {""}
        starts = [record.offset for record in found if record.url[-1] in "13"]
        assert damages == [Damage(start, 0, UNFIT_HEAD, "file") for start in starts]


def test_rewritten_heads_are_not_told_unless_more_digests_of_blocks_are_right() -> None:
    records = [digested(0), digested(1, block=WRONG), digested(2, block=WRONG), digested(3)]
    assert read(members(records))[1] == []
    assert len(read(members([*records, digested(4)]))[1]) == 2


def test_a_head_that_does_not_fit_where_nothing_tells_whether_a_byte_flipped() -> None:
    """What comes before the first block that fits is read and listed; what comes behind it is set aside."""
    records = [digested(0, block=WRONG), digested(1), digested(2), digested(3, block=WRONG), digested(4)]
    for pack in (b"".join, frames):
        found, damages = read(pack(records))
        assert [record.problem for record in found] == ["", "", "", "damaged", ""]
        assert damages == [
            Damage(found[0].offset, 0, UNFIT_HEAD, "file"),
            Damage(found[3].offset, 0, UNFIT, "file"),
        ]


def chunked(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


def test_a_payload_digest_may_be_of_what_a_crawler_took_for_the_payload() -> None:
    body = page(1)
    packed = gzip.compress(body, mtime=0)
    sent = chunked(packed)
    headers = "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n"
    block = response(sent, headers)
    for taken in (block, sent, packed, body):
        data = warc(block, fields=f"WARC-Payload-Digest: {sha1(taken)}\r\n")
        (record,), damages = read(data)
        assert (record.body, record.problem, damages) == (body, "", [])
    (_,), damages = read(warc(block, fields=f"WARC-Payload-Digest: {sha1(body[1:])}\r\n"))
    assert damages == [Damage(0, 0, UNFIT, "file")]


def test_a_rewritten_head_leaves_the_payload_as_it_was() -> None:
    records = [digested(0, block=WRONG), digested(1, block=WRONG), digested(2, payload=WRONG)]
    found, damages = read(b"".join(records))
    assert ({record.problem for record in found}, damages) == ({""}, [])


@pytest.mark.parametrize("kind", ["response", "resource", "conversion"])
@pytest.mark.parametrize("name", ["Block", "Payload"])
def test_the_first_digest_of_a_file_is_believed(name: str, kind: str) -> None:
    data = warc(response(page(1)), kind=kind, fields=f"WARC-{name}-Digest: {WRONG}\r\n")
    (record,), damages = read(data)
    assert (record.problem, damages) == ("damaged", [Damage(0, 0, UNFIT, "file")])


def test_digests_that_are_mostly_wrong_are_not_believed() -> None:
    records = [wrong(0), wrong(1), digested(2), wrong(3), wrong(4)]
    found, damages = read(b"".join(records))
    assert urls(found) == list("01234")
    assert [record.problem for record in found] == ["damaged", "", "", "", ""]
    places = offsets(records)
    more = "as 2 more; they are read, since most digests of this file are wrong"
    assert damages == [
        Damage(0, 0, UNFIT, "file"),
        Damage(places[1], 0, f"{UNFIT}, {more}", "file"),
    ]


def doubtful(offset: int, more: int) -> list[Damage]:
    others = f", as {more} more; they are read, since most digests of this file are wrong" if more else ""
    return [Damage(0, 0, UNFIT, "file"), Damage(offset, 0, f"{UNFIT}{others}", "file")]


@pytest.mark.parametrize(("limit", "more"), [(2, 0), (3, 0), (4, 1), (5, 2), (6, 2)])
def test_a_limit_leaves_out_none_of_what_does_not_fit(limit: int, more: int, tmp_path: Path) -> None:
    records = [wrong(0), wrong(1), digested(2), wrong(3), wrong(4)]
    path, places = tmp_path / "a.warc", offsets(records)
    path.write_bytes(b"".join(records))
    found = FileRecords(FileToRead(0, str(path), path.name, path.stat().st_size, limit), RecordLimits())
    assert [record.problem for record in found] == ["damaged", "", "", "", ""][:limit]
    assert list(found.damages) == doubtful(places[1], more)
    assert found.unread_from == (places[limit] if limit < len(records) else None)


def test_records_whose_digests_say_nothing() -> None:
    """A revisit has those of what it repeats; a cut record those of the whole; a large one is not kept."""
    cut = wrong(3).replace(b"WARC-Date", b"WARC-Truncated: length\r\nWARC-Date")
    records = [digested(0), digested(1), digested(2, WRONG, WRONG, "revisit"), cut, digested(4)]
    found, damages = read(b"".join(records))
    assert [record.problem for record in found] == ["", "", "", "truncated", ""]
    assert damages == []
    large = warc(response(bytes(1 << 18)), fields=f"WARC-Block-Digest: {WRONG}\r\n")
    found, damages = read(b"".join([digested(0), large]), RecordLimits(1000))
    assert ([record.problem for record in found], damages) == (["", "too_large"], [])


def alternating(count: int, other: Callable[[int], bytes]) -> list[bytes]:
    """Right records, and as many others between them."""
    return [digested(number) if number % 2 == 0 else other(number) for number in range(2 * count)]


FILES = {
    "digests that are believed": lambda count: b"".join(alternating(count, wrong)),
    "digests that are not": lambda count: b"".join(map(wrong, range(2 * count))),
    "other heads": lambda count: members(
        [digested(0), *alternating(count, lambda number: digested(number, block=WRONG))]
    ),
    "no records": lambda count: b"".join(alternating(count, lambda _: b"no record\r\n")),
}


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("digests that are believed", 120),
        ("digests that are not", 2),
        ("other heads", 120),
        ("no records", 120),
    ],
)
def test_of_a_file_that_is_damaged_everywhere_the_first_places_are_kept(
    name: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_damages, "MAX_PLACES", 10)
    data = FILES[name](120)
    found, damages = read(data)
    path = tmp_path / "a.warc"
    path.write_bytes(data)
    records = FileRecords(FileToRead(0, str(path), path.name, len(data), None), RecordLimits())
    assert list(records) == found
    kept = records.damages
    assert (len(damages), len(kept) + kept.left_out) == (count, count)
    assert list(kept[:10]) == damages[:10]
    assert kept[-1] == damages[-1]
    assert len(kept) <= 30


def test_the_manifest_counts_the_places_that_it_does_not_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (kept_damages, places, read_crawl):
        monkeypatch.setattr(module, "MAX_PLACES", 3)
    path, records = tmp_path / "a.warc", alternating(20, wrong)
    path.write_bytes(b"".join(records))
    assert main(["web", str(path), "--output", str(tmp_path / "out"), *QUIET]) == 0
    section = json.loads((tmp_path / "out/manifest.json").read_text())["steps"]["web"]
    (entry,) = section["inputs"]
    listed = [(place["offset"], place["reason"]) for place in entry["places"]]
    assert listed == [(start, UNFIT) for start in offsets(records)[1:7:2]]
    assert (entry["verdict"], entry["places_left_out"]) == ("damaged", 17)


@pytest.mark.parametrize(
    ("record", "surplus", "reported"),
    [
        (wrong(0), {"block": -100_000, "payload": -100_000}, 1),
        (digested(0, block=WRONG), {"block": 100_000, "payload": 0}, 4_000),
    ],
    ids=["digests that are not believed", "other heads"],
)
def test_records_that_are_reported_at_the_end_take_a_few_bytes_each(
    record: bytes, surplus: dict[str, int], reported: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_damages, "MAX_PLACES", 10)
    window, _ = open_crawl(BytesIO(record))
    (raw,) = split_records(window, [], 1_000_000, False)
    message = read_message(raw.block)
    damages = FirstDamages()
    check = DigestCheck(damages, 1_000_000, has_checksums=True)
    check._surplus.update(surplus)
    for number in range(4_000):
        if number == 1_000:  # when what a digest needs at all is there
            tracemalloc.start()
        assert not check.is_damaged(raw._replace(offset=1_000 + number), message)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 16 * 3_000
    check.close()
    assert len(damages) + damages.left_out == reported
    assert [damage.offset for damage in damages[:10]] == list(range(1_000, 1_000 + min(10, reported)))


@needs_crawls
@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "step"), [("commoncrawl-50-records.warc.gz", 40_000), ("contextwiki-00000.warc.gz", 1_900_000)]
)
def test_flipped_bytes_of_real_pages_are_noticed(name: str, step: int) -> None:
    """No page with a wrong letter is taken for a good one."""
    packed, plain = (FOLDER / name).read_bytes(), b""
    while packed:
        inflater = zlib.decompressobj(31)
        plain += inflater.decompress(packed)
        packed = inflater.unused_data
    whole = {record.url: record for record in read(plain)[0] if record.kind == "response"}
    places = range(step // 2, len(plain), step)
    noticed = 0
    for at in places:
        broken = bytearray(plain)
        broken[at] ^= 0x10
        found, damages = read(bytes(broken))
        good = [record for record in found if record.kind == "response" and not record.problem]
        assert all(record.body == whole[record.url].body for record in good if record.url in whole)
        noticed += bool(damages)
    assert noticed > len(places) // 2  # the others are in the heads of records, or in records without digests
