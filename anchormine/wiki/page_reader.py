"""Reads the pages of a dump within limits that hold: a page that hangs costs its time, and nothing else.

What could hang, mwparserfromhell and very long pages, is read in a child process that is killed when its time
is over.
"""

from anchormine.hypertext.page_limits import PageLimits
from anchormine.hypertext.reading_process import ReadingProcess
from anchormine.text.sentences import SentenceModel
from anchormine.wiki.article import read_article, read_plain_article
from anchormine.wiki.extraction import Extraction, extract
from anchormine.wiki.site import Site

_IN_PROCESS_CHARACTERS = 300_000  # about 30 ms; one article of enwiki in 10,000 is longer


class PageReader:
    """Reads pages of any wiki. Has a child process while it is needed; `close` ends it."""

    def __init__(self, limits: PageLimits) -> None:
        self._limits = limits
        self._process = ReadingProcess(read_any_article)

    def read(self, wikitext: str, title: str, site: Site, model: SentenceModel) -> Extraction:
        """Reads one page.

        Raises:
            PageRejected: for "too_large", "nesting", "timeout", "memory" or "crash".
        """
        self._limits.check_length(len(wikitext))
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
