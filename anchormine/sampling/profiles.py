"""What HARP's paper says, what its program does, and what anchormine does by default, as options.

Paper: Ma et al., Pre-training for Ad-hoc Retrieval: Hyperlink is Also You Need, CIKM 2021, section 3.
Program: github.com/zhengyima/Anchors. Measured on HARP's demo corpus with MiniLM, the entropy of the drawn
terms relative to a uniform draw is 0.9996 for the paper's softmax of averaged heads, 0.934 for the program's
softmax of summed heads, and 0.848 for `linear`: the paper's formula, read literally, is a uniform draw.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args, get_origin, get_type_hints

from anchormine.errors import UsageError

Heads = Literal["mean", "sum"]
Unit = Literal["words", "pieces"]
AnchorRow = Literal["span", "first_piece"]
Normaliser = Literal["linear", "softmax"]
Length = Literal["poisson", "normal"]
AnchorPairs = Literal["sampled", "all"]
Occurrences = Literal["hashed", "first"]


@dataclass(frozen=True)
class WeightProfile:
    """How a text's words are weighted and drawn.

    Attributes:
        name: as in `--profile`, and in the manifest.
        heads: the last layer's heads are averaged or summed.
        unit: terms are whole words (weights of their pieces summed), or the tokenizer's pieces.
        anchor_row: the mean over all pieces of the anchor's true span; or its first piece, at the first place
            where that piece occurs in the text (in HARP's demo another place in 3 of 100).
        normaliser: p(w) = beta / sum(beta), or softmax(beta / temperature).
        temperature: of the softmax.
        left_out: terms left out besides the stop words.
        lower_case: the text is lower-cased before the tokenizer sees it.
        length: l is Poisson(3) without zero (mean 3.16; in `paper` too, which says nothing of l = 0, where
            the negative query would be empty), or int(Normal(3, 1)) redrawn while < 1 (mean 2.56).
        replacement: whether a term can be drawn twice.
        same_length: RQP draws one l for both of its queries.
        exclude_anchor: RQP's negative query never has a term of the anchor.
        min_negative_terms: RQP drops the pair whose negative query has fewer.
        occurrences: QDM takes a sample of an anchor's occurrences, or the first ones.
        anchor_pairs: RDP and ACM sample pairs of a sentence's anchors, capped; or take all, in order.
    """

    name: str
    heads: Heads = "mean"
    unit: Unit = "words"
    anchor_row: AnchorRow = "span"
    normaliser: Normaliser = "linear"
    temperature: float = 1.0
    left_out: frozenset[str] = frozenset()
    lower_case: bool = False
    length: Length = "poisson"
    replacement: bool = False
    same_length: bool = True
    exclude_anchor: bool = True
    min_negative_terms: int = 1
    occurrences: Occurrences = "hashed"
    anchor_pairs: AnchorPairs = "sampled"

    def __post_init__(self) -> None:
        kinds = get_type_hints(type(self))
        for field in fields(self):
            kind, value = kinds[field.name], getattr(self, field.name)
            if get_origin(kind) is Literal and value not in (choices := get_args(kind)):
                raise UsageError(f"{field.name} {value!r}: one of {', '.join(choices)}")
        if not self.temperature > 0:
            raise UsageError(f"temperature {self.temperature}: greater than 0")
        if self.min_negative_terms < 1:
            raise UsageError(f"min_negative_terms {self.min_negative_terms}: at least 1")


# The symbols in the program's own stop list, which may not be shipped; it matters where pieces are the terms.
_SYMBOLS = frozenset(".,()!@#$%^&*?\"':;[]-+~`")

OURS = WeightProfile("ours")
PAPER = WeightProfile("paper", normaliser="softmax", replacement=True)
CODE = WeightProfile(
    "code",
    heads="sum",
    unit="pieces",
    anchor_row="first_piece",
    normaliser="softmax",
    left_out=_SYMBOLS,
    lower_case=True,
    length="normal",
    replacement=True,
    same_length=False,
    exclude_anchor=False,
    min_negative_terms=2,
    occurrences="first",
    anchor_pairs="all",
)
PROFILES = {profile.name: profile for profile in (OURS, PAPER, CODE)}
