"""The folder of an export: written aside, visible when all of it is there."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from anchormine.errors import CommandError, UsageError

EXPORT_MANIFEST = "export.json"
_BLOCK = 1 << 20
# What SQLite says, whose errors are none of the system's, where the disk of its files refuses
_DATABASE_REFUSALS = ("database or disk is full", "disk I/O error", "unable to open database file")


class ExportFile(NamedTuple):
    """A file of an export.

    Attributes:
        path: below the folder.
        rows: lines of text, rows of Parquet, entries of a JSON list; None of a text for people.
        bytes: its size.
        sha256: of it, in hex.
    """

    path: str
    rows: int | None
    bytes: int
    sha256: str


class ExportFolder:
    """A folder that is to be.

    Meanwhile its files are in `.NAME.unfinished` beside it, and a lock protects them from a second run.
    They are gone in the end, whatever the end is; what a killed run leaves is removed by the next one.

    Attributes:
        path: of the folder to be.
        files: what was written so far, in order.
    """

    def __init__(self, path: str, overwrite: bool = False) -> None:
        """Looks whether the place is free; touches nothing.

        Raises:
            UsageError: it is taken, or no place for a folder.
        """
        if "://" in path:
            raise UsageError(f"--output {path}: exports are written to this machine; give a folder here")
        if not path.strip() or Path(path).name in ("", ".."):
            raise UsageError(
                f"--output {path!r}: is no name of a new folder; give one, such as --output exported"
            )
        self.path = Path(path)
        self.files: list[ExportFile] = []
        self._work = self.path.with_name(f".{self.path.name}.unfinished")
        self._check_free(overwrite)

    def _check_free(self, overwrite: bool) -> None:
        if self.path.is_symlink():
            raise UsageError(
                f"{self.path}: is a link; give the folder that it leads to, {self.path.resolve()}"
            )
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"{self.path}: is a file; --output names a folder")
        if not self.path.is_dir() or not any(self.path.iterdir()):
            return
        if not (self.path / EXPORT_MANIFEST).is_file():
            raise UsageError(
                f"{self.path}: holds something else than an export; it is left alone, give another --output"
            )
        if not overwrite:
            raise UsageError(
                f"{self.path}: is not empty; give --overwrite to replace it, or another --output"
            )

    @contextmanager
    def open(self) -> Iterator[ExportFolder]:
        """Makes the unfinished folder, and removes it at the end.

        Raises:
            UsageError: another run writes to it, or it would be elsewhere, as whoever gave the dataset says.
            CommandError: it cannot be written.
        """
        if self._work.is_symlink():
            raise UsageError(f"{self._work}: is a link, and what it leads to would be emptied; remove it")
        try:
            self._work.mkdir(parents=True, exist_ok=True)
            with (self._work / "lock").open("wb") as lock:
                self._take(lock)
                try:
                    self._clear()
                    yield self
                finally:
                    shutil.rmtree(self._work, ignore_errors=True)
        except OSError as error:
            raise self._refused(error.strerror or str(error)) from None
        except sqlite3.OperationalError as error:
            if str(error) not in _DATABASE_REFUSALS:
                raise
            raise self._refused(str(error)) from None

    def _refused(self, reason: str) -> CommandError:
        return CommandError(f"{self.path}: cannot be written ({reason}); give another --output")

    def _take(self, lock: IO[bytes]) -> None:
        """Locks the unfinished folder; the system unlocks it when the process ends, however it does."""
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            mine = os.path.samestat(os.fstat(lock.fileno()), (self._work / "lock").stat())
        except (BlockingIOError, FileNotFoundError):
            mine = False
        if not mine:
            raise UsageError(
                f"{self.path}: another export is writing to it; wait for it, or give another folder"
            )

    def _clear(self) -> None:
        for entry in self._work.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry.name != "lock":
                entry.unlink()
        self._files.mkdir()
        self.scratch.mkdir()

    @property
    def _files(self) -> Path:
        return self._work / "files"

    @property
    def scratch(self) -> Path:
        """A folder for what is needed only while the export is made."""
        return self._work / "scratch"

    def place(self, name: str) -> Path:
        """Where to write a file.

        Args:
            name: of the file, below the folder; a file of that name must not be there yet.
        """
        path = self._files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def rename(self, old: str, new: str) -> None:
        """Gives a file that is not listed yet another name."""
        self.place(old).rename(self.place(new))

    def add(self, name: str, rows: int | None) -> None:
        """Lists a file that is complete."""
        path = self.place(name)
        self.files.append(ExportFile(name, rows, path.stat().st_size, _checksum(path)))

    def write_text(self, name: str, text: str) -> None:
        """Writes and lists a text for people."""
        self.place(name).write_text(text, encoding="utf-8")
        self.add(name, None)

    def publish(self, manifest: dict[str, Any]) -> None:
        """Makes the folder visible, with its manifest; an earlier export in its place is gone then.

        Where it cannot be made visible, the earlier export has its place again.

        Args:
            manifest: what `export.json` says besides the files.

        Raises:
            UsageError: meanwhile somebody else has made a folder of that name.
        """
        listed = [file._asdict() for file in self.files]
        text = json.dumps({**manifest, "files": listed}, indent=2, ensure_ascii=False)
        self.place(EXPORT_MANIFEST).write_text(text + "\n", encoding="utf-8")
        earlier = self._work / "replaced"
        if (self.path / EXPORT_MANIFEST).is_file():
            self.path.rename(earlier)
        try:
            self._files.rename(self.path)  # takes the place of nothing, or of an empty folder
        except OSError as error:
            if earlier.exists() and not self.path.exists():
                earlier.rename(self.path)
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                raise UsageError(
                    f"{self.path}: somebody else has made it meanwhile; give another --output"
                ) from None
            raise


def _checksum(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
