"""Pictures, `[[File:name|options|caption]]`: the picture goes, its caption becomes a line of its own."""

import re
from collections.abc import Callable

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.wiki.marks import CAPTION

_BRACKETS = re.compile(r"\[\[|\]\]")
_MAX_CAPTION_DEPTH = 4  # pictures within captions of pictures: deeper is no caption any more


def strip_media(
    text: str,
    opener: re.Pattern[str],
    is_option: Callable[[str], bool],
    dropped: list[tuple[str, str]],
    max_nesting: int,
    depth: int = 0,
) -> str:
    """Takes pictures out; each caption is put on a line of its own that starts with `CAPTION`.

    Args:
        text: wikitext without templates.
        opener: finds "[[File:" in all the words that the site has for it.
        is_option: tells an option of a picture ("thumb", "200px") from its caption.
        dropped: receives ("namespace", "[[File:name]]") for each picture.
        max_nesting: how many brackets may be open at once.
        depth: how many captions the text stands in.

    Raises:
        PageRejected: more are open than that.
    """
    spans = _media_spans(text, opener, max_nesting)
    if not spans:
        return text
    out: list[str] = []
    captions: list[str] = []
    position = 0
    for start, end in spans:
        _put(out, captions, text[position:start])
        content = text[start + 2 : end]
        if content.count("]]") > content.count("[["):
            content = content.removesuffix("]]")
        name, *parameters = _parameters(content)
        dropped.append(("namespace", f"[[{name}]]"))
        caption = _caption(parameters, is_option).replace("\n", " ")
        if caption and depth < _MAX_CAPTION_DEPTH:
            captions.append(strip_media(caption, opener, is_option, dropped, max_nesting, depth + 1))
        position = end
    _put(out, captions, text[position:] + "\n" if captions else text[position:])
    return "".join(out)


def _put(out: list[str], captions: list[str], text: str) -> None:
    """Appends text, and the captions that wait for the end of their line."""
    if captions and "\n" in text:
        line, text = text.split("\n", 1)
        out.append(line)
        out.extend(f"\n{CAPTION}{caption}" for caption in captions)
        out.append("\n")
        captions.clear()
    out.append(text)


def _media_spans(text: str, opener: re.Pattern[str], max_nesting: int) -> list[tuple[int, int]]:
    """Returns the outermost pictures as (start, end), in order; one that stays open ends with its line."""
    spans: list[tuple[int, int]] = []
    match = opener.search(text)
    while match:
        end = _closing(text, match.start(), max_nesting)
        if end is None:
            # Something is open to the end of the page: one pass that finds every pair, so that a page full of
            # them costs no more.
            return spans + _paired_spans(text, opener, match.start(), max_nesting)
        spans.append((match.start(), end))
        match = opener.search(text, end)
    return spans


def _closing(text: str, start: int, max_nesting: int) -> int | None:
    """Returns the end of the link that opens at `start`."""
    depth = 0
    for match in _BRACKETS.finditer(text, start):
        depth += 1 if match[0] == "[[" else -1
        if depth == 0:
            return match.end()
        if depth > max_nesting:
            raise PageRejected("nesting", f"more than {max_nesting} open links")
    return None


def _paired_spans(text: str, opener: re.Pattern[str], start: int, max_nesting: int) -> list[tuple[int, int]]:
    openers = {match.start() for match in opener.finditer(text, start)}
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    for match in _BRACKETS.finditer(text, start):
        position = match.start()
        if match[0] == "[[":
            opened.append(position)
            if len(opened) > max_nesting:
                raise PageRejected("nesting", f"more than {max_nesting} open links")
        elif opened:
            left = opened.pop()
            if left in openers:
                while spans and spans[-1][0] > left:
                    spans.pop()
                spans.append((left, position + 2))
    for left in opened:
        if left in openers:
            end = text.find("\n", left)
            spans.append((left, len(text) if end < 0 else end))
    return _outermost(spans)


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorts spans, leaves out those within others, and cuts off one that reaches into the next."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and found[-1][1] > start:
            if end <= found[-1][1]:
                continue
            found[-1] = (found[-1][0], start)
        found.append((start, end))
    return found


def _parameters(text: str) -> list[str]:
    """Splits at the "|" that stand in no link."""
    parts: list[list[str]] = []
    depth = 0
    for piece in text.split("|"):
        if depth > 0:
            parts[-1].append(piece)
        else:
            parts.append([piece])
        depth = max(0, depth + piece.count("[[") - piece.count("]]"))
    return ["|".join(pieces) for pieces in parts]


def _caption(parameters: list[str], is_option: Callable[[str], bool]) -> str:
    """The caption is the last parameter that is no option (as in MediaWiki's Parser::makeImage)."""
    for parameter in reversed(parameters):
        if not is_option(parameter.strip()):
            return parameter.strip()
    return ""
