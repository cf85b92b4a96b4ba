"""The processes that run on this machine."""

from __future__ import annotations

import subprocess


def running_processes() -> dict[int, tuple[int, str]]:
    """The parent and the command of each process, by its number."""
    listed = subprocess.check_output(["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], text=True)
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return {int(number): (int(parent), " ".join(command)) for number, parent, *command in rows}
