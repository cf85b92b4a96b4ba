"""A dataset folder as its manifest describes it, read with pyarrow alone."""

import posixpath
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from anchormine.datasets.manifest import MANIFEST, parse_manifest
from anchormine.errors import CommandError


class DatasetFolder:
    """A folder that a step has written, on any file system that pyarrow knows.

    Only files named in the manifest are read: what a broken run may have left behind is not there.

    Attributes:
        path: as given.
        manifest: `manifest.json` as read.
    """

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/") or "/"
        self._files, self._root = _file_system(self.path)
        self.manifest = self._read_manifest()

    def _read_manifest(self) -> dict[str, Any]:
        name = posixpath.join(self._root, MANIFEST)
        try:
            with self._files.open_input_stream(name) as stream:
                return parse_manifest(stream.read(), f"{self.path}/{MANIFEST}")
        except (FileNotFoundError, NotADirectoryError):
            raise CommandError(
                f"{self.path}: no {MANIFEST} here, so no dataset folder; make one with "
                f"`anchormine wiki DUMP --output {self.path}`"
            ) from None
        except OSError as error:
            raise CommandError(
                f"{self.path}/{MANIFEST}: cannot be read ({error}); give a folder that can be"
            ) from None

    def configs(self) -> list[str]:
        """Names of the tables that have rows, such as "anchors" or "pairs-rqp"."""
        return sorted({_config(path) for path, rows in self._outputs() if rows})

    def _outputs(self) -> Iterator[tuple[str, int]]:
        for step in self.manifest["steps"].values():
            for output in step["outputs"]:
                if output["path"].endswith(".parquet"):
                    yield output["path"], output["rows"]

    def shards(self, config: str, split: str = "train") -> list[str]:
        """Paths of a table's files below the folder, in the order of their rows.

        Raises:
            CommandError: the folder has no such table.
        """
        shards = sorted(
            path
            for path, rows in self._outputs()
            if _config(path) == config and posixpath.basename(path).startswith(f"{split}-")
        )
        if not shards:
            raise CommandError(
                f"{self.path}: holds no {config}; it has {', '.join(self.configs()) or 'nothing'}"
            )
        return shards

    def rows(self, config: str, split: str = "train") -> int:
        """Number of rows of a table."""
        counts = dict(self._outputs())
        return sum(counts[path] for path in self.shards(config, split))

    def iter_batches(
        self, config: str, columns: Sequence[str] | None = None, split: str = "train", batch_rows: int = 8192
    ) -> Iterator[pa.RecordBatch]:
        """Yields a table's rows in order, a bounded number at a time."""
        for shard in self.shards(config, split):
            with self._files.open_input_file(posixpath.join(self._root, shard)) as stream:
                yield from pq.ParquetFile(stream).iter_batches(batch_rows, columns=columns)


def iter_rows(
    path: str, config: str, columns: Sequence[str] | None = None, split: str = "train"
) -> Iterator[dict]:
    """Yields the rows of one table of a dataset folder as dictionaries.

    Args:
        path: the folder.
        config: "pages", "anchors", "pairs-rqp", ...
        columns: which columns; all of them by default.
        split: "train" or "validation".
    """
    for batch in DatasetFolder(path).iter_batches(config, columns, split):
        yield from batch.to_pylist()


def _config(path: str) -> str:
    """The Hugging Face config that a file belongs to: its folder's path with "-"."""
    return posixpath.dirname(path).replace("/", "-")


def _file_system(path: str) -> tuple[pafs.FileSystem, str]:
    if "://" in path:
        return pafs.FileSystem.from_uri(path)
    return pafs.LocalFileSystem(), path
