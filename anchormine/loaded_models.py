"""The models that a process holds: each is loaded once, and anew where its folder was written anew."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from anchormine.model_checksum import MODULE_FOLDERS

M = TypeVar("M")

_Version = list[tuple[str, int, int, int]]


class LoadedModels(Generic[M]):
    """Models by their names and options: of the steps of a run, one may train anew what another has used."""

    def __init__(self, load: Callable[..., M]) -> None:
        """Takes what loads a model, given its name and options."""
        self._load = load
        self._models: dict[tuple[object, ...], tuple[_Version, M]] = {}
        self._loading = threading.Lock()

    def get(self, name: str, *options: object) -> M:
        """Returns the model of a name and options, the same for every caller.

        Args:
            name: a folder, or an id of the hub.
            *options: that it is loaded with.
        """
        key, version = (name, *options), _version(name)
        with self._loading:
            found = self._models.get(key)
            if found is None or found[0] != version:
                self._models.pop(key, None)  # two of them would not be held at once
                found = self._models[key] = (version, self._load(name, *options))
            return found[1]


def _version(name: str) -> _Version:
    """What tells the files of a folder from others of their names; nothing of an id of the hub.

    A link may lead nowhere, as editors leave them beside a file that is open.
    """
    folder = Path(name)
    if not folder.is_dir():
        return []
    paths = sorted((*folder.iterdir(), *folder.glob(f"{MODULE_FOLDERS}/*")))
    found = ((path.name, path.stat()) for path in paths if path.exists())
    return [(file, stat.st_ino, stat.st_size, stat.st_mtime_ns) for file, stat in found]
