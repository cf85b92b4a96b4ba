"""Records that files are damaged, cut and joined of, in the tests of what is lost by that."""

from __future__ import annotations

import gzip

from anchormine.web.records.crawl_records import RecordLimits
from tests.web.crawl_files import pages

COUNT = 12
RECORDS = pages(COUNT)
NAMES = [str(number) for number in range(COUNT)]
PLAIN = b"".join(RECORDS)
ENDLESS = "the head that starts here has no end, or none within 256 KiB"
WRONG_LENGTH = "the record that starts here is of another length than it announces"
SMALL = RecordLimits(payload_bytes=10_000)  # beside which 64 KiB of a block are kept
SECONDS = 5.0  # of CPU time, for what takes milliseconds


def starts(pack) -> list[int]:
    """Where each record starts in a file of members or frames, and where that ends."""
    sizes = [len(pack([record])) for record in RECORDS]
    return [sum(sizes[:number]) for number in range(COUNT + 1)]


def one_member(records: list[bytes]) -> bytes:
    return gzip.compress(b"".join(records), mtime=0)
