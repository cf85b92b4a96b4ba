"""How deep a page gets is found beforehand as the parser finds it, whatever end tags are left out."""

from __future__ import annotations

import contextlib
import random

import pytest
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.markup.markup_tags import UnclearMarkup, written_tags
from anchormine.web.markup.open_elements import check_open_elements

REPEATED = 1100
FORUM = "<table><tr><td>Message<td><a href=x>y</a></table>"
# What is repeated, behind what; how deep Lexbor's tree gets then; and what is told of it.
PAGES = {
    "tables without end tags": ("", FORUM, 7, "accepted"),
    "tables in a table": ("<table>", f"<tr><td>x{FORUM}", 11, "accepted"),
    "rows that end and cells that do not": ("", "<table><tr><td>x</tr></table>", 6, "accepted"),
    "a list left open in a cell": ("<table>", "<tr><td><ul><li>x<td><div>y", 8, "accepted"),
    "a font left open in a cell": ("", "<table><tr><td><font size=2>a</table>", 7, "accepted"),
    "a calendar": ("", "<table><caption>May<thead><tr><th>M<tbody><tr><td>1<td>2</table>", 6, "accepted"),
    "columns": ("", "<table><colgroup><col><tr><td>x<col></table>", 6, "accepted"),
    "tables in tables": ("", "<table><tr><table>", 5, "accepted"),
    "a division between rows": ("<table>", "<div>x<tr><td>y", 7, "accepted"),
    "a form between rows": ("<table>", "<tr><form><td>x", 6, "accepted"),
    "cells of no table": ("", "<tr><td>x", 2, "accepted"),
    "an object in a cell": ("<table>", "<td><object><b>x</td>", 8, "accepted"),
    "drawings that end at once": ("", "<svg/>x<math/>", 3, "accepted"),
    "drawings of what ends at once": ("", "<svg><path d='a'/><g><use href=#b /></g></svg>", 5, "accepted"),
    "drawings that HTML ends": ("", "<svg><g><p>x", 5, "accepted"),
    "headings": ("", "<h2>x<h3>y", 3, "accepted"),
    "headings with the end of another": ("", "<h2><span>x</h3>", 4, "accepted"),
    "buttons": ("", "<button><div>x", 4, "accepted"),
    "lines that do not break": ("", "<nobr>x", 3, "accepted"),
    "ruby": ("<ruby>", "<rb>x<rtc>y<rt>z<rp>(", 5, "accepted"),
    "selects in selects": ("", "<select><option>x", 5, "accepted"),
    "options in groups": ("<select>", "<optgroup><option>x<option>y<hr>", 5, "accepted"),
    "options of no select": ("", "<option>x", 3, "accepted"),
    "definitions": ("<dl>", "<dt>x<dd><p>y", 5, "accepted"),
    "items with paragraphs": ("<ul>", "<li><p>x<li><b>y</b>", 5, "accepted"),
    "links in paragraphs": ("", "<p><a href=x><span>y", 5, "accepted"),
    "bold print over blocks": ("", "<b><div><p>x</b></div>", 5, "accepted"),
    "forms in forms": ("", "<form><p>x", 4, "accepted"),
    "divisions": ("", "<div>x", 1102, "too_deep"),
    "spans with ends that count for nothing": ("", "<span><div></span></div>", 1103, "too_deep"),
    "forms that end before what they hold": ("", "<form><div></form>", 2202, "too_deep"),
    "tables in cells": ("", "<table><tr><td>", 4402, "too_deep"),
    "cells in tables in cells": ("<table>", "<td><table><td>x", 4406, "too_deep"),
    "lists in lists": ("", "<ul><li>", 2202, "too_deep"),
    "bold print that text opens again": ("", "<div><b></div>x", 1103, "too_deep"),
    "headings in headings": ("", "<h1><span>", 2202, "too_deep"),
    "drawings in drawings": ("", "<svg><g><foreignobject><p>x", 4402, "too_deep"),
    "values that end in a slash": ("", "<svg><g id=a/>", 2202, "too_deep"),
    "lines behind a rule": ("", "<p><hr><span>x", 1102, "too_deep"),
    "objects": ("", "<p><object>", 2202, "too_deep"),
    "ruby in a cell of ruby": ("<ruby><table><td>", "<option><rt>x", 2207, "too_deep"),
}
# What random fragments are made of, by what else is in them: one in twenty stands where it should not.
FLOW = (
    "p p div table table ul dl h1 h2 b i font a nobr span button select ruby svg/ svg math form blockquote "
    "object label br hr option em pre marquee"
).split()
CHILDREN = {
    **{"table": "tr tr tbody caption col td form div svg/".split(), "tbody": ["tr", "td"]},
    **{"tr": ["td", "td", "th", "svg/", "form"], "ul": ["li"], "dl": ["dt", "dd"]},
    **{"select": ["option", "optgroup", "hr"], "optgroup": ["option"], "ruby": ["rb", "rt", "rtc", "rp"]},
    **{"svg": ["g", "path/", "foreignobject"], "g": ["g", "path/"], "math": ["mi", "mrow", "mn/"]},
}
VOID = ("br", "hr", "col")
OPTIONAL = "td th tr tbody caption li dt dd p option optgroup rb rt rp rtc".split()
NAMES = sorted({*FLOW, *(name for names in CHILDREN.values() for name in names)})
ATTRIBUTES = {"font": ["", " size=2"], "a": [" href=x", " name=y"]}


def depth_of(html: str) -> int:
    """How deep the elements of a page are in its tree."""
    options = LexborDocumentOptions.WO_EVENTS
    node = LexborHTMLParser(html.encode(), options=options, scripting=True).root
    depth = deepest = 1
    while node is not None:
        if node.is_element_node:
            deepest = max(deepest, depth)
        inner, following = node.first_child, node.next
        if inner is not None:
            node, depth = inner, depth + 1
            continue
        while following is None and node is not None:
            node, depth = node.parent, depth - 1
            following = node.next if node is not None and depth > 0 else None
        node = following
    return deepest


def told_of(html: str) -> str:
    """What is told of a page; what is left to a process of its own is accepted."""
    try:
        with contextlib.suppress(UnclearMarkup):
            check_open_elements(html)
    except PageRejected as error:
        return error.reason
    return "accepted"


def is_clear(html: str) -> bool:
    """Tells whether it is known what is a tag."""
    with contextlib.suppress(UnclearMarkup):
        written_tags(html)
        return True
    return False


def soup(rng: random.Random) -> str:
    names = rng.sample(NAMES, rng.randint(2, 5))
    tags = [rng.choice(names) for _ in range(rng.randint(2, 8))]
    return "".join(
        (f"</{tag}>" if rng.random() < 0.45 else start(rng, tag)) + rng.choice(["", "x", " "]) for tag in tags
    )


def start(rng: random.Random, name: str) -> str:
    return f"<{name}{rng.choice(ATTRIBUTES.get(name, ['']))}>"


def tree(rng: random.Random, name: str, levels: int) -> str:
    """An element in which some end tags are left out: those that may be more often."""
    if name in VOID or name.endswith("/"):
        return start(rng, name)
    names = CHILDREN.get(name, FLOW)
    inner = [rng.choice(names if rng.random() > 0.05 else FLOW) for _ in range(rng.randint(0, 2))]
    text = "".join(rng.choice(["", "x", "\n"]) + tree(rng, found, levels - 1) for found in inner if levels)
    is_ended = rng.random() < (0.5 if name in OPTIONAL else 0.85)
    return start(rng, name) + (text or "x") + (f"</{name}>" if is_ended else "")


@pytest.mark.parametrize("name", PAGES)
def test_repeated_markup(name: str) -> None:
    before, repeated, depth, told = PAGES[name]
    html = "<!doctype html>" + before + repeated * REPEATED
    assert (depth_of(html), told_of(html)) == (depth, told)


@pytest.mark.parametrize("seed", range(4))
def test_random_markup_is_as_deep_as_the_parser_finds_it(seed: int) -> None:
    rng = random.Random(seed)
    found, expected = {}, {}
    for _ in range(40):
        fragment = soup(rng) if rng.random() < 0.5 else tree(rng, rng.choice(FLOW), 3)
        html = "<!doctype html>" + rng.choice(["", "<table><tr><td>", "<ul>"]) + fragment * REPEATED
        if is_clear(html):
            found[fragment] = told_of(html)
            expected[fragment] = "too_deep" if depth_of(html) > 1000 else "accepted"
    assert len(found) > 30
    assert found == expected
