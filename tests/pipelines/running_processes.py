"""The processes that run on this machine."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def running_processes() -> dict[int, tuple[int, str]]:
    """The parent and the command of each process, by its number."""
    if shutil.which("ps") is None:  # as in slim containers, which are of Linux
        return dict(_of_linux())
    listed = subprocess.check_output(["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], text=True)
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return {int(number): (int(parent), " ".join(command)) for number, parent, *command in rows}


def _of_linux() -> Iterator[tuple[int, tuple[int, str]]]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            command = (folder / "cmdline").read_text(errors="replace").rstrip("\0").replace("\0", " ")
            yield int(folder.name), (int(parent), command)
