"""Punctuation left over where a template stood: "Bern ({{IPA|bɛrn}}; {{lang|fr|Berne}}) is" -> "Bern is".

Where words may be missing, one `GAP` stays, so that the sentence can say so.
"""

import re

from anchormine.wiki.marks import GAP

_OPENING = "([（【「『“„«‘"
_CLOSING = ")]）】」』”“»’"
_PAIRS = dict(zip(_OPENING, _CLOSING, strict=True)) | {'"': '"', "„": "“"}
_STOPS = ",;:.!?、，；：。！？"
_JOINTS = " ,;:/·•、，；：–—-"
_GLUE = "/·•–—-"
_LINE_MARKS = "*#|!"
_CLUSTER = re.compile(rf"{GAP}(?:[{_JOINTS}]*{GAP})*")
_QUOTED = re.compile(rf"('{{2,5}}){GAP}\1(?!')")
# Of several gaps before the brackets only the last is looked from: a run of many costs its length, once.
_LINK_END = re.compile(rf"{GAP}[ ']*\]\]")
# A link whose whole label or target was a template shows nothing that is known.
_LINKED = re.compile(rf"\[\[(?:([^\[\]|\n]+)\|)?[ ']*{GAP}[{GAP} ']*\]\]")


def tidy_gaps(text: str, dropped: list[tuple[str, str]]) -> str:
    """Takes orphaned punctuation around gaps out of wikitext.

    Args:
        text: wikitext without templates.
        dropped: receives ("template", "[[target]]") for each link that showed nothing but a template.
    """
    if GAP not in text:
        return text
    if f"''{GAP}''" in text:
        text = _QUOTED.sub(GAP, text)
    if _LINK_END.search(text):
        dropped.extend(("template", f"[[{match[1] or GAP}]]") for match in _LINKED.finditer(text))
        text = _LINKED.sub(GAP, text)
    out: list[str] = []
    position = 0
    for match in _CLUSTER.finditer(text):
        start, end = _orphans(text, position, *match.span())
        out += (text[position:start], GAP)
        position = end
    out.append(text[position:])
    return "".join(out)


def _orphans(text: str, floor: int, start: int, end: int) -> tuple[int, int]:
    """Widens a gap over the punctuation and spaces that make no sense without it."""
    left = start
    while left > floor and text[left - 1] in _JOINTS:
        left -= 1
    right = end
    while right < len(text) and text[right] in _JOINTS:
        right += 1
    before = text[left - 1 : left] if left > floor else ""
    after = text[right : right + 1]
    if before and _PAIRS.get(before) == after:  # a bracket that held nothing else
        left -= 1
        return (left - 1 if text[left - 1 : left] == " " and left > floor else left), right + 1
    if (before and before in _OPENING) or before == "|":
        return left, right
    if after and after in _CLOSING:
        return left, right
    if before == "\n" and after in _STOPS and text[left - 2 : left - 1].isalnum():
        return left - 1, right  # a formula on a line of its own, and the full stop that follows it
    if not before or before == "\n" or before in _LINE_MARKS:
        return start, right  # at the start of a line: what followed it; the marks of lists and tables stay
    if text[end:right].strip() or after in _STOPS:  # "a, {{x}}, b", "a {{x}}.": the right one stays
        while end < right and text[end] == " ":
            end += 1
        return left, end
    while start > left and text[start - 1] in _GLUE:
        start -= 1
    if text[start - 1] == " " and text[end : end + 1] == " ":
        return start - 1, end
    return start, end
