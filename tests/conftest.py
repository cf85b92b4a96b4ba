"""What all tests need of the process that they run in."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Lets Ctrl-C through: a shell ignores it in background jobs, and what they start inherits that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
