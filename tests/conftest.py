"""What all tests need of the process that they run in, and of their order."""

from __future__ import annotations

import signal

import pytest


def pytest_configure() -> None:
    """Lets Ctrl-C through: a shell ignores it in background jobs, and what they start inherits that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begins with the files that have slow tests: of two processes, one would wait for the last of them."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
