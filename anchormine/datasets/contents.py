"""What tells the data of a config from other data, for the library `datasets`.

It keeps what it has once loaded from a folder under the folder's name and a hash of the configs that the
card names, and looks at no file that these name by a pattern (`LocalDatasetModuleFactory` of datasets 5.2).
Without this a folder that was made anew, or another of the same name, would give the rows of the first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def description_of(files: Iterable[tuple[str, str]]) -> str:
    """Returns the line of a card that says by its `description` which data a config holds.

    Args:
        files: path and SHA-256 of each.
    """
    lines = "".join(f"{sha256}  {path}\n" for path, sha256 in sorted(files))  # as `sha256sum` has them
    return f"  description: contents of SHA-256 {hashlib.sha256(lines.encode()).hexdigest()}"
