"""Who answers the queries of a folder's pairs, read from its tables and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from anchormine.datasets.folder import iter_rows
from anchormine.filters.cleaning import clean_anchor
from anchormine.sampling.splits import split_of
from anchormine.schemas.pairs import HARP_TASKS

Pages = defaultdict[str, set[str]]


def folded(text: str) -> str:
    """The text without what does not count where queries, anchors and titles are compared."""
    return " ".join((clean_anchor(text) or text).casefold().split())


def same_text(text: str) -> str:
    """What texts have in common that differ in case and white space alone."""
    return " ".join(text.casefold().split())


class KnownAnswers:
    """Pages by what leads to them.

    Attributes:
        anchors: rows of `anchors/` by anchor_id.
        links: pages by the folded texts of anchors.
        sentences: pages by the sentence_id of links.
        linking: pages by the page that they link to.
        sources: pages by the folded text with which they link, and the page that they link to.
        titles: pages by their folded titles and those of redirects.
        queries: pages by folded query, of each task.
        texts: "lead" and "text" of pages, without case and white space, by page_id.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.anchors: dict[str, dict[str, Any]] = {}
        self.links, self.sentences, self.linking, self.titles = (Pages(set) for _ in range(4))
        self.sources: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self.queries: dict[str, Pages] = {}
        columns = ["anchor_id", "anchor", "sentence_id", "source_page_id", "destination_page_id"]
        for row in iter_rows(self.folder, "anchors", columns):
            self.anchors[row["anchor_id"]] = row
            if row["destination_page_id"] is not None:
                self.links[folded(row["anchor"])].add(row["destination_page_id"])
                self.sentences[row["sentence_id"]].add(row["destination_page_id"])
                self.linking[row["destination_page_id"]].add(row["source_page_id"])
                self.sources[folded(row["anchor"]), row["destination_page_id"]].add(row["source_page_id"])
        self.texts: dict[str, dict[str, str]] = {"lead": {}, "text": {}}
        for row in iter_rows(self.folder, "pages", ["page_id", "title", "redirects_from", "lead", "text"]):
            for form, texts in self.texts.items():
                texts[row["page_id"]] = same_text(row[form])
            for title in (row["title"], *row["redirects_from"]):
                self.titles[folded(title)].add(row["page_id"])

    def of(self, pair: Mapping[str, Any]) -> dict[str, set[str]]:
        """The pages that guards keep from the negatives of a pair, by guard, in the order of the guards."""
        task, query = pair["task"], folded(pair["query"])
        anchor = self.anchors.get(pair["anchor_id"] or "")
        texts = {query, folded(anchor["anchor"])} if anchor and task in ("rqp", "qdm", "acm") else {query}
        found = {
            "positive": {pair["document_id"]},
            "same_query": self._queries(task)[query].union(*(self.links[text] for text in texts)),
            "alias": set[str]().union(*(self.titles[text] for text in texts)),
        }
        if task in HARP_TASKS:
            found["same_sentence"] = self.sentences[pair["sentence_id"]]
        if task == "wlp" and anchor:
            found["linking_page"] = self.linking[anchor["destination_page_id"]]
            found["source"] = {anchor["destination_page_id"]}
        elif task == "anchor_document":
            found["source"] = self.sources[query, pair["document_id"]]
        elif anchor:
            found["source"] = {anchor["source_page_id"]}
        return found

    def _queries(self, task: str) -> Pages:
        if task not in self.queries:
            self.queries[task] = Pages(set)
            for row in iter_rows(self.folder, f"pairs-{task}", ["query", "document_id"]):
                self.queries[task][folded(row["query"])].add(row["document_id"])
        return self.queries[task]


def contrastive_shards(folder: str | Path, task: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yields (split, its rows) of each file of a task's contrastive pairs."""
    for path in sorted(Path(folder, "contrastive", task).glob("*.parquet")):
        yield path.name.partition("-")[0], pq.read_table(path).to_pylist()


def check_guards(known: KnownAnswers, task: str) -> int:
    """Checks that no row has a guarded page, one that reads like it, or pages of two splits.

    Returns:
        How many rows there are.
    """
    columns = ["pair_id", "task", "query", "document_id", "anchor_id", "sentence_id"]
    pairs = {row["pair_id"]: row for row in iter_rows(known.folder, f"pairs-{task}", columns)}
    rows = 0
    for split, shard in contrastive_shards(known.folder, task):
        for row in shard:
            rows += 1
            pair = pairs[row["query_id"]]
            pages = {name.partition("#p")[0] for name in row["negative_ids"]}
            guarded = {name: pages & found for name, found in known.of(pair).items()}
            assert not any(guarded.values()), (row["query_id"], guarded)
            if not any("#p" in name for name in row["negative_ids"]):
                form = "lead" if task in HARP_TASKS else "text"
                alike = {known.texts[form][page] for name in known.of(pair).values() for page in name}
                assert not {same_text(text) for text in row["negatives"]} & alike - {""}, row["query_id"]
            assert {split_of(page_id) for page_id in (row["positive_id"], *pages)} == {split}
    return rows
