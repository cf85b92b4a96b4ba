"""What all tests need of the process that they run in, and of their order."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from apache_beam import DoFn
from apache_beam.transforms import userstate


def pytest_configure() -> None:
    """Lets Ctrl-C through: a shell ignores it in background jobs, and what they start inherits that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begins with the files that have slow tests: of two processes, one would wait for the last of them."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session", autouse=True)
def inspected_once() -> Iterator[None]:
    """Lets Beam look for state and timers once in each class of DoFns, and not eight times in each DoFn.

    For that it inspects every method, of which none changes: two fifths of the time that a command takes
    whose input is small, as that of most tests. Commands in processes of their own are as they are.
    """
    inspect = userstate.get_dofn_specs
    found: dict[type[DoFn], tuple[set[Any], set[Any]]] = {}

    def get_dofn_specs(dofn: DoFn) -> tuple[set[Any], set[Any]]:
        kind = type(dofn)
        if kind not in found:
            found[kind] = inspect(dofn)
        return found[kind]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(userstate, "get_dofn_specs", get_dofn_specs)
        yield
