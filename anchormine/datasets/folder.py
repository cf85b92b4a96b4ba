"""A dataset folder as its manifest describes it."""

import os
import posixpath
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import IO, Any

import pyarrow as pa
import pyarrow.fs as pafs

from anchormine.datasets.manifest import MANIFEST, parse_manifest, unlike
from anchormine.datasets.table_file import TableFile
from anchormine.errors import CommandError, UsageError
from anchormine.paths import utf8_path

# What to do where a folder lacks what extractions make: they write no folder that is there.
NEW_FOLDER = (
    "make a new folder with `anchormine wiki DUMP --output FOLDER`, or with `anchormine web` of a crawl"
)


class DatasetFolder:
    """A folder that a step has written, on any file system that pyarrow knows, or that is opened by others.

    Only files named in the manifest are read: what a broken run may have left behind is not there.

    Attributes:
        path: as given.
        manifest: `manifest.json` as read.
    """

    def __init__(
        self, path: str | os.PathLike[str], open_file: Callable[[str], IO[bytes]] | None = None
    ) -> None:
        """Reads the manifest.

        Args:
            path: of the folder.
            open_file: opens a path below it for reading bytes at any place; raises FileNotFoundError where
                there is no file, and another OSError where it cannot be read. By default pyarrow does.

        Raises:
            UsageError: the path is empty or no UTF-8, there is no dataset folder, or the file system is not
                known.
            CommandError: the manifest cannot be read.
        """
        given = os.fspath(path)
        if not given.strip():
            raise UsageError(f"{given!r}: names no folder; give one")
        self.path = utf8_path(given).rstrip("/") or "/"
        self._open_file = open_file or _pyarrow_opener(self.path)
        self.manifest = self._read_manifest()

    def _open(self, name: str) -> IO[bytes]:
        return self._open_file(posixpath.join(self.path, name))

    def _read_manifest(self) -> dict[str, Any]:
        try:
            with self._open(MANIFEST) as stream:
                return parse_manifest(stream.read(), f"{self.path}/{MANIFEST}")
        except (FileNotFoundError, NotADirectoryError):
            above = posixpath.dirname(self.path)
            remedy = f"give {above}" if above and self._is_there(f"../{MANIFEST}") else NEW_FOLDER
            raise UsageError(f"{self.path}: no {MANIFEST} here, so no dataset folder; {remedy}") from None
        except OSError as error:
            raise CommandError(
                f"{self.path}/{MANIFEST}: cannot be read ({error}); give a folder that can be"
            ) from None

    def _is_there(self, name: str) -> bool:
        try:
            self._open(name).close()
        except OSError:
            return False
        return True

    def read_text(self, name: str) -> str:
        """Reads a small file of the folder.

        Raises:
            CommandError: it cannot be read.
        """
        try:
            with self._open(name) as stream:
                return stream.read().decode()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(
                f"{self.path}/{name}: cannot be read ({error}); run the last step again"
            ) from None

    def configs(self) -> list[str]:
        """Names of the tables that have rows, such as "anchors" or "pairs-rqp"."""
        return sorted({config_of(path) for path, output in self.outputs().items() if output["rows"]})

    def outputs(self) -> dict[str, dict[str, Any]]:
        """What the manifest says of each file, by its path below the folder."""
        sections = self.manifest["steps"].values()
        return {output["path"]: output for section in sections for output in section["outputs"]}

    def shards(self, config: str, split: str = "train") -> list[str]:
        """Paths of a table's files below the folder, in the order of their rows.

        Raises:
            CommandError: the folder has no such table, or the table no such split.
        """
        shards = sorted(
            path
            for path in self.outputs()
            if config_of(path) == config and posixpath.basename(path).startswith(f"{split}-")
        )
        if not shards and (splits := self.splits(config)):
            raise CommandError(f"{self.path}: holds no split {split} of {config}; it has {', '.join(splits)}")
        if not shards:
            raise CommandError(
                f"{self.path}: holds no {config}; it has {', '.join(self.configs()) or 'nothing'}"
            )
        return shards

    def splits(self, config: str) -> list[str]:
        """Names of a table's splits that have rows, such as ["train", "validation"]; none of no table."""
        return sorted(
            {
                posixpath.basename(path).partition("-")[0]
                for path, output in self.outputs().items()
                if output["rows"] and config_of(path) == config
            }
        )

    def rows(self, config: str, split: str = "train") -> int:
        """Number of rows of a table."""
        outputs = self.outputs()
        return sum(outputs[path]["rows"] for path in self.shards(config, split))

    def iter_batches(
        self, config: str, columns: Sequence[str] | None = None, split: str = "train", batch_rows: int = 8192
    ) -> Iterator[pa.RecordBatch]:
        """Yields a table's rows in order, a bounded number at a time.

        Raises:
            UsageError: `columns` is one text.
            CommandError: the folder has no such table or split, or one of its files cannot be read, is
                damaged, or is another than the manifest says, by its rows or bytes.
        """
        if isinstance(columns, str):
            raise UsageError(f"columns is the text {columns!r}; give a list of names")
        outputs = self.outputs()
        for shard in self.shards(config, split):
            try:
                with self._open(shard) as stream:
                    file = TableFile(stream, f"{self.path}/{shard}")
                    if found := unlike(outputs[shard], file.rows, stream.seek(0, os.SEEK_END)):
                        raise CommandError(f"{self.path}/{shard}: {found}; run the step that wrote it again")
                    yield from file.batches(columns, batch_rows)
            except OSError as error:
                raise CommandError(
                    f"{self.path}/{shard}: cannot be read ({error}); run the step that wrote it again"
                ) from None


def iter_rows(
    path: str | os.PathLike[str], config: str, columns: Sequence[str] | None = None, split: str = "train"
) -> Iterator[dict]:
    """Yields the rows of one table of a dataset folder as dictionaries.

    Args:
        path: the folder.
        config: "pages", "anchors", "pairs-rqp", ...
        columns: which columns; all of them by default.
        split: "train" or "validation".

    Raises:
        UsageError: `columns` is one text.
        CommandError: as `DatasetFolder.iter_batches`.
    """
    for batch in DatasetFolder(path).iter_batches(config, columns, split):
        yield from batch.to_pylist()


def config_of(path: str) -> str:
    """Returns the Hugging Face config that a file belongs to: its folder's path with "-"."""
    return posixpath.dirname(path).replace("/", "-")


def _pyarrow_opener(folder: str) -> Callable[[str], IO[bytes]]:
    if "://" not in folder:
        return pafs.LocalFileSystem().open_input_file
    try:
        files, root = pafs.FileSystem.from_uri(folder)
    except pa.ArrowInvalid as error:
        raise UsageError(
            f"{folder}: cannot open this file system ({error}); copy the folder to this machine"
        ) from None
    return partial(_open_below, files, root, folder)


def _open_below(files: pafs.FileSystem, root: str, folder: str, path: str) -> IO[bytes]:
    return files.open_input_file(posixpath.join(root, path.removeprefix(folder).lstrip("/")))
