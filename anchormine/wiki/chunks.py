"""Pages of a dump as Arrow tables: what waits on disk while the titles of the whole dump are looked up."""

from collections.abc import Sequence
from typing import IO, NamedTuple

import pyarrow as pa

from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.rejects import EXCERPT_CHARACTERS
from anchormine.wiki.dump_page import PageRead
from anchormine.wiki.site import Site

_PAGES = pa.schema(
    [
        ("ordinal", pa.int32()),
        ("number", pa.int64()),
        ("title", pa.string()),
        ("url", pa.string()),
        ("text", pa.string()),
        ("lead_length", pa.int32()),
        ("revision", pa.int64()),
        ("timestamp", pa.string()),
        ("disambiguation", pa.bool_()),
        ("origin", pa.string()),
    ]
)
_SENTENCES = pa.schema(
    [
        ("page", pa.int32()),  # row of the page in the chunk
        ("number", pa.int32()),  # of the sentence on its page
        ("text", pa.string()),
        ("start", pa.int32()),
        ("gaps", pa.int32()),
    ]
)
_ANCHORS = pa.schema(
    [
        ("sentence", pa.int32()),  # row of the sentence in the chunk
        ("number", pa.int32()),  # of the anchor on its page
        ("anchor", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("target", pa.string()),
        ("title", pa.int32()),  # row of the title in the chunk's targets
        ("fragment", pa.string()),
        ("region", pa.string()),
    ]
)
_TARGETS = pa.schema([("title", pa.string())])
_REJECTS = pa.schema(
    [
        ("ordinal", pa.int32()),  # of the page in its range
        ("reason", pa.string()),
        ("unit", pa.string()),
        ("number", pa.int64()),  # of the page
        ("origin", pa.string()),
        ("excerpt", pa.string()),
    ]
)


class Chunk(NamedTuple):
    """The tables of some pages that follow one another in a range; their columns are named above."""

    pages: pa.Table
    sentences: pa.Table
    anchors: pa.Table
    targets: pa.Table
    rejects: pa.Table


_SCHEMAS = Chunk(_PAGES, _SENTENCES, _ANCHORS, _TARGETS, _REJECTS)


class ChunkBuilder:
    """Gathers pages of one site into the columns of a chunk.

    Attributes:
        characters: about how much text it holds.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._rows: tuple[list[tuple], ...] = ([], [], [], [])  # of pages, sentences, anchors, rejects
        self._targets: dict[str, int] = {}
        self.characters = 0

    def __len__(self) -> int:
        return sum(map(len, self._rows))

    @property
    def targets(self) -> Sequence[str]:
        """The titles that its anchors point to, as in the chunk's table of targets."""
        return list(self._targets)

    def add(self, page: PageRead) -> None:
        """Adds an article or a reject. A redirect page is a reject too: it is no row of `pages/`."""
        if page.extraction is None:
            reason = page.reason or "redirect"
            excerpt = page.excerpt if page.redirect is None else f"{page.title} -> {page.redirect.title}"
            self._reject(page, reason, "pages", excerpt)
            return
        self._add_article(page)

    def _add_article(self, page: PageRead) -> None:
        pages, sentences, anchors, _ = self._rows
        extraction = page.extraction
        assert extraction is not None
        row = len(pages)
        pages.append(
            (
                page.ordinal,
                page.number,
                page.title,
                self._site.url(page.title),
                extraction.text,
                len(extraction.lead),
                page.revision,
                page.timestamp,
                extraction.disambiguation,
                page.origin,
            )
        )
        base = len(sentences)
        for number, sentence in enumerate(extraction.sentences):
            sentences.append((row, number, *sentence))
        targets = self._targets
        for number, draft in enumerate(extraction.anchors):
            anchor, sentence_number, start, end, target, title, fragment, region = draft
            place = targets.setdefault(title, len(targets))
            anchors.append(
                (base + sentence_number, number, anchor, start, end, target, place, fragment, region)
            )
        for reason, excerpt in extraction.dropped:
            self._reject(page, reason, "links", excerpt)
        self.characters += len(extraction.text) + 200 * len(extraction.sentences)

    def _reject(self, page: PageRead, reason: str, unit: str, excerpt: str) -> None:
        number = page.number if page.title else None
        origin = page.origin if unit == "pages" else ""
        self._rows[3].append((page.ordinal, reason, unit, number, origin, excerpt[:EXCERPT_CHARACTERS]))

    def build(self) -> Chunk:
        """Returns the tables."""
        pages, sentences, anchors, rejects = self._rows
        return Chunk(
            to_table(pages, _PAGES),
            to_table(sentences, _SENTENCES),
            to_table(anchors, _ANCHORS),
            pa.table([pa.array(self.targets, pa.string())], schema=_TARGETS),
            to_table(rejects, _REJECTS),
        )


def write_chunk(chunk: Chunk, stream: IO[bytes]) -> None:
    """Writes the tables one behind another, compressed lightly: they are read once."""
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    for table in chunk:
        with pa.ipc.new_stream(stream, table.schema, options=options) as writer:
            writer.write_table(table)


def read_chunk(stream: IO[bytes]) -> Chunk:
    """Reads what `write_chunk` wrote."""
    source = pa.py_buffer(stream.read())
    reader = pa.BufferReader(source)
    return Chunk(*(pa.ipc.open_stream(reader).read_all() for _ in _SCHEMAS))
