"""B-PROP: of two word sets drawn for a page by contrastive attention the one of more weight (SIGIR 2021).

The pages are weighed by an encoder first; the mean of all pages' weights is what each page's are contrasted
with (`anchormine.sampling.contrast`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from anchormine.sampling.contrast import RandomTerms, contrastive_chances, draw_contrastive_pairs
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.word_set_pairs import PageSets, page_sets

BPROP = "bprop"


def bprop_sets(
    page_id: str, terms: Sequence[str], shares: Sequence[float], random: RandomTerms, sets: int, seed: int
) -> Iterator[PageSets | Refusal]:
    """Yields the pairs of word sets of a page, and refusals that stand for those it does not give.

    Args:
        page_id: of the page; the draw hangs on it.
        terms: distinct terms of its text, at least one.
        shares: p_D of each.
        random: p_rand of the corpus.
        sets: how many pairs.
        seed: of the run.
    """
    chances = contrastive_chances(terms, np.array(shares), random)  # [T]
    yield from page_sets(BPROP, page_id, draw_contrastive_pairs(terms, chances, sets, seed, page_id))
