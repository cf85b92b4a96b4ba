"""What went wrong in a pipeline, as one line: runners wrap errors, and worker processes send them as text."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from anchormine.errors import CommandError, UsageError

# The last line of a traceback that a worker process sends.
_ERROR_LINE = re.compile(
    r"^(?:[a-z_]+\.)*(CommandError|UsageError|MissingExtra|\w*OSError|\w+NotFoundError|PermissionError|BeamIOError):"
    r" (.*)$",
    re.MULTILINE,
)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Gives an error of ours back as it was raised, and one of a file system as one of ours."""
    try:
        yield
    except CommandError:
        raise
    except Exception as error:
        ours = own_error(error)
        if ours is not None:
            raise ours from None
        raise


def own_error(error: BaseException | None) -> CommandError | None:
    """Finds an error for the user in what a runner raises; None where it is an error of the program."""
    while error is not None:
        if isinstance(error, CommandError):
            return error
        if isinstance(error, OSError):
            return CommandError(f"{error}; nothing was published")
        found = list(_ERROR_LINE.finditer(str(error)))
        if found:
            kind = UsageError if found[-1][1] == "UsageError" else CommandError
            return kind(found[-1][2].partition(" [while running")[0])
        error = error.__cause__ or error.__context__
    return None
