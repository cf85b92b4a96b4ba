"""Cuts a crawl file into records: a broken one costs itself, not what follows it."""

from collections.abc import Iterator, MutableSequence
from typing import NamedTuple

from anchormine.archives.compression import Damage
from anchormine.web.records.block_ends import LOOK_AHEAD, STRAY_BYTES, Block, BlockEnds
from anchormine.web.records.decoded_bytes import DecodedBytes
from anchormine.web.records.gzip_members import GZIP
from anchormine.web.records.line_ends import LINE_ENDS, taken_line_ends
from anchormine.web.records.pieces import JOINED
from anchormine.web.records.record_heads import (
    FIELD_BYTES,
    HEAD_LINE_BYTES,
    MAX_HEAD_BYTES,
    RecordHead,
    first_head,
    first_line_size,
    head_end,
    holds_head,
    parse_head,
    record_format,
)

_LINE_ENDS_BEHIND = {"warc": 2, "arc": 1}  # a record; some programs write them as "\n"
_FOREIGN = "no record starts here"
_ENDLESS = f"the head that starts here has no end, or none within {MAX_HEAD_BYTES >> 10} KiB"
# Of these the first stands for all: a file may have any number.
_WRONG_LENGTH = "the record that starts here is of another length than it announces"
_NO_LENGTH = "the record that starts here announces no length"
_ZEROS = "the head of the record that starts here holds zero bytes"


class RawRecord(NamedTuple):
    """A record as it stands in the file.

    Attributes:
        offset: byte of the file where it starts; in a compressed one, within a gzip member or zstd frame
            that holds several, the place in proportion.
        size: bytes of the file it takes, with what is left over between it and the next.
        source: byte of the file from which on it can be read: where it starts, or in a compressed file the
            member or frame in which it does.
        format: "warc" or "arc".
        head: what its head says.
        block: what follows the head, or the first bytes of that if it is too large; a view on what was read.
        problem: "", "too_large", "damaged", "truncated" or "wrong_length".
        is_suspect: whether it stands among others in a member that turns out to be broken further on.
    """

    offset: int
    size: int
    source: int
    format: str
    head: RecordHead
    block: memoryview
    problem: str
    is_suspect: bool = False


def split_records(
    window: DecodedBytes, damages: MutableSequence[Damage], max_bytes: int, has_members: bool
) -> Iterator[RawRecord]:
    """Yields the records of a file.

    Args:
        window: on its decoded bytes, from the first on.
        damages: receives what could not be read, in order.
        max_bytes: of a block that is kept.
        has_members: whether the file is compressed, and so ends where a member does.
    """
    return _Splitter(window, damages, max_bytes, has_members).records()


class _Splitter:
    def __init__(
        self, window: DecodedBytes, damages: MutableSequence[Damage], max_bytes: int, has_members: bool
    ) -> None:
        self.window = window
        self.damages = damages
        self.ends = BlockEnds(window, max_bytes)
        self.has_members = has_members
        self.at = 0  # the place that is next
        self.done = 0  # byte of the file up to which all is accounted for
        self.no_blank = 0  # no blank line starts before this place
        self.line_ends = 0  # behind the last record
        self.told: set[str] = set()  # what was reported for all of the file

    def records(self) -> Iterator[RawRecord]:
        while True:
            self._skip_line_ends()
            if not self.window.reach(self.at + 1):
                if not self.window.gap:
                    break
                self._pass_gap()
            elif start := self._block_start():
                yield self._record(start)
            else:
                self._skip_foreign()
        self._damage(self.window.file_position(self.at), _FOREIGN)

    def _skip_line_ends(self) -> int:
        """Goes on behind the line ends that are next. Returns how many there are."""
        window, count = self.window, 0
        while True:
            match = LINE_ENDS.match(window.data, self.at - window.base)
            skipped = match[0] if match else b""
            self.at += len(skipped)
            count += skipped.count(b"\n")
            window.drop(self.at)
            if self.at < window.end or not window.reach(self.at + 1):
                return count

    def _pass_gap(self) -> None:
        gap = self.window.pass_gap()
        self.at = self.window.base
        if gap.end == gap.start == self.done:
            self.damages.append(Damage(gap.start, 0, gap.reason, "file"))
        self._damage(gap.end, gap.reason)

    def _damage(self, end: int, reason: str, is_known: bool = False) -> None:
        """Reports what is not accounted for up to a byte of the file.

        Args:
            end: that byte.
            reason: in words.
            is_known: whether to report it even if it is shorter than one byte of the compressed file.
        """
        if end <= self.done:
            if is_known and reason not in self.told:
                self.told.add(reason)
                self.damages.append(Damage(self.done, 0, reason, "file"))
            return
        start, self.done = self.done, end
        last = self.damages[-1] if self.damages else None
        if last and last.reason == reason and last.offset + last.bytes_skipped == start:
            start = last.offset
            self.damages.pop()
        self.damages.append(Damage(start, end - start, reason, "file"))

    def _block_start(self) -> int:
        """Returns the place behind the head that is next, 0 if none is."""
        window = self.window
        at = self.at - window.base
        if window.data.find(b"\n", at) < 0:
            window.reach(self.at + HEAD_LINE_BYTES)
        # Where a member starts, a file of the other format may have been joined to what stands before.
        format = "" if window.is_edge(self.at) else self.ends.format
        size = first_line_size(window.data, at, format)
        if not size:
            return 0
        self.ends.format = format or record_format(window.data[at : at + size])
        is_all = False
        while True:
            searched = self.no_blank - window.base
            end = head_end(window.data, at, self.ends.format, searched, is_all)
            last = end if end >= 0 else min(len(window.data), at + MAX_HEAD_BYTES)
            is_broken = holds_head(window.data, max(at + 1, searched), last)
            if is_broken or (is_all and end < 0):
                self.no_blank = max(self.no_blank, window.base + last - LOOK_AHEAD)
                return 0
            if end < 0:
                is_all = window.end - self.at > MAX_HEAD_BYTES or not window.more()
            elif not self._brings_more(window.base + end + FIELD_BYTES):
                return end + window.base

    def _brings_more(self, place: int) -> bool:
        """Makes the window reach to a place, as far as it can. Returns whether that has made it longer."""
        end = self.window.end
        self.window.reach(place)
        return self.window.end > end

    def _skip_foreign(self) -> None:
        """Skips what is no record, to the next head, gap or to the end."""
        window, at = self.window, self.at - self.window.base + 1
        window.reach(self.at + HEAD_LINE_BYTES)
        if first_line_size(window.data, at - 1, self.ends.format):
            reason = _ENDLESS
        else:
            reason = JOINED if self._is_joined(window.data, at - 1) else _FOREIGN
        stray = first_head(window.data, at, self.ends.format, STRAY_BYTES)
        self.at = stray + window.base if stray >= 0 else self.ends.far_end(self.at + 1, None, is_between=True)
        if self.at < window.end or window.is_whole:
            self._damage(window.file_position(self.at), reason, is_known=True)

    def _is_joined(self, data: bytes, at: int) -> bool:
        """Tells whether records of another format, or compressed ones among others, start at a place."""
        if first_line_size(data, at, ""):
            return True
        return not self.has_members and GZIP.opens_record(data[at : at + GZIP.trial_bytes])

    def _record(self, start: int) -> RawRecord:
        window, offset = self.window, self.done
        source = window.member_position(self.at) if self.has_members else window.file_position(self.at)
        starts_member = window.is_edge(self.at)
        head = parse_head(bytes(window.view(self.at, start)), self.ends.format)
        found = self.ends.block(start, head.length)
        has_own_end = start + len(found.data) == found.end  # no line ends were taken off yet
        block = self._without_line_ends(found) if has_own_end else found
        self.at, problem = block.end, block.problem
        line_ends = self._skip_line_ends()
        is_broken = window.is_broken(block.end)
        is_alone = starts_member and (self.at == window.end or window.is_edge(self.at))
        is_suspect = self.has_members and not is_alone and window.breaks_ahead(source)
        has_rest = is_suspect and not self.ends.is_followed(self.at)
        if head.has_zeros or ((is_broken or has_rest) and not problem):
            problem = "damaged"
        self.done = window.file_position(self.at)
        if not is_broken:
            self._tell_flaws(offset, head, block.has_wrong_length)
        is_short = head.length is not None and start + head.length > found.end
        self._judge_end(offset, is_short, line_ends)
        if not problem and head.is_cut:
            problem = "truncated"
        window.drop(self.at)
        format = self.ends.format
        return RawRecord(offset, self.done - offset, source, format, head, block.data, problem, is_suspect)

    def _without_line_ends(self, block: Block) -> Block:
        """Takes off a block what are line ends behind it, if its length is too large by these.

        Where the record before had a blank line behind it, this one has, too. At the end of a file that is
        not compressed, a whole line end of it may be what is cut off.
        """
        window = self.window
        if block.problem or self.ends.format != "warc" or self.line_ends < _LINE_ENDS_BEHIND["warc"]:
            return block
        window.reach(block.end + STRAY_BYTES)
        behind = LINE_ENDS.match(window.data, block.end - window.base)
        taken = taken_line_ends(block.data, behind[0] if behind else b"")
        is_last = behind is None or behind.end() == len(window.data)
        if not taken or (is_last and not self.has_members and taken % 2 == 0):
            return block
        return Block(block.data[:-taken], block.end - taken, "wrong_length", True)

    def _tell_flaws(self, offset: int, head: RecordHead, has_wrong_length: bool) -> None:
        """Reports what is wrong with a record, though all of its bytes were there to be read."""
        reason = _WRONG_LENGTH if has_wrong_length else ""
        if head.has_zeros:
            reason = _ZEROS
        elif head.length is None:
            reason = _NO_LENGTH
        if reason and reason not in self.told:
            self.told.add(reason)
            self.damages.append(Damage(offset, 0, reason, "file"))

    def _judge_end(self, offset: int, is_short: bool, line_ends: int) -> None:
        """Reports where the file ends within a record. ARC needs no line end behind the last one."""
        if self.window.is_whole and self.at == self.window.end:
            if is_short:
                reason = f"cut off: the record that starts at byte {offset} has no end"
                self.damages.append(Damage(self.done, 0, reason, "file"))
            elif line_ends < self.line_ends and not self.has_members and self.ends.format == "warc":
                reason = f"cut off: the record that starts at byte {offset} lacks the blank line at its end"
                self.damages.append(Damage(self.done, 0, reason, "file"))
        self.line_ends = min(line_ends, _LINE_ENDS_BEHIND[self.ends.format])
