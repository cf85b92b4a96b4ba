"""Reads the pages of a dump within limits that hold: a page that hangs costs its time, and nothing else.

What could hang, mwparserfromhell and very long pages, is read in a child process that is killed when its time
is over.
"""

from dataclasses import dataclass

from anchormine.errors import UsageError
from anchormine.hypertext.page_rejected import PageRejected
from anchormine.hypertext.reading_process import ReadingProcess
from anchormine.text.sentences import SentenceModel
from anchormine.wiki.article import read_article, read_plain_article
from anchormine.wiki.extraction import Extraction, extract
from anchormine.wiki.site import Site

_IN_PROCESS_CHARACTERS = 300_000  # about 30 ms; one article of enwiki in 10,000 is longer


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
        self._process = ReadingProcess(read_any_article)

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
        return self._process.ask((wikitext, title, site, model), self._limits.seconds)

    def close(self) -> None:
        """Ends the child process, if there is one."""
        self._process.close()


_SITES: dict[tuple, Site] = {}


def read_any_article(wikitext: str, title: str, site: Site, model: SentenceModel) -> Extraction:
    """Reads a page without limits; in the child process."""
    site = _SITES.setdefault(site.__reduce__()[1], site)  # keeps what it has learnt about its targets
    return extract(read_article(wikitext, title, site), model)
