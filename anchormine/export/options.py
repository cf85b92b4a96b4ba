"""What an export can be told."""

from __future__ import annotations

from dataclasses import dataclass

from anchormine.errors import UsageError

TRAINING_SOURCES = ("contrastive", "pairs")
LINK_SOURCES = ("filtered", "anchors")
CORPORA = ("used", "all")
TRIPLES = ("ids", "text")


@dataclass(frozen=True)
class ExportOptions:
    """Options of an export; None where a format's own default holds.

    Attributes:
        tasks: which pairs; none for all that the folder has.
        source: a table to read, one of `TRAINING_SOURCES` or `LINK_SOURCES`.
        negatives: columns of negatives, at least 0.
        corpus: which documents a corpus has: the "used" ones, or "all" pages too.
        triples: whether triples name documents ("ids") or hold them ("text").
        limit: only the first rows of each table, at least 1.
    """

    tasks: tuple[str, ...] = ()
    source: str | None = None
    negatives: int | None = None
    corpus: str | None = None
    triples: str | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.negatives is not None and self.negatives < 0:
            raise UsageError(f"--negatives {self.negatives}: must be 0 or more")
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"--limit {self.limit}: must be 1 or more")

    def given(self) -> set[str]:
        """Names of the options that were given, without `limit`, which every format takes."""
        named = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "limit"}
        return {name for name, value in named.items() if value is not None and value != ()}
