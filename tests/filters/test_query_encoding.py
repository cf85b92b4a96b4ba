"""Texts as the query classifier reads them."""

from __future__ import annotations

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

from anchormine.filters.query_encoding import encode_texts, mostly_unknown


def test_texts_are_in_small_letters_and_cut_and_not_padded() -> None:
    backend = Tokenizer(WordLevel({"[UNK]": 0, "pier": 1, "Pier": 2}, unk_token="[UNK]"))
    backend.pre_tokenizer = Whitespace()
    backend.enable_padding(length=50)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend)
    found = encode_texts(tokenizer, ["Pier PIER quay", "pier " * 40, ""])
    assert [encoding.ids for encoding in found] == [[1, 1, 0], [1] * 32, []]


def test_texts_of_which_half_is_unknown() -> None:
    """Only pieces with letters count: no marks at both ends, numbers, signs or emoji."""
    known = {"[UNK]": 0, "pier": 1, "[CLS]": 2, "7": 3, ".": 4}
    backend = Tokenizer(WordLevel(known, unk_token="[UNK]"))
    backend.pre_tokenizer = Whitespace()
    backend.post_processor = TemplateProcessing(
        single="[CLS] $A [UNK]", special_tokens=[("[CLS]", 2), ("[UNK]", 0)]
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]")
    texts = [
        "pier", "quay", "pier quay", "pier pier quay", "mole Quay pier", "7.7. İskele", "7. pier 8 & 9",
        "🍳 🍳", "7.7", "",
    ]  # fmt: skip
    found = encode_texts(tokenizer, texts)
    assert [encoding.ids for encoding in found[:3]] == [[2, 1, 0], [2, 0, 0], [2, 1, 0, 0]]
    assert [mostly_unknown(tokenizer, *pair) for pair in zip(texts, found, strict=True)] == [
        False, True, True, False, True, True, False, False, False, False,
    ]  # fmt: skip


def test_a_tokenizer_without_a_piece_for_what_is_unknown() -> None:
    backend = Tokenizer(WordLevel({"pier": 0, "quay": 1}))
    backend.pre_tokenizer = Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend)
    (found,) = encode_texts(tokenizer, ["pier quay"])
    assert not mostly_unknown(tokenizer, "pier quay", found)
