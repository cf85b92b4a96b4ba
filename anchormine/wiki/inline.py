"""The inside of a block: from the parts between its links to its text, with the links' exact spans."""

import re
from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate
from typing import Any, NamedTuple

from anchormine.wiki.marks import GAP, NOTHING, RESTORE
from anchormine.wiki.site import Site
from anchormine.wiki.titles import decode_entities

_new = tuple.__new__  # takes half the time of a NamedTuple's own constructor
_ZERO_WIDTH = re.compile(f"[{GAP}{NOTHING}]")
# [[Foo (bar)|]] and [[Foo, Bar|]]: MediaWiki's pipe trick; it leaves "Foo" (Parser::pstPass2)
_PIPE_TRICK = re.compile(r":?(?:[^:|]+:)?(.*?)(?: ?\([^()]*\)|, .*)?")
_SPARE_SPACES = re.compile(r"^ +|(?<= ) +| +$")
# Letters that belong to no link in any language; most links are followed by one of them.
_NO_TRAIL = frozenset(("", *' ,.;:)(\n"'))
# Brackets that make no link, with the target where a label follows it.
_STRAY = re.compile(r"\[\[(?:[^\[\]|\n]{1,100}\|)?|\]\]")


class Link(NamedTuple):
    """A link to an article, as it stands in a block.

    Attributes:
        start: first character of its text in the block's text.
        end: character after its last.
        target: as written, without fragment.
        title: of the page, in normal form.
        fragment: the section, or None.
    """

    start: int
    end: int
    target: str
    title: str
    fragment: str | None


class Block(NamedTuple):
    """A heading, paragraph, list item, table cell or caption.

    Attributes:
        region: "body", "list", "table", "caption" or "header".
        text: on one line, without markup.
        links: to articles, in order.
        gaps: places in the text where a template, formula or code was left out, in order.
    """

    region: str
    text: str
    links: list[Link]
    gaps: list[int]


def read_inline(
    region: str, parts: list[str | Any], site: Site, own_title: str, dropped: list[tuple[str, str]]
) -> Block:
    """Puts a block together.

    Args:
        region: of the block.
        parts: [text, target, label, text, ..., text], from `scanner.split_links` or `tokens.split_links`.
        site: tells what a link points to.
        own_title: of the page, folded; a link to it is a self-link.
        dropped: receives (reason, "[[target]]") for each link that is not one to another article.
    """
    text = parts[0]
    if len(parts) == 1:
        return _finish(region, decode_entities(text) if "&" in text else text, [], dropped)
    out: list[str] = []
    links: list[Link] = []
    length = 0
    prefix, targets = site.link_prefix, site.targets
    rest = iter(parts)
    next(rest)
    for written, label, following in zip(rest, rest, rest, strict=True):
        kind, shown, title, fragment, _, key, target, anchor = targets[written]
        if not shown:
            anchor = ""
            if text[-1:].isspace() or (not text and not out):
                following = following.lstrip()
        else:
            if label is not None:
                anchor = _labelled(written, label)
            if following[:1] not in _NO_TRAIL or prefix or (label and " " in (label[0], label[-1])):
                text, anchor, following = _joined(site, text, label or "", anchor, following)
        if "&" in text:
            text = decode_entities(text)
        start = length + len(text)
        length = start + len(anchor)
        out += (text, anchor)
        text = following
        if kind == "article" and key != own_title and _is_seen(anchor):
            links.append(_new(Link, (start, length, target, title, fragment)))
        else:
            dropped.append((_reason(kind, key == own_title, anchor), f"[[{written}]]"))
    out.append(decode_entities(text) if "&" in text else text)
    return _finish(region, "".join(out), links, dropped)


def _labelled(written: str, label: str) -> str:
    """The text that a link with a label shows."""
    if label:
        shown = label.strip()
    else:
        match = _PIPE_TRICK.fullmatch(written.strip())
        shown = match[1] if match else written.strip()
    return decode_entities(shown) if "&" in shown else shown


def _joined(site: Site, text: str, label: str, anchor: str, following: str) -> tuple[str, str, str]:
    """Gives an anchor the letters around its link that belong to it, and puts its label's spaces outside.

    Returns:
        text, anchor and following as they are then.
    """
    spaced = label[-1:] == " "
    if site.link_trail and following[:1] not in _NO_TRAIL and (match := site.link_trail.match(following)):
        anchor += f" {match[0]}" if spaced else match[0]
        following = following[match.end() :]
    elif spaced and following[:1] != " ":
        following = " " + following
    if site.link_prefix and (match := site.link_prefix.search(text)):
        anchor = match[0] + anchor
        text = text[: match.start()]
    if label[:1] == " " and text[-1:] != " ":
        text += " "
    return text, anchor, following


def _is_seen(anchor: str) -> bool:
    """Tells whether an anchor has a character that is no mark."""
    if GAP in anchor or NOTHING in anchor:
        return bool(_ZERO_WIDTH.sub("", anchor).strip())
    return anchor != ""


def _reason(kind: str, is_self: bool, anchor: str) -> str:
    """Why a link is no anchor."""
    if kind != "article":
        return kind
    return "self" if is_self else "template" if GAP in anchor else "no_text"


def _finish(region: str, text: str, links: list[Link], dropped: list[tuple[str, str]]) -> Block:
    """Brings the text on one line, and takes out the marks that stood in for other things."""
    # Each is looked for as a plain string first: a regular expression takes as long as all else together.
    if "\n" in text:
        text = text.replace("\n", " ")
    gaps: list[int] = []
    if ("[" in text and "[[" in text) or ("]" in text and "]]" in text):
        text, links = _without_strays(text, links, dropped)
    if NOTHING in text:
        text, links, gaps = _delete(text, links, _ZERO_WIDTH)
        text = text.translate(RESTORE)
    elif GAP in text:
        text, links, gaps = _without_gaps(text, links)
    if "  " in text or text[:1] == " " or text[-1:] == " ":
        text, links, gaps = _single_spaced(text, links, gaps)
    return _new(Block, (region, text, links, gaps))


def _without_strays(text: str, links: list[Link], dropped: list[tuple[str, str]]) -> tuple[str, list[Link]]:
    """Takes out brackets that make no link, and reports what stood behind those that open one."""
    dropped.extend(
        ("unclosed", text[match.start() :][:40]) for match in _STRAY.finditer(text) if match[0] != "]]"
    )
    text, links, _ = _delete(text, links, _STRAY)
    dropped.extend(("unclosed", f"[[{link.target}]]") for link in links if link.start == link.end)
    return text, [link for link in links if link.start < link.end]


def _without_gaps(text: str, links: list[Link]) -> tuple[str, list[Link], list[int]]:
    """What `_delete` does for the commonest of marks."""
    pieces = text.split(GAP)
    shorter = "".join(pieces)
    gaps = list(accumulate(map(len, pieces[:-1])))
    if not links:
        return shorter, links, gaps
    cuts = [gap + before for before, gap in enumerate(gaps)]  # where they stand in the text
    moved = []
    for link in links:
        start, end = link.start - bisect_left(cuts, link.start), link.end - bisect_left(cuts, link.end)
        moved.append(_trimmed(shorter, link, start, end))
    return shorter, moved, gaps


def _delete(text: str, links: list[Link], pattern: re.Pattern[str]) -> tuple[str, list[Link], list[int]]:
    """Deletes what matches. Returns the text, the links at their new places, and where a gap was deleted."""
    cuts = [match.span() for match in pattern.finditer(text)]
    moved = _mover(cuts)
    shorter = pattern.sub("", text)
    gaps = [moved(start) for start, _ in cuts if text[start] == GAP]
    return shorter, [_trimmed(shorter, link, moved(link.start), moved(link.end)) for link in links], gaps


def _mover(cuts: list[tuple[int, int]]) -> Callable[[int], int]:
    """Returns a function from offsets before the cuts to offsets after them."""
    starts = [start for start, _ in cuts]
    removed = [0, *accumulate(end - start for start, end in cuts)]

    def moved(offset: int) -> int:
        before = bisect_left(starts, offset)
        inside = max(0, cuts[before - 1][1] - offset) if before else 0
        return offset - removed[before] + inside

    return moved


def _trimmed(text: str, link: Link, start: int, end: int) -> Link:
    """An anchor neither starts nor ends with a space that stood beside what was deleted."""
    while start < end and text[start] == " ":
        start += 1
    while start < end and text[end - 1] == " ":
        end -= 1
    return _new(Link, (start, end, *link[2:]))


def _single_spaced(text: str, links: list[Link], gaps: list[int]) -> tuple[str, list[Link], list[int]]:
    """Leaves one space where taking things out left several, and none at the ends."""
    moved = _mover([match.span() for match in _SPARE_SPACES.finditer(text)])
    text = _SPARE_SPACES.sub("", text)
    return (
        text,
        [_trimmed(text, link, moved(link.start), moved(link.end)) for link in links],
        [moved(gap) for gap in gaps],
    )
