"""The inside of a block: from the parts between its links to its text, with the links' exact spans."""

import re
from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate
from typing import Any, NamedTuple

from anchormine.wiki.marks import GAP, NOTHING, RESTORE
from anchormine.wiki.site import Site, Target
from anchormine.wiki.titles import decode_entities

_ZERO_WIDTH = re.compile(f"[{GAP}{NOTHING}]")
# [[Foo (bar)|]] and [[Foo, Bar|]]: MediaWiki's pipe trick; it leaves "Foo" (Parser::pstPass2)
_PIPE_TRICK = re.compile(r":?(?:[^:|]+:)?(.*?)(?: ?\([^()]*\)|, .*)?")
_SPARE_SPACES = re.compile(r"^ +|(?<= ) +| +$")
# Letters that belong to no link in any language; most links are followed by one of them.
_NO_TRAIL = frozenset(" ,.;:)(\n\"")
# Anything that `_finish` changes.
_UNTIDY = re.compile(r"[\x01\x03\x0e-\x1f\n]|\[\[|\]\]|  |^ | \Z")
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
        gaps: places in the text where a template, formula or code was left out.
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
    trail, prefix = site.link_trail, site.link_prefix
    targets = iter(parts)
    next(targets)
    for written, label, following in zip(targets, targets, targets, strict=True):
        target = site.target(written)
        anchor = ""
        if target.shown:
            anchor = target.label if label is None else _labelled(written, label)
            if trail and following and following[0] not in _NO_TRAIL and (match := trail.match(following)):
                anchor += f" {match[0]}" if label and label[-1].isspace() else match[0]
                following = following[match.end() :]
            elif label and label[-1].isspace() and following[:1] != " ":
                following = " " + following
            if prefix and (match := prefix.search(text)):
                anchor = match[0] + anchor
                text = text[: match.start()]
            if label and label[0].isspace() and text[-1:] != " ":
                text += " "
        elif text[-1:].isspace() or (not text and not out):
            following = following.lstrip()
        if "&" in text:
            text = decode_entities(text)
        start = length + len(text)
        length = start + len(anchor)
        out += (text, anchor)
        if target.kind != "article":
            dropped.append((target.kind, f"[[{written}]]"))
        elif target.key == own_title:
            dropped.append(("self", f"[[{written}]]"))
        elif _ZERO_WIDTH.sub("", anchor).strip():
            links.append(Link(start, length, target.written, target.title, target.fragment))
        else:
            dropped.append(("template" if GAP in anchor else "no_text", f"[[{written}]]"))
        text = following
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


def _finish(region: str, text: str, links: list[Link], dropped: list[tuple[str, str]]) -> Block:
    """Brings the text on one line, and takes out the marks that stood in for other things."""
    if not _UNTIDY.search(text):
        return Block(region, text, links, [])
    if "\n" in text:
        text = text.replace("\n", " ")
    gaps: list[int] = []
    if _STRAY.search(text):
        dropped.extend(
            ("unclosed", text[match.start() :][:40]) for match in _STRAY.finditer(text) if match[0] != "]]"
        )
        text, links, _ = _delete(text, links, _STRAY)
        dropped.extend(("unclosed", f"[[{link.target}]]") for link in links if link.start == link.end)
        links = [link for link in links if link.start < link.end]
    if _ZERO_WIDTH.search(text):
        text, links, gaps = _delete(text, links, _ZERO_WIDTH)
        text = text.translate(RESTORE)
    if "  " in text or text[:1] == " " or text[-1:] == " ":
        text, links, gaps = _single_spaced(text, links, gaps)
    return Block(region, text, links, gaps)


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
    return link._replace(start=start, end=end)


def _single_spaced(text: str, links: list[Link], gaps: list[int]) -> tuple[str, list[Link], list[int]]:
    """Leaves one space where taking things out left several, and none at the ends."""
    moved = _mover([match.span() for match in _SPARE_SPACES.finditer(text)])
    text = _SPARE_SPACES.sub("", text)
    return (
        text,
        [_trimmed(text, link, moved(link.start), moved(link.end)) for link in links],
        [moved(gap) for gap in gaps],
    )
