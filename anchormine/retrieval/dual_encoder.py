"""A dual encoder: queries and documents as vectors, whose dot product says how well they fit."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from transformers import AutoConfig

from anchormine.compute import Compute, choose_compute
from anchormine.encoder import checked_path
from anchormine.errors import UsageError
from anchormine.pretrained import (
    NO_LIMIT,
    length_limit,
    load_pretrained,
    quiet_transformers,
    vocabulary_fault,
)
from anchormine.retrieval.encoder_form import EncoderForm, read_form
from anchormine.retrieval.text_batches import text_batches
from anchormine.retrieval.text_encoder import TextEncoder, default_pooling, load_text_encoder
from anchormine.training.loop import to_device
from anchormine.training.models import check_input, load_any_tokenizer

# Of plain models: Anchor-DR's (SIGIR 2023, section 4), whose queries have 32 to 64
QUERY_LENGTH = 64
DOCUMENT_LENGTH = 128


class DualEncoder:
    """A network with its tokenizer, on a device.

    Attributes:
        name: as the user gave it.
        form: how it makes vectors, with all lengths.
        network: makes vectors.
        tokenizer: makes its input.
        compute: where it runs.
    """

    def __init__(
        self, name: str, form: EncoderForm, network: TextEncoder, tokenizer: Any, compute: Compute
    ) -> None:
        self.name, self.form, self.tokenizer, self.compute = name, form, tokenizer, compute
        self.network = network.to(compute.device).eval()

    def encode_queries(self, texts: Sequence[str], batch_size: int = 64) -> np.ndarray:
        """Vectors of queries, with the model's own prefix and length; see `encode`."""
        return self.encode(texts, self.form.query_length, batch_size, self.form.query_prefix)

    def encode_documents(self, texts: Sequence[str], batch_size: int = 64) -> np.ndarray:
        """Vectors of documents, with the model's own prefix and length; see `encode`."""
        return self.encode(texts, self.form.document_length, batch_size, self.form.document_prefix)

    def encode(
        self,
        texts: Sequence[str],
        length: int | None = None,
        batch_size: int = 64,
        prefix: str = "",
        reach: Callable[[int], None] = lambda done: None,
    ) -> np.ndarray:
        """Vectors of texts, whose dot product is the model's similarity, cosine included.

        Batches are of texts of like length, and depend on the list and the batch size alone. All pieces of
        the list are in memory: give a large corpus in parts.

        Args:
            texts: n of them; empty ones, too, have a vector.
            length: pieces of a text, special ones among them; what is beyond is left out. None for the
                model's own length of a document.
            batch_size: texts of a forward pass.
            prefix: put before each text.
            reach: is told how many texts are done.

        Returns:
            [n, d] float32, in the order of the texts.

        Raises:
            UsageError: the model does not take the length.
        """
        length = self.checked_length(length)
        if not texts:
            return self.encode([""], length)[:0]  # [0, d]
        vectors = np.empty((0, 0), np.float32)
        done = 0
        for places, inputs in text_batches(
            self.tokenizer, [prefix + text for text in texts], length, batch_size
        ):
            made = self._forward(inputs)
            if not done:
                vectors = np.empty((len(texts), made.shape[1]), np.float32)
            vectors[places] = made
            done += len(places)
            reach(done)
        return vectors

    def checked_length(self, length: int | None) -> int:
        """The pieces of a text that `encode` reads when it is given a length, or None.

        Raises:
            UsageError: the model does not take the length.
        """
        length = length or self.form.document_length or DOCUMENT_LENGTH
        check_input(length, self.network.transformer, self.tokenizer, self.name)
        return length

    @torch.inference_mode()
    def _forward(self, inputs: dict[str, torch.Tensor]) -> np.ndarray:
        training = self.network.training
        self.network.eval()
        with self.compute.autocast():
            vectors = self.network(to_device(inputs, self.compute.device))  # [B, d]
        self.network.train(training)
        return vectors.float().cpu().numpy()


def load_dual_encoder(
    name: str,
    device: str = "auto",
    dtype: str = "float32",
    pooling: str | None = None,
    similarity: str | None = None,
) -> DualEncoder:
    """Loads a dual encoder that anchormine or sentence-transformers wrote, or any model of transformers.

    Args:
        name: a model folder, an id of the hub, or "default", the small encoder in the package.
        device: see `choose_compute`.
        dtype: of the products; weights are float32.
        pooling: a name in `pooling.POOLINGS`; by default what the model's files say, or, where they say
            nothing, the first decoder state of an encoder-decoder and the mean of others. Another pooling
            than the files' leaves out what they put after it.
        similarity: "dot" or "cosine"; by default what the files say, or dot.

    Raises:
        UsageError: it cannot be loaded, has no tokenizer, is a cross-encoder, or has no such form; or there
            is no such device or dtype.
    """
    quiet_transformers()
    compute = choose_compute(device, dtype)
    path = checked_path(name)
    stated = read_form(path)
    if not stated.poolings and is_cross_encoder(path):
        raise UsageError(
            f"{path}: is a cross-encoder or a classifier, which makes no vectors; give an encoder, or what "
            "`anchormine train contrastive` makes"
        )
    form = _chosen_form(stated, path, pooling, similarity)
    tokenizer = load_any_tokenizer(path)
    if tokenizer.pad_token_id is None:
        raise UsageError(f"{path}: its tokenizer has no token for padding; use another model")
    network = load_text_encoder(path, form)
    taken = inspect.signature(network.transformer.forward).parameters  # not all know of token types
    _keep_inputs(tokenizer, [name for name in tokenizer.model_input_names if name in taken])
    if fault := vocabulary_fault(network.transformer, tokenizer):
        raise UsageError(f"{path}: {fault}; save the right tokenizer beside it")
    limit = length_limit(network.transformer, tokenizer)
    lengths = _with_lengths(form, limit, limit < NO_LIMIT and bool(stated.poolings))
    return DualEncoder(name, lengths, network, tokenizer, compute)


def _with_lengths(form: EncoderForm, limit: int, is_trained: bool) -> EncoderForm:
    """A form with all lengths.

    Args:
        form: of the model.
        limit: tokens of its longest input.
        is_trained: whether the model is a dual encoder. Of these sentence-transformers 6 writes the length to
            which it cuts texts into the tokenizer alone.
    """
    query, document = (limit, limit) if is_trained else (QUERY_LENGTH, DOCUMENT_LENGTH)
    return form._replace(
        query_length=min(form.query_length or query, limit),
        document_length=min(form.document_length or document, limit),
    )


def _keep_inputs(tokenizer: Any, names: list[str]) -> None:
    """Lets a tokenizer give some of its inputs alone, and say so in its files: not all programs check."""
    if names != tokenizer.model_input_names:
        tokenizer.model_input_names = tokenizer.init_kwargs["model_input_names"] = names


def _chosen_form(stated: EncoderForm, path: str, pooling: str | None, similarity: str | None) -> EncoderForm:
    poolings = (pooling,) if pooling else stated.poolings or (default_pooling(path),)
    heads = stated.heads if poolings == stated.poolings else ()
    if similarity == "dot" and heads and heads[-1].kind == "Normalize":
        heads = heads[:-1]
    return stated._replace(poolings=poolings, heads=heads, similarity=similarity or stated.similarity)


def is_dual_encoder(name: str) -> bool:
    """Whether a model's files say how it makes vectors.

    Args:
        name: a model folder, an id of the hub, or "default".

    Raises:
        UsageError: there is no such model folder.
    """
    return bool(read_form(checked_path(name)).poolings)


def is_cross_encoder(name: str) -> bool:
    """Whether a model says that it scores or classifies sequences.

    Args:
        name: a model folder, an id of the hub, or "default".

    Raises:
        UsageError: there is no such model.
    """
    architectures = load_pretrained(AutoConfig, checked_path(name)).architectures or []
    return any(kind.endswith("ForSequenceClassification") for kind in architectures)
