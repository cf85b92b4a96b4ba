"""The paths that a program gives to the transforms which read, and to those which plan that."""

import os
from collections.abc import Iterable
from typing import Protocol, TypeAlias

from anchormine.errors import UsageError

Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


class PlannedFile(Protocol):
    """A file of a plan."""

    @property
    def path(self) -> str:
        """Of it."""

    @property
    def unreadable(self) -> str | None:
        """Why nothing of it can be read, or None."""


def path_list(given: Paths) -> list[str]:
    """Returns one path or several as a list of texts.

    Raises:
        UsageError: there is none.
    """
    several = [given] if isinstance(given, (str, os.PathLike)) else given
    paths = [os.fspath(path) for path in several]
    if not paths:
        raise UsageError("no path; give the paths of files, or globs")
    return paths


def refuse_unreadable(files: Iterable[PlannedFile], planner: str) -> None:
    """Refuses files of which nothing can be read: whoever gave their paths would not hear of them.

    Args:
        files: of a plan.
        planner: the function that makes such plans, for those who read the others all the same.

    Raises:
        UsageError: there is such a file.
    """
    for file in files:
        if file.unreadable is not None:
            raise UsageError(
                f"{file.path}: {file.unreadable}; leave it out, or give the plan of `{planner}`, whose files "
                "say which cannot be read"
            )
