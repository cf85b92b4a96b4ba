"""Templates of wikitext: found by their braces and taken out whole. They are not expanded.

The braces are matched as MediaWiki's preprocessor does (two make a template, three an argument, the inner
first), in one pass over the runs of braces, so the time is linear in the text whatever is left open.
"""

import re

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.wiki.marks import BOX, GAP

_SIMPLE = re.compile(r"\{\{[^{}]*\}\}(?!\})")
# A template without braces inside, or a run of braces.
_BRACES = re.compile(r"\{\{[^{}]*\}\}|\{\{+|\}\}+")
# Braces that make no template, with its name where that is plain to see.
_STRAY = re.compile(r"\{\{+(?:[^{}\[\]|\n]{1,80}(?:\||$))?|\}\}+", re.MULTILINE)
# Templates that have a line to themselves: boxes, hatnotes, settings of the page, but no words of a sentence.
_ALONE = re.compile(rf"\n *{BOX}[{BOX} ]*(?=\n)")
# Magic words that stand for one character of table markup.
_PIPE, _EQUALS = "{{!}}", "{{=}}"


def strip_templates(text: str, dropped: list[tuple[str, str]], max_nesting: int) -> str:
    """Takes templates out; a `GAP` stays where one stood beside text.

    Args:
        text: wikitext without comments and extension elements.
        dropped: receives ("template", removed text) for each.
        max_nesting: how many templates may be open at once.

    Raises:
        PageRejected: more are open than that.
    """
    if "{{" not in text:
        return _STRAY.sub("", text) if "}}" in text else text
    text = text.replace(_PIPE, "|").replace(_EQUALS, "=")
    out: list[str] = []
    position = 0
    for start, end in _template_spans(text, max_nesting):
        template = text[start:end]
        dropped.append(("template", template))
        # A template of several lines is a box, too.
        out += (text[position:start], "" if "\n" in template else BOX)
        position = end
    out.append(text[position:])
    text = "".join(out)
    if BOX in text:
        text = _ALONE.sub("\n", f"\n{text}\n")[1:-1].replace(BOX, GAP)
    return _STRAY.sub("", text) if ("{" in text and "{{" in text) or ("}" in text and "}}" in text) else text


def _template_spans(text: str, max_nesting: int) -> list[tuple[int, int]]:
    """Returns the outermost templates as (start, end), in order."""
    spans: list[tuple[int, int]] = []
    position = text.find("{{")
    while position >= 0:
        simple = _SIMPLE.match(text, position)
        if simple:
            end = simple.end()
            spans.append((position, end))
        else:
            nested, end = _nested_spans(text, position, max_nesting)
            spans += nested
        position = text.find("{{", end)
    return spans


def _nested_spans(text: str, position: int, max_nesting: int) -> tuple[list[tuple[int, int]], int]:
    """Reads braces from `position` until none is open. Returns the outermost templates and its end."""
    spans: list[tuple[int, int]] = []
    opened: list[tuple[int, int]] = []  # (position, number of braces still open)
    nesting = 0
    for match in _BRACES.finditer(text, position):
        start, end = match.span()
        if text[start] == "}":
            while opened and end - start >= 2:
                first, width = opened.pop()
                matched = min(width, end - start, 3)
                nesting -= width // 2 - (width - matched) // 2
                left = first + width - matched
                if width - matched >= 2:
                    opened.append((first, width - matched))
                start += matched
                while spans and spans[-1][0] > left:
                    spans.pop()
                spans.append((left, start))
            if not opened:
                return spans, end
        elif text[end - 1] == "}":
            spans.append((start, end))
        else:
            opened.append((start, end - start))
            nesting += (end - start) // 2
            if nesting > max_nesting:
                raise PageRejected("nesting", f"more than {max_nesting} open templates")
    return spans, len(text)
