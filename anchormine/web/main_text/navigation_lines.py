"""Lines that lead to other pages of a site and are no text, such as those around the pages of a book.

* Links whose `rel` says so, as Texinfo and WordPress write it (HTML 4.01, 6.12; HTML, 4.6.7): "Next: Ships,
  Up: Harbours".
* Two links or more of no other words than those for directions (`_DIRECTIONS`), as LinuxDoc and Scribble
  write: "Next Previous Contents"; or with nothing but such words beside them, two or more with a colon, as
  Texinfo does below a page, without a `rel`; or one in brackets, which may be a sign: "[Up]", "[ < ]".
* Six links or more of which four in five are numbers that rise, twice or more by one, as those of chapters or
  pages: "Goto Chapter: Top 1 2 3 4 5 6 7 8", "1 | 2 | 3 | … | 20". The page's own may be no link, and commas
  part them behind a label. The first is of up to three digits: longer ones are years.
* Breadcrumbs: above the first paragraph the way to the page from that of its site, "Harbours > Ships > Tugs",
  or "You are here: Harbours » Ships", or from right to left with "<" and "«".
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from anchormine.web.main_text.block_traits import NAVIGATION
from anchormine.web.page.block_links import link_places
from anchormine.web.page.characters import COLONS
from anchormine.web.page.page_blocks import PageBlock

_RELATIONS: Final = frozenset(
    "next prev previous up top home start first last begin end contents toc index parent".split()
)
_DIRECTIONS: Final = frozenset("next previous prev up top contents index home back forward parent".split())
_WAYS: Final = frozenset("next previous prev up".split())  # "Home: Leeds, Forward: Coe" are of something else
_SIGNS: Final = frozenset(" |<>«»‹›←→↑[]()-.·•:,")
_BREADCRUMB_SIGNS = frozenset(">»›＞≫ ")  # between breadcrumbs
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_SIGNS_TO_LEFT = _BREADCRUMB_SIGNS.union("<«‹＜≪")
# Stand between breadcrumbs, too, but also between authors or tags: so these begin at the page of a site.
_SIGNS_FROM_ROOT = frozenset("/／→")
_ANY_BREADCRUMB_SIGN: Final = re.compile(f"[{''.join(sorted((_SIGNS_TO_LEFT | _SIGNS_FROM_ROOT) - {' '}))}]")
# The first page of a site, or of what it has in one language.
_ROOT = re.compile(
    r"[a-z]+://[^/]+/(?:[a-z]{2}(?:-[a-z]{2})?/)?(?:(?:index|default|home|main)(?:\.\w{2,5})?)?"
)
_LONGEST_LABEL = 20  # characters of "You are here:"
_LONGEST: Final = 200  # characters of a line
_MIN_LABELS: Final = 2
_MIN_NUMBERED: Final = 6
_NUMBERED_SHARE: Final = 0.8
_BRACKETED: Final = frozenset(" <>«»‹›←→↑?")
_AMONG_NUMBERS: Final = _SIGNS - set(":,") | {"…"}
_LABEL: Final = re.compile(f".{{0,{_LONGEST_LABEL - 1}}}[{''.join(COLONS)}] ?")
_COMMAS: Final = frozenset(",،、，")
_NUMBER: Final = re.compile(r"\d+")
_LONGEST_FIRST, _LONGEST_NUMBER = 3, 9  # digits
_IN_BRACKETS: Final = re.compile(r"\[ ?(.{1,10}?) ?\]")
_WORD: Final = re.compile(r"[^\W\d_]+")


def navigation_rows(blocks: Sequence[PageBlock], candidates: Sequence[int]) -> set[int]:
    """Returns the rows of such lines."""
    rows: set[int] = set()
    is_above = True
    for row in candidates:
        block = blocks[row]
        if block.prose:
            is_above = False
        if block.traits & NAVIGATION or (is_above and _may_be_line(block) and _are_breadcrumbs(block)):
            rows.add(row)
    return rows


def is_navigation(block: PageBlock) -> bool:
    """Tells whether a block is such a line wherever it stands, which breadcrumbs are not."""
    if not _may_be_line(block):
        return False
    is_short = len(block.text) <= _LONGEST
    count = len(block.links) + len(block.own) + len(block.idle)
    return (
        _is_related(block)
        or (is_short and (_are_directions(block) if count > 1 else _is_in_brackets(block)))
        or (count >= _MIN_NUMBERED and _are_numbers(block))
    )


def _may_be_line(block: PageBlock) -> bool:
    return not (block.prose or block.heading or not block.linked)


def _is_related(block: PageBlock) -> bool:
    """Tells whether the `rel` of every link says so."""
    links, own = block.links, block.own_rels
    first = links[0].rel if links else own[0] if own else None
    if first is None:  # as nearly always
        return False
    rels = [*[link.rel for link in links], *own]
    return not any(_RELATIONS.isdisjoint((rel or "").split()) for rel in rels)


def _are_directions(block: PageBlock) -> bool:
    """Tells whether links are called after directions, and nothing else stands beside them but signs.

    Or what stands beside them is called so.
    """
    text = block.text
    words = _WORD.findall(text.lower())
    if not words or _DIRECTIONS.isdisjoint(words):
        return False
    places = link_places(block)
    starts = [0, *(end for _, end in places)]
    ends = [*(start for start, _ in places), len(text)]
    beside = "".join([text[start:end] for start, end in zip(starts, ends, strict=True)])
    if _DIRECTIONS.issuperset(words) and _SIGNS.issuperset(beside):
        return True
    labels = _WORD.findall(beside.lower())
    if not _DIRECTIONS.issuperset(labels) or _WAYS.isdisjoint(labels):
        return False
    return _SIGNS.issuperset(_WORD.sub("", beside)) and beside.count(":") >= max(_MIN_LABELS, len(labels))


def _is_in_brackets(block: PageBlock) -> bool:
    """Tells whether a link is called after a direction, or a sign for one, and stands in brackets."""
    text = block.text
    if text[-1] != "]" or block.linked > len(text) - 2:  # as nearly always
        return False
    found = _IN_BRACKETS.fullmatch(text)
    return found is not None and (found[1].lower() in _DIRECTIONS or _BRACKETED.issuperset(found[1]))


def _are_numbers(block: PageBlock) -> bool:
    """Tells whether most links of a block are numbers that rise, with nothing but signs and such numbers
    between them, and before them perhaps a label.
    """
    text, places = block.text, link_places(block)
    linked = [text[start:end] for start, end in places]
    if sum(map(str.isdecimal, linked)) < _NUMBERED_SHARE * len(linked):  # as nearly always
        return False
    starts = [0, *(end for _, end in places)]
    ends = [*(start for start, _ in places), len(text)]
    before, *between = (text[start:end] for start, end in zip(starts, ends, strict=True))
    signs = _AMONG_NUMBERS
    label = _LABEL.match(before)
    if label:
        before, signs = before[label.end() :], signs | _COMMAS
    if not all(signs.issuperset(_NUMBER.sub("", part)) for part in (before, *between)):
        return False
    numbers = _NUMBER.findall(before)
    for link, part in zip(linked, between, strict=True):
        numbers += [*([link] if link.isdecimal() else []), *_NUMBER.findall(part)]
    return _rise(numbers)


def _rise(numbers: Sequence[str]) -> bool:
    """Tells whether numbers rise, twice or more by one."""
    if len(numbers[0]) > _LONGEST_FIRST or max(map(len, numbers)) > _LONGEST_NUMBER:
        return False
    steps = [int(behind) - int(before) for before, behind in pairwise(numbers)]
    return min(steps) > 0 and steps.count(1) > 1


def _are_breadcrumbs(block: PageBlock) -> bool:
    """Tells whether a block with links is these with signs between them, and the page's own title behind the
    last. A label may stand before the first ("You are here:").
    """
    text = block.text
    if len(text) > _LONGEST or not _ANY_BREADCRUMB_SIGN.search(text):  # as nearly always
        return False
    places = link_places(block)
    start = places[0][0]
    if start and not _is_label(text[:start]):
        return False
    ends = [end for _, end in places]
    gaps = [text[end:start].strip() for end, (start, _) in zip(ends, places[1:], strict=False)]
    behind = text[ends[-1] :].strip()
    if behind:
        gaps.append(behind[0])
    if (len(places) < 2 and len(behind) < 2) or not all(gaps):
        return False
    signs = frozenset("".join(gaps))
    between = _SIGNS_TO_LEFT if _RIGHT_TO_LEFT.search(text) else _BREADCRUMB_SIGNS
    return signs <= between or (signs <= between | _SIGNS_FROM_ROOT and _is_from_root(block, start))


def _is_label(text: str) -> bool:
    return _LABEL.fullmatch(text) is not None


def _is_from_root(block: PageBlock, start: int) -> bool:
    """Tells whether the first link of a block, which starts there, leads to the first page of a site."""
    if not block.links or block.links[0].start != start:
        return False
    return _ROOT.fullmatch(block.links[0].target.address) is not None
