"""Where a pair comes from: a row of `provenance/<task>/`, with the `pair_id` of its row of `pairs/<task>/`.

It is a table of its own because trainers take every column of text for something to train on. Its rows are in
the order of the pages that link, those of the pairs in that of the pages that links lead to.
"""

from typing import NamedTuple

from anchormine.schemas.tables import schema_of


class PairOrigin(NamedTuple):
    """The page whose link made a pair.

    Attributes:
        pair_id: of the pair.
        anchor_id: the link, a row of `anchors`.
        source_page_id: the page that links.
        source_url: where it is read; None if neither `pages` nor `anchors` says it.
        timestamp: of its revision or capture, ISO 8601.
        warc_file: name of the crawl file that it was read from.
        warc_offset: byte where its record starts or, where several records were compressed together, where
            that starts.
    """

    pair_id: str
    anchor_id: str
    source_page_id: str
    source_url: str | None
    timestamp: str | None
    warc_file: str | None
    warc_offset: int | None


PAIR_ORIGINS = schema_of(PairOrigin)
