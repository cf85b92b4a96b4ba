"""How negatives are mined."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25Options
from anchormine.model_place import ModelPlace
from anchormine.text.passages import PASSAGE_WORDS

BM25 = "bm25"
PASSAGES = "passages"
DOCUMENT_FORMS = ("text", "lead", PASSAGES)
INDEXES = ("exact", "faiss")


@dataclass(frozen=True)
class MinerModel(ModelPlace):
    """The model that negatives are mined with (ANCE), and where it computes.

    Attributes:
        name: a folder, an id of the hub, or "default".
        pooling: over what the model's files say; None for theirs.
        batch_size: texts of a forward pass.
        index: what finds the nearest vectors, one of `INDEXES`; both are exact.
    """

    name: str
    pooling: str | None = None
    batch_size: int = 64
    index: str = "exact"


@dataclass(frozen=True)
class NegativeOptions:
    """What the candidates of a query are, and which of them are kept (Anchor-DR, SIGIR 2023, section 3.3).

    Attributes:
        model: that ranks them; None for BM25.
        bm25: its constants.
        form: what a document is, one of `DOCUMENT_FORMS`.
        passage_words: of a passage, at most.
        depth: how many of the best documents are candidates.
        kept: how many of them are kept at random before negatives are drawn; None for all.
        negatives: how many are drawn for a query.
        similarity: from this estimate of the Jaccard similarity of their shingles on, two texts are
            near-duplicates; above 1 none are.
        margin: a candidate's score must be lower than the positive's by so much; None for no such rule.
        language: whose stop words and stems BM25's terms have; None for none.
    """

    model: MinerModel | None = None
    bm25: BM25Options = field(default_factory=BM25Options)
    form: str = "text"
    passage_words: int = PASSAGE_WORDS
    depth: int = 200
    kept: int | None = None
    negatives: int = 7
    similarity: float = 0.8
    margin: float | None = None
    language: str | None = None

    def __post_init__(self) -> None:
        if self.form not in DOCUMENT_FORMS:
            raise UsageError(f"--document {self.form}: one of {', '.join(DOCUMENT_FORMS)}")
        for name in ("passage_words", "depth", "negatives"):
            if getattr(self, name) < 1:
                raise UsageError(f"--{name.replace('_', '-')} {getattr(self, name)}: give 1 or more")
        if self.kept is not None and self.kept < self.negatives:
            raise UsageError(f"--keep {self.kept}: fewer than --negatives {self.negatives}")
        if self.negatives > self.depth:
            raise UsageError(f"--negatives {self.negatives}: more than --depth {self.depth}")
        if not 0 < self.similarity <= 2:
            raise UsageError(f"--similarity {self.similarity}: must be above 0; above 1 nothing is similar")
        if self.margin is not None and not math.isfinite(self.margin):
            raise UsageError(f"--margin {self.margin}: give a number")
