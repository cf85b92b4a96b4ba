"""What `negatives` reads: the pages, anchors and pairs of a dataset folder, divided for the work."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from anchormine.datasets.folder import NEW_FOLDER, DatasetFolder
from anchormine.datasets.places import input_entry
from anchormine.datasets.remedies import pairs_remedy
from anchormine.errors import CommandError, UsageError
from anchormine.filters.cleaning import CLEANING
from anchormine.negatives.options import PASSAGES
from anchormine.schemas.pairs import HARP_TASKS
from anchormine.text.passages import PASSAGE_WORDS
from anchormine.transforms.files import join
from anchormine.transforms.mining_buckets import AnswerBuckets, MiningBuckets, pages_per_part
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.table_slices import TableSlice, slice_table

_ROWS_PER_SLICE = 4_096
_LINKS_PER_SLICE = 65_536
_PASSAGE_TASKS = ("ict", "bfs", "wlp", "codoc")


class NegativeSource(NamedTuple):
    """What negatives are mined for, and in.

    Attributes:
        pairs: slices of the pairs of each task.
        rest: slices of the pairs that a limit leaves out: their documents are answers all the same.
        rows: pairs of each task that are read.
        anchors: slices of the anchors; none where there are no anchors.
        link_rows: anchors.
        cleaning: profile by which the anchors of `filtered/` were cleaned; None where there are none.
        pages: slices of the pages.
        parts: the same in larger slices, the parts of the corpus.
        rejects: slices of what `negatives` has set aside in the folder before.
        buckets: how rejects are divided.
        page_rows: pages.
        inputs: the files, as the manifest lists inputs, by the task whose pairs they hold or "".
        forms: what the documents of each task are.
        passage_words: of their passages.
        language: of all pages, where the folder says so.
    """

    pairs: Mapping[str, tuple[TableSlice, ...]]
    rest: Mapping[str, tuple[TableSlice, ...]]
    rows: Mapping[str, int]
    anchors: tuple[TableSlice, ...]
    link_rows: int
    cleaning: str | None
    pages: tuple[TableSlice, ...]
    parts: tuple[TableSlice, ...]
    rejects: tuple[TableSlice, ...]
    buckets: PairBuckets
    page_rows: int
    inputs: Mapping[str, list[dict[str, Any]]]
    forms: Mapping[str, str]
    passage_words: int
    language: str | None

    def query_buckets(self, task: str) -> MiningBuckets:
        """How the queries of a task are divided."""
        return MiningBuckets.for_pairs(self.rows[task])

    @property
    def answer_buckets(self) -> AnswerBuckets:
        """How known answers are divided."""
        return AnswerBuckets.for_corpus(self.page_rows, self.link_rows)


def negative_source(folder: DatasetFolder, limits: Mapping[str, int | None]) -> NegativeSource:
    """Looks at a folder.

    Args:
        folder: with pages and pairs.
        limits: the tasks whose pairs are read, and how many of each; None for all.

    Raises:
        CommandError: it has no pages.
        UsageError: it has no pairs of a task.
    """
    configs, tasks = folder.configs(), list(limits)
    _check_tables(folder, tasks, configs)
    pages = _shards(folder, "pages")
    page_rows = sum(rows for _, rows in pages)
    page_bytes = sum(
        output["bytes"] for path, output in folder.outputs().items() if path.startswith("pages/")
    )
    anchors = _shards(folder, "anchors") if "anchors" in configs else []
    rejects = _shards(folder, "rejects-negatives") if "rejects-negatives" in configs else []
    pairs = {task: _shards(folder, f"pairs-{task}") for task in tasks}
    totals = {task: sum(rows for _, rows in shards) for task, shards in pairs.items()}
    rows = {task: min(totals[task], limit or totals[task]) for task, limit in limits.items()}
    options = folder.manifest["steps"]["pairs"]["options"]
    return NegativeSource(
        {task: tuple(slice_table(pairs[task], _ROWS_PER_SLICE, limit)) for task, limit in limits.items()},
        {task: tuple(slice_table(pairs[task], _ROWS_PER_SLICE, skip=rows[task])) for task in tasks},
        rows,
        tuple(slice_table(anchors, _LINKS_PER_SLICE)),
        sum(count for _, count in anchors),
        _cleaning(folder) if "filtered" in configs else None,
        tuple(slice_table(pages, _ROWS_PER_SLICE)),
        tuple(slice_table(pages, pages_per_part(page_rows, page_bytes))),
        tuple(slice_table(rejects, _ROWS_PER_SLICE)),
        PairBuckets.for_corpus(page_rows, sum(totals.values())),
        page_rows,
        {
            "": _inputs(folder, ["pages", *(["anchors"] if anchors else [])]),
            **{task: _inputs(folder, [f"pairs-{task}"]) for task in tasks},
        },
        {task: _form(task, options) for task in tasks},
        options.get("passage_words") or PASSAGE_WORDS,
        _language(folder),
    )


def _check_tables(folder: DatasetFolder, tasks: Sequence[str], configs: Sequence[str]) -> None:
    if "pages" not in configs:
        raise CommandError(f"{folder.path}: holds no pages; {NEW_FOLDER}")
    missing = [task for task in tasks if f"pairs-{task}" not in configs]
    if missing:
        raise UsageError(
            f"{folder.path}: holds no pairs of {', '.join(missing)}; {pairs_remedy(folder, missing)}"
        )


def _form(task: str, options: Mapping[str, Any]) -> str:
    """What a task's documents are: its negatives are to be the same."""
    if task in _PASSAGE_TASKS:
        return PASSAGES
    if task in HARP_TASKS:
        return "lead"
    return options.get("document") or "text"


def _cleaning(folder: DatasetFolder) -> str | None:
    """How `filter` has cleaned the anchors."""
    rules = folder.manifest["steps"]["filter"]["options"]["constants"]
    return rules[CLEANING]["profile"] if CLEANING in rules else None


def _language(folder: DatasetFolder) -> str | None:
    """The one language of the input, of a crawl that of most pages; None for several inputs that differ."""
    wikis = [wiki for step in folder.manifest["steps"].values() for wiki in step["options"].get("wikis", ())]
    languages = {wiki.get("language") for wiki in wikis}
    return languages.pop() if len(languages) == 1 else None


def _shards(folder: DatasetFolder, config: str) -> list[tuple[str, int]]:
    outputs = folder.outputs()
    return [(join(folder.path, path), outputs[path]["rows"]) for path in folder.shards(config)]


def _inputs(folder: DatasetFolder, configs: Sequence[str]) -> list[dict[str, Any]]:
    outputs = folder.outputs()
    return [
        input_entry(path, outputs[path]["bytes"], outputs[path]["sha256"], "complete", ())
        for config in configs
        for path in folder.shards(config)
    ]
