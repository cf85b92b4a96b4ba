"""A term of the corpus that pairs were drawn from: a row of `terms/<task>/`.

It is a table of its own beside `pairs/<task>/`, whose columns of text are all for training.
"""

from typing import NamedTuple

import pyarrow as pa

from anchormine.schemas.tables import schema_of


class TermStatistics(NamedTuple):
    """A term as rop counts it, with the size of the corpus: a row of `terms/rop/`.

    Attributes:
        term: a word, lower-cased, or a stem.
        word: with stems, the first of its words in the corpus; else None.
        occurrences: of it, in all documents.
        documents: how many documents have it.
        corpus_documents: how many there are; the same in all rows.
        mean_length: of a document, in terms; the same in all rows.
    """

    term: str
    word: str | None
    occurrences: int
    documents: int
    corpus_documents: int
    mean_length: float


TERM_STATISTICS = schema_of(TermStatistics, mean_length=pa.float64())
# The same as long as only a part of the corpus is known.
TERM_COUNTS = pa.schema(
    [TERM_STATISTICS.field(name) for name in ("term", "word", "occurrences", "documents")]
)


class TermShare(NamedTuple):
    """How much of a document a term is, in the mean over all documents.

    Attributes:
        term: a word, lower-cased.
        share: p_rand(w) of B-PROP.
        documents: how many documents have it.
    """

    term: str
    share: float
    documents: int


TERM_SHARES = schema_of(TermShare, share=pa.float64())
