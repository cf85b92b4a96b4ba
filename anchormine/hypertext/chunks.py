"""Pages as Arrow tables: what waits on disk while the addresses of the whole input are looked up."""

from collections.abc import Sequence
from typing import IO, NamedTuple

import pyarrow as pa

from anchormine.hypertext.drafts import REVISIT, PageContent, PageRead
from anchormine.schemas.arrow_rows import to_table
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


_SCHEMAS = Chunk(_PAGES, _SENTENCES, _ANCHORS, _TARGETS, _REJECTS)


class ChunkBuilder:
    """Gathers pages into the columns of a chunk.

    Attributes:
        characters: about how much text it holds.
    """

    def __init__(self) -> None:
        self._rows: tuple[list[tuple], ...] = ([], [], [], [])  # of pages, sentences, anchors, rejects
        self._targets: dict[str, int] = {}
        self.characters = 0

    def __len__(self) -> int:
        return sum(map(len, self._rows))

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
            self._reject(
                page, page.reason or "redirect", "pages", f"{page.address} -> {page.redirect.address}"
            )

    def _add_content(self, page: PageRead, content: PageContent) -> None:
        pages, sentences, anchors, _ = self._rows
        row = len(pages)
        pages.append(
            (
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
        )
        base = len(sentences)
        for number, sentence in enumerate(content.sentences):
            sentences.append((row, number, *sentence))
        targets = self._targets
        for number, draft in enumerate(content.anchors):
            anchor, sentence_number, start, end, target, address, fragment, *rest = draft
            place = targets.setdefault(address, len(targets))
            anchors.append(
                (base + sentence_number, number, anchor, start, end, target, place, fragment, *rest)
            )
        for reason, excerpt in content.dropped:
            self._reject(page, reason, "links", excerpt)
        self.characters += len(content.text) + 200 * len(content.sentences)

    def _reject(self, page: PageRead, reason: str, unit: str, excerpt: str) -> None:
        origin = "" if unit == "links" else page.origin
        asked = None
        if reason == REVISIT:
            asked = self._targets.setdefault(page.address, len(self._targets))
        excerpt = excerpt[:EXCERPT_CHARACTERS]
        self._rows[3].append((page.ordinal, reason, unit, page.page_id, origin, excerpt, page.records, asked))

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
