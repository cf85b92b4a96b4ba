"""PROP's word sets, and the statistics of a corpus, on one core: ours beside what others do.

    python tests/bench/prop_draws.py [--vocabulary N] [--documents N] [--pages N] [--rounds N] [--json]

* draws: five pairs of word sets for each document, with their scores, at a vocabulary of 200,000. The other
  side draws as PROP's program does: for each word one `numpy.random.choice` among the strings of the
  vocabulary, by the document's model, and whether the word may be drawn is looked up in a list that is made
  anew. It gets few documents, as it takes most of a second for each.
* statistics: term and document frequencies of pages in a Parquet file, written as a table. Ours is the
  `CountTerms` of a pipeline; the other side is a loop with two Counters over the same words.

The words are made up, their frequencies follow Zipf's law. Sides take turns; ratios are those of the medians
of CPU seconds.
"""

from __future__ import annotations

import argparse
import json
import logging
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from anchormine.sampling.collection_model import CollectionModel
from anchormine.sampling.document_profiles import OURS
from anchormine.sampling.term_counts import TermCounter, add_counts, ordered_counts, totals_of
from anchormine.tasks.rop import rop_sets
from anchormine.text.term_rules import TermReader, TermRules
from anchormine.transforms.count_terms import CountTerms
from anchormine.transforms.document_texts import DocumentColumn
from anchormine.transforms.table_slices import slice_table

WORDS = 250  # of a document
DRAWS_TARGET, STATISTICS_TARGET = 500.0, 1.5
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def vocabulary(count: int) -> list[str]:
    """Words of six letters, none of them a stop word."""
    return [
        "zq" + "".join(LETTERS[number // 26**place % 26] for place in range(4)) for number in range(count)
    ]


def documents(words: Sequence[str], count: int, seed: int) -> list[list[str]]:
    """Documents whose words follow Zipf's law."""
    generator = np.random.default_rng(seed)
    chances = 1 / np.arange(1, len(words) + 1)
    drawn = generator.choice(len(words), (count, WORDS), p=chances / chances.sum())
    return [[words[number] for number in row] for row in drawn.tolist()]


def collection(words: Sequence[str], texts: Sequence[Sequence[str]]) -> CollectionModel:
    """The model of documents in which every word occurs."""
    counter = TermCounter()
    for text in (*texts, words):
        counter.add(text)
    rows = ordered_counts(add_counts([rows for _, rows in counter.divided(1)]))
    return CollectionModel(rows, totals_of(rows), counter.documents, replace(OURS, min_count=1))


def draw_as_the_program(model: CollectionModel, terms: Sequence[str]) -> None:
    """Draws and scores the word sets of one document word by word."""
    counts, length, mu = Counter(terms), len(terms), model.mu
    own = np.array([counts[word] for word in model.words])
    chances = (own + mu * model.chances) / (length + mu)
    by_word = dict(zip(model.words, chances.tolist(), strict=True))
    chances /= chances.sum()
    for _ in range(2 * OURS.sets):
        size, score = 0, 0.0
        words: list[str] = []
        while not size:
            size = np.random.poisson(3)
        while len(words) < size:
            word = str(np.random.choice(model.words, p=chances))
            if word in list(model.numbers):
                words.append(word)
                score += np.log(by_word[word])


def draw(model: CollectionModel, texts: Sequence[Sequence[str]]) -> None:
    """Draws and scores the word sets of documents."""
    for number, terms in enumerate(texts):
        for _ in rop_sets(f"w:{number}", terms, terms, model, 42):
            pass


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def write_pages(path: Path, texts: Sequence[Sequence[str]]) -> None:
    """A table of pages with the columns that are read."""
    table = {
        "page_id": [f"w:{number}" for number in range(len(texts))],
        "text": [" ".join(text).capitalize() + "." for text in texts],
        "language": ["en"] * len(texts),
    }
    pq.write_table(pa.table(table), path, compression="zstd")


def count_in_a_loop(path: Path, output: Path) -> None:
    """Counts with a Counter for terms and one for documents, and writes both."""
    occurrences: Counter[str] = Counter()
    found: Counter[str] = Counter()
    reader = TermReader(TermRules(), "en")
    for batch in pq.ParquetFile(path).iter_batches(1024, columns=["text"]):
        for text in batch["text"].to_pylist():
            words = reader.words(text)
            occurrences.update(words)
            found.update(set(words))
    columns = [list(occurrences), list(occurrences.values()), list(map(found.__getitem__, occurrences))]
    pq.write_table(pa.table(columns, ["term", "occurrences", "documents"]), output, compression="zstd")


def count_in_a_pipeline(path: Path, rows: int, folder: Path) -> None:
    slices = tuple(slice_table([(str(path), rows)], 4096))
    with beam.Pipeline(runner="FnApiRunner") as pipeline:
        _ = pipeline | CountTerms(slices, DocumentColumn(), TermRules(), "rop", 50, 1, str(folder))


def compare(arguments: argparse.Namespace) -> dict[str, dict[str, float]]:
    words = vocabulary(arguments.vocabulary)
    texts = documents(words, arguments.documents, 1)
    model = collection(words, texts)
    few, slowly = texts[:2], partial(draw_as_the_program, model)
    taken: dict[str, list[float]] = {"ours": [], "program": [], "pipeline": [], "loop": []}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "pages.parquet"
        write_pages(path, documents(words, arguments.pages, 2))
        for _ in range(arguments.rounds):
            taken["ours"].append(seconds(lambda: draw(model, texts)) / len(texts))
            taken["program"].append(seconds(lambda: [*map(slowly, few)]) / len(few))
            taken["pipeline"].append(seconds(lambda: count_in_a_pipeline(path, arguments.pages, Path(name))))
            taken["loop"].append(seconds(lambda: count_in_a_loop(path, Path(name) / "counts.parquet")))
    median = {side: statistics.median(values) for side, values in taken.items()}
    return {
        "draws": {
            "documents_per_second": 1 / median["ours"],
            "program": 1 / median["program"],
            "ratio": median["program"] / median["ours"],
        },
        "statistics": {
            "seconds": median["pipeline"],
            "loop": median["loop"],
            "ratio": median["pipeline"] / median["loop"],
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--vocabulary", type=int, default=200_000)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    found = compare(arguments)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        draws, counts = found["draws"], found["statistics"]
        print(
            f"word sets: {draws['documents_per_second']:,.0f} documents/s, "
            f"PROP's way {draws['program']:.2f}: x{draws['ratio']:,.0f} (target {DRAWS_TARGET:,.0f})"
        )
        print(
            f"statistics of {arguments.pages:,} pages: {counts['seconds']:.2f} s, "
            f"a loop {counts['loop']:.2f} s: x{counts['ratio']:.2f} (target {STATISTICS_TARGET})"
        )
    passed = found["draws"]["ratio"] >= DRAWS_TARGET and found["statistics"]["ratio"] <= STATISTICS_TARGET
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
