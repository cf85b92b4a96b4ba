"""Sentences of text in Latin, Cyrillic, Han and Kana, by rules about what stands before and after a stop."""

from __future__ import annotations

import re

from anchormine.text.candidates import STOP_IN_CHAT, candidates
from anchormine.text.model import SentenceModel
from anchormine.text.quotations import FIRST_IDEOGRAPH, REACH, is_open, is_particle, is_quoted_within
from anchormine.text.spans import Span
from anchormine.text.stops import CLOSERS, OPENERS, SPACED_STOPS, TURNING_QUOTES, UNSPACED_STOPS
from anchormine.text.words import (
    abbreviated,
    is_enumerator,
    is_unit,
    is_whole_word,
    starts_sentence,
    word_before,
)

# Characters of a sentence that begins with a date, up to the word for "year".
_LEAD_IN = 50
_SPACE = re.compile(r"\s+")
_OPENERS = re.compile(rf"[{re.escape(OPENERS)}\s]{{0,9}}")

_UNSPACED = frozenset(UNSPACED_STOPS)
_ENCLOSING = frozenset(CLOSERS + TURNING_QUOTES)
_GOES_ON = frozenset(",;:.!?)]}、，；：）」』")
# A wide full stop that is a point: "３．５", "Ｖｅｒ．2".
_POINT = re.compile(r"(?<=[0-9A-Za-z０-９Ａ-Ｚａ-ｚ])．(?=[0-9A-Za-z０-９Ａ-Ｚａ-ｚ])")
_DASHES = frozenset("-–—−")
_ARROW = "->"  # of a signature, "fn(A, ...) -> R"
# Kana after which quoted speech or a title with a stop in it goes on: to, no, wo, ga, ni, ha, he ...
_AFTER_QUOTE = frozenset("とのをがはにもへでなやっ")


def rule_spans(text: str, model: SentenceModel) -> list[Span]:
    """Returns the spans of the sentences of one paragraph, which neither begins nor ends with white space."""
    spans = []
    start = 0
    length = len(text)
    known = model.abbreviations
    for match in candidates(text).finditer(text):
        begin, after = match.span()
        if after == length:
            break
        end = match.end(1)
        if end == begin + 1 and text[begin] == ".":
            if end == after:
                continue
            # Nine stops in ten follow a plain word and precede a capital: settled here, for speed.
            space = text.rfind(" ", begin - 24 if begin > 24 else 0, begin) + 1
            word = text[space:begin] if space else ""
            if len(word) > 3 and word.isalpha() and text[after].isupper() and word.lower() not in known:
                spans.append((start, end))
                start = after
                continue
        end = _sentence_end(text, start, begin, end, after, model)
        if end:
            spans.append((start, end))
            start = after if after > end else _after(_SPACE, text, end)
    if start < length:
        spans.append((start, length))
    return spans


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    """Returns where text that a pattern matches at a place, be it empty, ends."""
    match = pattern.match(text, place)
    return match.end() if match else place


def _sentence_end(text: str, start: int, begin: int, end: int, after: int, model: SentenceModel) -> int:
    """Returns where the sentence with this stop ends, or 0 if it goes on.

    Args:
        text: The paragraph.
        start: Where the sentence starts.
        begin: Where the stop is.
        end: Where the stop and all that belongs to it ends.
        after: Where text goes on after white space.
        model: The language's.
    """
    stop = text[begin:end]
    if text[after] >= FIRST_IDEOGRAPH and is_quoted_within(text, start, begin, end, after):
        return 0
    if end == after or not _UNSPACED.isdisjoint(stop):
        return _unspaced_end(text, begin, end, after, stop)
    if text[after] in "\"'" and text[after + 1 : after + 2].isspace() and is_open(text, begin, text[after]):
        return after + 1
    follower = _follower(text, after)
    if follower < 0:
        return 0
    # A stop behind a bracket or picture decides, "(so :)!"
    if stop[0] not in SPACED_STOPS:
        inner = STOP_IN_CHAT.search(stop)
        if inner:
            begin += inner.start()
            stop = inner[0]
    if stop[0] not in SPACED_STOPS:
        ends = _smile_ends(text, start, begin, follower)
    elif "?" in stop or "!" in stop or stop[0] in "‼‽⁇⁈⁉﹖﹗":
        ends = _mark_ends(text, start, begin, follower, stop)
    elif stop[0] == "…" or stop.startswith(".."):
        ends = not (text[follower].islower() or _opens_quote(text, start, begin, stop))
        ends = ends and not text.startswith(_ARROW, after)
    else:
        ends = _full_stop_ends(text, start, begin, after, follower, stop, model)
    return end if ends else 0


def _follower(text: str, after: int) -> int:
    """Returns where the first letter or digit that follows is, or -1 if none can start a sentence."""
    first = text[after]
    if first.isalnum():
        return after
    if first in _GOES_ON:
        return -1
    follower = _after(_OPENERS, text, after)
    if follower == len(text):
        return -1
    if first in _DASHES and text[follower].islower():
        return -1
    return follower


def _opens(text: str, start: int, place: int) -> bool:
    """Tells whether an abbreviation opens its sentence or bracket, "P.S. I", and so cannot end it."""
    return place <= start or text[place - 1] in "(["


def _is_bracketed(text: str, begin: int, stop: str) -> bool:
    """Tells whether a stop stands alone in brackets, "(?)" or "[...]", with none after them."""
    return begin > 0 and text[begin - 1] in "([" and stop[-1] in CLOSERS


def _opens_quote(text: str, start: int, begin: int, stop: str) -> bool:
    """Tells whether an ellipsis stands for what was left out at the start of a sentence or quotation."""
    return begin == start or text[begin - 1] in "„“«‹‘‚" or _is_bracketed(text, begin, stop)


def _unspaced_end(text: str, begin: int, end: int, after: int, stop: str) -> int:
    """Returns where a sentence ends at a stop that needs no white space, or 0."""
    following = text[after]
    if _UNSPACED.isdisjoint(stop) and not _between_ideographs(text, begin, following, stop):
        return 0
    if following in "\"'" and is_open(text, begin, following):
        end = after = after + 1
        stop += following
        following = text[after : after + 1] or " "
    if following in _GOES_ON:
        return 0
    if _POINT.match(text, begin):
        return 0
    if end == after and following in _AFTER_QUOTE and stop[-1] in _ENCLOSING:
        return 0
    if end == after and stop[-1] in "！？!?" and is_particle(text, after):
        return 0
    return end


def _between_ideographs(text: str, begin: int, following: str, stop: str) -> bool:
    """Tells whether "?" or "!" stands between letters of a script that is written without spaces."""
    return stop[0] in "?!" and begin > 0 and text[begin - 1] > "\u2e7f" and following > "\u2e7f"


def _smile_ends(text: str, start: int, begin: int, follower: int) -> bool:
    """Tells whether a picture or a bracket that closes none ends a sentence."""
    if begin == start or text[follower].islower() or text[follower].isdigit():
        return False
    if text[begin] != ")":
        return True
    low = max(start, begin - REACH)
    is_list_mark = len(word_before(text, start, begin)) < 3 and text[begin - 1].isalnum()
    return not is_list_mark and text.count("(", low, begin) <= text.count(")", low, begin)


def _mark_ends(text: str, start: int, begin: int, follower: int, stop: str) -> bool:
    """Tells whether a question or exclamation mark ends a sentence."""
    if _is_bracketed(text, begin, stop) or (begin and text[begin - 1] == ":"):
        return False
    if text[begin - 2 : begin].rstrip()[-1:] in ("<", ","):  # a wildcard of Java, "Map<K, ? extends V>"
        return False
    if not text[follower].islower():
        return True
    # A small letter after a mark is the careless start of a sentence, but not after '"Why?" he asked'.
    if not _ENCLOSING.isdisjoint(stop):
        return False
    sentence = text[max(start, begin - REACH) : begin]
    if "¿" in sentence or "¡" in sentence:
        return False  # Spanish marks where the question starts: the sentence may be longer
    # A capital before the mark and none after it: a name, as in "when Yahoo! was", unless it stands alone.
    word = word_before(text, start, begin)
    return not word[:1].isupper() or begin - start == len(word)


def _full_stop_ends(
    text: str, start: int, begin: int, after: int, follower: int, stop: str, model: SentenceModel
) -> bool:
    """Tells whether a single full stop ends a sentence."""
    if is_enumerator(text, start, begin):
        return False
    word = word_before(text, start, begin)
    opens = _opens(text, start, begin - len(word))
    word = word.replace(" ", "")
    following = text[follower]
    if is_unit(text, begin, word, model):
        return not following.islower()
    if abbreviated(word, following, model):
        if opens or text[after] in _DASHES:
            return False
        # "In 1990 r." leads a sentence in, farther on a date closes it more often than not.
        if word.lower() in model.years and begin - start > _LEAD_IN and not following.islower():
            return not following.isdigit()
        return starts_sentence(word, text, follower, model)
    if not following.islower():
        return True
    # A small letter after a long word is the careless start of a sentence; a short word may be an
    # abbreviation that is not listed.
    return is_whole_word(word, model) and _ENCLOSING.isdisjoint(stop)
