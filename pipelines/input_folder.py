"""The dataset folder that a step reads, on any file system of Beam."""

from collections.abc import Sequence
from typing import IO, Any

from anchormine.datasets.folder import DatasetFolder
from anchormine.datasets.places import input_entry
from anchormine.transforms.files import exists, open_file, plain_path


def input_folder(path: str) -> DatasetFolder:
    """Opens a dataset folder.

    Raises:
        UsageError: there is none, or its file system cannot be used.
        CommandError: it cannot be read.
    """
    return DatasetFolder(plain_path(path), _open_existing)


def table_inputs(folder: DatasetFolder, tables: Sequence[str]) -> list[dict[str, Any]]:
    """Returns what the manifest of a step says of the tables that it reads, each file an input."""
    used = {path for table in tables for path in folder.shards(table)}
    return [
        input_entry(path, output["bytes"], output["sha256"], "complete", ())
        for path, output in folder.outputs().items()
        if path in used
    ]


def _open_existing(path: str) -> IO[bytes]:
    """Opens a file; one that is not there is the same error everywhere, and is not tried again."""
    if not exists(path):
        raise FileNotFoundError(path)
    return open_file(path)
