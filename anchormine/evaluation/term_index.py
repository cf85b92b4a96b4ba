"""The terms of every document of a collection, as flat arrays of numbers."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from anchormine.evaluation.collection import Collection
from anchormine.evaluation.terms import term_splitter


class DocumentTerms(Sequence[list[int]]):
    """Term numbers of each document; a row becomes a Python list only while it is looked at.

    Attributes:
        terms: of all documents in a row.
        starts: where each document starts in it; one more entry than documents.
    """

    def __init__(self, terms: np.ndarray, starts: np.ndarray) -> None:
        self.terms = terms
        self.starts = starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, document: Any) -> Any:  # by number; nobody asks for slices
        return self.terms[self.starts[document] : self.starts[document + 1]].tolist()

    def __iter__(self) -> Iterator[list[int]]:
        return (self[document] for document in range(len(self)))


class TermIndex:
    """A collection after stopping and stemming, 4 bytes a term.

    Attributes:
        ids: the terms' numbers, by document. This name and the next are what bm25s looks for.
        vocab: number by term.
        doc_ids: of the documents.
        tie_ranks: place of each document when ids are sorted downwards, as trec_eval orders equal scores.
        split: the function that made the terms.
    """

    def __init__(self, texts: Iterable[str], doc_ids: list[str], language: str = "en") -> None:
        self.split = term_splitter(language)
        self.vocab: dict[str, int] = {}
        self.ids = self._number(texts)
        self.doc_ids = doc_ids
        self.tie_ranks = downward_ranks(doc_ids)

    @classmethod
    def of(cls, collection: Collection, language: str = "en") -> "TermIndex":
        """Indexes a collection in one pass over its corpus."""
        return cls(collection.texts(), collection.doc_ids, language)

    def _number(self, texts: Iterable[str]) -> DocumentTerms:
        terms, starts = array("i"), array("q", [0])
        for text in texts:
            terms.extend(self.vocab.setdefault(term, len(self.vocab)) for term in self.split(text))
            starts.append(len(terms))
        return DocumentTerms(
            np.frombuffer(terms, np.int32) if terms else np.empty(0, np.int32), np.array(starts)
        )

    def query_terms(self, query: str) -> list[int]:
        """Numbers of a query's terms, with repeats; terms that no document has are left out."""
        return [self.vocab[term] for term in self.split(query) if term in self.vocab]


def downward_ranks(doc_ids: list[str]) -> np.ndarray:
    """The place of each document when ids are sorted downwards, [documents] int."""
    order = sorted(range(len(doc_ids)), key=doc_ids.__getitem__, reverse=True)
    ranks = np.empty(len(doc_ids), np.int64)
    ranks[order] = np.arange(len(doc_ids))
    return ranks
