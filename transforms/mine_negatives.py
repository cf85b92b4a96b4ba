"""Mines the negatives of a bucket of queries: rank, guard, draw."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from anchormine.negatives.answers import Known
from anchormine.negatives.bm25_ranking import RankedPart, rank_by_bm25
from anchormine.negatives.choice import choose
from anchormine.negatives.fingerprints import PERMUTATIONS, similarity
from anchormine.negatives.guards import GUARDS, KEPT, Candidates, guard, known_pages
from anchormine.negatives.mined_queries import MinedQuery, distinct_positions
from anchormine.negatives.options import NegativeOptions
from anchormine.negatives.positive_scores import bm25_scores, frequencies_of
from anchormine.negatives.postings import CorpusLengths, PostingsRanker, term_key
from anchormine.negatives.rank_keys import TopK
from anchormine.negatives.terms import mining_splitter
from anchormine.transforms.load_miner import embed_documents, embed_queries
from anchormine.transforms.mined_shards import Shard, ShardSide, read_marks, read_postings, read_vectors
from anchormine.transforms.positive_texts import place_of, read_positives

_CELLS_AT_A_TIME = 65_536  # candidates whose signatures are compared


class Mined(NamedTuple):
    """What is mined for a query.

    Attributes:
        query: the pair.
        positions: of its negatives on its side of the corpus, best first, [n] int64.
        scores: theirs, [n] float32.
        candidates: how many there were before the guards.
    """

    query: MinedQuery
    positions: np.ndarray
    scores: np.ndarray
    candidates: int


def mine(
    queries: Sequence[MinedQuery],
    corpus: Sequence[ShardSide],
    shards: Sequence[Shard],
    lengths: CorpusLengths,
    answers: Mapping[str, Known],
    options: NegativeOptions,
    seed: int,
) -> tuple[list[Mined], Counter[str]]:
    """Mines negatives for the queries of one side.

    Args:
        queries: of a bucket.
        corpus: the documents of that side.
        shards: those of both sides.
        lengths: of the whole corpus, for BM25.
        answers: pages that are known to answer queries.
        options: of the run.
        seed: of the run.

    Returns:
        In the order of the queries; and how many candidates there were, "candidates", and each guard has
        dropped, "dropped.<guard>".
    """
    texts, places = distinct_positions(query.query for query in queries)
    ranked = _rank(texts, corpus, lengths, options)
    found = TopK(ranked.documents[places], ranked.scores[places])  # [r, k]
    candidates, names = _candidates(queries, found, corpus, options)
    if options.margin is not None:
        candidates = candidates._replace(
            most=_positive_scores(queries, corpus, lengths, options) - options.margin
        )
    reasons = guard(candidates, answers, _texts_of(known_pages(candidates, answers), shards))
    free = candidates.present & (reasons == KEPT)
    ids = [query.pair_id for query in queries]
    chosen = choose(free, names, ids, options.kept, options.negatives, seed)
    mined = [
        Mined(query, found.documents[row, ranks], found.scores[row, ranks], int(present))
        for row, (query, ranks, present) in enumerate(
            zip(queries, chosen, candidates.present.sum(axis=1), strict=True)
        )
    ]
    dropped = np.bincount(reasons[candidates.present], minlength=len(GUARDS) + 1)
    counts = Counter({"candidates": int(candidates.present.sum())})
    counts.update({f"dropped.{name}": int(dropped[number]) for number, name in enumerate(GUARDS, 1)})
    return mined, counts


def _rank(
    texts: Sequence[str], corpus: Sequence[ShardSide], lengths: CorpusLengths, options: NegativeOptions
) -> TopK:
    """The best documents of each distinct query, [q, depth]."""
    if options.model is None:
        split = mining_splitter(options.language)
        keys = [np.array([term_key(term) for term in split(text)], np.uint64) for text in texts]
        return rank_by_bm25(keys, _ranked_parts(corpus, lengths, options), options.depth)
    from anchormine.negatives.nearest import nearest

    blocks = (read_vectors(side.shard)[side.start : side.end] for side in corpus)
    vectors = embed_queries(options.model, texts)
    return _padded(nearest(vectors, blocks, options.depth, options.model), options.depth)


def _ranked_parts(
    corpus: Sequence[ShardSide], lengths: CorpusLengths, options: NegativeOptions
) -> Iterator[RankedPart]:
    for side in corpus:
        postings, frequencies = read_postings(side.shard)
        ranker = PostingsRanker(postings, frequencies, lengths, options.bm25)
        yield RankedPart(ranker, side.start, side.end, side.first)


def _padded(found: TopK, width: int) -> TopK:
    missing = [(0, 0), (0, width - found.documents.shape[1])]
    return TopK(
        np.pad(found.documents, missing, constant_values=-1),
        np.pad(found.scores, missing, constant_values=-np.inf),
    )


def _candidates(
    queries: Sequence[MinedQuery], found: TopK, corpus: Sequence[ShardSide], options: NegativeOptions
) -> tuple[Candidates, np.ndarray]:
    """What the guards look at, and the names of the documents, [r, k] uint64."""
    shape = found.documents.shape
    names, pages, texts = (np.zeros(shape, np.uint64) for _ in range(3))
    similar = np.zeros(shape, bool)
    own = np.frombuffer(b"".join(query.signature for query in queries), np.uint8).reshape(-1, PERMUTATIONS)
    for side in corpus:
        marks = read_marks(side.shard)
        local = found.documents - side.first
        rows, ranks = np.nonzero((found.documents >= 0) & (local >= 0) & (local < side.end - side.start))
        documents = local[rows, ranks] + side.start
        names[rows, ranks] = marks.names[documents]
        pages[rows, ranks] = marks.pages[documents]
        texts[rows, ranks] = marks.texts[documents]
        for start in range(0, len(rows) if options.similarity <= 1 else 0, _CELLS_AT_A_TIME):
            some = slice(start, start + _CELLS_AT_A_TIME)
            alike = similarity(own[rows[some]], marks.signatures[documents[some]])
            similar[rows[some], ranks[some]] = alike >= options.similarity
    columns = [
        np.array([getattr(query, name) for query in queries], np.uint64)
        for name in ("texts", "context", "page", "text_hash", "sources")
    ]
    asked, contexts, page, text, sources = columns
    candidates = Candidates(
        found.scores,
        found.documents >= 0,
        pages,
        texts,
        similar,
        asked.reshape(-1, 2),
        contexts,
        page,
        text,
        sources.reshape(-1, 2),
        None,
    )
    return candidates, names


def _texts_of(pages: np.ndarray, shards: Sequence[Shard]) -> Known:
    """The texts of some pages, on whatever side these are."""
    found = [np.zeros((0, 2), np.uint64)]
    for marks in map(read_marks, shards):
        wanted = np.isin(marks.pages, pages)
        found.append(np.stack([marks.pages[wanted], marks.texts[wanted]], axis=1))
    return Known.of(np.concatenate(found))


def _positive_scores(
    queries: Sequence[MinedQuery],
    corpus: Sequence[ShardSide],
    lengths: CorpusLengths,
    options: NegativeOptions,
) -> np.ndarray:
    """How high the documents of pairs are scored, [r] float32."""
    texts = read_positives(queries)
    numbers = {place: number for number, place in enumerate(texts)}
    rows = [numbers[place_of(query)] for query in queries]
    if options.model is not None:
        asked = embed_queries(options.model, [query.query for query in queries])  # [r, d]
        answered = embed_documents(options.model, list(texts.values()))[rows]  # [r, d]
        return np.einsum("rd,rd->r", asked, answered)
    split = mining_splitter(options.language)
    documents = [split(text) for text in texts.values()]
    pairs = [(split(query.query), documents[row]) for query, row in zip(queries, rows, strict=True)]
    terms = {term for query, _ in pairs for term in query}
    frequencies = frequencies_of(terms, (read_postings(side.shard) for side in corpus))
    return bm25_scores(pairs, frequencies, lengths, options.bm25)
