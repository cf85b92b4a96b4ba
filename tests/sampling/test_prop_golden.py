"""PROP's toy corpus: the statistics and the scores that its own program gave."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest

from anchormine.sampling.collection_model import CollectionModel
from anchormine.sampling.document_model import DocumentModel
from anchormine.sampling.document_profiles import CODE
from anchormine.sampling.term_counts import CorpusTotals, TermCounter, add_counts, ordered_counts, totals_of
from anchormine.text.term_rules import TermReader, TermRules

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
    counters = [TermCounter() for _ in range(3)]
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


def test_the_toy_corpus_of_ms_marco(reader: TermReader) -> None:
    fields = [line.split("\t") for line in (FOLDER / "prop" / "msmarco_toy.data").read_text().splitlines()]
    check_info(
        corpus(reader, {doc_id: f"{title} {body}" for doc_id, _, title, body in fields}),
        golden("info_file_msmarco.json"),
    )


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
