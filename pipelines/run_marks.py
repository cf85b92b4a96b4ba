"""The mark of a run that is under way: two runs must not write to one folder at once.

Every run keeps its unpublished files in a folder `.anchormine-<step>-<random>` of its own inside the output,
and in it a file `started` that says whose it is. The rule for those of others:

* the process lives on this machine: the folder is in use, and the new run is refused;
* it is dead, or there is no readable mark: the run was interrupted, and what it left is removed;
* it is another machine's: nobody here can tell whether it lives, so the new run is refused, and the user is
  told which folder to delete if it does not.
"""

import json
import os
import socket
import time
import uuid
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from apache_beam.io.filesystems import FileSystems

from anchormine.errors import UsageError
from anchormine.transforms.files import (
    MARK,
    SCRATCH,
    create_file,
    delete_files,
    delete_folder,
    exists,
    files_below,
    is_local,
    join,
    open_file,
)

_TRIES, _SECONDS_BETWEEN_TRIES = 4, 0.1


def write_mark(scratch: str) -> None:
    """Marks a folder as this process's; the mark is there whole or not at all."""
    mark = {
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "birth": _birth(os.getpid()),
        "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }
    new = join(scratch, f"{MARK}-{uuid.uuid4().hex}")
    with create_file(new) as stream:
        stream.write(json.dumps(mark).encode())
    FileSystems.rename([new], [join(scratch, MARK)])


def remove_interrupted(folder: str, own: str = "") -> None:
    """Removes what interrupted runs left in an output folder.

    Args:
        folder: the output.
        own: the scratch folder of this run.

    Raises:
        UsageError: a run is under way there, or may be.
    """
    for scratch in _scratch_folders(folder):
        if scratch == own:
            continue
        mark = _read_mark(scratch)
        if mark is not None and mark["host"] != socket.gethostname():
            raise UsageError(
                f"{folder}: {_told(mark)} may be writing to it; wait for it, or delete {scratch} if it died"
            )
        if mark is not None and _lives(mark):
            raise UsageError(f"{folder}: {_told(mark)} is writing to it; wait for it, or give another folder")
        remove_scratch(scratch)


def remove_scratch(scratch: str) -> None:
    """Removes the folder of a run, its mark first: workers that go on start no file in it from then on.

    Raises:
        OSError: something else keeps the system from it than what such workers had begun.
    """
    delete_files([join(scratch, MARK)])
    for _ in range(_TRIES):
        with suppress(OSError):
            return delete_folder(scratch)
        time.sleep(_SECONDS_BETWEEN_TRIES)
    return delete_folder(scratch)


def _told(mark: dict[str, Any]) -> str:
    return f"process {mark['pid']} on {mark['host']} (since {mark['started']})"


def _scratch_folders(folder: str) -> list[str]:
    """The folders of runs that hold a file. On this machine no others are looked through: a table of keywords
    may stand in a home folder, or in one of all data.
    """
    prefix = join(folder, SCRATCH)
    if is_local(folder):
        places = sorted(str(place) for place in Path(folder).glob(f"{SCRATCH}*"))
        return [place for place in places if any(True for _ in files_below(place))]
    found = (path for path in files_below(folder) if path.startswith(prefix))
    return list(dict.fromkeys(prefix + path.removeprefix(prefix).partition("/")[0] for path in found))


def _read_mark(scratch: str) -> dict[str, Any] | None:
    path = join(scratch, MARK)
    if not exists(path):
        return None
    try:
        with open_file(path) as stream:
            mark = json.loads(stream.read())
        return {name: mark[name] for name in ("host", "pid", "birth", "started")}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _lives(mark: dict[str, Any]) -> bool:
    """Whether the process that left a mark on this machine is there still, and no other by its number."""
    pid = mark["pid"]
    if pid == os.getpid():  # this process has no run but the one that asks
        return False
    try:
        os.kill(pid, 0)
    except PermissionError:
        pass  # somebody else's
    except (OSError, OverflowError, TypeError):
        return False
    return _birth(pid) == mark["birth"]


def _birth(pid: int) -> str | None:
    """When a process was born, in ticks since the machine's start; None where the system does not tell."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return None
