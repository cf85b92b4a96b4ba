"""The parts of a page that its main text is picked from.

It stands in no header, footer, navigation or aside and in no caption, but in the headers of articles and of
`main`, and in asides that are notes; in the `main` of the page, or else in its articles, and what introduces
several, and in what an id says to be the content; in no boilerplate, by its element, role or class; in no
comments, however many, on paragraphs of `COMMENTED_CHARACTERS` together; in nothing that follows the bodies
of its articles; and in no form of up to `FORM_CHARACTERS`, be they several in a row, in which no heading and
no paragraph is: what one is asked for to search or to log in.

What a site says of the parts of its pages is taken as far as their paragraphs bear it out, or without any
all their text: a class may be that of a whole page ("has-sidebar"), a `main` empty, and a form around
everything.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby, takewhile
from typing import Final, NamedTuple

from anchormine.web.page.page_blocks import PageBlock
from anchormine.web.page.page_parts import ARTICLE, BODY, COMMENTS, CONTENT, FORM, MAIN, NOTE, TITLE, depth_of

FORM_CHARACTERS = 300
COMMENTED_CHARACTERS = 250
PART_SHARE = 0.5  # of the text of a page's paragraphs, or without any of all its text
ARTICLES_SHARE = 0.8  # the same, for several articles, which may be no more than the entries of a page
CONTENT_SHARE = 0.8  # the same, for what only an id says to be the content
BODY_SHARE = 0.6  # the same, for the bodies of articles
_MIN_LEFT = 0.25  # of that, or what looked like boilerplate was none

_OF_TEXT: Final = ARTICLE | MAIN
# Regions of main text, and others with the parts in which theirs is it, too.
_IN_TEXT: Final = frozenset(("body", "list", "table"))
_IN_TEXT_AS: Final = {"header": _OF_TEXT, "aside": NOTE}


class _Run(NamedTuple):
    """Blocks in a row that may be main text and stand in the same parts of the page.

    Attributes:
        parts: these, as in `PageBlock`.
        rows: of the blocks.
        weight: characters of what counts in them; 0 before it is counted.
    """

    parts: int
    rows: list[int]
    weight: int


def main_rows(blocks: Sequence[PageBlock]) -> list[int]:
    """Returns the rows of the blocks that may be main text; text that only stands for images is in none."""
    runs: list[_Run] = []
    rows: list[int] = []
    found, last = 0, -1
    for row, block in enumerate(blocks):
        region, parts = block.region, block.parts
        is_in_text = region in _IN_TEXT or parts & _IN_TEXT_AS.get(region, 0)
        if is_in_text and block.alt < len(block.text):
            if parts != last:
                rows = []
                runs.append(_Run(parts, rows, 0))
                found |= parts
                last = parts
            rows.append(row)
    if not runs and any(block.prose for block in blocks):  # as in a header that is never closed
        return [row for row, block in enumerate(blocks) if block.alt < len(block.text)]
    return _rows_of(_by_parts(blocks, runs, found) if found else runs)


def _rows_of(runs: Iterable[_Run]) -> list[int]:
    return [row for run in runs for row in run.rows]


def _by_parts(blocks: Sequence[PageBlock], runs: list[_Run], found: int) -> list[_Run]:
    """Returns the runs that the parts of the page leave, of which `found` has all bits."""
    runs = _weighed(blocks, runs)
    if found & COMMENTS:
        runs = _without_comments(blocks, runs)
    if found & _OF_TEXT:
        part = MAIN if found & MAIN else ARTICLE
        is_of_entries = part == ARTICLE and _are_several(blocks, runs)
        inside = _inside(runs, part, ARTICLES_SHARE if is_of_entries else PART_SHARE)
        if is_of_entries and len(inside) < len(runs):
            introduction = _introduction(blocks, runs)
            inside = introduction + inside + _conclusion(blocks, runs, introduction)
        runs = inside
    if found & CONTENT and not found & MAIN:
        runs = _inside(runs, CONTENT, CONTENT_SHARE)
    if depth_of(found):
        whole = _weight(runs)
        kept = _without_boilerplate(runs, 1, PART_SHARE * whole)
        if kept and _weight(kept) >= _MIN_LEFT * whole:
            runs = kept
    if found & BODY:
        runs = _up_to_bodies(blocks, runs)
    return _outside_forms(blocks, runs) if found & FORM else runs


def _weighed(blocks: Sequence[PageBlock], runs: list[_Run]) -> list[_Run]:
    """Counts what a page has in paragraphs, or without any, as a page of lists, in all its text."""
    weighed = [_Run(parts, rows, sum([blocks[row].prose for row in rows])) for parts, rows, _ in runs]
    if _weight(weighed):
        return weighed
    return [_Run(parts, rows, _characters(blocks, rows)) for parts, rows, _ in runs]


def _characters(blocks: Sequence[PageBlock], rows: Iterable[int]) -> int:
    return sum([len(blocks[row].text) for row in rows])


def _weight(runs: Iterable[_Run]) -> int:
    return sum(run.weight for run in runs)


def _are_several(blocks: Sequence[PageBlock], runs: list[_Run]) -> bool:
    """Tells whether other text stands between articles, or they have more than one title: headings of the
    highest level among them.
    """
    if sum(is_article for is_article, _ in groupby(runs, lambda run: run.parts & ARTICLE > 0)) > 1:
        return True
    rows = _rows_of(run for run in runs if run.parts & ARTICLE)
    levels = [blocks[row].heading for row in rows if blocks[row].heading]
    return bool(levels) and levels.count(min(levels)) > 1


def _introduction(blocks: Sequence[PageBlock], runs: list[_Run]) -> list[_Run]:
    """Returns the runs before the first article from the page's title on, if paragraphs are among them.

    So a page of reference begins, the entries of which are articles: they have no headings of that level.
    """
    own = list(takewhile(lambda run: not run.parts & ARTICLE, runs))
    titles = [row for row in _rows_of(runs) if blocks[row].heading == 1]
    rows = [row for row in _rows_of(own) if titles and row >= titles[-1]]
    if not any(blocks[row].prose for row in rows[1:]):
        return []
    left = [_Run(run.parts, [row for row in run.rows if row >= rows[0]], 0) for run in own]
    return _weighed(blocks, [run for run in left if run.rows])


def _conclusion(blocks: Sequence[PageBlock], runs: list[_Run], introduction: list[_Run]) -> list[_Run]:
    """Returns the runs behind the last article that stand where an introduction does, if they are a section.

    That is a heading with a paragraph or more. So a page of reference ends.
    """
    own = list(takewhile(lambda run: not run.parts & ARTICLE, reversed(runs)))[::-1]
    parts = {run.parts for run in introduction}
    ending = [run for run in own if run.parts in parts]
    rows = _rows_of(ending)
    is_section = bool(rows) and blocks[rows[0]].heading > 0 and any(blocks[row].prose for row in rows)
    return ending if is_section else []


def _inside(runs: list[_Run], part: int, share: float) -> list[_Run]:
    """Returns the runs in a part, if more than a share of the paragraphs is there.

    Those of boilerplate do not count, for comments may be articles, too. Where all are, as in a wrapper of
    the page that is named so, those in more of it than others do not.
    """
    least = min((depth_of(run.parts) for run in runs if run.weight), default=0)
    counting = [run for run in runs if depth_of(run.parts) <= least]
    within = _weight(run for run in counting if run.parts & part)
    is_most = within > share * _weight(counting) and within >= _MIN_LEFT * _weight(runs)
    return [run for run in runs if run.parts & part] if is_most else runs


def _up_to_bodies(blocks: Sequence[PageBlock], runs: list[_Run]) -> list[_Run]:
    """Returns the runs up to the last in the body of an article, if most of the paragraphs are in such.

    And if most of what is in no link is up to there: what follows an article is links, for the most part, but
    a table or short answers behind its first paragraph are not.
    """
    bodies = [place for place, run in enumerate(runs) if run.parts & BODY]
    if _weight(runs[place] for place in bodies) <= BODY_SHARE * _weight(runs):
        return runs
    kept = runs[: bodies[-1] + 1]
    return kept if _unlinked(blocks, kept) >= BODY_SHARE * _unlinked(blocks, runs) else runs


def _unlinked(blocks: Sequence[PageBlock], runs: Iterable[_Run]) -> int:
    """Returns how many characters stand in no link."""
    return sum([len(blocks[row].text) - blocks[row].linked for row in _rows_of(runs)])


def _without_comments(blocks: Sequence[PageBlock], runs: list[_Run]) -> list[_Run]:
    """Returns the runs that are no comments, if paragraphs enough stand before the first of these.

    These are in the page's `main`, if it has one, and in less boilerplate than the comments, whose element is
    around a page's title where it only tells of them. What has less before it, as the posts of a discussion,
    is boilerplate like other.
    """
    own = [run for run in runs if not run.parts & COMMENTS]
    said = [run for run in runs if run.parts & COMMENTS]
    depth = min(depth_of(run.parts) for run in said)
    main = MAIN if any(run.parts & MAIN for run in runs) else 0
    first = next((run.rows[0] for run in said if run.weight), len(blocks))
    before = sum(
        blocks[row].prose
        for run in own
        if run.parts & MAIN == main and depth_of(run.parts) < depth
        for row in run.rows
        if row < first
    )
    title = next((row for row in _rows_of(runs) if blocks[row].heading == 1), -1)
    is_wrapper = any(title in run.rows for run in said)
    return runs if before < COMMENTED_CHARACTERS or is_wrapper else own


def _without_boilerplate(runs: list[_Run], depth: int, most: float) -> list[_Run]:
    """Returns the runs that stand in no boilerplate, or in less of it than `depth`.

    Others that follow each other and have more text than `most` are no boilerplate: what counts in them is
    one element deeper. Nor is what has a head as the parts of a book have.
    """
    kept: list[_Run] = []
    for is_boilerplate, group in groupby(runs, lambda run: depth_of(run.parts) >= depth):
        together = list(group)
        if not is_boilerplate or together[0].parts & TITLE:
            kept += together
        elif _weight(together) > most:
            kept += _without_boilerplate(together, depth + 1, most)
    return kept


def _outside_forms(blocks: Sequence[PageBlock], runs: list[_Run]) -> list[_Run]:
    """Returns the runs that stand in no form that is there to be filled in; all, if those have less text."""
    forms: list[_Run] = []
    outside: list[_Run] = []
    for is_form, group in groupby(runs, lambda run: run.parts & FORM > 0):
        together = list(group)
        to_fill_in = is_form and _is_to_fill_in(blocks, _rows_of(together))
        (forms if to_fill_in else outside).extend(together)
    if not forms:
        return runs
    is_less = _characters(blocks, _rows_of(outside)) <= _characters(blocks, _rows_of(forms))
    return runs if is_less else outside


def _is_to_fill_in(blocks: Sequence[PageBlock], rows: list[int]) -> bool:
    has_text = any(blocks[row].heading or blocks[row].prose for row in rows)
    return not has_text and _characters(blocks, rows) <= FORM_CHARACTERS
