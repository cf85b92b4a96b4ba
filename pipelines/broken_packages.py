"""Packages that are installed, but fail where they are imported: told in one line, wherever that is.

They are not tried out beforehand, which would have commands wait for torch that end without it.
"""

import re
import sys
from traceback import walk_tb

from anchormine.errors import BrokenPackage, CommandError

_OWN = ("anchormine", "__main__")
_MODULE = "<module>"  # what Python calls the code of a module, which runs where it is imported
_ADDED = " [while running"  # by Beam, before the name of the step
# In the traceback that a worker process sends.
_TRACEBACK = "Traceback (most recent call last)"
_PACKAGE_LINE = re.compile(
    rf'^ *File "[^"]*[/\\](?:site|dist)-packages[/\\](\w+)[^"]*", line \d+, in {_MODULE}', re.MULTILINE
)
_ERROR_LINE = re.compile(r"^(?:\w*ImportError|ModuleNotFoundError|OSError): (.*)$", re.MULTILINE)


def broken_package(error: BaseException | None) -> BrokenPackage | None:
    """The error for the user where a package could not be imported; None for any other.

    Args:
        error: that was raised, or the one of a runner that has the traceback of a worker process in its text.
    """
    while error is not None and not isinstance(error, CommandError):
        if isinstance(error, (ImportError, OSError)):
            package = _imported(error) or _lacking(error)
            if package:
                return _broken(package, str(error))
        elif isinstance(error, RuntimeError) and (told := _of_worker(str(error))):
            return told
        error = error.__cause__
    return None


def _imported(error: BaseException) -> str | None:
    """The innermost package whose import an error has ended; None if it came at another time.

    A program of the user's that calls us is at work on itself, not imported.
    """
    found = None
    for frame, _ in walk_tb(error.__traceback__):
        name = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if name in _OWN:
            found = None
        elif frame.f_code.co_name == _MODULE and name not in sys.stdlib_module_names:
            found = name
    return found


def _lacking(error: BaseException) -> str | None:
    """The package that has not what is imported from it, as where its files are partly gone, or others."""
    if not isinstance(error, ImportError) or not error.name:
        return None
    package, _, rest = error.name.partition(".")
    if package in _OWN or package in sys.stdlib_module_names:
        return None
    is_absent = isinstance(error, ModuleNotFoundError) and not rest
    return None if is_absent else package


def _of_worker(text: str) -> BrokenPackage | None:
    last = text.rpartition(_TRACEBACK)[2]
    packages, reasons = _PACKAGE_LINE.findall(last), _ERROR_LINE.findall(last)
    return _broken(packages[-1], reasons[-1]) if packages and reasons else None


def _broken(package: str, text: str) -> BrokenPackage:
    from importlib.metadata import packages_distributions

    reason = text.partition(_ADDED)[0].strip().partition("\n")[0].rstrip(".")
    distribution = packages_distributions().get(package, [package])[0]
    return BrokenPackage(package, reason or "it does not say why", distribution)
