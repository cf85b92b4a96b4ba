"""Paths that can be printed, and written to tables and manifests."""

import os

from anchormine.errors import UsageError


def utf8_path(path: str) -> str:
    """Returns a path as it is.

    Raises:
        UsageError: it is no UTF-8, as names from an old disk or archive may be.
    """
    try:
        path.encode()
    except UnicodeEncodeError:
        shown = os.fsencode(path).decode("utf-8", "backslashreplace")
        raise UsageError(f"{shown}: its name is not UTF-8; rename it") from None
    return path
