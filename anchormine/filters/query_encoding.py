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


def mostly_unknown(tokenizer: Any, text: str, encoding: Encoding) -> bool:
    """Whether half or more of a text's pieces with letters are unknown to the tokenizer.

    Numbers and signs, which every tokenizer knows, tell nothing of that: "1.1. تاريخ" is read as little as
    the word alone.

    Args:
        tokenizer: that the text was encoded by; one that cuts bytes knows every piece.
        text: as `encode_texts` was given it.
        encoding: of the text.
    """
    if tokenizer.unk_token_id not in encoding.ids:
        return False
    typed = as_typed(text)
    lettered = [
        piece
        for piece, (start, end) in zip(encoding.ids, encoding.offsets, strict=True)
        if any(map(str.isalpha, typed[start:end]))  # nothing, for the marks at both ends
    ]
    return 0 < len(lettered) <= 2 * lettered.count(tokenizer.unk_token_id)


def input_fault(network: Any, tokenizer: Any) -> str | None:
    """Why a model cannot read what `encode_texts` makes; None if it can."""
    longest = length_limit(network, tokenizer)
    if longest < MAX_TOKENS:
        return f"reads {longest} tokens at most, and a query classifier reads {MAX_TOKENS}"
    return vocabulary_fault(network, tokenizer)
