"""Where the anchors of a text stand among the tokenizer's pieces: which rows of attention they are.

Positions count the pieces as the encoder gets them, [CLS] and [SEP] included.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from tokenizers import Encoding

from anchormine.sampling.weights import NO_PIECES, NOT_FOUND, TRUNCATED, PieceRows, SpanRow


class SpanPieces(NamedTuple):
    """Positions of an anchor's pieces: whose rows weigh terms, and whose [CLS] weights are its importance."""

    rows: list[int]
    whole: list[int]


class Layout(NamedTuple):
    """What is read of one text's attention.

    Attributes:
        content: [N] positions of the pieces that are no special tokens.
        rows: distinct positions of the wanted rows, [CLS] first.
        spans: of each anchor its pieces, or the reason why it has none.
    """

    content: np.ndarray
    rows: list[int]
    spans: list[SpanPieces | str]


def lay_out(encoding: Encoding, cls_id: int, spans: list[SpanPieces | str]) -> Layout:
    """Collects the rows that a text's anchors need."""
    cls = encoding.ids.index(cls_id)
    wanted = dict.fromkeys([cls, *(at for span in spans if isinstance(span, SpanPieces) for at in span.rows)])
    return Layout(content_of(encoding), list(wanted), spans)


def content_of(encoding: Encoding) -> np.ndarray:
    """Positions of the pieces that are no special tokens [N]."""
    return np.flatnonzero(np.array(encoding.special_tokens_mask, int) == 0)


def pieces_of_span(encoding: Encoding, start: int, end: int) -> SpanPieces | str:
    """All pieces with characters of text[start:end], or `TRUNCATED` if it reaches the cut, or `NO_PIECES`."""
    if end > _cut(encoding):
        return TRUNCATED
    found = _within(encoding, start, end)
    return SpanPieces(found, found) if found else NO_PIECES


def first_place_of(encoding: Encoding, anchor: Sequence[str]) -> SpanPieces | str:
    """Finds an anchor as HARP's program does.

    Args:
        encoding: the text.
        anchor: pieces of the anchor, tokenized alone.

    Returns:
        As the row the first piece with the anchor's first one's text, wherever the anchor is; as the whole
        the first place with all of its pieces, or nothing.
    """
    content = content_of(encoding).tolist()
    pieces = [encoding.tokens[at] for at in content]
    if not anchor:
        return NO_PIECES
    if anchor[0] not in pieces:
        return TRUNCATED if encoding.overflowing else NOT_FOUND
    length = len(anchor)
    places = (at for at in range(len(pieces) - length + 1) if pieces[at : at + length] == list(anchor))
    place = next(places, None)
    return SpanPieces(
        [content[pieces.index(anchor[0])]], [] if place is None else content[place : place + length]
    )


def read_rows(encoding: Encoding, layout: Layout, alpha: np.ndarray) -> PieceRows:
    """Reduces a text's rows of attention to one for [CLS] and one for each anchor.

    Args:
        encoding: the text.
        layout: what was asked for.
        alpha: the rows of `layout.rows` [R, L].

    Returns:
        Rows over the pieces without special tokens; an anchor's is the mean of its pieces' rows.
    """
    cls = alpha[0]  # [L]
    index = {at: row for row, at in enumerate(layout.rows)}
    spans: list[SpanRow | str] = []
    for span in layout.spans:
        if isinstance(span, SpanPieces):
            row = alpha[[index[at] for at in span.rows]].mean(0)[layout.content]  # [N]
            spans.append(SpanRow(row, float(cls[span.whole].mean()) if span.whole else None))
        else:
            spans.append(span)
    tokens, offsets = encoding.tokens, np.array(encoding.offsets, int).reshape(-1, 2)  # [L, 2]
    pieces = [tokens[at] for at in layout.content]
    return PieceRows(pieces, offsets[layout.content], cls[layout.content], spans, bool(encoding.overflowing))


def _cut(encoding: Encoding) -> float:
    """Where the first character is whose piece was cut off.

    tokenizers 0.23.1 and 0.23.2 do not give all that overflows, so no later piece is asked for.
    """
    firsts = (part.offsets[at][0] for part in encoding.overflowing for at in content_of(part)[:1])
    return min(firsts, default=math.inf)


def _within(encoding: Encoding, start: int, end: int) -> list[int]:
    """Positions of the pieces that share a character with text[start:end]."""
    places = enumerate(zip(encoding.offsets, encoding.special_tokens_mask, strict=True))
    return [at for at, ((first, last), special) in places if first < end and last > start and not special]
