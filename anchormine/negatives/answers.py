"""Which pages are known to answer queries, by what these ask for, and what these pages read like."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Pages by the text that leads to them: a query's or an anchor's, a title's or a redirect's.
SAME_QUERY, ALIAS = "same_query", "alias"
# Pages by the sentence that links to them, and by the page that they link to.
SAME_SENTENCE, LINKING_PAGE = "same_sentence", "linking_page"
# Pages by the text with which they link, and the page that they link to.
SOURCE = "source"
KINDS = (SAME_QUERY, ALIAS, SAME_SENTENCE, LINKING_PAGE, SOURCE)


class Known(NamedTuple):
    """Pages that are known to answer what is asked; or their texts.

    Attributes:
        asked: keys of what is asked, rising, [n] uint64.
        pages: keys of pages, [n] uint64; rising among those of a key, each once. Or hashes of texts.
    """

    asked: np.ndarray
    pages: np.ndarray

    @classmethod
    def of(cls, pairs: np.ndarray) -> Known:
        """Takes pairs of keys (asked, page), [n, 2] uint64, in any order and with repeats."""
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        new = np.ones(len(pairs), bool)
        new[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
        return cls(pairs[new, 0], pairs[new, 1])

    def answers(self, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Joins what is asked with the pages that answer it.

        Args:
            asked: keys, [r] uint64.

        Returns:
            The places of the keys, rising, [m] int64, a place for each page; and the pages, [m] uint64.
        """
        starts, ends = self._spans(asked)
        counts = ends - starts
        places = np.repeat(np.arange(len(asked)), counts)  # [m]
        before = np.repeat(np.cumsum(counts) - counts, counts)  # [m]
        return places, self.pages[np.arange(len(places)) - before + starts[places]]

    def texts(self, asked: np.ndarray, by_page: Known) -> Known:
        """Looks up what the pages read like that are known to answer what is asked.

        Args:
            asked: keys, [r] uint64, in any order and with repeats.
            by_page: the texts of pages.
        """
        keys = np.unique(asked)
        places, pages = self.answers(keys)
        of_page, texts = by_page.answers(pages)
        return Known.of(np.stack([keys[places[of_page]], texts], axis=1))

    def hold(self, asked: np.ndarray, pages: np.ndarray) -> np.ndarray:
        """Tells which pages are known to answer what is asked.

        Args:
            asked: keys, [r] uint64.
            pages: some for each, [r, k] uint64.

        Returns:
            [r, k] bool.
        """
        held = np.zeros(pages.shape, bool)
        starts, ends = self._spans(asked)
        for row in np.flatnonzero(starts < ends).tolist():
            known = self.pages[starts[row] : ends[row]]
            places = np.searchsorted(known, pages[row]).clip(max=len(known) - 1)
            held[row] = known[places] == pages[row]
        return held

    def _spans(self, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.searchsorted(self.asked, asked, "left"), np.searchsorted(self.asked, asked, "right")
