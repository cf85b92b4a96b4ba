"""How much of a query's context its page confirms: a figure that needs no trained model.

Of the words drawn from an anchor's sentence, the ones that are the anchor's own are left out; the share of
the rest that occurs in the lead of the page linked to tells how well a way of drawing finds what the page is
about. Attention, tfidf and uniform are compared by it on the same anchors.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from anchormine.sampling.draws import DrawnTerm
from anchormine.sampling.terms import find_words


class LeadOverlap(NamedTuple):
    """Counts of context words: `drawn` from sentences, and `found` of these in the leads of the pages."""

    drawn: int
    found: int


def lead_overlap(query_terms: Iterable[DrawnTerm], anchor: str, lead: str) -> LeadOverlap:
    """Counts the context words of one query that occur in the lead of its page.

    Args:
        query_terms: drawn for RQP's positive query, whole words; one drawn twice counts twice.
        anchor: the text as shown, whose words are no context.
        lead: of the page linked to.
    """
    own = {word.term for word in find_words(anchor)}
    context = [term for term, _ in query_terms if term not in own]
    if not context:
        return LeadOverlap(0, 0)
    there = {word.term for word in find_words(lead)}
    return LeadOverlap(len(context), sum(term in there for term in context))
