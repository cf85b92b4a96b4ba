"""Crawl files that are cut, flipped or overwritten anywhere: every byte is in the verdict, in little time."""

from __future__ import annotations

import gzip
import zlib
from hashlib import blake2b
from random import Random
from time import process_time

import pytest
import zstandard

from tests.web.crawl_files import FOLDER, arc, frames, members, needs_crawls, read, response
from tests.web.damaged_crawls import PLAIN, RECORDS, SECONDS

MUTATIONS = 560


def mutated(data: bytes, seed: int) -> bytes:
    """A copy that is cut, or has bits flipped, bytes overwritten, put in or taken out."""
    draws = Random(seed)
    at = draws.randrange(len(data))
    what = seed % 6
    if what == 0:
        return data[:at]
    if what == 1:
        return data[:at] + draws.randbytes(draws.randrange(1, 2000)) + data[at:]
    if what == 2:
        return data[:at] + data[at + draws.randrange(1, 20_000) :]
    if what == 3:
        gap = draws.randrange(1, 500)
        return data[:at] + bytes(gap) + data[at + gap :]
    changed = bytearray(data)
    for _ in range(1 if what == 4 else 20):
        changed[draws.randrange(len(data))] ^= 1 << draws.randrange(8)
    return bytes(changed)


def check_mutations(files: list[bytes], count: int) -> None:
    """Every byte of each is in the verdict, in bounded time, and what was not touched is read."""
    for seed in range(count):
        original = files[seed % len(files)]
        data = mutated(original, seed)
        began = process_time()
        records, _ = read(data)
        assert process_time() - began < SECONDS
        if seed % 6 == 4 and original[:3] == b"\x1f\x8b\x08" and original.count(b"\x1f\x8b\x08") > 20:
            kept = {digest(record.body) for record in records}
            lost = sum(digest(record.body) not in kept for record in read(original)[0])
            assert lost <= 1


def digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()


def test_mutations() -> None:
    whole = [*RECORDS, arc(response(b"<p>x"))]
    files = [
        PLAIN,
        members(RECORDS * 3),
        frames(RECORDS),
        gzip.compress(PLAIN, mtime=0),
        zstandard.compress(PLAIN),
    ]
    check_mutations([*files, b"".join(arc(response(record)) for record in whole)], 120)


@pytest.mark.data
@needs_crawls
def test_mutations_of_real_files() -> None:
    names = [
        "commoncrawl-50-records",
        "http-return-codes",
        "clueweb09-ja-eucjp",
        "clueweb09-en0040-54-sample",
    ]
    files = [(FOLDER / f"{name}.warc.gz").read_bytes() for name in names]
    files.append((FOLDER / "blackbook.arc.gz").read_bytes()[:400_000])
    files.append(zlib.decompress(files[3], 31))
    files += [path.read_bytes() for path in sorted((FOLDER / "malformed").glob("*arc"))]
    check_mutations(files, MUTATIONS)
