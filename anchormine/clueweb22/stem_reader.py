"""Reads the lines of files that are of the same pages: first their texts, then their links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, MutableSequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

from anchormine.archives.compression import Damage
from anchormine.clueweb22.member_lines import MAX_LINE_BYTES, MemberLine
from anchormine.clueweb22.records import LinkRecord, RecordError, TextRecord, read_links, read_text, stem_of
from anchormine.clueweb22.rows import (
    SOURCE,
    DroppedLink,
    RecordPlace,
    address_of,
    in_link_rows,
    out_link_rows,
    page_row,
)
from anchormine.errors import UsageError
from anchormine.schemas.anchors import Anchor
from anchormine.schemas.pages import Page
from anchormine.schemas.rejects import EXCERPT_CHARACTERS, Reject
from anchormine.web.urls import page_id_of

_R = TypeVar("_R", TextRecord, LinkRecord)


@dataclass(frozen=True)
class ReaderOptions:
    """How records become rows.

    Attributes:
        language: over what the files say, for all rows.
        licence: of the text.
        record_bytes: longer records are rejected; 1 or more.
    """

    language: str | None = None
    licence: str | None = None
    record_bytes: int = MAX_LINE_BYTES

    def __post_init__(self) -> None:
        if self.record_bytes < 1:
            raise UsageError(f"record_bytes is {self.record_bytes}; give 1 or more")


class FileReader(NamedTuple):
    """A file that lines come from.

    Attributes:
        name: kind and name, such as "txt/en0000-00.json.gz".
        kind: "txt", "inlink" or "outlink".
        damages: receives the records that cannot be read.
    """

    name: str
    kind: str
    damages: MutableSequence[Damage]


class StemReader:
    """Turns lines into rows.

    Attributes:
        pages: URLs of the pages so far, by their ids.
        counts: "records.read", "pages.rejected.empty" and so on.
        rejects: what was set aside; whoever writes them clears the list.
    """

    def __init__(self, stem: str, options: ReaderOptions) -> None:
        """Takes the name of the stem, which all ids are to have; "" where they may be any."""
        self._stem, self._options = stem, options
        self._seen: dict[str, set[str]] = {"txt": set(), "links": set()}
        self.pages: dict[str, str] = {}
        self._ids: dict[str, str] = {}  # of the pages, by the canonical forms of their URLs
        self.counts: Counter[str] = Counter()
        self.rejects: list[Reject] = []

    @property
    def readable(self) -> int:
        """How many records were neither unreadable nor damaged nor too large to be looked at."""
        counts = self.counts
        aside = (counts[f"records.rejected.{reason}"] for reason in ("damaged", "too_large"))
        return counts["records.read"] - counts["records.unreadable"] - sum(aside)

    def page(self, line: MemberLine, file: FileReader) -> Page | None:
        """Returns the page of a line; None if it is set aside."""
        record = self._record(line, file, read_text)
        if record is None:
            return None
        self.counts["pages.read"] += 1
        place = RecordPlace(file.name.rpartition("/")[2], line.offset)
        page = page_row(record, place, self._options.language, self._options.licence)
        if page is None:
            self._reject("empty", "pages", record.page_id, _origin(line, file), record.url)
            return None
        self.pages[page.page_id] = page.url
        self._ids.setdefault(address_of(page.url), page.page_id)
        if page.language:
            self.counts[f"languages.{page.language}"] += 1
        return page

    def anchors(self, line: MemberLine, file: FileReader) -> Iterator[Anchor]:
        """Yields the anchors of a line."""
        record = self._record(line, file, partial(self._read_links, kind=file.kind))
        if record is None:
            return
        self.counts["links.read"] += len(record.links)
        for row in self._link_rows(record, file.kind):
            if isinstance(row, DroppedLink):
                self._reject(row.reason, "links", row.link_id, _origin(line, file), row.excerpt)
            else:
                self.counts[f"regions.{row.region}"] += 1
                yield row

    def _read_links(self, text: bytes, kind: str) -> LinkRecord:
        """Reads a line of links; what it does not say of its page, id or URL, is that of the text's record.

        A page that says no id and has no text here is named by its URL, as those of a crawl are.
        """
        record = read_links(text, kind)
        if not record.page_id:
            address = address_of(record.url)
            return record._replace(page_id=self._ids.get(address) or page_id_of(address))
        return record if record.url else record._replace(url=self.pages.get(record.page_id, ""))

    def _link_rows(self, record: LinkRecord, kind: str) -> Iterator[Anchor | DroppedLink]:
        if kind == "inlink":
            return in_link_rows(record, record.page_id in self.pages, self._options.language)
        return out_link_rows(record, self._options.language)

    def _record(self, line: MemberLine, file: FileReader, read: Callable[[bytes], _R]) -> _R | None:
        """Returns the record of a line; None if it is set aside."""
        self.counts["records.read"] += 1
        if self._is_too_large(line, file):
            return None
        try:
            record = read(line.text)
        except RecordError as error:
            self._unreadable(line, file, error)
            return None
        if line.is_damaged:  # any of its bytes may be wrong, also where it is a record still
            self._reject("damaged", "records", record.page_id, _origin(line, file), record.url)
            return None
        return self._new(record, line, file)

    def _is_too_large(self, line: MemberLine, file: FileReader) -> bool:
        if line.length <= self._options.record_bytes:
            return False
        excerpt = line.text[:EXCERPT_CHARACTERS].decode("utf-8", "replace")
        self._reject("too_large", "records", None, _origin(line, file), excerpt)
        return True

    def _new(self, record: _R, line: MemberLine, file: FileReader) -> _R | None:
        """Returns a record of this stem, if it is its page's first of the kind."""
        seen = self._seen["txt" if file.kind == "txt" else "links"]
        reason = ""
        if self._stem and stem_of(record.page_id) not in (self._stem, None):
            reason = "misplaced"
        elif record.page_id in seen:
            reason = "repeated"
        if reason:
            self._reject(reason, "records", record.page_id, _origin(line, file), record.url)
            return None
        seen.add(record.page_id)
        self.counts["records.written"] += 1
        return record

    def _unreadable(self, line: MemberLine, file: FileReader, error: RecordError) -> None:
        self.counts["records.unreadable"] += 1
        if not line.is_damaged:  # else its place is listed already
            reason = f"a record is {_in_words(error)}"
            file.damages.append(Damage(line.begin, line.end - line.begin, reason, "file"))
        excerpt = line.text[:EXCERPT_CHARACTERS].decode("utf-8", "replace")
        self.rejects.append(Reject(SOURCE, "unreadable", "records", None, _origin(line, file), excerpt))

    def _reject(self, reason: str, unit: str, record_id: str | None, origin: str, excerpt: str) -> None:
        self.counts[f"{unit}.rejected.{reason}"] += 1
        self.rejects.append(Reject(SOURCE, reason, unit, record_id, origin, excerpt[:EXCERPT_CHARACTERS]))


def _origin(line: MemberLine, file: FileReader) -> str:
    return f"{file.name}@{line.place}"


def _in_words(error: RecordError) -> str:
    text = str(error)
    return text if text.startswith("not ") else f"not one of ClueWeb22: {text}"
