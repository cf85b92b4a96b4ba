"""Reads pages in a child process: a call that is in C code cannot be interrupted, a process can be killed."""

from __future__ import annotations

import fcntl
import os
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from typing import Any

from anchormine.errors import CommandError
from anchormine.hypertext.page_rejected import PageRejected

_MEMORY_BYTES = 4 << 30


class ReadingProcess:
    """A process that answers one question at a time. It runs from the first one on, until `close`."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        """Starts nothing yet.

        Args:
            answer: a function of a module, which the process imports; it may raise `PageRejected`.
        """
        self._answer = f"{answer.__module__}:{answer.__name__}"
        self._child: _Child | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is one now."""
        return self._child is not None

    def ask(self, question: tuple[Any, ...], seconds: float) -> Any:
        """Returns the answer to a question.

        Args:
            question: the arguments of `answer`.
            seconds: that it may take.

        Raises:
            PageRejected: by `answer`, or for "timeout", "memory" or "crash".
            CommandError: the process does not start.
        """
        if self._child is None:
            self._child = _Child(self._answer)
        answer = self._child.ask(question, seconds)
        if isinstance(answer, PageRejected):
            if answer.reason in ("timeout", "crash", "memory"):
                self.close()
            raise answer
        return answer

    def close(self) -> None:
        """Ends the process, if there is one."""
        if self._child is not None:
            self._child.kill()
            self._child = None


class _Child:
    def __init__(self, answer: str) -> None:
        self._pipe, far_end = Pipe()
        command = [
            sys.executable,
            "-m",
            "anchormine.hypertext.reading_process",
            str(far_end.fileno()),
            answer,
        ]
        try:
            self._process = subprocess.Popen(
                command, pass_fds=[far_end.fileno()], stdin=subprocess.PIPE, env=_environment()
            )
        except OSError as error:
            raise _no_start(f"could not be started ({error.strerror})") from error
        far_end.close()
        try:
            self._pipe.recv()  # it has started: that is not the page's time
        except (EOFError, OSError):
            raise _no_start(f"ended with status {self._process.wait()} as it started") from None

    def ask(self, question: tuple[Any, ...], seconds: float) -> Any:
        try:
            self._pipe.send(question)
            if not self._pipe.poll(seconds):
                return PageRejected("timeout", f"not read within {seconds:g} seconds")
            return self._pipe.recv()
        except (EOFError, OSError):
            return PageRejected("crash", f"the reading process ended with status {self._process.wait()}")

    def kill(self) -> None:
        self._pipe.close()
        self._process.kill()
        self._process.communicate()


def _no_start(how: str) -> CommandError:
    return CommandError(
        f"a process that reads pages {how}; nothing was published: give fewer --workers, or make room for "
        "more processes (`ulimit -u`, `ulimit -v`)"
    )


def _environment() -> dict[str, str]:
    """The child finds the modules where this process does."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _serve(pipe: Connection, place: str) -> None:
    """Answers questions by the function at "module:name" until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal: the process that asks ends this one
    _end_with_starter()
    memory = bound_memory()
    module, _, name = place.partition(":")
    answer_one = getattr(import_module(module), name)
    pipe.send("ready")
    while True:
        try:
            question = pipe.recv()
        except (EOFError, OSError):
            return
        answer: Any
        try:
            answer = answer_one(*question)
        except PageRejected as error:
            answer = error
        except MemoryError:
            answer = PageRejected("memory", f"needs more than {memory / 2**30:.3g} GiB")
        with suppress(OSError):  # of the other end that is closed
            pipe.send(answer)


def bound_memory() -> int:
    """Bounds the memory of this process, unless it has a lower bound. Returns the bound in bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = min([_MEMORY_BYTES, *(limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY)])
    with suppress(ValueError, OSError):  # of systems that have none for this
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    return bound


def _end_with_starter() -> None:
    """Ends this process, whatever it does, as soon as the one that started it is no more.

    Else it would go on with its page, with no time limit any more. Standard input is a pipe that nothing is
    written to. When it is closed, Linux sends SIGIO, by which a process ends that does not take it.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    with suppress(OSError):  # of systems that have no such signal for a pipe
        fcntl.fcntl(sys.stdin, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(sys.stdin, fcntl.F_SETFL, fcntl.fcntl(sys.stdin, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([sys.stdin], [], [], 0)[0]:  # it was closed before that
        sys.exit(1)


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])), sys.argv[2])
