"""Pages as Arrow tables: what waits on disk while the addresses of the whole input are looked up."""

from collections.abc import Iterable, Sequence
from typing import IO, NamedTuple

import pyarrow as pa

from anchormine.hypertext.drafts import REVISIT, AnchorDraft, PageContent, PageRead
from anchormine.schemas.rejects import EXCERPT_CHARACTERS

_PAGES = pa.schema(
    [
        ("ordinal", pa.int32()),
        ("page_id", pa.string()),
        ("title", pa.string()),
        ("url", pa.string()),
        ("language", pa.string()),
        ("text", pa.string()),
        ("lead_length", pa.int32()),
        ("revision", pa.int64()),
        ("timestamp", pa.string()),
        ("disambiguation", pa.bool_()),
        ("encoding", pa.string()),
        ("robots", pa.string()),
        ("warc_file", pa.string()),
        ("warc_offset", pa.int64()),
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
        ("address", pa.int32()),  # row of the address in the chunk's targets
        ("fragment", pa.string()),
        ("region", pa.string()),
        ("rel", pa.string()),
        ("image_alt", pa.bool_()),
        ("context", pa.string()),
    ]
)
_TARGETS = pa.schema([("address", pa.string())])
_REJECTS = pa.schema(
    [
        ("ordinal", pa.int32()),  # of the page in its range
        ("reason", pa.string()),
        ("unit", pa.string()),
        ("page_id", pa.string()),
        ("origin", pa.string()),
        ("excerpt", pa.string()),
        ("records", pa.int64()),
        ("address", pa.int32()),  # of a revisit: row in the chunk's targets
    ]
)


class Chunk(NamedTuple):
    """The tables of some pages that follow one another in a range; their columns are named above."""

    pages: pa.Table
    sentences: pa.Table
    anchors: pa.Table
    targets: pa.Table
    rejects: pa.Table


_WAITING_ROWS = 4096  # that fit into a processor's cache
_SCHEMAS = Chunk(_PAGES, _SENTENCES, _ANCHORS, _TARGETS, _REJECTS)


class ChunkBuilder:
    """Gathers pages into the tables of a chunk. Rows soon become Arrow's: these take far less memory.

    Attributes:
        characters: about how much text it holds, and of URLs.
    """

    def __init__(self) -> None:
        self._pages, self._sentences = _Columns(_PAGES), _Columns(_SENTENCES)
        self._anchors, self._rejects = _Columns(_ANCHORS), _Columns(_REJECTS)
        self._targets: dict[str, int] = {}
        self.characters = 0

    def __len__(self) -> int:
        return sum(map(len, (self._pages, self._sentences, self._anchors, self._rejects)))

    @property
    def targets(self) -> Sequence[str]:
        """The addresses that its anchors point to, and those of its revisits, as in its table of targets."""
        return list(self._targets)

    def add(self, page: PageRead) -> None:
        """Adds a page or a reject. A redirect is a reject too: it is no row of `pages/`."""
        if page.content is not None:
            self._add_content(page, page.content)
        elif page.redirect is None:
            self._reject(page, page.reason, page.unit, page.excerpt)
        else:
            excerpt = f"{page.address} -> {page.redirect.address}"
            self._reject(page, page.reason or "redirect", "pages", excerpt)

    def _add_content(self, page: PageRead, content: PageContent) -> None:
        row, base = len(self._pages), len(self._sentences)
        self._pages.append(
            page.ordinal,
            page.page_id,
            content.title,
            content.url,
            content.language,
            content.text,
            len(content.lead),
            page.revision,
            page.timestamp,
            content.disambiguation,
            content.encoding,
            content.robots,
            content.warc_file,
            content.warc_offset,
            page.origin,
        )
        count = len(content.sentences)
        if count:
            self._sentences.extend(count, [row] * count, range(count), *zip(*content.sentences, strict=True))
        if content.anchors:
            self._add_anchors(content.anchors, base)
        for reason, excerpt in content.dropped:
            self._reject(page, reason, "links", excerpt)
        self.characters += len(content.text) + 200 * len(content.sentences)

    def _add_anchors(self, drafts: Sequence[AnchorDraft], base: int) -> None:
        anchors, sentences, starts, ends, urls, addresses, *others = zip(*drafts, strict=True)
        targets = self._targets
        self.characters += sum(map(len, urls))
        self._anchors.extend(
            len(drafts),
            [base + number for number in sentences],
            range(len(drafts)),
            anchors,
            starts,
            ends,
            urls,
            [targets.setdefault(address, len(targets)) for address in addresses],
            *others,
        )

    def _reject(self, page: PageRead, reason: str, unit: str, excerpt: str) -> None:
        origin = "" if unit == "links" else page.origin
        asked = None
        if reason == REVISIT:
            asked = self._targets.setdefault(page.address, len(self._targets))
        excerpt = excerpt[:EXCERPT_CHARACTERS]
        self._rejects.append(page.ordinal, reason, unit, page.page_id, origin, excerpt, page.records, asked)

    def build(self) -> Chunk:
        """Returns the tables."""
        return Chunk(
            self._pages.table(),
            self._sentences.table(),
            self._anchors.table(),
            pa.table([pa.array(self.targets, pa.string())], schema=_TARGETS),
            self._rejects.table(),
        )


class _Columns:
    """The columns of a table, of which the last few rows wait to become Arrow's."""

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema
        self._batches: list[pa.RecordBatch] = []
        self._waiting: list[list] = [[] for _ in schema]
        self._count = self._settled = 0

    def __len__(self) -> int:
        return self._count

    def append(self, *row: object) -> None:
        """Adds a row."""
        self._count += 1
        for column, value in zip(self._waiting, row, strict=True):
            column.append(value)
        self._settle()

    def extend(self, count: int, *columns: Iterable) -> None:
        """Adds rows, column by column."""
        self._count += count
        for column, values in zip(self._waiting, columns, strict=True):
            column.extend(values)
        self._settle()

    def _settle(self, least: int = _WAITING_ROWS) -> None:
        if self._count - self._settled < least:
            return
        self._settled = self._count
        arrays = [
            pa.array(column, field.type) for column, field in zip(self._waiting, self._schema, strict=True)
        ]
        self._batches.append(pa.record_batch(arrays, schema=self._schema))
        for column in self._waiting:
            column.clear()

    def table(self) -> pa.Table:
        """Returns all rows."""
        self._settle(1)
        return pa.Table.from_batches(self._batches, self._schema).combine_chunks()


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
