"""Representative query prediction: which of two queries was drawn for this page (HARP section 3.3).

One pair for each occurrence of an anchor. The positive query is drawn from the anchor's sentence by the
anchor's attention and ends with the anchor; the negative one is drawn from the page by [CLS] attention,
without the anchor's terms. Both are of the same length l; the profile `code` draws two lengths, does not
exclude the anchor's terms, and drops the pair whose negative query is a single term.

It takes two steps, because the page is elsewhere: `anchor_query` with the sentence, `negative_query` once the
page's weights are there.
"""

from __future__ import annotations

from anchormine.sampling.draws import draw_length
from anchormine.sampling.profiles import WeightProfile
from anchormine.sampling.terms import find_words
from anchormine.sampling.weights import TermWeights
from anchormine.tasks.queries import NO_TERMS, Query, draw_query

NO_NEGATIVE_TERMS = "no_negative_terms"  # the page has only stop words and the anchor's terms
SHORT_NEGATIVE = "short_negative"  # fewer terms than the profile asks for


def negative_query(
    anchor_id: str, anchor: str, page: TermWeights, profile: WeightProfile, seed: int
) -> Query | str:
    """Draws the negative query of one occurrence.

    Args:
        anchor_id: the occurrence.
        anchor: its text as shown, whose terms are left out.
        page: weights of its destination's terms relative to [CLS].
        profile: how to draw.
        seed: of the run.

    Returns:
        The query, or `NO_NEGATIVE_TERMS` or `SHORT_NEGATIVE`.
    """
    count = draw_length(profile, seed, anchor_id, "length" if profile.same_length else "negative length")
    excluded = {word.term for word in find_words(anchor)} if profile.exclude_anchor else ()
    negative = draw_query(page, count, profile, seed, anchor_id, "negative terms", exclude=excluded)
    if isinstance(negative, str):
        return NO_NEGATIVE_TERMS if negative == NO_TERMS else negative
    return SHORT_NEGATIVE if len(negative.terms) < profile.min_negative_terms else negative
