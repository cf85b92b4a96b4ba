"""The stretches that a page is cut into are its tree, tag by tag."""

from __future__ import annotations

import random

import pytest
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from anchormine.web.page import page_tokens
from anchormine.web.page.tags import unescaped
from tests.web.open_tags import SOUP
from tests.web.real_pages import needs_crawls, pages

_UNREAD = "script,style,noscript,template,iframe,noembed,noframes,xmp,plaintext"


def of_tree(html: str) -> list[str]:
    """The elements and texts of a tree, by walking it; every second is a text, and may be empty."""
    tree = LexborHTMLParser(html, options=LexborDocumentOptions.WO_EVENTS, scripting=True)
    for node in reversed(tree.css(_UNREAD)):
        for child in [*node.iter(include_text=True)] if node.tag == "iframe" else [node]:
            child.decompose()
    found = [""]
    for node in tree.root.traverse(include_text=True) if tree.root else ():
        if node.tag == "-text":
            found[-1] += node.text(deep=False)
        elif node.tag and not node.tag.startswith("-"):
            found += [unescaped(node.tag), ""]
    return found


def of_stretches(html: str) -> list[str]:
    """The same of the stretches."""
    found = [""]
    for part in "<".join(page_tokens.page_tokens(html).stretches).split("<"):
        tag, _, text = part.partition(">")
        if tag[0] not in "/!?":
            found += [unescaped(tag.partition(" ")[0]), ""]
        found[-1] += unescaped(text)
    return found


@pytest.mark.parametrize("seed", range(10))
def test_soup_of_tags(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        html = "".join(rng.choices(SOUP, k=rng.randint(1, 60))).replace("\ud800", "").replace("<pre>", "")
        assert of_stretches(html) == of_tree(html), html


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<meta <!--><meta <!--><div>b<!-- c --></div>d",
        "<p>a<meta <!--><div>b</div>c",
        "<p <!-- a>b<!-- c --><p <!-->d<x -->e</x>f",
        "<p>a<x<!-->b</x<!-->c<div>d",
        "<!doctype <!--><p>a<div>b",
        "<!doctype <!--><p <!-->a<!--><div>b",
        "<p>a<p <! <?x>b<div>c<p <div>d",
    ],
)
def test_names_that_look_like_comments(html: str) -> None:
    assert of_stretches(html) == of_tree(html)


@pytest.mark.parametrize("end", ["<!", "<!<!", "<svg><!", "<!-", "<?", "</!", "<!doctype"])
def test_pages_that_are_cut_off_in_a_comment(end: str) -> None:
    html = "<p>one --&gt; &lt;a href=/x&gt; <>two"
    assert of_stretches(html + end) == of_tree(html + end)
    assert "".join(of_stretches(html + end)[::2]) == "one --> <a href=/x> <>two"


@pytest.mark.data
@needs_crawls
@pytest.mark.parametrize(
    "names", ["contextwiki-00000*", "blackbook.warc*", "commoncrawl-*", "iana*", "clueweb09-ja*"]
)
def test_real_pages(names: str) -> None:
    sample = pages(names)[::3]
    assert len(sample) > 5
    for page in sample:
        assert of_stretches(page.html) == of_tree(page.html), page.url


def test_all_but_the_first_stretch_end_a_block() -> None:
    html = "<title>T</title>a<p>b<b>c</b><div>d</div><dl><dt>e<dd>f</dl><pre>g</pre><ul class=x><li>h"
    found = page_tokens.page_tokens(html).stretches
    assert [stretch.replace("<", "|") for stretch in found] == [
        "html>|head>|title>T|/title>|/head>|body>a",
        "p>b|b>c|/b>|/p>",
        "div>d|/div>",
        "dl>",
        "dt>e|/dt>",
        "dd>f|/dd>|/dl>|pre>g|/pre>",
        'ul class="x">',
        "li>h|/li>|/ul>|/body>|/html>",
    ]
