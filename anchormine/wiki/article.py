"""One article: from its wikitext to blocks of plain text with exact link spans."""

import re
from typing import Any, NamedTuple

from anchormine.wiki import scanner
from anchormine.wiki.blocks import split_blocks
from anchormine.wiki.disambiguation import is_disambiguation
from anchormine.wiki.elements import strip_elements
from anchormine.wiki.gaps import tidy_gaps
from anchormine.wiki.inline import Block, read_inline
from anchormine.wiki.marks import GAP, NOTHING, PROTECT, RESTORE, clean_input
from anchormine.wiki.media import strip_media
from anchormine.wiki.site import Site
from anchormine.wiki.templates import strip_templates
from anchormine.wiki.titles import decode_entities, normalise_title
from anchormine.wiki.variants import strip_variants

# No article that people read comes near: the deepest of the dumps at hand is 26.
MAX_NESTING = 400

# Of 15,000 blocks of random markup within these limits none took mwparserfromhell more than 10 ms.
_QUICK_CHARACTERS, _QUICK_BRACKETS = 1000, 20

_SPACE_REFERENCES = re.compile(r"&(?:nbsp|ensp|emsp|thinsp|#0*160|#[xX]0*[aA]0);")
_SPACES = re.compile("  +")
# Brackets written so are text, and make no link.
_BRACKET_REFERENCES = re.compile(r"&(?:#0*9[13]|#[xX]0*5[bBdD]|[lr]brack|[lr]sqb);")
# A label may run over several lines; what else stands on a line is read line by line.
_LABEL_LINES = re.compile(r"\[\[[^\[\]|\n]+\|[^\[\]\n]*\n[^\[\]]*\]\]")
_LINK = re.compile(r"\[\[([^\[\]{}|<>\n]+)(?=\||\]\])")
# Quotation marks, tags and references part a link from the letters beside it, as in "[[Titanic]]''s".
_MARKUP = r"(?:'|<ref\b[^<>/]*>[^<]*</ref>|<ref\b[^<>]*/>|<(?!ref\b)[^<>]*>)+"
_AFTER_LINK = re.compile(rf"\]\][^\W\d_]*(?=''|<(?!!--|br))(?={_MARKUP}[^\s\d.,;:()\[\]{{}}|<'-])")
_BEFORE_LINK = re.compile(rf"(?<=[^\s\d.,;:()\[\]{{}}|>'-])(?=''|<){_MARKUP}(?=\[\[)")


class Article(NamedTuple):
    """What an article says.

    Attributes:
        blocks: headings, paragraphs, list items, table cells and captions, in order; only the text of a
            heading may be empty, where it held a template or the like.
        dropped: (reason, "[[target]]") for every link of the page that is not one to an article in a block:
            "template", "reference", "gallery", "imagemap", "comment", "variant", "namespace", "interwiki",
            "self", "invalid", "no_text", "unclosed".
        disambiguation: whether the page only lists pages of the same name.
    """

    blocks: list[Block]
    dropped: list[tuple[str, str]]
    disambiguation: bool


def read_article(wikitext: str, title: str, site: Site) -> Article:
    """Reads the wikitext of one page.

    Templates are not expanded. Where the brackets of a block are not plainly links, mwparserfromhell decides.

    Args:
        wikitext: of the page. What XML forbids in a text is taken out of it.
        title: of the page.
        site: the wiki it is of.

    Raises:
        PageRejected: more brackets are open at once than any article has.
    """
    article = _read(clean_input(wikitext), title, site, careful=True)
    assert article is not None
    return article


def read_plain_article(wikitext: str, title: str, site: Site) -> Article | None:
    """Reads a page of a dump as `read_article` does, in time that is linear in its length.

    Returns:
        None where a block's brackets are so many or so odd that mwparserfromhell might take long.
    """
    return _read(wikitext, title, site, careful=False)


def _read(wikitext: str, title: str, site: Site, careful: bool) -> Article | None:
    removed: list[tuple[str, str]] = []
    dropped: list[tuple[str, str]] = []
    own_title = site.fold(normalise_title(title))
    blocks = []
    for region, markup in split_blocks(prefilter(wikitext, site, removed)):
        parts = scanner.split_links(markup)
        if parts is None:
            parts = _careful_parts(markup) if careful else _quick_parts(markup)
            if parts is None:
                return None
        block = read_inline(region, parts, site, own_title, dropped)
        if block.text or region == "header":
            blocks.append(block)
    for reason, piece in removed:
        if "[" in piece and "[[" in piece:
            dropped += [(reason, f"[[{target}]]") for target in _LINK.findall(piece)]
    links = "".join([link for _, link in dropped])
    if GAP in links or NOTHING in links:
        dropped = [(reason, link.replace(GAP, "{{}}").translate(RESTORE)) for reason, link in dropped]
    return Article(blocks, dropped, is_disambiguation(title, wikitext, removed, dropped, site))


def _careful_parts(markup: str) -> list[str | Any]:
    from anchormine.wiki import tokens  # few pages need mwparserfromhell, and it takes time to import

    return tokens.split_links(markup)


def _quick_parts(markup: str) -> list[str | Any] | None:
    """What `_careful_parts` returns, or None where that might take long, or fail."""
    if len(markup) > _QUICK_CHARACTERS or markup.count("[") + markup.count("]") > _QUICK_BRACKETS:
        return None
    try:
        return _careful_parts(markup)
    except ValueError:  # markup that is no link, and that no block should hold
        return None


def _protected(reference: re.Match[str]) -> str:
    return NOTHING + decode_entities(reference[0]).translate(PROTECT)


def _on_one_line(label: re.Match[str]) -> str:
    return label[0].replace("\n", " ")


def _parted(wikitext: str, site: Site) -> str:
    """Sets a mark where letters stand beside a link that would belong to it but for what stands between."""
    if "''" in wikitext or "<" in wikitext:
        wikitext = _AFTER_LINK.sub(rf"\g<0>{NOTHING}", wikitext)
    if site.link_prefix and ("''[[" in wikitext or ">[[" in wikitext):
        wikitext = _BEFORE_LINK.sub(rf"\g<0>{NOTHING}", wikitext)
    return wikitext


def prefilter(wikitext: str, site: Site, removed: list[tuple[str, str]]) -> str:
    """Takes out of wikitext, in linear time, all that is neither text nor a link between articles.

    Args:
        wikitext: of a page.
        site: the wiki it is of.
        removed: receives (reason, text) for what may hold links.

    Returns:
        Wikitext that has links, quotation marks, headings, lists and tables, and `marks` where other
        things stood.
    """
    text = strip_elements(_parted(wikitext, site), removed)
    text = strip_templates(text, removed, MAX_NESTING)
    text = _LABEL_LINES.sub(_on_one_line, text)  # a caption is put at the end of a line, but in no label
    text = strip_media(text, site.media, site.is_image_option, removed, MAX_NESTING)
    # One character is found in a hundredth of the time that two take.
    if "{" in text:
        text = strip_variants(text, removed)
    if "_" in text and "__" in text:
        text = site.behaviour_switches.sub("", text)
    if "&" in text:
        text = _SPACE_REFERENCES.sub(" ", text)
        text = _BRACKET_REFERENCES.sub(_protected, text)
    text = scanner.BARE_ADDRESS.sub(GAP, text)
    text = _SPACES.sub(" ", text.replace("\xa0", " ").replace("\t", " "))
    text = _LABEL_LINES.sub(_on_one_line, text.replace(" \n", "\n"))
    return tidy_gaps(text, removed)
