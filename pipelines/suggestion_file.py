"""The file that `filter --suggest-keywords` writes: a person ticks it, so it is not replaced unasked."""

import argparse
import uuid
from itertools import count
from pathlib import Path

from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems

from anchormine.datasets.distributions import STATS
from anchormine.datasets.manifest import EXTRACTIONS
from anchormine.errors import CommandError, UsageError
from anchormine.filters.keyword_files import SUGGESTIONS, is_suggestion_head
from anchormine.pipelines.run_errors import file_reason
from anchormine.pipelines.table_files import refuse_links
from anchormine.transforms.files import (
    create_file,
    delete_files,
    exists,
    is_local,
    join,
    open_file,
    plain_path,
)

_HEAD_BYTES = 1024  # more than the head of a table has, however it was saved


def suggestion_file(args: argparse.Namespace, folder: str) -> str:
    """Where the table goes.

    Args:
        args: of `filter`.
        folder: the dataset's.

    Raises:
        UsageError: that place holds something, and it may not be replaced, or is behind a link.
    """
    if args.overwrite and args.resume:
        raise UsageError("--overwrite and --resume: give one of them")
    given = args.suggestions
    path = join(folder, SUGGESTIONS) if given is None else plain_path(given)
    if given is None:
        refuse_links(folder, (STATS,))
    if (given or "").endswith("/") or (is_local(path) and Path(path).is_dir()):
        raise UsageError(f"{path}: is a folder; give --suggestions a file")
    if exists(path):
        _check_replaceable(path, args)
    return path


def _check_replaceable(path: str, args: argparse.Namespace) -> None:
    """Refuses what is no table of suggestions, such as the files of the dataset, whatever the options say."""
    if not _holds_suggestions(path):
        raise UsageError(
            f"{path}: is there already, and is no table of suggested keywords; give --suggestions another "
            "file"
        )
    if not args.overwrite and not args.resume:
        raise UsageError(
            f"{path}: is there already; give --overwrite to replace it with all that is ticked in it, "
            "--resume to keep it, or --suggestions another file"
        )


def _holds_suggestions(path: str) -> bool:
    if is_local(path) and not Path(path).is_file():
        return False  # a device or a pipe, which might wait for ever to be read
    try:
        with open_file(path) as stream:
            return is_suggestion_head(stream.read(_HEAD_BYTES).decode("utf-8-sig", "replace"))
    except (OSError, BeamIOError):
        return False


def check_writable(path: str) -> None:
    """Tries a place out, before the counting that takes its time.

    Raises:
        UsageError: no file can be made there.
    """
    trial = f"{path}.new-{uuid.uuid4().hex}"
    try:
        with create_file(trial) as stream:
            if not is_local(path):
                stream.write(b"\n")  # not every store takes a file of no bytes
        delete_files([trial])
    except (OSError, BeamIOError, CommandError) as error:
        reason = " ".join(str(error).partition(";")[0].split())
        raise UsageError(f"{path}: cannot be written ({reason}); give --suggestions another file") from None


def write_table(path: str, text: str) -> None:
    """Writes the table whole: what is there before stays until then.

    Raises:
        CommandError: it cannot be written.
    """
    new = f"{path}.new-{uuid.uuid4().hex}"
    try:
        with create_file(new) as stream:
            stream.write(text.encode())
        if not is_local(path):  # where a file may not replace another
            delete_files([path])
        FileSystems.rename([new], [path])
    except OSError as error:
        delete_files([new])
        raise CommandError(
            f"{path}: cannot be written ({file_reason(error)}); nothing was published; give --suggestions "
            "another file, or make room"
        ) from None


def outdated_suggestions(folder: str, step: str) -> str | None:
    """The line that says what becomes of a table whose anchors a step replaces; None where there is none."""
    if step not in EXTRACTIONS or not exists(join(folder, SUGGESTIONS)):
        return None
    return f"{SUGGESTIONS}, suggested from its old anchors, is kept as {_free_name(folder)}"


def set_aside(folder: str, step: str) -> None:
    """Gives such a table another name: it fits no new anchors, but what is ticked is a person's work."""
    if outdated_suggestions(folder, step):
        FileSystems.rename([join(folder, SUGGESTIONS)], [join(folder, _free_name(folder))])


def _free_name(folder: str) -> str:
    names = (SUGGESTIONS.replace(".tsv", f"-{number}.tsv") for number in count(1))
    return next(name for name in names if not exists(join(folder, name)))
