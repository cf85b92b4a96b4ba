"""Options of transforms: out of range where a transform is made, and fixed from then on."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from anchormine.errors import UsageError
from anchormine.transforms.count_anchors import CountAnchors
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.read_corpus import ReadCorpus


def test_numbers_are_checked_where_a_transform_is_made() -> None:
    assert CountAnchors(1, 1).most == 1
    with pytest.raises(UsageError, match=r"^CountAnchors: most is 0; give 1 or more$"):
        CountAnchors(0, 1)
    with pytest.raises(UsageError, match=r"^CountAnchors: buckets is -1; give 1 or more$"):
        CountAnchors(1, -1)
    with pytest.raises(UsageError, match=r"^ReadCorpus: min_words is -1; give 0 or more$"):
        ReadCorpus((), PairBuckets(1, 1, 1, 1), min_words=-1)


def test_options_cannot_be_set_again() -> None:
    transform = CountAnchors(1, 1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'most'"):
        transform.most = 2  # type: ignore[misc]
    transform.label = "Count"  # as Beam does
    assert transform.label == "Count"
