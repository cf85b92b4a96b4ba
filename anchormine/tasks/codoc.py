"""co-doc: two spans of one document, which Anchor-DR is compared with (SIGIR 2023).

The spans are passages of whole sentences. The query is one passage of a page, the document another; which
ones is drawn by a hash of their places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from anchormine.errors import UsageError
from anchormine.sampling.draws import hash64
from anchormine.schemas.pairs import Pair
from anchormine.tasks.drafts import Refusal
from anchormine.text.model import SentenceModel
from anchormine.text.passages import PASSAGE_WORDS, split_passages

CODOC = "codoc"
FEW_PASSAGES = "few_passages"  # the page has fewer than two for each pair
EQUAL_PASSAGES = "equal_passages"  # both passages read the same


@dataclass(frozen=True)
class CodocOptions:
    """How passages are paired.

    Attributes:
        passage_words: of a passage, at most.
        pairs_per_page: how many; no passage is in two of them.
    """

    passage_words: int = PASSAGE_WORDS
    pairs_per_page: int = 1

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value < 1:
                raise UsageError(f"--{name.replace('_', '-')} {value}: give 1 or more")


def codoc_pairs(
    page_id: str, text: str, model: SentenceModel, options: CodocOptions, seed: int
) -> Iterator[Pair | Refusal]:
    """Yields the pairs of a page, and refusals that stand for those it has no passages for.

    Args:
        page_id: of the page; the draw hangs on it.
        text: its main text.
        model: of its language.
        options: of the run.
        seed: of the run.
    """
    passages = split_passages(text, model, options.passage_words)
    drawn = sorted(range(len(passages)), key=lambda number: hash64(seed, page_id, CODOC, str(number)))
    wanted = options.pairs_per_page
    made = min(wanted, len(drawn) // 2)
    for query, document in zip(drawn[0 : 2 * made : 2], drawn[1 : 2 * made : 2], strict=True):
        pair_id = f"{CODOC}:{page_id}#p{query}:{page_id}#p{document}"
        yield _pair(pair_id, page_id, text[slice(*passages[query])], text[slice(*passages[document])])
    if made < wanted:
        yield Refusal(CODOC, FEW_PASSAGES, None, page_id, text, wanted - made)


def _pair(pair_id: str, page_id: str, query: str, document: str) -> Pair | Refusal:
    if query == document:
        return Refusal(CODOC, EQUAL_PASSAGES, pair_id, page_id, query)
    return Pair(
        pair_id=pair_id,
        task=CODOC,
        query=query,
        document=document,
        negative_query=None,
        negative_document=None,
        document_id=page_id,
        negative_document_id=None,
        sentence_id=None,
        anchor_id=None,
        query_terms=[],
        negative_query_terms=None,
    )
