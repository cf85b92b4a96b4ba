"""The files that a user names as input, by paths and by patterns."""

import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from apache_beam.io.filesystems import FileSystems

from anchormine.errors import UsageError
from anchormine.paths import shown_path, utf8_path
from anchormine.transforms.files import (
    PATTERN_CHARACTERS,
    checked,
    exists,
    is_local,
    join,
    plain_path,
)
from anchormine.transforms.globbed_folders import escaped, globbed_entries, globbed_folders
from anchormine.transforms.input_folders import FolderInput, FoundFile, file_of_folder, is_hidden, walked

_LOOKED_AT = 20  # files of a folder


def find_files(patterns: list[str], command: str, folders: FolderInput | None = None) -> list[FoundFile]:
    """Finds the files of some paths and globs, each once, in the order of the patterns and by name in each.

    A path that is there as it stands is no pattern, whatever characters are in it, nor is such a folder.

    Args:
        patterns: as the user gives them.
        command: that asks; a folder that is none of its input, but another's, is named as that.
        folders: which files are taken from a folder and those below it; without, a folder is no input.

    Raises:
        UsageError: a pattern that is empty or matches nothing, something that is no file, a name that is no
            UTF-8, or a file system that is not installed.
    """
    found: dict[str, FoundFile] = {}
    for pattern in patterns:
        if not pattern.removeprefix("file://").strip():  # which would be the working folder
            raise UsageError(f"{pattern!r}: names no file; give the path of one")
        try:
            matches = sorted(_matches(plain_path(pattern), pattern, command, folders))
        except (OSError, ValueError) as error:  # of this machine's own files: those of others are ours by now
            raise UsageError(
                f"{pattern!r}: cannot be read ({_in_words(error, pattern)}); give another path"
            ) from None
        if not matches:
            raise UsageError(
                f"{pattern}: no such file; give the path of a file, or a glob in quotation marks"
            )
        for match in matches:
            found.setdefault(_place(utf8_path(match.path)), match)
    return list(found.values())


def _in_words(error: OSError | ValueError, pattern: str) -> str:
    """An error's own words, with the folder that it met, of those that a glob looks into."""
    if not isinstance(error, OSError):
        return str(error)
    is_below = error.filename and str(error.filename) != plain_path(pattern)
    return f"{error.strerror}: {error.filename}" if is_below else str(error.strerror)


def passed_over(patterns: Sequence[str], folders: FolderInput, taken: Iterable[FoundFile]) -> list[str]:
    """Returns the files of the folders that some paths name that may be meant as input, but are not taken.

    Args:
        patterns: as `find_files` took them.
        folders: that it looked through, with names of such files.
        taken: the files that it found.
    """
    known = {_place(file.path) for file in taken}
    found = (file for pattern in patterns for file in _all_of_folder(plain_path(pattern), folders))
    alike = {_place(file): file for file in found if folders.is_alike(file)}
    return [shown_path(file) for place, file in alike.items() if place not in known]


def _all_of_folder(path: str, folders: FolderInput) -> Iterator[str]:
    """The files in folders and below them, but for hidden ones; none for a path that names no folder."""
    if not is_local(path):
        files = sorted(_listed(join(path, "**"))) if _may_be_folder(path, folders) else ()
        yield from (file.path for file in files if not is_hidden(file.path, path))
        return
    for folder in (Path(path),) if Path(path).exists() else globbed_folders(path):
        if folder.is_dir():
            below = map(str, walked(folder))
            yield from (file for file in below if not is_hidden(file, str(folder)))


def _place(path: str) -> str:
    """Returns a path that is the same however its folder is written."""
    return str(Path(path).parent.resolve() / Path(path).name) if is_local(path) else path


def told_apart(paths: Sequence[str]) -> list[str]:
    """Names files without their folders, or with as many as tell those of one name apart.

    Args:
        paths: each once.
    """
    names: dict[str, str] = {}
    parts = 0
    while others := [path for path in paths if path not in names]:
        parts += 1
        tails = {path: "/".join(path.split("/")[-parts:]) for path in others}
        counts = Counter(tails.values())
        names |= {path: tail for path, tail in tails.items() if counts[tail] == 1 or tail == path}
    return [names[path] for path in paths]


def _matches(path: str, pattern: str, command: str, folders: FolderInput | None) -> Iterator[FoundFile]:
    if not is_local(path):
        yield from _elsewhere(path, pattern, folders)
    elif Path(path).is_dir():
        yield from _within(Path(path), pattern, command, folders)
    elif Path(path).exists():
        yield _local_file(Path(path), pattern)
    else:
        files = list(_globbed(path, pattern))
        yield from files
        # What a glob matches is as if it were named; but beside files no folders where they are no input, or
        # where "**" has given what is in them.
        if not files or (folders and "**" not in path):
            for folder in globbed_folders(path):
                yield from _within(folder, pattern, command, folders, may_lack=bool(files))


def _globbed(path: str, pattern: str) -> Iterator[FoundFile]:
    folder, name = Path(path).parent, Path(path).name
    if "**" in (name if folder.is_dir() else path):  # the folder's name may hold what looks like a pattern
        yield from _listed(escaped(path))
        return
    # Of the name itself there is a link that leads nowhere, or nothing.
    entries = (entry for entry in globbed_entries(Path(path)) if entry != Path(path))
    yield from (_local_file(entry, pattern) for entry in entries if _is_file(entry))


def _elsewhere(path: str, pattern: str, folders: FolderInput | None) -> Iterator[FoundFile]:
    """Files of another file system, where a folder is whatever stands before the names of files."""
    if PATTERN_CHARACTERS.intersection(path):
        if exists(path):
            size = checked(lambda: FileSystems.get_filesystem(path).metadata(path).size_in_bytes, path)
            yield FoundFile(path, size)
            return
    elif folders and _may_be_folder(path, folders):
        below = [file for file in _listed(join(path, "**")) if folders.takes(file.path, path)]
        if not below and not exists(path):
            raise UsageError(f"{pattern}: {folders.missing}")
        if below:
            yield from below
            return
    yield from _listed(path)


def _may_be_folder(path: str, folders: FolderInput) -> bool:
    """Tells whether a path of another file system may be a folder, by its name."""
    return not PATTERN_CHARACTERS.intersection(path) and not path.lower().endswith(folders.endings)


def _listed(pattern: str) -> Iterator[FoundFile]:
    for match in checked(lambda: FileSystems.match([pattern])[0].metadata_list, pattern):
        yield FoundFile(match.path, match.size_in_bytes)


def _within(
    folder: Path, pattern: str, command: str, folders: FolderInput | None, may_lack: bool = False
) -> Iterator[FoundFile]:
    """The files of a local folder and those below it, by the endings of their names.

    Raises:
        UsageError: folders are no input, or this one has no such files, unless it `may_lack` them.
    """
    if folders is None:
        advice = f"is a folder; give the files in it, such as '{pattern.rstrip('/')}/*'"
        if next(folder.iterdir(), None) is None:
            advice = "is an empty folder; give files"
        raise UsageError(f"{pattern}: {advice}{_others_in(folder, command)}")
    unlisted: list[Path] = []
    files = [path for path in walked(folder, unlisted) if folders.takes(str(path), str(folder))]
    if not files and not unlisted and not may_lack:
        found = _others_in(folder, command) or _alike_in(folder, folders)
        raise UsageError(f"{pattern}: {folders.missing}{found}")
    yield from map(file_of_folder, (*files, *unlisted))  # the latter are no files, and so cannot be read


def _others_in(folder: Path, command: str) -> str:
    """What files of a folder are that another command reads, and which; "" if none of the first is."""
    from anchormine.transforms.other_readers import other_reader  # not needed where all is right

    files = (path for path in walked(folder) if path.is_file())  # a pipe would be waited for
    for path in islice(files, _LOOKED_AT):
        if words := other_reader(str(path), command):
            return f"; {shown_path(path.name)} is {words}"
    return ""


def _alike_in(folder: Path, folders: FolderInput) -> str:
    """What a folder has in place of the files that are taken, and what to do; "" for what is not known."""
    for path in islice(walked(folder), _LOOKED_AT):
        if folders.is_alike(str(path)):
            reason = "is passed over, by the ending of its name"
            return f"; {shown_path(path.name)} {reason}: {folders.remedy} it"
        if advice := folders.advice.get(path.suffix.lower()):
            return f"; {advice}"
    return ""


def _is_file(path: Path) -> bool:
    return path.is_file() or _leads_nowhere(path)


def _leads_nowhere(path: Path) -> bool:
    return path.is_symlink() and not path.exists()


def _local_file(path: Path, pattern: str) -> FoundFile:
    if _leads_nowhere(path):
        return FoundFile(str(path), 0)
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(
            f"{pattern}: is a pipe or a device, and input is read twice; save it to a file first"
        )
    return FoundFile(str(path), found.st_size)
