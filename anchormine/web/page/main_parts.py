"""The parts of a page that its main text is picked from.

It stands in no header, footer, navigation or aside and in no caption, but in the headers of articles and of
`main`; in the `main` of the page, or else in its articles; in no boilerplate, by its element, role or class;
and in no form of up to `FORM_CHARACTERS`, be they several in a row, in which no heading and no paragraph is:
what one is asked for to search or to log in.

What a site says of the parts of its pages is taken as far as their paragraphs bear it out, or without any
all their text: a class may be that of a whole page ("has-sidebar"), a `main` empty, and a form around
everything.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from anchormine.web.page.block_links import paragraph_length
from anchormine.web.page.page_blocks import PageBlock
from anchormine.web.page.page_parts import ARTICLE, BOILERPLATE, FORM, MAIN

FORM_CHARACTERS = 300
PART_SHARE = 0.5  # of the text of a page's paragraphs, or without any of all its text
_LEAST_LEFT = 0.25  # of that, or what looked like boilerplate was none

_OF_TEXT = ARTICLE | MAIN
_IN_TEXT = frozenset(("body", "list", "table"))


def main_rows(blocks: Sequence[PageBlock]) -> list[int]:
    """Returns the rows of the blocks that may be main text; text that only stands for images is in none."""
    rows: list[int] = []
    found = 0
    for row, (text, region, _, alt, _, _, _, parts) in enumerate(blocks):
        if alt < len(text) and (region in _IN_TEXT or (region == "header" and parts & _OF_TEXT)):
            rows.append(row)
            found |= parts
    if not rows and any(map(paragraph_length, blocks)):  # as in a header that is never closed
        return [row for row, block in enumerate(blocks) if block.alt < len(block.text)]
    return _rows_by_parts(blocks, rows, found) if found else rows


def _rows_by_parts(blocks: Sequence[PageBlock], rows: list[int], found: int) -> list[int]:
    """Returns the rows that the parts of the page leave, of whose blocks `found` has all bits."""
    weights = [paragraph_length(block) for block in blocks]
    if not any(weights[row] for row in rows):  # a page of lists, say
        weights = [len(block.text) for block in blocks]
    if found & _OF_TEXT:
        rows = _inside(blocks, rows, weights, MAIN if found & MAIN else ARTICLE)
    if found >= BOILERPLATE:
        most = PART_SHARE * _sum(weights, rows)
        kept = _without_boilerplate(blocks, rows, weights, BOILERPLATE, most)
        if kept and _sum(weights, kept) >= _LEAST_LEFT * _sum(weights, rows):
            rows = kept
    return _outside_forms(blocks, rows) if found & FORM else rows


def _sum(weights: Sequence[int], rows: Iterable[int]) -> int:
    return sum(weights[row] for row in rows)


def _inside(blocks: Sequence[PageBlock], rows: list[int], weights: Sequence[int], part: int) -> list[int]:
    """Returns the rows in a part, if most of the paragraphs are there.

    Those of boilerplate do not count, for comments may be articles, too, unless all are.
    """
    counting = [row for row in rows if blocks[row].parts < BOILERPLATE] or rows
    within = _sum(weights, (row for row in counting if blocks[row].parts & part))
    is_most = within > PART_SHARE * _sum(weights, counting)
    return [row for row in rows if blocks[row].parts & part] if is_most else rows


def _without_boilerplate(
    blocks: Sequence[PageBlock], rows: list[int], weights: Sequence[int], depth: int, most: float
) -> list[int]:
    """Returns the rows that stand in no boilerplate, or in less of it than `depth`.

    A run of others that has more text than `most` is no boilerplate: what counts in it is one element deeper.
    """
    kept: list[int] = []
    for is_boilerplate, group in groupby(rows, lambda row: blocks[row].parts >= depth):
        run = list(group)
        if not is_boilerplate:
            kept += run
        elif _sum(weights, run) > most:
            kept += _without_boilerplate(blocks, run, weights, depth + BOILERPLATE, most)
    return kept


def _outside_forms(blocks: Sequence[PageBlock], rows: list[int]) -> list[int]:
    """Returns the rows that stand in no form that is there to be filled in; all, if those have less text."""
    lengths = [len(block.text) for block in blocks]
    forms: set[int] = set()
    for is_form, group in groupby(rows, lambda row: blocks[row].parts & FORM > 0):
        run = list(group) if is_form else []
        has_text = any(blocks[row].heading or paragraph_length(blocks[row]) for row in run)
        if not has_text and _sum(lengths, run) <= FORM_CHARACTERS:
            forms.update(run)
    outside = [row for row in rows if row not in forms]
    return outside if _sum(lengths, outside) > _sum(lengths, forms) else rows
