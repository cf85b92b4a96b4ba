"""Query disambiguation: which of the pages that an anchor's string leads to is meant here (HARP section 3.3).

For anchor strings with at least two destinations in the corpus. The query is RQP's positive one; the negative
page is one of the string's other destinations, all equally likely; at most ten occurrences of a string make a
pair.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from anchormine.sampling.draws import DrawnTerm, hash64
from anchormine.tasks.queries import Query
from anchormine.text.case_folding import folded

OCCURRENCES_PER_STRING = 10  # HARP's --max_pair_perquery
ONE_DESTINATION = "one_destination"  # nothing to confuse it with


class QdmPair(NamedTuple):
    """A query with the page it means and another page that its anchor's string leads to."""

    pair_id: str
    query: str
    query_terms: list[DrawnTerm]
    document_id: str
    negative_document_id: str


def anchor_string(anchor: str) -> str:
    """What occurrences of the same anchor have in common: case folded, white space collapsed."""
    return folded(anchor)


def qdm_pair(
    anchor_id: str, query: Query | str, destination: str, destinations: Collection[str], seed: int
) -> QdmPair | str:
    """Makes the pair of one occurrence.

    Args:
        anchor_id: the occurrence.
        query: from `anchor_query`, or its reason.
        destination: page_id of this occurrence's page.
        destinations: page_ids that the anchor's string leads to anywhere, each once, in any order.
        seed: of the run.

    Returns:
        The pair, or the query's reason, or `ONE_DESTINATION`.
    """
    if isinstance(query, str):
        return query
    others = [page for page in destinations if page != destination]
    if not others:
        return ONE_DESTINATION
    other = min(others, key=lambda page: (hash64(seed, anchor_id, "other", page), page))
    return QdmPair(f"qdm:{anchor_id}", *query, destination, other)


def occurrence_rank(anchor_id: str, seed: int) -> int:
    """What the occurrences of a string are sorted by before the first are taken: a sample by hash."""
    return hash64(seed, anchor_id, "occurrence")
