"""Where Arrow's tables take their memory from in a run."""

import os

_VARIABLE = "ARROW_DEFAULT_MEMORY_POOL"


def prefer_system_memory() -> None:
    """Has Arrow take memory from the system's allocator, here and in worker processes; a user's choice wins.

    Arrow's own keeps what is freed to itself: a run on crawl files took a fifth more memory with it, and more
    the longer they were. Arrow looks at the variable once, so this comes before it is imported.
    """
    os.environ.setdefault(_VARIABLE, "system")
