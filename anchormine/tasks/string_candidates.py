"""QDM's candidate pairs, from all uses of the anchor strings of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from anchormine.sampling.draws import DrawnTerm
from anchormine.sampling.profiles import WeightProfile
from anchormine.tasks.drafts import (
    DOCUMENT,
    NEGATIVE_DOCUMENT,
    Ask,
    Candidates,
    Draft,
    Refusal,
    StringUse,
    add_draft,
    no_candidates,
)
from anchormine.tasks.qdm import OCCURRENCES_PER_STRING, qdm_pair
from anchormine.tasks.queries import Query
from anchormine.tasks.sentence_anchors import CAPPED


class StringGroup(NamedTuple):
    """What is known of one string: enough for its pairs, however often it occurs.

    Attributes:
        string: see `anchormine.tasks.qdm.anchor_string`.
        destinations: page_ids that it leads to, sorted, each once.
        uses: the occurrences of lowest rank, in their order.
        occurrences: how many there are.
    """

    string: str
    destinations: list[str]
    uses: list[StringUse]
    occurrences: int


def group_strings(uses: Iterable[StringUse], profile: WeightProfile) -> list[StringGroup]:
    """Groups the uses of a part of a corpus by string, and keeps of each only what is needed."""
    ordered = sorted(uses, key=attrgetter("string"))
    return [
        _group(string, list(group), profile) for string, group in groupby(ordered, key=attrgetter("string"))
    ]


def _group(string: str, uses: list[StringUse], profile: WeightProfile) -> StringGroup:
    destinations = sorted({use.destination for use in uses})
    return StringGroup(string, destinations, _first(uses, profile), len(uses))


def _first(uses: list[StringUse], profile: WeightProfile) -> list[StringUse]:
    """The occurrences that count: a sample by hash, or in profile `code` the first in the input."""
    if profile.occurrences == "first":
        return sorted(uses, key=lambda use: _natural(use.anchor_id))[:OCCURRENCES_PER_STRING]
    return sorted(uses, key=lambda use: (use.rank, use.anchor_id))[:OCCURRENCES_PER_STRING]


def _natural(anchor_id: str) -> list[tuple[int, str]]:
    """Sorts "#a9" before "#a10": by length where the rest is equal."""
    return [(len(part), part) for part in anchor_id.split("#")]


def merge_groups(groups: Iterable[StringGroup], profile: WeightProfile) -> Iterator[StringGroup]:
    """Puts together what parts of a corpus know of the same strings, sorted by string."""
    ordered = sorted(groups, key=attrgetter("string"))
    for string, parts in groupby(ordered, key=attrgetter("string")):
        same = list(parts)
        destinations = sorted({page for part in same for page in part.destinations})
        uses = _first([use for part in same for use in part.uses], profile)
        yield StringGroup(string, destinations, uses, sum(part.occurrences for part in same))


def qdm_candidates(groups: Iterable[StringGroup], seed: int) -> Candidates:
    """Makes QDM's candidates: every occurrence of a string that leads to several pages is one.

    Args:
        groups: complete for the corpus.
        seed: of the run.
    """
    found = no_candidates()
    for group in groups:
        if len(group.destinations) > 1:
            for use in group.uses:
                _add_use(use, group.destinations, seed, found)
            if beyond := group.occurrences - len(group.uses):
                origin = group.uses[0].sentence_id
                found.refusals.append(Refusal("qdm", CAPPED, None, origin, group.string, beyond))
    return found


def _add_use(use: StringUse, destinations: list[str], seed: int, found: Candidates) -> None:
    query = use.reason or Query(use.query, [DrawnTerm(*term) for term in use.terms])
    pair = qdm_pair(use.anchor_id, query, use.destination, destinations, seed)
    if isinstance(pair, str):
        found.refusals.append(Refusal("qdm", pair, f"qdm:{use.anchor_id}", use.sentence_id, use.string))
        return
    add_draft(
        found,
        Draft(pair.pair_id, "qdm", use.sentence_id, use.anchor_id, pair.query, use.terms, pair.document_id),
        Ask(pair.pair_id, DOCUMENT, pair.document_id),
        Ask(pair.pair_id, NEGATIVE_DOCUMENT, pair.negative_document_id),
    )
