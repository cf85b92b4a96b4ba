"""Options of transforms: out of range where a transform is made, and fixed from then on."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import FrozenInstanceError

import apache_beam as beam
import pytest

from anchormine import transforms
from anchormine.errors import UsageError
from anchormine.sampling.weighers import WeighingOptions
from anchormine.transforms.checksum_files import ChecksumFiles
from anchormine.transforms.count_anchors import CountAnchors
from anchormine.transforms.count_documents import CountDocuments
from anchormine.transforms.find_candidates import FindCandidates
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.parse_articles import ParseArticles
from anchormine.transforms.parse_captures import ParseCaptures
from anchormine.transforms.read_corpus import ReadCorpus
from anchormine.transforms.read_crawl import ReadCrawl


def test_numbers_are_checked_where_a_transform_is_made() -> None:
    assert CountAnchors(1, 1).most == 1
    with pytest.raises(UsageError, match=r"^CountAnchors: most is 0; give 1 or more$"):
        CountAnchors(0, 1)
    with pytest.raises(UsageError, match=r"^CountAnchors: buckets is -1; give 1 or more$"):
        CountAnchors(1, -1)
    with pytest.raises(UsageError, match=r"^ReadCorpus: min_words is -1; give 0 or more$"):
        ReadCorpus((), PairBuckets(1, 1, 1, 1), min_words=-1)
    with pytest.raises(UsageError, match=r"^FindCandidates: probe_share is 1.5; give 0 to 1$"):
        FindCandidates(("rqp",), WeighingOptions("tfidf"), 42, PairBuckets(1, 1, 1, 1), probe_share=1.5)


def test_kinds_of_options_are_checked_where_a_transform_is_made() -> None:
    assert ParseCaptures(tracking=("id",)).tracking == ("id",)
    told = r"^ParseCaptures: tracking is the text 'utm_source'; give several, as \('utm_source',\)$"
    with pytest.raises(UsageError, match=told):
        ParseCaptures(tracking="utm_source")  # type: ignore[arg-type]
    told = r"^CountDocuments: filters is the text 'min_words'; give several, as \('min_words',\)$"
    with pytest.raises(UsageError, match=told):
        CountDocuments("min_words")  # type: ignore[arg-type]
    with pytest.raises(
        UsageError, match=r"^ChecksumFiles: paths is the text 'a'; give several, as \('a',\)$"
    ):
        ChecksumFiles("a")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^ParseArticles: sites is the text 'a'; give a tuple$"):
        ParseArticles("a", {})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^ParseCaptures: limits is 3; give PageLimits$"):
        ParseCaptures(3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^ReadCrawl: limits is 100; give RecordLimits$"):
        ReadCrawl("crawl.warc", 100)  # type: ignore[arg-type]


def test_options_cannot_be_set_again() -> None:
    transform = CountAnchors(1, 1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'most'"):
        transform.most = 2  # type: ignore[misc]
    transform.label = "Count"  # as Beam does
    assert transform.label == "Count"


def test_beam_has_nothing_to_say_of_annotations(caplog: pytest.LogCaptureFixture) -> None:
    """Of none of the transforms, nor of what they run on elements."""
    seen = set()
    for cls in own_classes():
        if issubclass(cls, (beam.PTransform, beam.DoFn)):
            cls.__new__(cls).get_type_hints()
            seen.add(cls.__name__)
    assert {"ReadDump", "_ReadRange", "WritePages"} <= seen
    assert caplog.messages == []


def own_classes() -> Iterator[type]:
    """The classes of all modules of `transforms/`."""
    for module in pkgutil.iter_modules(transforms.__path__, "anchormine.transforms."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and value.__module__ == module.name:
                yield value
