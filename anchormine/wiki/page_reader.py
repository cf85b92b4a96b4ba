"""Reads the pages of a dump within limits that hold: a page that hangs costs its time, and nothing else.

A pure Python call cannot be interrupted while it is in C code, so what could hang there, mwparserfromhell and
very long pages, is read in a child process that is killed when its time is over.
"""

import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe

from anchormine.errors import UsageError
from anchormine.hypertext.page_rejected import PageRejected
from anchormine.text.sentences import SentenceModel
from anchormine.wiki.article import read_article, read_plain_article
from anchormine.wiki.extraction import Extraction, extract
from anchormine.wiki.site import Site

_IN_PROCESS_CHARACTERS = 300_000  # about 30 ms; one article of enwiki in 10,000 is longer
_MEMORY_BYTES = 4 << 30


@dataclass(frozen=True)
class ReadLimits:
    """What one page may cost.

    Attributes:
        characters: of its wikitext; MediaWiki itself allows 2 MiB.
        seconds: for reading it.
    """

    characters: int = 16_000_000
    seconds: float = 20.0

    def __post_init__(self) -> None:
        if self.characters < 1:
            raise UsageError(f"max page characters {self.characters}: give 1 or more")
        if not self.seconds > 0:
            raise UsageError(f"page timeout {self.seconds}: give more than 0 seconds")


class PageReader:
    """Reads pages of any wiki. Has a child process while it is needed; `close` ends it."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._child: _Child | None = None

    def read(self, wikitext: str, title: str, site: Site, model: SentenceModel) -> Extraction:
        """Reads one page.

        Raises:
            PageRejected: for "too_large", "nesting", "timeout", "memory" or "crash".
        """
        if len(wikitext) > self._limits.characters:
            raise PageRejected(
                "too_large", f"{len(wikitext)} characters, the limit is {self._limits.characters}"
            )
        if len(wikitext) <= _IN_PROCESS_CHARACTERS:
            article = read_plain_article(wikitext, title, site)
            if article is not None:
                return extract(article, model)
        return self._read_in_child(wikitext, title, site, model)

    def _read_in_child(self, wikitext: str, title: str, site: Site, model: SentenceModel) -> Extraction:
        if self._child is None:
            self._child = _Child()
        answer = self._child.ask((wikitext, title, site, model), self._limits.seconds)
        if isinstance(answer, PageRejected):
            if answer.reason in ("timeout", "crash", "memory"):
                self.close()
            raise answer
        return answer

    def close(self) -> None:
        """Ends the child process, if there is one."""
        if self._child is not None:
            self._child.kill()
            self._child = None


class _Child:
    """A process that reads one page at a time."""

    def __init__(self) -> None:
        self._pipe, far_end = Pipe()
        command = [sys.executable, "-m", "anchormine.wiki.page_reader", str(far_end.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[far_end.fileno()], env=_environment())
        far_end.close()
        self._pipe.recv()  # it has started: that is not the page's time

    def ask(
        self, question: tuple[str, str, Site, SentenceModel], seconds: float
    ) -> Extraction | PageRejected:
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
        self._process.wait()


def _environment() -> dict[str, str]:
    """The child finds the modules where this process does."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _serve(pipe: Connection) -> None:
    """Reads pages until the other end is closed."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    sites: dict[tuple, Site] = {}
    pipe.send("ready")
    while True:
        try:
            wikitext, title, site, model = pipe.recv()
        except EOFError:
            return
        site = sites.setdefault(site.__reduce__()[1], site)  # keeps what it has learnt about its targets
        answer: Extraction | PageRejected
        try:
            answer = extract(read_article(wikitext, title, site), model)
        except PageRejected as error:
            answer = error
        except MemoryError:
            answer = PageRejected("memory", f"needs more than {_MEMORY_BYTES >> 30} GiB")
        pipe.send(answer)


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])))
