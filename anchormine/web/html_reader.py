"""Reads the HTML of a crawl within limits that hold: a page that hangs costs its time, and nothing else."""

from __future__ import annotations

import traceback
from functools import lru_cache
from pathlib import Path

from anchormine.hypertext.page_limits import PageLimits
from anchormine.hypertext.page_rejected import PageRejected
from anchormine.hypertext.reading_process import ReadingProcess
from anchormine.text.sentences import SentenceModel, sentence_model
from anchormine.web.encodings.charsets import DecodedText, decode_text
from anchormine.web.html_page import WebExtraction, read_html
from anchormine.web.markup.markup_tags import UnclearMarkup
from anchormine.web.markup.xhtml import written_out
from anchormine.web.page.answer_facts import UNTOLD, AnswerFacts
from anchormine.web.tracking import TRACKING, names_of_parameters

# A page that may take its whole time at this rate is read in a process that can be ended. The slowest markup
# known (`tests/web/open_tags.py`) is read seven times as fast, pages of crawls two hundred times; only text
# in sentences of two short words, of which no two are equal, may take twice its time where Punkt splits it.
_CHARACTERS_PER_SECOND = 100_000
# The same of its bytes: the slowest that are known, nothing but shifts of ISO-2022-JP, are decoded twice as
# fast, pages of crawls a thousand times.
_BYTES_PER_SECOND = 200_000


class HtmlReader:
    """Reads pages. Has child processes while they are needed; `close` ends them.

    Attributes:
        language: of all pages, over what they say themselves.
        tracking: parameters that canonical URLs leave out.
    """

    def __init__(
        self, limits: PageLimits, language: str | None = None, tracking: tuple[str, ...] = TRACKING
    ) -> None:
        """Starts nothing yet.

        Raises:
            UsageError: `tracking` is one text.
        """
        self.language = language
        self.tracking = names_of_parameters(tracking)
        self._limits = limits
        self._process = ReadingProcess(read_any_html)
        self._decoding = ReadingProcess(decode_text)

    def decode(self, body: bytes, content_type: str) -> DecodedText:
        """Decodes a page, as `decode_text` does.

        Raises:
            PageRejected: for "timeout", "memory" or "crash".
        """
        if len(body) <= _BYTES_PER_SECOND * self._limits.seconds:
            return decode_text(body, content_type)
        return self._decoding.ask((body, content_type), self._limits.seconds)

    def read(self, html: str, url: str, answer: AnswerFacts = UNTOLD, is_xml: bool = False) -> WebExtraction:
        """Reads one page.

        Args:
            html: of the page, decoded.
            url: it was fetched from, absolute.
            answer: what was said of it there.
            is_xml: whether it was served as XML.

        Raises:
            PageRejected: for "too_large", "too_deep", "timeout", "memory" or "crash".
        """
        self._limits.check_length(len(html))
        question = (html, url, self.language, self.tracking, answer, self._limits if is_xml else None)
        if len(html) <= _CHARACTERS_PER_SECOND * self._limits.seconds:
            try:
                return read_any_html(*question)
            except UnclearMarkup:
                pass
            except (PageRejected, MemoryError):
                raise
            except Exception as error:  # costs a page and not the run, as a crash of the parser does
                raise PageRejected("crash", f"{type(error).__name__}: {error} ({_place(error)})") from error
        return self._process.ask((*question, True), self._limits.seconds)

    def close(self) -> None:
        """Ends the child processes, if there are some."""
        self._process.close()
        self._decoding.close()


def read_any_html(
    html: str,
    url: str,
    language: str | None,
    tracking: tuple[str, ...],
    answer: AnswerFacts,
    limits_of_xml: PageLimits | None = None,
    is_watched: bool = False,
) -> WebExtraction:
    """Reads a page, as `read_html` does, by what is shipped for its language.

    One that was served as XML, for which there are limits, is written as HTML first; it may be longer then.
    """
    if limits_of_xml is not None:
        html = written_out(html)
        limits_of_xml.check_length(len(html))
    return read_html(html, url, lambda found: _model(language or found or ""), tracking, is_watched, answer)


def _place(error: Exception) -> str:
    """Where in the code an error comes from: all that is left of it, since the run goes on."""
    innermost = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(innermost.filename).name}:{innermost.lineno}"


@lru_cache(256)
def _model(language: str) -> SentenceModel:
    return sentence_model(language)
