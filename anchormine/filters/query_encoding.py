"""Texts as the query classifier reads them, in training and in use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokenizers import Encoding

from anchormine.filters.cleaning import as_typed
from anchormine.pretrained import length_limit, vocabulary_fault

MAX_TOKENS = 32  # Anchor-DR's, [CLS] and [SEP] among them


def encode_texts(tokenizer: Any, texts: Sequence[str]) -> list[Encoding]:
    """Cuts clean texts into pieces, at most `MAX_TOKENS` of each.

    Queries are typed in small letters and anchors are not: lower-cased, both look alike, also to a tokenizer
    that would tell them apart by that.

    Args:
        tokenizer: a fast one.
        texts: any number.
    """
    backend = tokenizer.backend_tokenizer
    backend.no_padding()
    backend.enable_truncation(MAX_TOKENS)
    return backend.encode_batch(list(map(as_typed, texts)))


def input_fault(network: Any, tokenizer: Any) -> str | None:
    """Why a model cannot read what `encode_texts` makes; None if it can."""
    longest = length_limit(network, tokenizer)
    if longest < MAX_TOKENS:
        return f"reads {longest} tokens at most, and a query classifier reads {MAX_TOKENS}"
    return vocabulary_fault(network, tokenizer)
