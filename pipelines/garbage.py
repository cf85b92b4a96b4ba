"""How often Python looks for garbage: by default that takes a tenth of the time of a step with many rows."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

# By default Python looks for cycles among its objects after every 700 new ones; rows are none, and many more.
_NEW_OBJECTS = 50_000


@contextmanager
def kept_objects() -> Iterator[None]:
    """What is made in here, such as modules, is not looked through for garbage, then or later."""
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
            atexit.register(gc.unfreeze)  # libraries such as triton report what is left in the end as leaked
        gc.set_threshold(_NEW_OBJECTS)
        gc.enable()
