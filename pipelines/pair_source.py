"""What `pairs` reads: the anchors and pages of a dataset folder, divided for the work."""

from collections.abc import Sequence
from shlex import quote
from typing import Any, NamedTuple

from anchormine.datasets.folder import NEW_FOLDER, DatasetFolder
from anchormine.datasets.funnel import funnel_row
from anchormine.datasets.remedies import linkless, lost_tasks
from anchormine.errors import CommandError
from anchormine.filters.same_site import SAME_SITE
from anchormine.pipelines.input_folder import table_inputs
from anchormine.transforms.files import join
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.table_slices import TableSlice, slice_table

_ROWS_PER_SLICE = 4096
_LINKS_PER_SLICE = 65_536  # links without their sentences are small, and the more there are the more merge


class PairSource(NamedTuple):
    """What pairs are made of.

    Attributes:
        table: of the anchors, "filtered" or "anchors".
        left_out: how many anchors `filtered/` lacks because they stay on their site.
        anchors: their slices.
        links: the same in larger slices.
        from_anywhere: whether they may stand on pages that are not in the folder, as those of ClueWeb22 do.
        pages: the slices of the pages.
        first_pages: those of as many pages as are read where pages are what is read.
        rejects: the slices of what `pairs` has set aside in the folder before.
        buckets: how the work is divided.
        rows: anchors that are read.
        page_rows: pages of `first_pages`.
        page_bytes: of the files of all pages.
        inputs: the files, as the manifest lists inputs.
    """

    table: str
    left_out: int
    anchors: tuple[TableSlice, ...]
    links: tuple[TableSlice, ...]
    from_anywhere: bool
    pages: tuple[TableSlice, ...]
    first_pages: tuple[TableSlice, ...]
    rejects: tuple[TableSlice, ...]
    buckets: PairBuckets
    rows: int
    page_rows: int
    page_bytes: int
    inputs: list[dict[str, Any]]


def pair_source(
    folder: DatasetFolder, limit: int | None, linking: Sequence[str], others: Sequence[str]
) -> PairSource:
    """Looks at a folder.

    Args:
        folder: with pages and anchors.
        limit: how many anchors (or pages, where these are what is read) are read; None for all.
        linking: tasks that cannot be done without anchors.
        others: tasks that can.

    Raises:
        CommandError: there is nothing to make pairs of, or `filtered/` is not of these anchors.
    """
    configs = folder.configs()
    table = "filtered" if "filtered" in configs else "anchors"
    if table == "filtered":
        _check_filtered(folder)
    if linking and table not in configs and (reason := linkless(folder)):
        raise CommandError(f"{folder.path}: {reason}, {lost_tasks(linking, others=others)}")
    anchors = _shards(folder, table) if linking or table in configs else []
    pages = _shards(folder, "pages")
    rejects = _shards(folder, "rejects-pairs") if "rejects-pairs" in configs else []
    rows, page_rows = (sum(count for _, count in shards) for shards in (anchors, pages))
    page_bytes = sum(entry["bytes"] for path, entry in folder.outputs().items() if path.startswith("pages/"))
    return PairSource(
        table,
        _left_out(folder) if table == "filtered" else 0,
        tuple(slice_table(anchors, _ROWS_PER_SLICE, limit)),
        tuple(slice_table(anchors, _LINKS_PER_SLICE, limit)),
        "clueweb22" in folder.manifest["steps"],
        tuple(slice_table(pages, _ROWS_PER_SLICE)),
        tuple(slice_table(pages, _ROWS_PER_SLICE, limit)),
        tuple(slice_table(rejects, _ROWS_PER_SLICE)),
        PairBuckets.for_corpus(page_rows, rows, page_bytes),
        min(rows, limit or rows),
        min(page_rows, limit or page_rows),
        page_bytes,
        table_inputs(folder, ("pages", *([table] if anchors else []))),
    )


def _check_filtered(folder: DatasetFolder) -> None:
    """Refuses anchors that were filtered from others than are there: after the filter they were replaced."""
    outputs = folder.outputs()
    there = {outputs[path]["sha256"] for path in folder.shards("anchors")}
    section = folder.manifest["steps"].get("filter", {"inputs": []})
    if {entry["sha256"] for entry in section["inputs"] if entry["path"].startswith("anchors/")} != there:
        raise CommandError(
            f"{folder.path}: its filtered/ was made from other anchors/ than it has now; run "
            f"`anchormine filter {quote(folder.path)} --overwrite`"
        )


def _left_out(folder: DatasetFolder) -> int:
    """How many anchors the filter has dropped because they stay on their site."""
    counts = folder.manifest["steps"].get("filter", {"counts": {}})["counts"]
    return funnel_row("filter", "anchors", counts).rejected.get(SAME_SITE, 0)


def _shards(folder: DatasetFolder, config: str) -> list[tuple[str, int]]:
    outputs = folder.outputs()
    try:
        return [(join(folder.path, path), outputs[path]["rows"]) for path in folder.shards(config)]
    except CommandError as error:
        raise CommandError(f"{error}; {NEW_FOLDER}") from None
