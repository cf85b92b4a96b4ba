"""Settings of libraries that they look at once, when they are imported."""

import os

_SETTINGS = {
    # Arrow takes memory from the system's allocator. Its own keeps what is freed to itself: a run on crawl
    # files took a fifth more memory with it, and more the longer they were.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    # Threads of OpenMP, which are torch's, sleep and do not spin while they wait for one another. Where
    # another program has one of the cores, a spinning thread takes the time of the one it waits for: a small
    # model was trained five times as slowly. The results are the same.
    "OMP_WAIT_POLICY": "PASSIVE",
}


def set_up_libraries() -> None:
    """Sets them for this process and the workers it starts; what the user has set stays."""
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
