"""Small collections of documents as models, and what the formula says of them, worked out term by term."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow.compute as pc

from anchormine.sampling.collection_model import CollectionModel
from anchormine.sampling.document_model import DocumentModel
from anchormine.sampling.document_profiles import OURS, DocumentProfile
from anchormine.sampling.term_counts import TermCounter, add_counts, ordered_counts, totals_of

Documents = Sequence[Sequence[str]]
HARBOUR = [
    "pier pile pile ship".split(),
    "ship ship sail mast mast mast rope rope".split(),
    "pier light ship".split(),
]


def profile(base: DocumentProfile = OURS, **changes: Any) -> DocumentProfile:
    """A profile for collections of a few words."""
    return replace(base, **{"min_count": 1, "subsample": 0.0, **changes})


def collection(documents: Documents, options: DocumentProfile) -> CollectionModel:
    """The model of a collection whose terms are words."""
    counter = TermCounter()
    for document in documents:
        counter.add(document)
    rows = ordered_counts(add_counts([part for _, part in counter.divided(3)]))
    drawable = rows.filter(pc.greater_equal(rows["occurrences"], options.min_count))
    return CollectionModel(drawable, totals_of(rows), counter.documents, options)


def chances(documents: Documents, number: int) -> dict[str, float]:
    """P(w|D) of every word of a collection, for one of its documents."""
    counts = Counter(word for document in documents for word in document)
    total, own = sum(counts.values()), Counter(documents[number])
    mu, length = total / len(documents), len(documents[number])
    return {word: (own[word] + mu * count / total) / (length + mu) for word, count in counts.items()}


def drawn_words(documents: Documents, number: int, options: DocumentProfile, points: Any) -> Counter[str]:
    """The words that points draw for a document."""
    model = collection(documents, options)
    drawn = DocumentModel(model, documents[number]).draw(points)
    return Counter(model.words[term] for term in drawn.tolist())


def likelihood(words: Sequence[str], chance: dict[str, float]) -> float:
    """The sum of log P(w|D)."""
    return math.fsum(math.log(chance[word]) for word in words)
