"""A file system of Beam in memory, without folders like an object store, whose reads can be made to fail."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from apache_beam.io.filesystem import BeamIOError, CompressionTypes, FileMetadata, FileSystem
from apache_beam.options.pipeline_options import PipelineOptions

FILES: dict[str, bytes] = {}
# Path, and at which byte reading fails how often.
FAILURES: dict[str, tuple[int, int]] = {}
# The value of --memory_account that each file system object was made with.
ACCOUNTS: list[str | None] = []


class StoreError(Exception):
    """As the clients of object stores raise them: no OSError."""


class MemoryOptions(PipelineOptions):
    """The option of the file system, as --hdfs_host is one of another."""

    @classmethod
    def _add_argparse_args(cls, parser: Any) -> None:
        parser.add_argument("--memory_account")


class MemoryFileSystem(FileSystem):
    """Files under mem://."""

    def __init__(self, pipeline_options: Any) -> None:
        super().__init__(pipeline_options)
        options = pipeline_options.get_all_options() if pipeline_options else {}
        ACCOUNTS.append(options.get("memory_account"))

    @classmethod
    def scheme(cls) -> str:
        return "mem"

    def join(self, basepath: str, *paths: str) -> str:
        return "/".join([basepath.rstrip("/"), *paths])

    def split(self, path: str) -> tuple[str, str]:
        folder, _, name = path.rpartition("/")
        return folder, name

    def mkdirs(self, path: str) -> None:
        pass

    def has_dirs(self) -> bool:
        return False

    def _list(self, dir_or_prefix: str) -> Iterator[FileMetadata]:
        names = [path for path in FILES if path.startswith(dir_or_prefix)]
        return (self.metadata(path) for path in sorted(names))

    def create(self, path: str, mime_type: str = "", compression_type: str = "") -> Any:
        return _Created(path)

    def open(
        self, path: str, mime_type: str = "", compression_type: str = CompressionTypes.UNCOMPRESSED
    ) -> Any:
        if path not in FILES:
            raise BeamIOError(f"{path}: no such object")
        return _Opened(path)

    def copy(self, source_file_names: list[str], destination_file_names: list[str]) -> None:
        for source, destination in zip(source_file_names, destination_file_names, strict=True):
            FILES[destination] = FILES[source]

    def rename(self, source_file_names: list[str], destination_file_names: list[str]) -> None:
        self.copy(source_file_names, destination_file_names)
        self.delete(source_file_names)

    def exists(self, path: str) -> bool:
        return path in FILES

    def size(self, path: str) -> int:
        return len(FILES[path])

    def last_updated(self, path: str) -> float:
        return 0.0

    def checksum(self, path: str) -> str:
        return str(self.size(path))

    def metadata(self, path: str) -> FileMetadata:
        if path not in FILES:
            raise BeamIOError(f"{path}: no such object")
        return FileMetadata(path, len(FILES[path]), 0.0)

    def delete(self, paths: list[str]) -> None:
        for match in self.match(paths):  # as Beam's own file systems do, patterns and all
            for found in match.metadata_list:
                del FILES[found.path]


class _Created(io.BytesIO):
    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def close(self) -> None:
        if not self.closed:
            FILES[self._path] = self.getvalue()
        super().close()


class _Opened(io.BytesIO):
    def __init__(self, path: str) -> None:
        super().__init__(FILES[path])
        self._path = path

    def read(self, size: int | None = -1, /) -> bytes:
        at, times = FAILURES.get(self._path, (0, 0))
        end = len(self.getvalue()) if size is None or size < 0 else self.tell() + size
        if times and self.tell() <= at < end:
            if self.tell() < at:
                return super().read(at - self.tell())
            FAILURES[self._path] = (at, times - 1)
            raise StoreError("connection\n  reset")
        return super().read(size)
