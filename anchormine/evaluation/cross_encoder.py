"""A cross-encoder that orders the documents another ranker has found."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from anchormine.compute import Compute, choose_compute
from anchormine.errors import CommandError
from anchormine.evaluation.collection import Collection
from anchormine.evaluation.options import RerankerOptions
from anchormine.evaluation.ranking import Ranking, top_documents
from anchormine.pretrained import length_limit
from anchormine.training.loop import to_device
from anchormine.training.models import check_input, load_scorer, load_tokenizer
from anchormine.training.pair_encoding import PairEncoder

# HARP's and PROP's; a model that takes less is given less
LONGEST = 512


class CrossEncoder:
    """Scores pairs of a query and a document with a sequence classifier.

    One label is the score itself; of two, the score is the second's logit minus the first's, which is the
    order of the second's probability.
    """

    def __init__(self, name: str, options: RerankerOptions) -> None:
        """Loads the model.

        Args:
            name: a model folder, or an id of the hub.
            options: how to run it.

        Raises:
            UsageError: it cannot be loaded, has no scoring head, or does not take the length asked for.
        """
        self._name = name
        self._compute: Compute = choose_compute(options.device, options.dtype)
        tokenizer = load_tokenizer(name)
        self._model = load_scorer(name, new_head=False).to(self._compute.device).eval()
        length = options.length or min(LONGEST, length_limit(self._model, tokenizer))
        check_input(length, self._model, tokenizer, name)
        self._encoder = PairEncoder(tokenizer, length)
        self._batch_size = options.batch_size

    def score(self, query: str, documents: Sequence[str]) -> np.ndarray:
        """Scores documents for one query; batches are cut by length, so the scores depend on this list alone.

        Args:
            query: its text; what does not fit is cut from its end.
            documents: texts, cut from their ends.

        Returns:
            Scores, [documents] float32.

        Raises:
            CommandError: a score is no number.
        """
        query = self._encoder.cut_query(query, self._encoder.query_room)
        order = np.argsort([len(document) for document in documents], kind="stable")
        scores = np.zeros(len(documents), np.float32)
        for places in _chunks(order, self._batch_size):
            scores[places] = self._score_batch([query] * len(places), [documents[place] for place in places])
        if not np.isfinite(scores).all():
            raise CommandError(
                f"{self._name}: gives scores that are no numbers; train the model again, with a lower --lr"
            )
        return scores

    @torch.inference_mode()
    def _score_batch(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        inputs = to_device(self._encoder.encode(queries, documents).inputs, self._compute.device)
        with self._compute.autocast():
            logits = self._model(**inputs).logits.float()  # [pairs, labels]
        scores = logits[:, 0] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]  # [pairs]
        return scores.cpu().numpy()


def rerank(
    scorer: CrossEncoder, collection: Collection, query: str, found: Ranking, tie_ranks: np.ndarray
) -> Ranking:
    """Orders documents by a model's scores; equal ones by doc_id downwards.

    Args:
        scorer: the model.
        collection: where the texts are.
        query: its text.
        found: what another ranker has found.
        tie_ranks: of all documents of the collection, [collection] int.

    Returns:
        The same documents in another order.
    """
    scores = scorer.score(query, [collection.text(document) for document in found.documents])
    return top_documents(found.documents, scores, tie_ranks, len(scores))


def _chunks(order: np.ndarray, size: int) -> Iterator[np.ndarray]:
    return (order[start : start + size] for start in range(0, len(order), size))
