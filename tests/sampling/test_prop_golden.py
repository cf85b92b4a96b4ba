"""PROP's toy corpora: the statistics and the scores that its own program gave, and draws for their texts."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest

from anchormine.sampling.collection_model import CollectionModel
from anchormine.sampling.document_model import DocumentModel, draw_set_pairs
from anchormine.sampling.document_profiles import CODE, DOCUMENT_PROFILES, DocumentProfile
from anchormine.sampling.draws import poisson_lengths, uniforms
from anchormine.sampling.term_counts import CorpusTotals, TermCounter, add_counts, ordered_counts, totals_of
from anchormine.sampling.word_sets import SetPair
from anchormine.text.term_rules import TermReader, TermRules
from tests.sampling.chi_square import chi_square_chance

FOLDER = Path(os.environ.get("ANCHORMINE_DATA") or "nowhere") / "peers"
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="ANCHORMINE_DATA names no folder with PROP's toy corpus"),
]


class ToyCorpus(NamedTuple):
    """A corpus as PROP's program reads it, which puts titles before texts."""

    reader: TermReader
    words: dict[str, list[str]]
    rows: pa.Table
    totals: CorpusTotals


@pytest.fixture(scope="module")
def reader() -> TermReader:
    return TermReader(TermRules(CODE.words, CODE.stem, left_out=CODE.left_out))


@pytest.fixture(scope="module")
def wiki(reader: TermReader) -> ToyCorpus:
    lines = map(json.loads, (FOLDER / "prop" / "wiki_toy.data").open())
    return corpus(reader, {line["id"]: f"{line['title']} {line['text']}" for line in lines})


def corpus(reader: TermReader, texts: dict[str, str]) -> ToyCorpus:
    """Counts documents in parts, as workers do."""
    words = {doc_id: reader.words(text) for doc_id, text in texts.items()}
    counters = [TermCounter(part) for part in range(3)]
    for number, document in enumerate(words.values()):
        counters[number * 3 // len(words)].add(reader.terms(document), document)
    buckets: dict[int, list[pa.Table]] = {}
    for counter in counters:
        for bucket, rows in counter.divided(4):
            buckets.setdefault(bucket, []).append(rows)
    rows = pa.concat_tables(ordered_counts(add_counts(parts)) for parts in buckets.values())
    assert sum(counter.documents for counter in counters) == len(texts)
    return ToyCorpus(reader, words, rows, totals_of(rows))


def golden(name: str) -> dict:
    return json.loads((FOLDER / "prop_golden" / name).read_text())


def test_term_and_document_frequencies(wiki: ToyCorpus) -> None:
    terms = wiki.rows["term"].to_pylist()
    assert dict(zip(terms, wiki.rows["occurrences"].to_pylist(), strict=True)) == golden(
        "corpus_tf_file.json"
    )
    assert dict(zip(terms, wiki.rows["documents"].to_pylist(), strict=True)) == golden("corpus_df_file.json")
    check_info(wiki, golden("info_file.json"))


@pytest.fixture(scope="module")
def msmarco(reader: TermReader) -> ToyCorpus:
    fields = [line.split("\t") for line in (FOLDER / "prop" / "msmarco_toy.data").read_text().splitlines()]
    return corpus(reader, {doc_id: f"{title} {body}" for doc_id, _, title, body in fields})


def test_the_toy_corpus_of_ms_marco(msmarco: ToyCorpus) -> None:
    check_info(msmarco, golden("info_file_msmarco.json"))


def check_info(found: ToyCorpus, info: dict) -> None:
    assert (len(found.words), found.totals.words) == (info["total_doc_num"], info["total_word_num"])
    assert found.totals.words / len(found.words) == info["average_doc_word_num"]


def word_sets() -> Iterator[tuple[str, list[str], float]]:
    """The word sets of the program, each with its document and its score."""
    for line in (FOLDER / "prop_golden" / "instances_epoch_0.patched.json").open():
        instance = json.loads(line)
        for pair in instance["rep_word_sets"]:
            for words, score in pair:
                yield instance["doc_id"], words.split(), score


def test_scores_of_word_sets(wiki: ToyCorpus) -> None:
    """The program's own scores: P(w|C) from document frequencies, terms stemmed."""
    model = CollectionModel(wiki.rows, wiki.totals, len(wiki.words), replace(CODE, min_count=1))
    documents = {
        doc_id: DocumentModel(model, wiki.reader.terms(words)) for doc_id, words in wiki.words.items()
    }
    count = 0
    for doc_id, words, expected in word_sets():
        numbers = np.array([model.numbers[term] for term in wiki.reader.terms(words)])
        assert np.log(documents[doc_id].chances(numbers)).sum() == pytest.approx(expected, abs=1e-9)
        count += 1
    assert count == 1920


def test_scores_by_counts(wiki: ToyCorpus) -> None:
    """The formula as published, P(w|C) from counts, worked out here."""
    counts = dict(zip(wiki.rows["term"].to_pylist(), wiki.rows["occurrences"].to_pylist(), strict=True))
    profile = replace(CODE, min_count=1, background="counts")
    model, mu = CollectionModel(wiki.rows, wiki.totals, 100, profile), 234859 / 100
    own = {doc_id: wiki.reader.terms(words) for doc_id, words in wiki.words.items()}
    for doc_id, words, _ in word_sets():
        terms, document = wiki.reader.terms(words), own[doc_id]
        expected = sum(
            np.log((document.count(term) + mu * counts[term] / 234859) / (len(document) + mu))
            for term in terms
        )
        numbers = np.array([model.numbers[term] for term in terms])
        found = np.log(DocumentModel(model, document).chances(numbers)).sum()
        assert found == pytest.approx(expected, abs=1e-9)


DRAWS = 100_000


@pytest.fixture(params=["wiki", "msmarco"])
def toy(request: pytest.FixtureRequest) -> ToyCorpus:
    found: ToyCorpus = request.getfixturevalue(request.param)
    return found


def test_lengths_of_drawn_sets(toy: ToyCorpus) -> None:
    """Both sets of a pair have the same, and those of all documents follow Poisson's without zero."""
    sets = DRAWS // len(toy.words)
    model = CollectionModel(toy.rows, toy.totals, len(toy.words), replace(CODE, min_count=1, sets=sets))
    counts: Counter[int] = Counter()
    for doc_id, words in toy.words.items():
        lengths = poisson_lengths(uniforms(sets, 42, doc_id, "lengths")).tolist()
        drawn = draw_set_pairs(DocumentModel(model, toy.reader.terms(words)), {}, 42, doc_id)
        for length, pair in zip(lengths, drawn, strict=True):
            if isinstance(pair, SetPair):  # equal ones are dropped, most of them short
                assert [len(each.terms) for each in pair] == [length, length]
        counts.update(min(length, 11) for length in lengths)
    chances = {n: math.exp(-3) * 3**n / math.factorial(n) / (1 - math.exp(-3)) for n in range(1, 11)}
    assert chi_square_chance(counts, {**chances, 11: 1 - sum(chances.values())}) > 0.001


@pytest.mark.parametrize("name", ["paper", "code", "ours"])
@pytest.mark.parametrize("size", [0, 0.5, 1])
def test_draws_for_real_documents(toy: ToyCorpus, name: str, size: float) -> None:
    """Draws for the shortest, the middle and the longest document follow its model, worked out here."""
    profile = replace(DOCUMENT_PROFILES[name], min_count=1)
    by_length = sorted(toy.words, key=lambda doc_id: len(toy.words[doc_id]))
    doc_id = by_length[round(size * (len(by_length) - 1))]
    own = toy.reader.terms(toy.words[doc_id])
    model = CollectionModel(toy.rows, toy.totals, len(toy.words), profile)
    document = DocumentModel(model, own)
    terms = sorted(model.numbers, key=model.numbers.__getitem__)
    thinning = uniforms(len(own), 42, doc_id, "thinning") if profile.thinned == "document" else None
    drawn = document.draw(uniforms(DRAWS, 42, doc_id, "words"), thinning)
    weights = _weights(toy, profile, own, thinning)
    total = sum(weights.values())
    # What is to be expected fewer than five times is one outcome.
    chances = {term: weight / total for term, weight in weights.items() if DRAWS * weight / total >= 5}
    counts = Counter(term if term in chances else None for term in (terms[n] for n in drawn.tolist()))
    assert len(chances) > 300
    assert chi_square_chance(counts, {**chances, None: 1 - sum(chances.values())}) > 0.001


def _weights(
    toy: ToyCorpus, profile: DocumentProfile, own: list[str], thinning: np.ndarray | None
) -> dict[str, float]:
    """tf(w, D) + mu P(w|C) of every term, thinned by word2vec's subsampling."""
    rows = toy.rows.to_pylist()
    all_words, all_postings = (sum(row[name] for row in rows) for name in ("occurrences", "documents"))
    shares = {row["term"]: row["occurrences"] / all_words for row in rows}
    keep = {
        term: min(1.0, math.sqrt(profile.subsample / share) + profile.subsample / share)
        for term, share in shares.items()
    }
    mu = all_words / len(toy.words)
    background = {
        row["term"]: mu * row["documents"] / all_postings
        if profile.background == "documents"
        else mu * shares[row["term"]]
        for row in rows
    }
    if thinning is None:
        counts = Counter(own)
        return {term: keep[term] * (counts[term] + weight) for term, weight in background.items()}
    kept = Counter(term for term, at in zip(own, thinning.tolist(), strict=True) if at < keep[term])
    return {term: kept[term] + weight for term, weight in background.items()}
