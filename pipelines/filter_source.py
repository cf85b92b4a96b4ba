"""What `filter` reads: the anchors of a dataset folder, and what rules ask of its pages."""

import posixpath
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from anchormine.datasets.folder import NEW_FOLDER, DatasetFolder
from anchormine.datasets.manifest import CRAWLS, EXTRACTIONS
from anchormine.errors import CommandError
from anchormine.pipelines.input_folder import table_inputs
from anchormine.pipelines.table_files import check_files
from anchormine.schemas.anchors import ANCHORS
from anchormine.transforms.files import join, open_file
from anchormine.transforms.judge_slices import ROWS_PER_SLICE
from anchormine.transforms.table_slices import TableSlice, slice_table


class FilterSource(NamedTuple):
    """What is filtered.

    Attributes:
        slices: of the anchors.
        pages: of the pages, of which the rules `robots` and `same_site` ask.
        rows: anchors that are read.
        crawl: whether they are of a crawl, and not of a wiki.
        inputs: the files of the anchors, as the manifest lists inputs.
    """

    slices: tuple[TableSlice, ...]
    pages: tuple[TableSlice, ...]
    rows: int
    crawl: bool
    inputs: list[dict[str, Any]]


def filter_source(folder: DatasetFolder, limit: int | None) -> FilterSource:
    """Looks at a folder.

    Args:
        folder: with anchors.
        limit: how many anchors are read; None for all.

    Raises:
        CommandError: there are no anchors, they cannot be read, or they lack columns.
    """
    steps = [step for step in EXTRACTIONS if step in folder.manifest["steps"]]
    anchors = _shards(folder, "anchors", steps)
    _check_anchors(folder)
    pages = _shards(folder, "pages", steps) if "pages" in folder.configs() else []
    rows = sum(count for _, count in anchors)
    return FilterSource(
        tuple(slice_table(anchors, ROWS_PER_SLICE, limit)),
        tuple(slice_table(pages, ROWS_PER_SLICE)),
        min(rows, limit or rows),
        any(step in CRAWLS for step in steps),
        table_inputs(folder, ("anchors",)),
    )


def _shards(folder: DatasetFolder, table: str, steps: list[str]) -> list[tuple[str, int]]:
    outputs = folder.outputs()
    try:
        return [(join(folder.path, path), outputs[path]["rows"]) for path in folder.shards(table)]
    except CommandError as error:
        if steps:
            raise CommandError(
                f"{folder.path}: `anchormine {steps[0]}` has found no links in its input, so there is "
                "nothing to filter"
            ) from None
        raise CommandError(f"{error}; {NEW_FOLDER}") from None


def _check_anchors(folder: DatasetFolder) -> None:
    """Refuses anchors that are not there whole, and those that an earlier version has written."""
    for section in folder.manifest["steps"].values():
        anchors = [output for output in section["outputs"] if posixpath.dirname(output["path"]) == "anchors"]
        check_files(folder.path, section["command"], anchors)
        for output in anchors[:1]:
            _check_columns(join(folder.path, output["path"]), section["command"])


def _check_columns(path: str, command: str) -> None:
    with open_file(path) as stream:
        missing = set(ANCHORS.names) - set(pq.read_schema(stream).names)
    if missing:
        raise CommandError(
            f"{path}: has no column {min(missing)}: another anchormine wrote it; make it again with "
            f"`{command}` and --overwrite"
        )
