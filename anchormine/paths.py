"""Paths that can be printed, and written to tables and manifests."""

import os

from anchormine.errors import UsageError

NO_UTF_8 = "its name is not UTF-8; rename it"
_NO_LOCALE = "the locale is not UTF-8, as its name is; set PYTHONUTF8=1, or LC_ALL=C.UTF-8"


def shown_path(path: str) -> str:
    """Returns a path with what is no UTF-8 in it as backslashes and digits."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def name_fault(path: str) -> str | None:
    """Says why a path cannot be printed: it is no UTF-8, as names from an old disk or archive may be, or read
    as if it were none; None if it can.
    """
    try:
        path.encode()
    except UnicodeEncodeError:
        return _NO_LOCALE if _is_utf_8(os.fsencode(path)) else NO_UTF_8
    return None


def utf8_path(path: str) -> str:
    """Returns a path as it is.

    Raises:
        UsageError: it cannot be printed, see `name_fault`.
    """
    if fault := name_fault(path):
        raise UsageError(f"{shown_path(path)}: {fault}")
    return path


def _is_utf_8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True
