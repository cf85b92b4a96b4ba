"""Reads a line of HARP's input: a sentence, its anchors, and the first section of each destination.

The place of an anchor is given as the first and the last of its whitespace tokens, both inclusive; here it
becomes characters of the sentence. 97 of the 100 places in HARP's demo agree with the anchor's text: one ends
before it starts, two hold other words. Such a place is reported and not followed; where the sentence has the
anchor's words once, that is its place, otherwise it has none.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from anchormine.json_lines import parse_json

INVERTED = "inverted_span"  # the last token stands before the first
OUT_OF_RANGE = "span_out_of_range"  # a token that the sentence does not have
OTHER_TEXT = "span_of_other_text"  # the tokens are not the anchor's words
LOST_TOKEN = "token_not_in_sentence"  # a token up to the anchor's last cannot be found in the sentence


class HarpLink(NamedTuple):
    """An anchor of a sentence.

    Attributes:
        text: as the file gives it; the sentence may write it in another case (sentence[start:end]).
        span: (first character, character after the last) in the sentence; None if it cannot be told.
        passage: the first section of the destination.
        reason: what is wrong with the place given: `INVERTED`, `OUT_OF_RANGE`, `OTHER_TEXT` or `LOST_TOKEN`;
            None where it was followed.
    """

    text: str
    span: tuple[int, int] | None
    passage: str
    reason: str | None


class HarpSentence(NamedTuple):
    """A sentence with its links, in the order of the file."""

    sentence: str
    links: list[HarpLink]


class HarpLineError(ValueError):
    """A line that is not what HARP's files hold."""

    def __init__(self, number: int, detail: str) -> None:
        super().__init__(f"line {number}: {detail}")
        self.number = number
        self.detail = detail

    def __reduce__(self) -> tuple[type, tuple[int, str]]:  # survives the way back from another process
        return type(self), (self.number, self.detail)


class _Malformed(Exception):
    """What is wrong with a line, before its number is known."""


def read_line(line: str | bytes, number: int) -> HarpSentence:
    """Reads one line.

    Args:
        line: a JSON object with `sentence`, `tokenized_sentence` and `anchors`; each anchor a list of one
            object (so the files), or that object itself (so HARP's README), of `text`, `pos` and `passage`.
        number: of the line, from 1, for the error.

    Returns:
        The sentence; white space and case of everything are kept.

    Raises:
        HarpLineError: not JSON, or a field is missing or of another type.
    """
    try:
        record = parse_json(line)
    except (ValueError, RecursionError) as error:  # JSONDecodeError, UnicodeDecodeError; brackets in brackets
        raise HarpLineError(number, f"not JSON: {error}") from None
    try:
        sentence = _field(record, "sentence", str)
        tokens = _field(record, "tokenized_sentence", list)
        anchors = [_anchor(entry) for entry in _field(record, "anchors", list)]
        places = _token_places(sentence, tokens)
        return HarpSentence(sentence, [_link(sentence, len(tokens), places, *anchor) for anchor in anchors])
    except _Malformed as error:
        raise HarpLineError(number, str(error)) from None


def _field(record: Any, name: str, kind: type) -> Any:
    if not isinstance(record, dict):
        raise _Malformed(f"expected an object, got {type(record).__name__}")
    if not isinstance(record.get(name), kind):
        found = type(record[name]).__name__ if name in record else "nothing"
        raise _Malformed(f"{name}: expected {kind.__name__}, got {found}")
    return record[name]


def _anchor(entry: Any) -> tuple[str, int, int, str]:
    """Text, first token, last token and passage of an anchor."""
    if isinstance(entry, list):
        if len(entry) != 1:
            raise _Malformed(f"anchors: expected lists of one anchor, got one of {len(entry)}")
        entry = entry[0]
    place = _field(entry, "pos", list)
    if len(place) != 2 or any(type(position) is not int for position in place):
        raise _Malformed(f"pos: expected two integers, got {place}")
    return _field(entry, "text", str), place[0], place[1], _field(entry, "passage", str)


def _token_places(sentence: str, tokens: list[Any]) -> list[tuple[int, int]]:
    """Characters of each token, up to the first one that the sentence does not have in its turn."""
    places: list[tuple[int, int]] = []
    position = 0
    for token in tokens:
        if not isinstance(token, str):
            raise _Malformed(f"tokenized_sentence: expected strings, got {type(token).__name__}")
        start = sentence.find(token, position)
        if start < 0:
            break
        position = start + len(token)
        places.append((start, position))
    return places


def _link(
    sentence: str, tokens: int, places: list[tuple[int, int]], text: str, first: int, last: int, passage: str
) -> HarpLink:
    if last < first:
        reason = INVERTED
    elif first < 0 or last >= tokens:
        reason = OUT_OF_RANGE
    elif last >= len(places):
        reason = LOST_TOKEN
    elif span := _find_words(text, sentence, places[first][0], places[last][1]):
        return HarpLink(text, span, passage, None)
    else:
        reason = OTHER_TEXT
    return HarpLink(text, _only_place(text, sentence), passage, reason)


def _find_words(text: str, sentence: str, start: int, end: int) -> tuple[int, int] | None:
    """Finds an anchor in its tokens, with punctuation around it or not; case and white space may differ."""
    match = re.compile(_pattern(text), re.IGNORECASE).search(sentence, start, end) if text.strip() else None
    if match is None or re.search(r"\w", sentence[start : match.start()] + sentence[match.end() : end]):
        return None
    return match.span()


def _only_place(text: str, sentence: str) -> tuple[int, int] | None:
    """The place of an anchor's words in a sentence that has them once, as whole words; else nothing."""
    if not text.strip():
        return None
    found = list(re.finditer(rf"(?<!\w){_pattern(text)}(?!\w)", sentence, re.IGNORECASE))
    return found[0].span() if len(found) == 1 else None


def _pattern(text: str) -> str:
    return r"\s+".join(re.escape(word) for word in text.split())
