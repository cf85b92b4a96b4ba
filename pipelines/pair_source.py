"""What `pairs` reads: the anchors and pages of a dataset folder, divided for the work."""

from typing import Any, NamedTuple

from anchormine.datasets.folder import DatasetFolder
from anchormine.datasets.places import input_entry
from anchormine.errors import CommandError
from anchormine.transforms.files import join
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.table_slices import TableSlice, slice_table

_ROWS_PER_SLICE = 4096


class PairSource(NamedTuple):
    """What pairs are made of.

    Attributes:
        table: of the anchors, "filtered" or "anchors".
        anchors: their slices.
        pages: the slices of the pages.
        rejects: the slices of what `pairs` has set aside in the folder before.
        buckets: how the work is divided.
        rows: anchors that are read.
        inputs: the files, as the manifest lists inputs.
    """

    table: str
    anchors: tuple[TableSlice, ...]
    pages: tuple[TableSlice, ...]
    rejects: tuple[TableSlice, ...]
    buckets: PairBuckets
    rows: int
    inputs: list[dict[str, Any]]


def pair_source(folder: DatasetFolder, limit: int | None) -> PairSource:
    """Looks at a folder.

    Args:
        folder: with pages and anchors.
        limit: how many anchors are read; None for all.

    Raises:
        CommandError: there are no anchors to make pairs of.
    """
    configs = folder.configs()
    table = "filtered" if "filtered" in configs else "anchors"
    anchors, pages = _shards(folder, table), _shards(folder, "pages")
    rejects = _shards(folder, "rejects-pairs") if "rejects-pairs" in configs else []
    rows = sum(count for _, count in anchors)
    return PairSource(
        table,
        tuple(slice_table(anchors, _ROWS_PER_SLICE, limit)),
        tuple(slice_table(pages, _ROWS_PER_SLICE)),
        tuple(slice_table(rejects, _ROWS_PER_SLICE)),
        PairBuckets.for_corpus(folder.rows("pages"), rows),
        min(rows, limit or rows),
        _inputs(folder, table),
    )


def _shards(folder: DatasetFolder, config: str) -> list[tuple[str, int]]:
    outputs = folder.outputs()
    try:
        return [(join(folder.path, path), outputs[path]["rows"]) for path in folder.shards(config)]
    except CommandError as error:
        if config == "anchors" and "wiki" in folder.manifest["steps"]:
            raise CommandError(
                f"{folder.path}: its dump had no links to articles, so there is nothing to make pairs of"
            ) from None
        raise error from None


def _inputs(folder: DatasetFolder, table: str) -> list[dict[str, Any]]:
    used = {*folder.shards(table), *folder.shards("pages")}
    return [
        input_entry(path, output["bytes"], output["sha256"], "complete", ())
        for path, output in folder.outputs().items()
        if path in used
    ]
