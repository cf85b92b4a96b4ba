"""Texts as the query classifier reads them."""

from __future__ import annotations

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import PreTrainedTokenizerFast

from anchormine.filters.query_encoding import encode_texts


def test_texts_are_in_small_letters_and_cut_and_not_padded() -> None:
    backend = Tokenizer(WordLevel({"[UNK]": 0, "pier": 1, "Pier": 2}, unk_token="[UNK]"))
    backend.pre_tokenizer = Whitespace()
    backend.enable_padding(length=50)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend)
    found = encode_texts(tokenizer, ["Pier PIER quay", "pier " * 40, ""])
    assert [encoding.ids for encoding in found] == [[1, 1, 0], [1] * 32, []]
