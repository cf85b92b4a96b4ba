"""Guards against false negatives: candidates that may well be right answers are no negatives.

| guard | a candidate is dropped that is |
|---|---|
| positive | the destination itself, or another passage of it |
| same_query | a page that the same query, or an anchor of the same text, leads to anywhere |
| alias | a page whose title, or the title of a redirect to it, is the query |
| same_sentence | in HARP's tasks, a page that the query's sentence links to |
| linking_page | in wlp, a page that links to the query's page, as the positive does |
| source | a page that the query was taken from; in anchor_document, any that links so to the positive |
| same_text | equal, but for case and white space, to the positive, or to what the guards above know |
| near_duplicate | as good as equal to the positive, by MinHash |
| margin | not scored lower than the positive by as much as asked for |
| repeated_text | equal, in the same way as in same_text, to a better candidate that no guard drops |

In rqp, qdm and acm, where the query ends with an anchor, `same_query` and `alias` are asked of that, too.
Each candidate is counted under the first guard that it meets, in this order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from anchormine.negatives.answers import ALIAS, KINDS, SAME_QUERY, SOURCE, Known

GUARDS = (
    "positive",
    *KINDS,
    "same_text",
    "near_duplicate",
    "margin",
    "repeated_text",
)
_NUMBERS = {name: number for number, name in enumerate(GUARDS, 1)}
_ROW_STEP = np.uint64(0x9E3779B97F4A7C15)  # odd: rows of a hash differ
KEPT = 0  # of a candidate that no guard drops; a guard's number is its place in GUARDS, and 1


class Candidates(NamedTuple):
    """The candidates of some pairs, and what of these the guards look at.

    Attributes:
        scores: of each pair's candidates, best first, [r, k] float32.
        present: False where a pair has fewer candidates, [r, k] bool.
        pages: keys of their pages, [r, k] uint64.
        texts: hashes of their texts, [r, k] uint64.
        similar: whether they are near-duplicates of the positive, [r, k] bool.
        asked: keys of the queries, and of the anchors that they end with, 0 for none, [r, 2] uint64.
        contexts: keys of the sentences, pages or links that lead to other answers, 0 for none, [r] uint64.
        positive_pages: keys of the destinations, [r] uint64.
        positive_texts: hashes of the positives, [r] uint64.
        sources: keys of the pages that the queries are from, 0 for none, [r, 2] uint64.
        most: a candidate's highest score, [r] float32; None where there is no such guard.
    """

    scores: np.ndarray
    present: np.ndarray
    pages: np.ndarray
    texts: np.ndarray
    similar: np.ndarray
    asked: np.ndarray
    contexts: np.ndarray
    positive_pages: np.ndarray
    positive_texts: np.ndarray
    sources: np.ndarray
    most: np.ndarray | None


def guard(candidates: Candidates, answers: Mapping[str, Known], by_page: Known) -> np.ndarray:
    """Tells which guard drops each candidate.

    Args:
        candidates: of some pairs.
        answers: pages that are known to answer what is asked, by `KINDS`.
        by_page: texts of `known_pages`, on both sides of the corpus.

    Returns:
        Numbers of guards, 1 for the first of `GUARDS`; `KEPT` for none, and where there is no candidate;
        [r, k] uint8.
    """
    pages = candidates.pages
    met = {
        "positive": pages == candidates.positive_pages[:, None],
        **{kind: _held(candidates, kind, answers[kind], pages) for kind in KINDS},
        "same_text": _reads_alike(candidates, answers, by_page),
        "near_duplicate": candidates.similar,
        "margin": _too_high(candidates),
    }
    met[SOURCE] |= (pages[:, :, None] == candidates.sources[:, None, :]).any(axis=2)
    reasons = np.zeros(pages.shape, np.uint8)
    for name in reversed(met):  # the first comes last, and stays
        reasons[met[name]] = _NUMBERS[name]
    reasons[~candidates.present] = KEPT
    free = candidates.present & (reasons == KEPT)
    reasons[_repeated(candidates.texts, free)] = _NUMBERS["repeated_text"]
    return reasons


def known_pages(candidates: Candidates, answers: Mapping[str, Known]) -> np.ndarray:
    """The pages whose texts `guard` compares: known answers, and those of the queries, [n] uint64."""
    known = (answers[kind].answers(np.unique(_asked(candidates, kind)))[1] for kind in KINDS)
    return np.unique(np.concatenate([candidates.sources.ravel(), *known]))


def _asked(candidates: Candidates, kind: str) -> np.ndarray:
    """What the pairs ask a kind of answer for, [r, 1 or 2] uint64: their queries and anchors, or contexts."""
    return candidates.asked if kind in (SAME_QUERY, ALIAS) else candidates.contexts[:, None]


def _held(candidates: Candidates, kind: str, known: Known, values: np.ndarray) -> np.ndarray:
    """Which pages, or texts, of candidates are known to answer what is asked, [r, k] bool."""
    return np.any([known.hold(keys, values) for keys in _asked(candidates, kind).T], axis=0)


def _reads_alike(candidates: Candidates, answers: Mapping[str, Known], by_page: Known) -> np.ndarray:
    texts = candidates.texts
    alike = [texts == candidates.positive_texts[:, None]]
    alike += [by_page.hold(pages, texts) for pages in candidates.sources.T]
    for kind in KINDS:
        known = answers[kind].texts(_asked(candidates, kind).ravel(), by_page)
        alike.append(_held(candidates, kind, known, texts))
    return np.any(alike, axis=0)


def _repeated(texts: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Which candidates have the text of one before them, [r, k] bool; takes hashes, and which count."""
    rows, ranks = np.nonzero(free)  # row by row, best first
    keys = texts[rows, ranks] + rows.astype(np.uint64) * _ROW_STEP  # modulo 2**64
    _, first = np.unique(keys, return_index=True)
    again = np.ones(len(rows), bool)
    again[first] = False
    repeated = np.zeros_like(free)
    repeated[rows[again], ranks[again]] = True
    return repeated


def _too_high(candidates: Candidates) -> np.ndarray:
    if candidates.most is None:
        return np.zeros(candidates.pages.shape, bool)
    return candidates.scores > candidates.most[:, None]
