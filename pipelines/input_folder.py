"""The dataset folder that a step reads, on any file system of Beam."""

from typing import IO

from anchormine.datasets.folder import DatasetFolder
from anchormine.transforms.files import exists, open_file, plain_path


def input_folder(path: str) -> DatasetFolder:
    """Opens a dataset folder.

    Raises:
        UsageError: there is none, or its file system cannot be used.
        CommandError: it cannot be read.
    """
    return DatasetFolder(plain_path(path), _open_existing)


def _open_existing(path: str) -> IO[bytes]:
    """Opens a file; one that is not there is the same error everywhere, and is not tried again."""
    if not exists(path):
        raise FileNotFoundError(path)
    return open_file(path)
