"""Keeps two trainings out of one folder."""

import fcntl
import os
from pathlib import Path

from anchormine.errors import UsageError

_LOCKED: dict[Path, int] = {}  # work folders of this process, and the descriptors that their locks hang on


def lock_folder(folder: Path) -> None:
    """Keeps other processes out of a work folder for as long as this one lives.

    On a file system without locks it does nothing.

    Raises:
        UsageError: another process trains there.
    """
    if folder in _LOCKED:  # of a training that this process has ended, or given up
        os.close(_LOCKED.pop(folder))
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise UsageError(
            f"{folder}: another process trains there; wait for it, or give another --output"
        ) from None
    except OSError:  # no locks there
        os.close(descriptor)
    else:
        _LOCKED[folder] = descriptor
