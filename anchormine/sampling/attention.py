"""Weighs the terms of many texts by an encoder's attention, each text encoded once for all of its anchors.

The texts of a window are tokenized, sorted by length and cut into batches of a number of padded pieces: fixed
batches in input order spend 62 % of their work on padding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Encoding

from anchormine.errors import UsageError
from anchormine.sampling.batches import batches_by_length
from anchormine.sampling.encoder import shared_encoder
from anchormine.sampling.pieces import Layout, SpanPieces, first_place_of, lay_out, pieces_of_span, read_rows
from anchormine.sampling.profiles import OURS, WeightProfile
from anchormine.sampling.stop_words import stop_words as stop_words_of
from anchormine.sampling.weights import PieceRows, SpanText, TextWeights, weigh_pieces, weigh_words

WINDOW = 4096  # texts tokenized and sorted together; memory grows with it
# Padded pieces of a batch. On the CPU the activations should stay in its cache: measured with MiniLM on one
# core, 1024 is 1.4 times as fast as 8192. A GPU wants enough to be busy.
TOKEN_BUDGET = {"cpu": 1024, "cuda": 16384}


class AttentionWeigher:
    """Gives the weights of HARP section 3.2 for the terms of texts.

    The same list of texts gives the same result to the last bit; a text in another list, with other texts in
    its batch, the same up to the 7th digit in float32.

    Attributes:
        encoder: shared by all weighers of the process with the same model, device and dtype.
        profile: what is summed to what.
    """

    def __init__(
        self,
        model: str | Path,
        device: str = "auto",
        dtype: str = "float32",
        profile: WeightProfile = OURS,
        stop_words: frozenset[str] | None = None,
        token_budget: int | None = None,
    ) -> None:
        """Loads the encoder, or takes the one that this process has loaded.

        Args:
            model: id on the hub, or folder.
            device: see `Encoder`.
            dtype: see `Encoder`.
            profile: see `WeightProfile`.
            stop_words: left out in every text; None takes the list of each text's language.
            token_budget: most pieces and padding of a batch; None takes `TOKEN_BUDGET`.

        Raises:
            UsageError: the model, the device, the dtype or the budget cannot be used.
        """
        if token_budget is not None and token_budget < 1:
            raise UsageError(f"token_budget {token_budget}: at least 1")
        self.encoder = shared_encoder(model, device, dtype)
        self.profile = profile
        self._stop_words = stop_words
        self._token_budget = token_budget or TOKEN_BUDGET.get(
            self.encoder.compute.device.type, TOKEN_BUDGET["cpu"]
        )

    def weigh(self, texts: Sequence[SpanText]) -> list[TextWeights]:
        """Weighs the terms of texts, relative to [CLS] and to each span.

        Args:
            texts: any number; they are encoded in windows of `WINDOW`.

        Returns:
            One for each text, in the order of the texts.
        """
        return [self._to_terms(text, rows) for text, rows in zip(texts, self.piece_rows(texts), strict=True)]

    def piece_rows(self, texts: Sequence[SpanText]) -> Iterator[PieceRows]:
        """The attention of each text's pieces, before stop words and terms, in the order of the texts."""
        for start in range(0, len(texts), WINDOW):
            yield from self._encode_window(texts[start : start + WINDOW])

    def _to_terms(self, text: SpanText, rows: PieceRows) -> TextWeights:
        stop_words = stop_words_of(text.language) if self._stop_words is None else self._stop_words
        if self.profile.left_out:
            stop_words = stop_words | self.profile.left_out
        if self.profile.unit == "pieces":
            return weigh_pieces(rows, stop_words)
        return weigh_words(text.text, rows, stop_words)

    def _encode_window(self, texts: Sequence[SpanText]) -> list[PieceRows]:
        encodings = self._tokenize([text.text for text in texts])
        layouts = [self._lay_out(encoding, text) for encoding, text in zip(encodings, texts, strict=True)]
        rows: dict[int, PieceRows] = {}
        for batch in batches_by_length([len(encoding.ids) for encoding in encodings], self._token_budget):
            alpha = self._attend([encodings[at] for at in batch], [layouts[at] for at in batch])  # [B, R, L]
            rows.update(
                (at, read_rows(encodings[at], layouts[at], alpha[place])) for place, at in enumerate(batch)
            )
        return [rows[at] for at in range(len(texts))]

    def _tokenize(self, texts: list[str]) -> list[Encoding]:
        if self.profile.lower_case:
            texts = [_lower_in_place(text) for text in texts]
        return self.encoder.tokenize(texts)

    def _lay_out(self, encoding: Encoding, text: SpanText) -> Layout:
        spans: list[SpanPieces | str]
        if self.profile.anchor_row == "first_piece":
            anchors = [self._pieces_alone(text.text[start:end]) for start, end in text.spans]
            spans = [first_place_of(encoding, anchor) for anchor in anchors]
        else:
            spans = [pieces_of_span(encoding, start, end) for start, end in text.spans]
        return lay_out(encoding, self.encoder.tokenizer.cls_token_id, spans)

    def _pieces_alone(self, anchor: str) -> list[str]:
        return self.encoder.tokenizer.tokenize(_lower_in_place(anchor) if self.profile.lower_case else anchor)

    def _attend(self, encodings: list[Encoding], layouts: list[Layout]) -> np.ndarray:
        """Computes the rows of a batch [B, R, L], R and L those of the text with most."""
        lengths = torch.tensor([len(encoding.ids) for encoding in encodings])  # [B]
        ids = _padded([encoding.ids for encoding in encodings], self.encoder.tokenizer.pad_token_id)  # [B, L]
        mask = torch.arange(ids.shape[1]) < lengths[:, None]  # [B, L]
        rows = _padded([layout.rows for layout in layouts], 0)  # [B, R]
        alpha = self.encoder.attention_rows(ids, mask, rows)  # [B, R, L]
        return (alpha * self.encoder.heads if self.profile.heads == "sum" else alpha).numpy()


def _padded(lists: list[list[int]], fill: int) -> torch.Tensor:
    longest = max(map(len, lists))
    return torch.tensor([one + [fill] * (longest - len(one)) for one in lists])  # [B, longest]


def _lower_in_place(text: str) -> str:
    """Lower-cases without moving a character: the few that would become two (İ) stay."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small) == 1 else char for char in text for small in [char.lower()])
