"""BFS, body first selection (Chang et al., ICLR 2020, section 3), which Anchor-DR and HARP are compared with.

The query is a random sentence of a page's first section, the document a random passage of the same page: of
what is behind the first section, or where there is nothing, one that does not have the sentence, nor that of
another pair.
"""

from __future__ import annotations

from collections.abc import Iterator

from anchormine.schemas.pairs import Pair, positive_pair
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.page_passages import FEW_PASSAGES, FEW_SENTENCES, PagePassages, drawn
from anchormine.text.spans import Span

BFS = "bfs"


def bfs_pairs(page: PagePassages, seed: int) -> Iterator[Pair | Refusal]:
    """Yields the pairs of a page, and refusals that stand for those it has no text for.

    Args:
        page: its draws hang on its id.
        seed: of the run.
    """
    wanted, problem = page.options.pairs_per_page, page.lead_problem
    if problem:
        yield Refusal(BFS, problem, None, page.page_id, page.text, wanted)
        return
    passages = _passages(page, seed)
    queries = drawn(page.lead_queries, seed, page.page_id, BFS, "sentence")[:wanted]
    asked: set[str] = set()
    answered: set[str] = set()  # sentences of the documents
    made = 0
    for number in queries:
        query = page.lead_queries[number]
        if query in answered:
            continue
        excluded = asked | {query}
        free = (name for name, span in passages.items() if excluded.isdisjoint(_sentences(page, span)))
        name = next(free, None)
        if name is not None:
            made += 1
            asked, passage = excluded, passages.pop(name)
            answered.update(_sentences(page, passage))
            pair_id = f"{BFS}:{page.page_id}#l{number}:{page.page_id}#{name}"
            yield positive_pair(BFS, pair_id, query, page.text[slice(*passage)], page.page_id)
    for reason, missing in ((FEW_SENTENCES, wanted - len(queries)), (FEW_PASSAGES, len(queries) - made)):
        if missing:
            yield Refusal(BFS, reason, None, page.page_id, page.text, missing)


def _passages(page: PagePassages, seed: int) -> dict[str, Span]:
    """The passages that can be documents by their names, in the order in which they are drawn."""
    kind, spans = "b", page.passages_behind_lead
    if not spans:
        kind, spans = "p", page.passages
    return {f"{kind}{number}": spans[number] for number in drawn(range(len(spans)), seed, page.page_id, BFS)}


def _sentences(page: PagePassages, passage: Span) -> Iterator[str]:
    """Yields the sentences of a passage."""
    for number in page.within(passage):
        start, end, _ = page.sentences[number]
        yield page.text[start:end]
