"""Files on any Beam file system, with errors that say what to do.

Beam takes every path that it lists or deletes for a pattern: here a path is a path. Only what a user names as
input can be a pattern (`input_files`).
"""

import contextlib
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TypeVar

from apache_beam.io.filesystem import BeamIOError, CompressionTypes
from apache_beam.io.filesystems import FileSystems

from anchormine.errors import CommandError, UsageError
from anchormine.paths import utf8_path

PATTERN_CHARACTERS = frozenset("*?[")
# As long as a run lives, what it has not published is in a folder of its own, ".anchormine-<step>-<random>",
# and a file there says whose that is.
SCRATCH, MARK = ".anchormine-", "started"
_OF_RUN = re.compile(rf".*/{re.escape(SCRATCH)}[^/]+-[0-9a-f]{{32}}/")
_EXTRAS = {"gs": "gcp", "s3": "aws", "azfs": "azure", "hdfs": "hadoop"}
# What Beam's file systems raise without the package or the options that they need.
_UNPREPARED = (ValueError, AttributeError, ImportError, NameError, AssertionError)
_RETRIES = 3
_FIRST_PAUSE_SECONDS = 0.5
_PATIENCE_SECONDS = 15.0

T = TypeVar("T")


def plain_path(path: str) -> str:
    """Returns a path as workers find it: absolute, for they may stand elsewhere, and not file://.

    Raises:
        UsageError: it is no UTF-8.
    """
    path = path.removeprefix("file://")
    return utf8_path(path if "://" in path else str(Path(path).absolute()))


def is_local(path: str) -> bool:
    """Tells whether a path is on this machine's own file system."""
    return "://" not in path


def open_file(path: str) -> IO[bytes]:
    """Opens a file for reading its bytes as they are: Beam's own inflating is several times slower."""
    return retry(lambda: open_once(path))


def open_once(path: str) -> IO[bytes]:
    """Opens a file as `open_file` does, or raises at the first refusal."""
    return FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED)


def create_file(path: str) -> IO[bytes]:
    """Creates a file, and the folders it stands in where there are such.

    Raises:
        CommandError: it belongs to a run of which nothing is seen here.
    """
    _check_run(path)
    make_folder(path.rpartition("/")[0])
    return retry(lambda: FileSystems.create(path, compression_type=CompressionTypes.UNCOMPRESSED))


def _check_run(path: str) -> None:
    """Refuses files of a run that has ended.

    On a cluster a job may go on for a while without it, and would put them where nobody clears any more.
    """
    found = _OF_RUN.match(path)
    if found is None or path[found.end() :].startswith((MARK, f"{MARK}-")):
        return
    folder = found[0].removesuffix("/")
    if not exists(join(folder, MARK)):
        raise CommandError(
            f"{folder}: is not there; either its run has ended, or this worker does not see it: give --output"
            " a folder that all of them share; nothing was published"
        )


def make_folder(path: str) -> None:
    """Makes a folder and those above it, if it is not there."""
    if path and not FileSystems.exists(path):
        try:
            FileSystems.mkdirs(path)
        except (BeamIOError, OSError) as error:
            if not FileSystems.exists(path):  # another worker may have been first
                raise CommandError(
                    f"{path}: cannot be created ({error}); see that it can be written, or give another folder"
                ) from None


def exists(path: str) -> bool:
    """Tells whether there is a file or folder."""
    return checked(lambda: FileSystems.exists(path), path)


def files_below(folder: str) -> Iterator[str]:
    """Yields the paths of all files in a folder and in those below it; none where there is no folder."""
    if is_local(folder):
        for parent, folders, names in os.walk(folder):
            folders.sort()
            yield from (join(parent, name) for name in sorted(names))
        return
    matches = checked(lambda: FileSystems.match([join(folder, "**")])[0].metadata_list, folder)
    yield from sorted(match.path for match in matches)


def delete_files(paths: Iterable[str]) -> None:
    """Deletes files; none is no error."""
    waiting = [path for path in paths if exists(path)]
    for path in filter(is_local, waiting):
        Path(path).unlink()
    FileSystems.delete([path for path in waiting if not is_local(path)])


def delete_folder(folder: str) -> None:
    """Deletes a folder and all in it; none is no error."""
    if is_local(folder):
        if Path(folder).is_dir():
            shutil.rmtree(folder)
        return
    delete_files(list(files_below(folder)))
    if exists(folder):  # not every file system has folders
        FileSystems.delete([folder])


def delete_empty_folders(folder: str) -> None:
    """Deletes a local folder and those below it where they hold no file; elsewhere such folders are none."""
    if is_local(folder):
        for path, _, _ in os.walk(folder, topdown=False):
            with contextlib.suppress(OSError):  # it is not empty
                Path(path).rmdir()


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


def checked(action: Callable[[], T], path: str) -> T:
    """Runs something on a file system, and says in one line what is missing if that cannot be used.

    Raises:
        UsageError: there is no such file system, or its package or options are missing.
        CommandError: it refuses.
    """
    scheme = path.partition("://")[0] if "://" in path else ""
    try:
        with _told_wait(path) if scheme else contextlib.nullcontext():
            return action()
    except _UNPREPARED:
        extra = _EXTRAS.get(scheme)
        if extra:
            remedy = f"install its support with pip install 'apache-beam[{extra}]' and give its options"
        else:
            remedy = "use a local path, gs://, s3://, azfs:// or hdfs://"
        raise UsageError(f"{path}: cannot open this file system; {remedy}") from None
    except BeamIOError as error:
        extra = _EXTRAS.get(scheme)
        if extra and _lacks_package(error):
            raise UsageError(
                f"{path}: cannot open this file system; install its support with "
                f"pip install 'apache-beam[{extra}]' and give its options"
            ) from None
        remedy = f"; see that the options of {scheme}:// are right" if extra else ""
        raise CommandError(f"{path}: cannot be read ({error}){remedy}") from None


@contextlib.contextmanager
def _told_wait(path: str) -> Iterator[None]:
    """Says on standard error that a store has not answered for long.

    Beam asks again for minutes, without a word, also where there are no credentials or there is no such host.
    """
    note = (
        f"anchormine: {path}: no answer after {_PATIENCE_SECONDS:g} seconds, still asking; "
        f"see that the credentials and options of {path.partition('://')[0]}:// are right"
    )
    timer = threading.Timer(_PATIENCE_SECONDS, lambda: print(note, file=sys.stderr))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _lacks_package(error: BeamIOError) -> bool:
    """Whether a file system failed for want of its client or its options, and not at the files."""
    causes = (error.exception_details or {}).values()
    return any(
        _lacks_package(cause) if isinstance(cause, BeamIOError) else isinstance(cause, _UNPREPARED)
        for cause in causes
    )
