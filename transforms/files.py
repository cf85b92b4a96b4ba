"""Files on any Beam file system, with errors that say what to do."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

from apache_beam.io.filesystem import BeamIOError, CompressionTypes, FileMetadata
from apache_beam.io.filesystems import FileSystems

from anchormine.errors import CommandError, UsageError

_EXTRAS = {"gs": "gcp", "s3": "aws", "azfs": "azure", "hdfs": "hadoop"}
_RETRIES = 3
_FIRST_PAUSE_SECONDS = 0.5

T = TypeVar("T")


class FoundFile(NamedTuple):
    """A file that a pattern matched."""

    path: str
    size: int


def find_files(patterns: list[str]) -> list[FoundFile]:
    """Finds the files of some paths and globs, each once, in the order of the patterns and by name in each.

    Raises:
        UsageError: a pattern that matches nothing, or a file system that is not installed.
    """
    found: dict[str, FoundFile] = {}
    for pattern in patterns:
        plain = plain_path(pattern)
        if Path(plain).is_file():  # as it stands, whatever characters are in its name
            found.setdefault(plain, FoundFile(plain, Path(plain).stat().st_size))
            continue
        if Path(plain).is_dir():
            raise UsageError(f"{pattern}: is a folder; give the files in it, such as '{pattern}/*.xml.bz2'")
        matches = _checked(partial(_matches, plain), plain)
        if not matches:
            raise UsageError(
                f"{pattern}: no such file; give the path of a dump, or a glob in quotation marks"
            )
        for match in sorted(matches, key=lambda match: match.path):
            found.setdefault(match.path, FoundFile(match.path, match.size_in_bytes))
    return list(found.values())


def _matches(path: str) -> list[FileMetadata]:
    matches: list[FileMetadata] = FileSystems.match([path])[0].metadata_list
    return matches


def plain_path(path: str) -> str:
    """Returns a path as workers find it: absolute, for they may stand elsewhere, and not file://."""
    path = path.removeprefix("file://")
    return path if "://" in path else str(Path(path).absolute())


def open_file(path: str) -> IO[bytes]:
    """Opens a file for reading its bytes as they are: Beam's own inflating is several times slower."""
    return retry(lambda: FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED))


def create_file(path: str) -> IO[bytes]:
    """Creates a file, and the folders it stands in where there are such."""
    make_folder(path.rpartition("/")[0])
    return retry(lambda: FileSystems.create(path, compression_type=CompressionTypes.UNCOMPRESSED))


def make_folder(path: str) -> None:
    """Makes a folder and those above it, if it is not there."""
    if path and not FileSystems.exists(path):
        try:
            FileSystems.mkdirs(path)
        except (BeamIOError, OSError) as error:
            if not FileSystems.exists(path):  # another worker may have been first
                raise CommandError(
                    f"{path}: cannot be created ({error}); give --output another folder"
                ) from None


def exists(path: str) -> bool:
    """Tells whether there is a file or folder."""
    return _checked(lambda: FileSystems.exists(path), path)


def join(folder: str, *parts: str) -> str:
    """Joins the parts of a path."""
    return "/".join([folder.rstrip("/") or "", *parts])


def retry(action: Callable[[], T]) -> T:
    """Runs something that a file system may refuse for a moment: no runner retries a single read."""
    pause = _FIRST_PAUSE_SECONDS
    for _ in range(_RETRIES):
        try:
            return action()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError):
            raise
        except OSError:
            time.sleep(pause)
            pause *= 2
    return action()


def _checked(action: Callable[[], T], path: str) -> T:
    scheme = path.partition("://")[0] if "://" in path else ""
    try:
        return action()
    except (ValueError, AttributeError, ImportError) as error:
        extra = _EXTRAS.get(scheme)
        if extra:
            remedy = f"install its support with pip install 'apache-beam[{extra}]' and give its options"
        else:
            remedy = "use a local path, gs://, s3://, azfs:// or hdfs://"
        raise UsageError(f"{path}: cannot open this file system ({error}); {remedy}") from None
    except BeamIOError as error:
        extra = _EXTRAS.get(scheme)
        remedy = (
            f"; it needs pip install 'apache-beam[{extra}]' and the options of its file system"
            if extra
            else ""
        )
        raise CommandError(f"{path}: cannot be read ({error}){remedy}") from None
