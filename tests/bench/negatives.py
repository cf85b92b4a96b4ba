"""Mining negatives: BM25 by parts beside bm25s and rank_bm25, and the exact top k beside torch.

    python tests/bench/negatives.py [--folder DIR] [--queries N] [--sample N] [--rounds N] [--json]

The corpus is the pages of a dataset folder (made of the Minangkabau dump where ANCHORMINE_DATA names a folder
with it, else of the demo wiki), the queries are N texts: anchors', titles, and first words of pages. All
sides get the same terms, one thread, and take turns; ratios are those of the medians of CPU seconds, of BM25
by default in one round: no noise is of the size of the differences, and bm25s takes minutes. bm25s
is called as its README says, `index` and `retrieve`, with its numpy backend. rank_bm25 is too slow for all
queries: it ranks a sample, and its seconds for one query are set against ours. Exact top k: 1,024 queries of
384 numbers over as many vectors as there are pages, k 200, beside one product of matrices and `torch.topk`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

import anchormine
from anchormine.datasets.folder import iter_rows
from anchormine.evaluation.bm25 import BM25Options
from anchormine.negatives.bm25_ranking import RankedPart, rank_by_bm25
from anchormine.negatives.postings import CorpusLengths, Postings, PostingsRanker, count_terms, term_key
from anchormine.negatives.rank_keys import TopK
from anchormine.negatives.terms import mining_splitter
from anchormine.negatives.top_k import top_k
from anchormine.pipelines.cli import main as run_command
from anchormine.transforms.mining_buckets import pages_per_part

DEPTH = 200
REAL_DUMP = "wiki/minwiki-20130905-pages-articles-multistream.xml.bz2"
TARGETS = {"rank_bm25": 20.0, "bm25s": 1.3, "top_k": 1.5}  # at least, at most, at most
OPTIONS = BM25Options()
_WORDS_OF_A_QUERY = 6
_ROUNDS_OF_TOP_K = 7

Terms = list[list[str]]


def read_corpus(folder: str, count: int) -> tuple[list[str], list[str]]:
    """Texts of the pages, and queries, each once as far as they go."""
    pages = list(iter_rows(folder, "pages", ["title", "text"]))
    anchors = [row["anchor"] for row in iter_rows(folder, "anchors", ["anchor"])]
    lines = [" ".join(page["text"].split()[:_WORDS_OF_A_QUERY]) for page in pages]
    queries = list(dict.fromkeys([*anchors, *(page["title"] for page in pages), *lines]))
    repeated = queries * (1 + count // max(1, len(queries)))
    return [page["text"] for page in pages], repeated[:count]


def index_parts(corpus: Terms) -> tuple[list[Postings], np.ndarray, list[np.ndarray], CorpusLengths]:
    """Postings of the parts, the statistics of the whole, and each part's share of them."""
    size = pages_per_part(len(corpus), 0)
    texts = [" ".join(terms) for terms in corpus]
    parts = [count_terms(texts[start : start + size], str.split) for start in range(0, len(texts), size)]
    terms, places = np.unique(np.concatenate([part.terms for part in parts]), return_inverse=True)
    held = np.bincount(
        places.reshape(-1), np.concatenate([part.document_frequencies for part in parts]), len(terms)
    )
    shares = [held[np.searchsorted(terms, part.terms)].astype(np.int64) for part in parts]
    lengths = CorpusLengths(len(texts), sum(int(part.lengths.sum()) for part in parts))
    return parts, held, shares, lengths


def by_parts(corpus: Terms, queries: Terms) -> TopK:
    """Ours: counted and ranked part by part."""
    parts, _, shares, lengths = index_parts(corpus)

    def rankers() -> Iterator[RankedPart]:
        first = 0
        for postings, frequencies in zip(parts, shares, strict=True):
            ranker = PostingsRanker(postings, frequencies, lengths, OPTIONS)
            yield RankedPart(ranker, 0, len(postings.lengths), first)
            first += len(postings.lengths)

    keys = {term: term_key(term) for query in queries for term in query}
    return rank_by_bm25(
        [np.array([keys[term] for term in query], np.uint64) for query in queries], rankers(), DEPTH
    )


def by_bm25s(corpus: Terms, queries: Terms) -> Any:
    """bm25s, called directly."""
    import bm25s

    retriever = bm25s.BM25(method="lucene", k1=OPTIONS.k1, b=OPTIONS.b, backend="numpy")
    retriever.index(corpus, show_progress=False)
    depth = min(DEPTH, len(corpus))
    return retriever.retrieve(queries, k=depth, show_progress=False, n_threads=0, backend_selection="numpy")


def by_rank_bm25(corpus: Terms) -> Callable[[Terms], list[np.ndarray]]:
    """rank_bm25, indexed and ready to rank."""
    from rank_bm25 import BM25Okapi

    ranker = BM25Okapi(corpus, k1=OPTIONS.k1, b=OPTIONS.b)
    return lambda queries: [np.argsort(ranker.get_scores(query))[::-1][:DEPTH] for query in queries]


def seconds_of(action: Callable[[], Any]) -> float:
    """CPU seconds."""
    start = time.process_time()
    action()
    return time.process_time() - start


def compare_bm25(corpus: Terms, queries: Terms, sample: int, rounds: int) -> dict[str, float]:
    """CPU seconds and ratios of the three."""
    peer = by_rank_bm25(corpus)
    some = queries[:: max(1, len(queries) // sample)][:sample]
    taken: dict[str, list[float]] = {"ours": [], "bm25s": [], "rank_bm25": []}
    for _ in range(rounds):
        taken["ours"].append(seconds_of(lambda: by_parts(corpus, queries)))
        taken["bm25s"].append(seconds_of(lambda: by_bm25s(corpus, queries)))
        taken["rank_bm25"].append(seconds_of(lambda: peer(some)) / len(some) * len(queries))
    medians = {name: statistics.median(values) for name, values in taken.items()}
    parts = index_parts(corpus)[0]
    return {
        "queries": len(queries),
        "documents": len(corpus),
        **medians,
        "times_rank_bm25": medians["rank_bm25"] / medians["ours"],
        "times_bm25s": medians["ours"] / medians["bm25s"],
        "parts": len(parts),
        "largest_part_mb": max(sum(array.nbytes for array in part) for part in parts) / 2**20,
    }


def compare_top_k(documents: int, rounds: int, queries: int = 1_024, width: int = 384) -> dict[str, float]:
    """CPU seconds and ratio of the exact search."""
    draws = np.random.default_rng(1)
    asked, held = (draws.standard_normal((count, width), np.float32) for count in (queries, documents))
    k = min(DEPTH, documents)
    ours, plain = [], []
    for _ in range(rounds):
        ours.append(seconds_of(lambda: top_k(asked, held, k)))
        plain.append(seconds_of(lambda: (torch.from_numpy(asked) @ torch.from_numpy(held).T).topk(k)))
    return {
        "top_k": statistics.median(ours),
        "torch": statistics.median(plain),
        "times_torch": statistics.median(ours) / statistics.median(plain),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder")
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--sample", type=int, default=50, help="queries that rank_bm25 ranks")
    parser.add_argument("--rounds", type=int, default=1, help="of BM25")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as scratch:
        texts, queries = read_corpus(options.folder or _mined(scratch), options.queries)
    split = mining_splitter(None)
    corpus, asked = [split(text) for text in texts], [split(query) for query in queries]
    figures = compare_bm25(corpus, asked, options.sample, options.rounds)
    figures |= compare_top_k(len(corpus), _ROUNDS_OF_TOP_K)
    print(json.dumps(figures) if options.json else _shown(figures))
    return int(
        figures["times_rank_bm25"] < TARGETS["rank_bm25"]
        or figures["times_bm25s"] > TARGETS["bm25s"]
        or figures["times_torch"] > TARGETS["top_k"]
    )


def _mined(scratch: str) -> str:
    real = Path(os.environ.get("ANCHORMINE_DATA", "nowhere")) / REAL_DUMP
    dump = real if real.is_file() else Path(anchormine.__file__).with_name("demo") / "wiki.xml"
    folder = f"{scratch}/folder"
    assert run_command(["wiki", str(dump), "--output", folder, "--workers", "1", "--progress", "none"]) == 0
    return folder


def _shown(figures: dict[str, float]) -> str:
    return (
        f"BM25, {figures['queries']:,} queries over {figures['documents']:,} pages, CPU seconds of index and "
        f"top {DEPTH}; ours in {figures['parts']} parts of {figures['largest_part_mb']:.0f} MB at most:\n"
        f"  anchormine {figures['ours']:.1f}, bm25s {figures['bm25s']:.1f}, rank_bm25 "
        f"{figures['rank_bm25']:.0f} (scaled from a sample, without its index)\n"
        f"  {figures['times_rank_bm25']:.1f} times rank_bm25 (target {TARGETS['rank_bm25']:g}), "
        f"{figures['times_bm25s']:.2f} of bm25s's time (at most {TARGETS['bm25s']:g})\n"
        f"exact top {DEPTH}: {figures['top_k']:.2f} s, product and torch.topk {figures['torch']:.2f} s, "
        f"{figures['times_torch']:.2f} (at most {TARGETS['top_k']:g})"
    )


if __name__ == "__main__":
    sys.exit(main())
