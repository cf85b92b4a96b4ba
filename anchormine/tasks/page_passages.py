"""A page as the tasks of passages see it: its sentences and passages, and which of them are drawn.

The main text begins with the lead where the page has one (`schemas/pages.py`), so that its sentences are
found once for all the tasks. Draws hang on hashes of the page's id and the numbers of its parts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from anchormine.errors import UsageError
from anchormine.sampling.draws import hash64
from anchormine.text.model import SentenceModel
from anchormine.text.passages import PASSAGE_WORDS, Sentence, pack_sentences, text_sentences
from anchormine.text.spans import Span

FEW_PASSAGES = "few_passages"  # the page has no more passages for pairs
NO_LEAD = "no_lead"  # the page begins with a heading
NO_SENTENCE = "no_sentence"  # no sentence of the lead can be a query
FEW_SENTENCES = "few_sentences"  # the lead has no more of them
EQUAL_TEXTS = "equal_texts"  # every passage that can be the document has the query
# Shorter lines are headings, items of menus and the like ("See also", "1.2 Settings"): of the ConTeXt wiki's
# crawl two queries of three, found on page after page, so that no passage could be told to be theirs.
QUERY_WORDS = 4
QUERY_PAGES = 5  # the same heading or notice on more pages than that is the site's


@dataclass(frozen=True)
class PassageOptions:
    """What passages and queries are like.

    Attributes:
        passage_words: of a passage, at most, and of a sentence that is a query.
        pairs_per_page: how many pairs a page has in each task, none of them with a sentence of another.
        query_words: of a sentence that is a query, at least (ict, bfs, wlp).
        keep_sentence: in ict, share of the pairs whose document keeps the sentence.
        pairs_per_passage: in wlp, how many pairs may have a passage for their document.
        query_pages: how many pages may have a sentence that is a query (ict, bfs, wlp).
    """

    passage_words: int = PASSAGE_WORDS
    pairs_per_page: int = 1
    query_words: int = QUERY_WORDS
    keep_sentence: float = 0.0
    pairs_per_passage: int = 5
    query_pages: int = QUERY_PAGES

    def __post_init__(self) -> None:
        for name in ("passage_words", "pairs_per_page", "query_words", "query_pages", "pairs_per_passage"):
            if getattr(self, name) < 1:
                raise UsageError(f"--{name.replace('_', '-')} {getattr(self, name)}: give 1 or more")
        if self.query_words > self.passage_words:
            raise UsageError(
                f"--query-words {self.query_words}: give at most --passage-words, {self.passage_words}"
            )
        if not 0 <= self.keep_sentence <= 1:
            raise UsageError(f"--keep-sentence {self.keep_sentence}: give a share from 0 to 1")


@dataclass(frozen=True)
class PagePassages:
    """A page; its parts are found when they are asked for.

    Attributes:
        page_id: of the page.
        text: its main text.
        lead: its first section.
        model: of its language.
        options: of the run.
        repeated: `sentence_hash` of sentences that are on too many pages, sorted.
    """

    page_id: str
    text: str
    lead: str
    model: SentenceModel
    options: PassageOptions
    repeated: np.ndarray = field(default_factory=lambda: np.empty(0, np.uint64), compare=False)

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Of the text, in order; a sentence's number is its place here."""
        return list(text_sentences(self.text, self.model))

    @cached_property
    def passages(self) -> list[Span]:
        """Of the text, in order."""
        return pack_sentences(self.sentences, self.options.passage_words)

    @cached_property
    def passages_behind_lead(self) -> list[Span]:
        """Those that the text makes without its lead, as spans of the text."""
        if not self._begins_with_lead:
            return []
        behind = self.sentences[bisect_left(self.sentences, (len(self.lead),)) :]
        return pack_sentences(behind, self.options.passage_words)

    @cached_property
    def lead_queries(self) -> dict[int, str]:
        """The sentences of the lead that can be queries, by their numbers in it."""
        sentences = ((number, self.lead[start:end]) for number, (start, end, _) in self._long_of_lead)
        return {number: text for number, text in sentences if not self._is_repeated(text)}

    @property
    def long_sentences(self) -> set[str]:
        """The sentences of text and lead that are as long as queries are."""
        of_text = {self.text[start:end] for start, end, words in self.sentences if self._is_long(words)}
        return of_text | {self.lead[start:end] for _, (start, end, _) in self._long_of_lead}

    @property
    def _long_of_lead(self) -> list[tuple[int, Sentence]]:
        """The sentences of the lead that are as long as queries are, and their numbers in it."""
        if self._begins_with_lead:
            sentences = self.sentences[: bisect_left(self.sentences, (len(self.lead),))]
        else:
            sentences = list(text_sentences(self.lead, self.model))
        return [
            (number, sentence) for number, sentence in enumerate(sentences) if self._is_long(sentence.words)
        ]

    @property
    def lead_problem(self) -> str:
        """Why the lead has no query, or ""."""
        if not self.lead.strip():
            return NO_LEAD
        return "" if self.lead_queries else NO_SENTENCE

    def is_query(self, sentence: Sentence) -> bool:
        """Whether a sentence of the text is as long as queries are, and not on too many pages."""
        start, end, words = sentence
        return self._is_long(words) and not self._is_repeated(self.text[start:end])

    def _is_long(self, words: int) -> bool:
        return self.options.query_words <= words <= self.options.passage_words

    def _is_repeated(self, sentence: str) -> bool:
        hashed = np.uint64(sentence_hash(sentence))
        place = np.searchsorted(self.repeated, hashed)
        return bool(place < len(self.repeated) and self.repeated[place] == hashed)

    def within(self, passage: Span) -> range:
        """The numbers of the sentences of a passage."""
        start, end = passage
        return range(bisect_left(self.sentences, (start,)), bisect_left(self.sentences, (end,)))

    @property
    def _begins_with_lead(self) -> bool:
        """Whether the text goes on in another line where the lead ends."""
        return self.text.startswith(self.lead) and self.text[len(self.lead) :][:1] in ("", "\n")


def sentence_hash(text: str) -> int:
    """What stands for a sentence where its pages are counted, 64 bits."""
    return hash64(0, text)


def drawn(numbers: Iterable[int], seed: int, *parts: str) -> list[int]:
    """Puts numbers in the order in which they are drawn, all orders equally likely.

    Args:
        numbers: of sentences or passages.
        seed: of the run.
        *parts: page and task that the draw is for.
    """
    return sorted(numbers, key=lambda number: hash64(seed, *parts, str(number)))
