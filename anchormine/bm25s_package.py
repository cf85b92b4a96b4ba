"""The package bm25s, imported without JAX.

Where JAX is installed, importing bm25s starts it for a top k that is not used here. JAX then takes three
quarters of a GPU's memory, in each process anew, and where it finds no room the import fails.
"""

from __future__ import annotations

import sys
import threading
from types import ModuleType
from typing import Any

_loading = threading.Lock()  # runners call from several threads


def load_bm25s() -> Any:
    """The module `bm25s`; whether JAX is there, or was imported, is afterwards as before.

    Raises:
        ImportError: it is not installed.
    """
    with _loading:
        modules: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
        if "bm25s" not in modules:
            earlier = {name: modules[name] for name in ("jax",) if name in modules}
            modules["jax"] = None  # what Python takes for a module that is not to be had
            try:
                import bm25s
            finally:
                modules.pop("jax", None)
                modules.update(earlier)
        import bm25s
    return bm25s
