"""Loads the model that negatives are mined with in a worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from anchormine.loaded_models import LoadedModels
from anchormine.negatives.options import MinerModel

if TYPE_CHECKING:
    from anchormine.retrieval.dual_encoder import DualEncoder

_TEXTS_AT_A_TIME = 4_096  # whose pieces are in memory


def load_miner(model: MinerModel) -> DualEncoder:
    """The model of a run; a process loads it only once.

    On the CPU torch gets one thread, see `take_one_thread`.
    """
    from anchormine.torch_threads import take_one_thread

    take_one_thread()
    return _MODELS.get(model.name, model.device, model.dtype, model.pooling)


def _load(name: str, device: str, dtype: str, pooling: str | None) -> DualEncoder:
    from anchormine.retrieval.dual_encoder import load_dual_encoder

    return load_dual_encoder(name, device, dtype, pooling)


_MODELS = LoadedModels(_load)


def embed_documents(model: MinerModel, texts: Sequence[str]) -> np.ndarray:
    """Vectors of documents, [n, d] float32.

    Batches hang on the list alone: a score's last digits are in their shape.
    """
    encoder = load_miner(model)
    starts = range(0, max(1, len(texts)), _TEXTS_AT_A_TIME)
    return np.concatenate(
        [encoder.encode_documents(texts[at : at + _TEXTS_AT_A_TIME], model.batch_size) for at in starts]
    )


def embed_queries(model: MinerModel, texts: Sequence[str]) -> np.ndarray:
    """Vectors of queries, [n, d] float32."""
    return load_miner(model).encode_queries(texts, model.batch_size)
