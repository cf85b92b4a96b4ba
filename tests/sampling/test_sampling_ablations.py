"""The weighers without an encoder, through the same interface; and the overlap with the lead."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anchormine.errors import UsageError
from anchormine.sampling.draws import DrawnTerm
from anchormine.sampling.lead_overlap import LeadOverlap, lead_overlap
from anchormine.sampling.tfidf import (
    DocumentFrequencies,
    TfidfWeigher,
    UniformWeigher,
    count_documents,
    idf,
    merge_frequencies,
)
from anchormine.sampling.weights import NO_PIECES, SpanText, TextWeights

SENTENCE = SpanText(
    "Miners left Russia for Alaska; the miners of Russia were miners.", [(12, 18), (19, 22), (29, 30)], "en"
)


def as_plain(weights: TextWeights) -> tuple:
    """All of it with arrays as lists, so that it can be compared."""
    spans = [
        (span.terms and dict(zip(*span.terms, strict=True)), span.importance, span.reason)
        for span in weights.spans
    ]
    return dict(zip(*weights.cls, strict=True)), spans, weights.truncated


def test_uniform_weights() -> None:
    terms = {"miners": 1.0, "left": 1.0, "russia": 1.0, "alaska": 1.0}
    found, spans, truncated = as_plain(UniformWeigher().weigh([SENTENCE])[0])
    importances = [span[1] for span in spans[:2]]
    expected = [(terms, importance, None) for importance in importances] + [(None, None, NO_PIECES)]
    assert (found, spans, truncated) == (terms, expected, False)
    assert importances == pytest.approx([1.0, 1.0], abs=1e-6)
    assert importances[0] != importances[1]  # one of two anchors has to be preferred
    texts = [SENTENCE._replace(text=f"{SENTENCE.text} {number}") for number in range(400)]
    spans_of = [weights.spans for weights in UniformWeigher().weigh(texts)]
    first = sum((one.importance or 0) > (other.importance or 0) for one, other, _ in spans_of)
    assert 150 < first < 250


def test_tfidf_weights() -> None:
    frequencies = DocumentFrequencies({"miners": 1, "russia": 9}, 10)
    rare, common, new = math.log1p(9.5 / 1.5), math.log1p(1.5 / 9.5), math.log1p(10.5 / 0.5)
    terms = {"miners": 3 * rare, "left": new, "russia": 2 * common, "alaska": new}
    expected = (terms, [(terms, 2 * common, None), (terms, 0.0, None), (None, None, NO_PIECES)], False)
    assert as_plain(TfidfWeigher(frequencies).weigh([SENTENCE])[0]) == expected


def test_frequencies_add_up() -> None:
    texts = ["Russia, russia", "Alaska and Russia", "miners"]
    whole = count_documents(texts)
    parts = merge_frequencies([count_documents(texts[:1]), count_documents(texts[1:])])
    assert np.array_equal(np.asarray(whole.counts), np.asarray(parts.counts))
    assert whole.documents == parts.documents == 3
    assert idf("russia", whole) == idf("russia", DocumentFrequencies({"russia": 2}, 3))
    assert idf("unseen", whole) > idf("miners", whole) > idf("russia", whole) > 0
    with pytest.raises(UsageError, match=r"document frequencies of \[8, 16\] slots cannot be added"):
        merge_frequencies([count_documents(texts, 8), count_documents(texts, 16)])


def test_overlap_with_the_lead() -> None:
    drawn = [DrawnTerm(term, 0.1) for term in ("russia", "miners", "alaska", "traders")]
    lead = "Alaska was Russian until traders came."
    # alaska is the anchor's own
    assert lead_overlap(drawn, "Alaska's territory", lead) == LeadOverlap(drawn=3, found=1)
    assert lead_overlap(drawn[2:3], "Alaska", lead) == LeadOverlap(0, 0)
