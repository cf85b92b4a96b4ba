"""Where a sentence may end: a stop with all that belongs to its sentence, and the white space after it."""

from __future__ import annotations

import re

from anchormine.text.stops import CLOSERS, EMOJI, SPACED_STOPS, TURNING_QUOTES, UNSPACED_STOPS

_STOPS = re.escape(SPACED_STOPS) + UNSPACED_STOPS
_CLOSERS = re.escape(CLOSERS)
_TURNING = re.escape(TURNING_QUOTES)
_EMOJI = re.compile(f"[{EMOJI}]")

# More stops, and what closes: after stops that need no white space, a turning quotation mark opens.
_CLUSTER = rf"(?:(?<=[{UNSPACED_STOPS}])[{_STOPS}{_CLOSERS}]*|[{_STOPS}{_CLOSERS}{_TURNING}]*)"
# Marks of citation, "[17]" or raised figures, and of omission, "[…]", belong to the sentence before them.
_CITATIONS = r"(?:\[[\w ,–-]{1,9}\]|\s\[(?:[\d ,–-]{1,9}|…|\.{3})\](?=\s|$))*[⁰¹²³⁴-⁹]*"
# French sets a space before its closing quotes.
_SPACED_QUOTE = r"(?:[ \u00a0\u202f][»›](?=[\s.,;:)]))?"
# Pictures, and faces such as ":-)".
_FACES = rf"(?:\s*[{EMOJI}]+|\s*[:;=]-?[)(DPp]+(?!\w))*"


def _candidate(first: str, trailers: str) -> re.Pattern[str]:
    """Compiles a stop with all that belongs to its sentence [group 1], and the white space after it.

    Every part after the first character may be empty: a match never fails late, so a scan is linear.
    """
    return re.compile(rf"([{first}]{_CLUSTER}{_CITATIONS}{_SPACED_QUOTE}{trailers})\s*")


_PROSE = _candidate(_STOPS, "")
# Chat and comments end sentences with pictures and smileys, Russian ones with the bare smile ")".
_CHAT = _candidate(_STOPS + r"\)" + EMOJI, _FACES)


def candidates(text: str) -> re.Pattern[str]:
    """Returns what finds the candidates of a text's kind: more brackets closed than opened are smileys."""
    if text.count(")") > text.count("(") or (not text.isascii() and _EMOJI.search(text)):
        return _CHAT
    return _PROSE


STOP_IN_CHAT = re.compile(rf"[{_STOPS}].*", re.DOTALL)
