"""QDM's candidate pairs, from all uses of the anchor strings of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from anchormine.sampling.profiles import WeightProfile
from anchormine.tasks.drafts import DOCUMENT, NEGATIVE_DOCUMENT, Ask, Draft, Refusal, StringUse
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


class StringCandidates(NamedTuple):
    """What strings give for QDM.

    Attributes:
        drafts: candidate pairs.
        asks: what these need of pages.
        refusals: occurrences that make no pair.
        counts: "pairs-qdm.read", and of the occurrences beyond the cap, which are not listed one by one,
            "pairs-qdm.rejected.capped".
    """

    drafts: list[Draft]
    asks: list[Ask]
    refusals: list[Refusal]
    counts: dict[str, int]


def qdm_candidates(groups: Iterable[StringGroup], seed: int) -> StringCandidates:
    """Makes QDM's candidates: every occurrence of a string that leads to several pages is one.

    Args:
        groups: complete for the corpus.
        seed: of the run.
    """
    read, capped = 0, 0
    found = StringCandidates([], [], [], {})
    for group in groups:
        if len(group.destinations) > 1:
            read += group.occurrences
            capped += group.occurrences - len(group.uses)
            for use in group.uses:
                _add_use(use, group.destinations, seed, found)
    found.counts.update({"pairs-qdm.read": read, f"pairs-qdm.rejected.{CAPPED}": capped})
    return found


def _add_use(use: StringUse, destinations: list[str], seed: int, found: StringCandidates) -> None:
    query = use.reason or Query(use.query, use.terms)  # type: ignore[arg-type]
    pair = qdm_pair(use.anchor_id, query, use.destination, destinations, seed)
    if isinstance(pair, str):
        found.refusals.append(Refusal("qdm", pair, f"qdm:{use.anchor_id}", use.sentence_id, use.string))
        return
    found.drafts.append(
        Draft(
            pair.pair_id,
            "qdm",
            use.sentence_id,
            use.anchor_id,
            pair.query,
            use.terms,
            pair.document_id,
            (DOCUMENT, NEGATIVE_DOCUMENT),
        )
    )
    found.asks.append(Ask(pair.pair_id, DOCUMENT, pair.document_id))
    found.asks.append(Ask(pair.pair_id, NEGATIVE_DOCUMENT, pair.negative_document_id))
