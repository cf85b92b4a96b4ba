"""Spans of characters."""

from __future__ import annotations

Span = tuple[int, int]


def stripped(text: str, start: int, end: int) -> Span:
    """Returns a span without the white space at its ends; an empty one if there is nothing else."""
    if text[start : start + 1].isspace() or text[end - 1 : end].isspace():
        part = text[start:end]
        start, end = end - len(part.lstrip()), start + len(part.rstrip())
    return start, max(start, end)
