"""A TOML file that a user has written, in whatever editor."""

import sys
from pathlib import Path
from typing import Any

from anchormine.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(path: str) -> dict[str, Any]:
    """Reads a TOML file; a byte order mark before it is none of it.

    Raises:
        UsageError: it cannot be read, or is none.
    """
    try:
        return tomllib.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); give an existing TOML file") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise UsageError(f"{path}: nested too deeply; write values without so many brackets") from None
