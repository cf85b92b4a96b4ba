"""The anchors that a query classifier is to tell from queries: of a dataset folder, or of a list."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from anchormine.datasets import DatasetFolder
from anchormine.datasets.manifest import MANIFEST
from anchormine.errors import UsageError
from anchormine.training.listed_text import Asked, numbered_lines, read_listed_text
from anchormine.training.resumption import table_checksums

_GIVE = "give a dataset folder, or a file of anchors, one a line"


class NegativeAnchors(NamedTuple):
    """Anchors as they were found, and SHA-256, in hex, of the files that they are from, by name."""

    texts: Iterable[str]
    checksums: dict[str, str]


def negative_anchors(path: str) -> NegativeAnchors:
    """Finds the anchors of a dataset folder, or those of a list, as Anchor-DR publishes (`train_neg.txt`).

    Args:
        path: of the folder, whose anchors are read when they are asked for; or of a text with one a line,
            compressed or not.

    Raises:
        UsageError: there is neither.
        CommandError: the folder has no anchors.
    """
    if is_list(path):
        return _listed(path)
    folder = DatasetFolder(path)
    return NegativeAnchors(_anchors(folder), table_checksums(folder, ["anchors"]))


def is_list(path: str) -> bool:
    """Tells whether there is a file, or a pipe, and no folder."""
    return Path(path).exists() and not Path(path).is_dir()


def _listed(path: str) -> NegativeAnchors:
    place = f"--negatives-from {path}"
    folder = Path(path).parent
    if (folder / MANIFEST).exists():
        raise UsageError(f"{place}: is a file of a dataset folder; give {folder}")
    digest = hashlib.sha256()
    text = read_listed_text(path, Asked(place, "file of anchors", _GIVE), digest.update)
    anchors = [line.strip() for _, line in numbered_lines(text)]
    if not anchors:
        raise UsageError(f"{place}: no anchors in it; write one a line")
    return NegativeAnchors(anchors, {f"anchors/{Path(path).name}": digest.hexdigest()})


def _anchors(folder: DatasetFolder) -> Iterator[str]:
    for batch in folder.iter_batches("anchors", ["anchor"]):
        yield from batch.column("anchor").to_pylist()
