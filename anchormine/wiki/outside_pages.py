"""What stands outside the pages of a dump: its head, white space and its end, or what should not be there."""

from __future__ import annotations

_ROOT, _END = b"<mediawiki", b"</mediawiki>"
_WHITE = b" \t\n\r\x0b\x0c"


class Outside:
    """The bytes between two pages, as far as it takes to judge them: a file may hold nothing else.

    Attributes:
        size: how many bytes there are.
        has_end: whether `</mediawiki>` is among them.
    """

    def __init__(self) -> None:
        self.size = 0
        self.has_end = False
        self._has_root = False
        self._start = 0  # of what is not white space
        self._stop = 0
        self._black = 0  # bytes that are not white space
        self._tail = b""  # may be the start of a tag

    def add(self, data: bytes) -> None:
        """Takes the bytes that follow."""
        if not data or data.isspace():
            self.size += len(data)
            self._tail = self._tail if not data else b""
            return
        seen = self._tail + data
        self._tail = seen[1 - len(_END) :]
        self._has_root = self._has_root or _ROOT in seen
        self.has_end = self.has_end or _END in seen
        if not self._black:
            self._start = self.size + len(data) - len(data.lstrip())
        self._stop = self.size + len(data.rstrip())
        self._black += len(data.translate(None, _WHITE))
        self.size += len(data)

    def judge_head(self, is_last: bool) -> tuple[str, int]:
        """Before the first page stands the head of the dump.

        Args:
            is_last: whether `</mediawiki>` may stand in there.

        Returns:
            What is wrong, or "", and how many bytes that concerns.
        """
        if self._has_root:
            return "", 0
        length = self._stop - self._start - self._closing(is_last)
        return "no <mediawiki> element at the start", length

    def judge_between(self, is_last: bool) -> tuple[str, int]:
        """Only white space stands between pages; dumps put one behind another have heads there.

        Args:
            is_last: whether `</mediawiki>` may stand in there.

        Returns:
            What is wrong, or "", and how many bytes that concerns.
        """
        closing = self._closing(is_last)
        if self._black > closing and not self._has_root:
            return "neither a page nor white space", self.size - closing
        return "", 0

    def _closing(self, is_last: bool) -> int:
        return len(_END) if is_last and self.has_end else 0
