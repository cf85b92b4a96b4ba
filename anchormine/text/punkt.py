"""NLTK's Punkt with the stops of every script: the splitter of all scripts that the rules do not know."""

from __future__ import annotations

import re
from functools import lru_cache

from nltk.tokenize.punkt import (
    PunktLanguageVars,
    PunktParameters,
    PunktSentenceTokenizer,
)

from anchormine.text.model import SentenceModel
from anchormine.text.quotations import FIRST_IDEOGRAPH, is_open, is_quoted_within
from anchormine.text.spans import Span, stripped
from anchormine.text.stops import (
    ASTRAL_STOPS,
    CLOSERS,
    SPACED_STOPS,
    TURNING_QUOTES,
    UNSPACED_STOPS,
    own_stops,
)

_LETTER_OR_DIGIT = re.compile(r"\w")
_SHORT, _MAX_REMEMBERED = 40, 1 << 14
_ASTRAL = re.compile("[\U00010000-\U0001dfff]")


class StopsOfEveryScript(PunktLanguageVars):
    """Punkt's marks with the stops of every script; white space is wanted only after those of Latin."""

    _period_context_fmt = rf"""
        %(SentEndChars)s
        (?=(?P<after_tok>
            %(NonWord)s
            |
            \s+(?P<next_tok>\S+)
            |
            (?<=[{UNSPACED_STOPS}{ASTRAL_STOPS}])\S
        ))"""
    internal_punctuation = ",:;،؛՝၊፣፤፥"
    re_boundary_realignment = re.compile(
        rf"[{re.escape(CLOSERS)}]+\s*|[{re.escape(CLOSERS + TURNING_QUOTES)}]+(?:\s+|(?=--)|$)", re.MULTILINE
    )

    def __init__(self, stops: str) -> None:
        """Takes the stops, each one character."""
        self.sent_end_chars = tuple(stops)
        self._inside = re.escape(stops.replace(".", ""))
        parts = {
            "NonWord": self._re_non_word_chars,
            "MultiChar": self._re_multi_char_punct,
            "WordStart": self._re_word_start,
            "SentEndChars": f"[{re.escape(stops)}]",
        }
        # Those that NLTK compiles itself end a search after five seconds, whatever the text and the machine.
        self._word_tokenizer = re.compile(self._word_tokenize_fmt % parts, re.VERBOSE)
        self._period_context = re.compile(self._period_context_fmt % parts, re.VERBOSE)

    def _word_tokenizer_re(self) -> re.Pattern[str]:
        return self._word_tokenizer

    def period_context_re(self) -> re.Pattern[str]:
        """Finds what may be the end of a sentence, with what stands behind it."""
        return self._period_context

    @property
    def _re_non_word_chars(self) -> str:
        return f"[{re.escape(CLOSERS + TURNING_QUOTES)}([{{;*:@{self._inside}]"

    @property
    def _re_word_start(self) -> str:
        return rf"[^\"`([{{)\]}}:;&#*@,\-{self._inside}]"


class _Tokenizer(PunktSentenceTokenizer):
    """Punkt's, which remembers what it has said of a stop and the words around it: short ones repeat."""

    def __init__(self, parameters: PunktParameters, marks: StopsOfEveryScript) -> None:
        super().__init__(parameters, lang_vars=marks)
        self._known: dict[str, bool] = {}

    def text_contains_sentbreak(self, text: str) -> bool:
        found = self._known.get(text)
        if found is None:
            found = bool(super().text_contains_sentbreak(text))
            if len(text) <= _SHORT:
                if len(self._known) >= _MAX_REMEMBERED:
                    self._known.clear()
                self._known[text] = found
        return found


def punkt_spans(text: str, model: SentenceModel) -> list[Span]:
    """Returns the spans of the sentences of one paragraph, which neither begins nor ends with white space."""
    spans: list[Span] = []
    for start, end in _tokenizer(model, _has_astral(text)).span_tokenize(text):
        start, end = stripped(text, start, end)
        if spans and not _LETTER_OR_DIGIT.search(text, start, end):
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))  # marks alone belong to what they follow
        elif spans and start < end and _goes_on(text, *spans[-1], start):
            spans[-1] = (spans[-1][0], end)
        elif start < end:
            spans.append((start, end))
    return spans


def _goes_on(text: str, start: int, end: int, after: int) -> bool:
    """Tells whether a sentence goes on where Punkt sees the next one: behind a title or speech in Hangul."""
    if after == end and text[after] in "\"'" and "가" <= text[after + 1 : after + 2] <= "힣":
        return is_open(text, after, text[after])
    if text[after] < FIRST_IDEOGRAPH or text[end - 1] not in CLOSERS:
        return False
    stop = end - 1
    while stop > start and text[stop] in CLOSERS:
        stop -= 1
    return is_quoted_within(text, start, stop, end, after)


def punkt_marks(language: str, text: str) -> StopsOfEveryScript:
    """Returns the marks with which Punkt reads a text in a language."""
    return StopsOfEveryScript(_stops(language, _has_astral(text)))


@lru_cache(maxsize=64)
def _tokenizer(model: SentenceModel, astral: bool) -> _Tokenizer:
    parameters = PunktParameters()
    parameters.abbrev_types = set(model.abbreviations)
    parameters.sent_starters = set(model.starters)
    return _Tokenizer(parameters, StopsOfEveryScript(_stops(model.language, astral)))


def _has_astral(text: str) -> bool:
    return _ASTRAL.search(text) is not None


def _stops(language: str, astral: bool) -> str:
    stops = SPACED_STOPS.replace("…", "") + UNSPACED_STOPS + own_stops(language)
    return stops + ASTRAL_STOPS if astral else stops
