"""What a program gives to the transforms that read, and to the functions that plan it: paths, or a plan."""

import os
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar, cast

from anchormine.errors import UsageError

# Not any iterable: a transform may be applied more than once.
Paths: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


class InputFile(Protocol):
    """A file of a plan: its path, its size in bytes, and why nothing of it can be read, or None."""

    @property
    def path(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def unreadable(self) -> str | None: ...


class InputPlan(Protocol):
    """What is read, and the files in order, be they readable or not."""

    @property
    def files(self) -> Sequence[InputFile]: ...


P = TypeVar("P", bound=InputPlan)


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


def plan_of(source: P | Paths, kind: type[P], planner: Callable[[Paths], P]) -> P:
    """Returns a plan as it is, or that of paths.

    Of these none may be unreadable: whoever gave them would not hear of it.

    Args:
        source: a plan, or a path or several.
        kind: the class of such plans.
        planner: makes them; its name is told to those who want to read the other files all the same.

    Raises:
        UsageError: there is no path, or a file of which nothing can be read.
    """
    if isinstance(source, kind):
        return source
    plan = planner(cast("Paths", source))
    for file in plan.files:
        if file.unreadable is not None:
            raise UsageError(
                f"{file.path}: {file.unreadable}; leave it out, or give the plan of `{planner.__name__}`, "
                "whose files say which cannot be read"
            )
    return plan
