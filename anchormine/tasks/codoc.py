"""co-doc: two spans of one document, which Anchor-DR is compared with (SIGIR 2023).

The spans are passages of whole sentences. The query is one passage of a page, the document another; which
ones is drawn by a hash of their places.
"""

from __future__ import annotations

from collections.abc import Iterator

from anchormine.schemas.pairs import Pair, positive_pair
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.page_passages import FEW_PASSAGES, PagePassages, drawn

CODOC = "codoc"
EQUAL_PASSAGES = "equal_passages"  # all passages that are left read the same


def codoc_pairs(page: PagePassages, seed: int) -> Iterator[Pair | Refusal]:
    """Yields the pairs of a page, and refusals that stand for those it has no passages for.

    Args:
        page: its draws hang on its id.
        seed: of the run.
    """
    left = list(drawn(range(len(page.passages)), seed, page.page_id, CODOC))
    wanted = page.options.pairs_per_page
    made = min(wanted, len(left) // 2)
    for _ in range(made):
        query = left.pop(0)
        text = _text(page, query)
        document = next((number for number in left if _text(page, number) != text), left[0])
        left.remove(document)
        yield _pair(page, query, document)
    if made < wanted:
        yield Refusal(CODOC, FEW_PASSAGES, None, page.page_id, page.text, wanted - made)


def _pair(page: PagePassages, query: int, document: int) -> Pair | Refusal:
    pair_id = f"{CODOC}:{page.page_id}#p{query}:{page.page_id}#p{document}"
    query_text, text = _text(page, query), _text(page, document)
    if query_text == text:
        return Refusal(CODOC, EQUAL_PASSAGES, pair_id, page.page_id, text)
    return positive_pair(CODOC, pair_id, query_text, text, page.page_id)


def _text(page: PagePassages, number: int) -> str:
    return page.text[slice(*page.passages[number])]
