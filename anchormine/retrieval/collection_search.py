"""What a dual encoder finds in a collection, by exact search."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from anchormine.errors import CommandError
from anchormine.evaluation.collection import Collection
from anchormine.evaluation.ranking import Ranking, Rankings
from anchormine.negatives.top_k import top_k
from anchormine.retrieval.dual_encoder import DualEncoder

# Documents whose texts and vectors are in memory at a time.
DOCUMENTS_AT_A_TIME = 4096


def search_collection(
    encoder: DualEncoder,
    collection: Collection,
    tie_ranks: np.ndarray,
    queries: dict[str, str],
    depth: int,
    batch_size: int = 64,
    length: int | None = None,
    reach: Callable[[int], None] = lambda done: None,
) -> Rankings:
    """Ranks all documents for each query, and keeps the best.

    Args:
        encoder: makes the vectors.
        collection: n documents, a part of which is in memory at a time.
        tie_ranks: in whose order documents of equal scores come, [n] int.
        queries: texts by query_id.
        depth: documents of a ranking.
        batch_size: texts of a forward pass.
        length: tokens of a document; None for the model's own.
        reach: is told how many documents are encoded.

    Raises:
        CommandError: a vector holds what is no number.
    """
    order = np.argsort(tie_ranks)  # [n]
    vectors = encoder.encode_queries(list(queries.values()), batch_size)  # [q, d]
    blocks = _document_vectors(encoder, collection, order, batch_size, length, reach)
    try:
        found = top_k(vectors, blocks, depth, encoder.compute.device)
    except ValueError as error:
        raise CommandError(f"{encoder.name}: {error}; train the model again, with a lower --lr") from None
    return {
        query_id: Ranking(order[documents], scores)
        for query_id, documents, scores in zip(queries, found.documents, found.scores, strict=True)
    }


def _document_vectors(
    encoder: DualEncoder,
    collection: Collection,
    order: np.ndarray,
    batch_size: int,
    length: int | None,
    reach: Callable[[int], None],
) -> Iterator[np.ndarray]:
    """Yields vectors of documents in a given order, a block at a time."""
    for start in range(0, len(order), DOCUMENTS_AT_A_TIME):
        texts = [collection.text(document) for document in order[start : start + DOCUMENTS_AT_A_TIME]]
        yield encoder.encode(
            texts,
            length,
            batch_size,
            encoder.form.document_prefix,
            lambda done, before=start: reach(before + done),  # type: ignore[misc]
        )
