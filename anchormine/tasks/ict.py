"""ICT, the inverse cloze task (Lee et al., ACL 2019, section 4), which Anchor-DR and HARP are compared with.

The query is a random sentence of a passage, the document the passage without it. The paper leaves the
sentence in one passage of ten, so that words in common count for something: that is `keep_sentence` 0.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from anchormine.sampling.draws import uniform
from anchormine.sampling.terms import count_words
from anchormine.schemas.pairs import Pair, positive_pair
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.page_passages import FEW_PASSAGES, PagePassages, drawn
from anchormine.text.passages import Sentence
from anchormine.text.spans import Span

ICT = "ict"


def ict_pairs(page: PagePassages, seed: int) -> Iterator[Pair | Refusal]:
    """Yields the pairs of a page, and refusals that stand for those it has no passages for.

    Args:
        page: its draws hang on its id.
        seed: of the run.
    """
    missing = page.options.pairs_per_page
    for number in drawn(range(len(page.passages)), seed, page.page_id, ICT):
        if not missing:
            return
        sentence = _query(page, page.passages[number], seed)
        if sentence is not None:
            missing -= 1
            yield _pair(page, number, sentence, seed)
    if missing:
        yield Refusal(ICT, FEW_PASSAGES, None, page.page_id, page.text, missing)


def _query(page: PagePassages, passage: Span, seed: int) -> int | None:
    """Draws the number of the sentence; None where none is a query.

    A sentence that the rest of the passage holds too is none: the document would have it all the same.
    """
    for number in drawn(page.within(passage), seed, page.page_id, ICT, "sentence"):
        sentence = page.sentences[number]
        if page.is_query(sentence):
            rest = without_sentence(page.text, passage, sentence)
            if count_words(rest) and page.text[sentence.start : sentence.end] not in rest:
                return number
    return None


def _pair(page: PagePassages, number: int, query: int, seed: int) -> Pair:
    pair_id = f"{ICT}:{page.page_id}#t{query}:{page.page_id}#p{number}"
    sentence, passage = page.sentences[query], page.passages[number]
    text = page.text[sentence.start : sentence.end]
    document = page.text[slice(*passage)]
    if uniform(seed, pair_id, "keep") >= page.options.keep_sentence:
        document = without_sentence(page.text, passage, sentence)
    return positive_pair(ICT, pair_id, text, document, page.page_id)


def without_sentence(text: str, passage: Span, sentence: Sentence) -> str:
    """Returns a passage without one of its sentences; what stood on both sides is set apart as before.

    Args:
        text: of the page.
        passage: its span in the text.
        sentence: of the passage.
    """
    before, after = text[passage[0] : sentence.start], text[sentence.end : passage[1]]
    left, right = before.rstrip(), after.lstrip()
    if not left or not right:
        return left + right
    gap = before[len(left) :] + after[: len(after) - len(right)]
    return left + ("\n" if "\n" in gap else gap[:1]) + right
