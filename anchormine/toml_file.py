"""A TOML file that a user has written, in whatever editor."""

import sys
from pathlib import Path
from typing import Any

from anchormine.errors import UsageError
from anchormine.text_file import utf8_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(path: str) -> dict[str, Any]:
    """Reads a TOML file; a byte order mark before it is none of it.

    Raises:
        UsageError: it cannot be read, or is none, or has a zero byte, which no path, name or word has.
    """
    try:
        content = tomllib.loads(utf8_text(Path(path).read_bytes(), path))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); give an existing TOML file") from None
    except ValueError as error:  # of a whole number of thousands of digits `tomllib` raises Python's own
        raise UsageError(f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise UsageError(f"{path}: nested too deeply; write values without so many brackets") from None
    if "\0" in _texts(content):
        raise UsageError(f"{path}: a value holds a zero byte (\\u0000); leave it out")
    return content


def _texts(value: Any) -> str:
    """All texts of a value, one after the other."""
    if isinstance(value, dict):
        return "".join(map(_texts, (*value, *value.values())))
    return "".join(map(_texts, value)) if isinstance(value, list) else value if isinstance(value, str) else ""
