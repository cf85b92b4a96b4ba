"""Paths that can be printed, and written to tables and manifests."""

import os

from anchormine.errors import UsageError

NO_UTF_8 = "its name is not UTF-8; rename it"


def shown_path(path: str) -> str:
    """Returns a path with what is no UTF-8 in it as backslashes and digits."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def utf8_path(path: str) -> str:
    """Returns a path as it is.

    Raises:
        UsageError: it is no UTF-8, as names from an old disk or archive may be.
    """
    try:
        path.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{shown_path(path)}: {NO_UTF_8}") from None
    return path
