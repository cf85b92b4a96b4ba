"""The digests that records carry of their block and of their payload (WARC 1.1, 5.8 and 5.9).

In a file that is not compressed nothing else tells of a flipped byte. Yet crawlers write wrong digests too:
of a payload before it was cut or decoded, of a block before its head was rewritten. So a digest that does
not fit is always reported, and costs its record only where the file's digests are right in general.

Where the payload fits its digest and only the block does not, the payload is whole, and its HTTP head is not
what it was: a tool wrote it anew, as `warcio recompress` does, or a byte of it flipped. The checksums of gzip
members tell which: in such a file the record is read, and listed.

In a member of several records that breaks further on, or has a wrong checksum, everything may be wrong: there
no wrong digest speaks against those of the file, and from the first on only records that fit theirs are read.
"""

import hashlib
import re
from array import array
from base64 import b64decode
from bisect import insort
from collections.abc import Iterator, MutableSequence
from typing import NamedTuple

from anchormine.archives.compression import Damage
from anchormine.web.http.body_codings import decode_body
from anchormine.web.http.http_messages import HttpMessage
from anchormine.web.records.record_blocks import RawRecord
from anchormine.web.records.record_heads import WITH_PAYLOAD

_SIZES = {"md5": 16, "sha1": 20, "sha224": 28, "sha256": 32, "sha384": 48, "sha512": 64}  # in bytes
_OF_URLS = str.maketrans("-_", "+/")
_BASE_32 = re.compile("[A-Za-z2-7]+")
_DIGITS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHIJKLMNOPQRSTUV")
_OF_ANOTHER = "revisit"  # whose digests, of the block as well, are those of another record
_UNFIT = "the record that starts here does not fit its digest"
_UNFIT_FROM = (
    "the record that starts here does not fit its digest or length, or lacks them, in a member that is "
    "broken; of what follows there, only records that fit their digests are read"
)
_UNFIT_HEAD = "the HTTP head of the record that starts here does not fit its digest; its payload does"


class Digest(NamedTuple):
    """A digest.

    Attributes:
        algorithm: its name in `hashlib`.
        value: as written, without the "=" that may fill base 32 and 64 up.
    """

    algorithm: str
    value: str


def parse_digest(text: str) -> Digest | None:
    """Reads a labelled digest, such as "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"; None for what is none."""
    label, _, value = text.partition(":")
    algorithm = label.strip().lower().replace("-", "")
    value = value.strip().rstrip("=")
    return Digest(algorithm, value) if len(value) in _lengths(_SIZES.get(algorithm, 0)) else None


def digest_number(text: str) -> int | None:
    """Returns what tells a labelled digest from others, however it is written; None for what is none.

    Returns:
        its first 8 bytes as an integer with a sign.
    """
    digest = parse_digest(text)
    found = digest and _decoded(digest)
    return int.from_bytes(found[:8], "big", signed=True) if found else None


def fits(digest: Digest, data: bytes | memoryview) -> bool:
    """Tells whether data has a digest."""
    return hashlib.new(digest.algorithm, data, usedforsecurity=False).digest() == _decoded(digest)


def _decoded(digest: Digest) -> bytes | None:
    """The bytes of a digest, which is written in base 16, 32 or 64 (RFC 4648, also with the letters of its
    section 5, that URLs may have); None where its letters are of none.
    """
    value, size = digest.value, _SIZES[digest.algorithm]
    hexadecimal, base_32, _ = _lengths(size)
    try:
        if len(value) == hexadecimal:
            return bytes.fromhex(value)
        if len(value) == base_32:
            return _from_base_32(value, size)
        return b64decode(value.translate(_OF_URLS) + "=" * (-len(value) % 4), validate=True)
    except ValueError:
        return None


def _from_base_32(value: str, size: int) -> bytes | None:
    """Decodes base 32, which crawlers write, as a number: `base64` takes as long for it as for the hash."""
    if not _BASE_32.fullmatch(value):
        return None
    number = int(value.upper().translate(_DIGITS), 32)
    return (number >> (5 * len(value) - 8 * size)).to_bytes(size, "big")


def _lengths(size: int) -> tuple[int, ...]:
    """How many letters bytes take in base 16, 32 and 64; none for no bytes."""
    return (2 * size, -(-8 * size // 5), -(-4 * size // 3)) if size else ()


class DigestCheck:
    """Checks the records of a file, in order, as they come.

    Digests of a field (block or payload) are believed until more of them have been wrong than right. Where
    the block does not fit but the payload does, the digests of blocks must have been right more often than
    wrong, and flipped bytes must not show otherwise: a head that was rewritten does no harm.
    """

    def __init__(self, damages: MutableSequence[Damage], max_bytes: int, has_checksums: bool) -> None:
        """Has nothing checked yet.

        Args:
            damages: receives the places of records that do not fit their digests.
            max_bytes: of a payload with its codings undone.
            has_checksums: whether flipped bytes of the file show without digests.
        """
        self._damages = damages
        self._max_bytes = max_bytes
        self._has_checksums = has_checksums
        self._surplus = {"block": 0, "payload": 0}  # of right digests over wrong ones
        self._doubtful = 0  # records that do not fit digests that are not believed
        self._first_doubtful = 0  # where the first of them starts
        self._kinds: set[str] = set()  # of records that fit their digests
        self._lost_member = -1  # the broken one that the last record stands in, which is damaged
        self._other_heads = array("Q")  # where those start of which only the payload fits

    def is_damaged(self, record: RawRecord, message: HttpMessage) -> bool:
        """Tells whether a record is damaged, by digests that are believed.

        Args:
            record: the next of the file.
            message: what its block holds.
        """
        if record.is_suspect and record.problem in ("", "wrong_length"):
            return self._is_lost(record, *self._compared(record, message))
        if record.problem:
            return False
        wrong, right = self._compared(record, message)
        is_damaged = self._is_believed(wrong, right)
        self._count(wrong, right)
        if right:
            self._kinds.add(record.head.kind)
        if is_damaged:
            insort(self._damages, Damage(record.offset, 0, _UNFIT, "file"))
        elif right and wrong:
            self._other_heads.append(record.offset)
        elif wrong:
            if not self._doubtful:
                self._first_doubtful = record.offset
            self._doubtful += 1
        return is_damaged

    def _compared(self, record: RawRecord, message: HttpMessage) -> tuple[list[str], str | None]:
        """Returns the digests that do not fit a record, and the first that does, if one does."""
        wrong: list[str] = []
        if record.head.kind == _OF_ANOTHER:
            return wrong, None
        for name, digest in _digests(record):
            if any(fits(digest, data) for data in self._forms(name, record, message)):
                return wrong, name
            wrong.append(name)
        return wrong, None

    def _is_lost(self, record: RawRecord, wrong: list[str], right: str | None) -> bool:
        """Does what `is_damaged` does in a member that is broken further on, all behind which may be wrong.

        There a wrong digest tells of the member and not of the file's digests. From the first on, or a wrong
        length, or no digest where records of the kind have some, what fits none is damaged.
        """
        if right and not wrong:
            self._count(wrong, right)
            self._kinds.add(record.head.kind)
            return False
        is_first = self._lost_member != record.source
        is_flawed = record.problem != "" or (not wrong and record.head.kind in self._kinds)
        if is_first and not is_flawed and all(self._surplus[name] < 0 for name in wrong):
            return False
        if is_first:
            self._lost_member = record.source
            insort(self._damages, Damage(record.offset, 0, _UNFIT_FROM, "file"))
        return True

    def _is_believed(self, wrong: list[str], right: str | None) -> bool:
        """Tells whether wrong digests are believed: those of some fields, where another may be right."""
        if right and self._has_checksums:
            return False
        return any(self._surplus[name] >= (1 if right else 0) for name in wrong)

    def _count(self, wrong: list[str], right: str | None) -> None:
        for name in wrong:
            self._surplus[name] -= 1
        if right:
            self._surplus[right] += 1

    def _forms(self, name: str, record: RawRecord, message: HttpMessage) -> Iterator[bytes | memoryview]:
        """What a digest may be of: crawlers mean the payload as sent, or decoded, or the whole block."""
        if name == "block":
            yield record.block
            return
        yield message.body
        yield record.block
        sent = [header for header in message.headers if header[0].lower() == "transfer-encoding"]
        for headers in (sent, message.headers):
            yield decode_body(message.body, headers, record.head.content_type, self._max_bytes).data

    def close(self) -> None:
        """Reports the records that do not fit and are read all the same; the file has no more.

        Records of which only the payload fits are reported only if most block digests of the file are right.
        """
        if self._surplus["block"] > 0:
            for offset in self._other_heads:
                insort(self._damages, Damage(offset, 0, _UNFIT_HEAD, "file"))
        if not self._doubtful:
            return
        reason, more = _UNFIT, self._doubtful - 1
        if more:
            reason += f", as {more} more; they are read, since most digests of this file are wrong"
        insort(self._damages, Damage(self._first_doubtful, 0, reason, "file"))


def _digests(record: RawRecord) -> Iterator[tuple[str, Digest]]:
    """The digests of a record that can be checked; that of the block first, which tells of all bytes."""
    head = record.head
    if block := parse_digest(head.block_digest):
        yield "block", block
    if head.kind in WITH_PAYLOAD and (payload := parse_digest(head.payload_digest)):
        yield "payload", payload
