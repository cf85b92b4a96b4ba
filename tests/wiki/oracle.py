"""An independent reader of links, slow and plain: innermost-first rewriting to a fixed point.

It shares no code with the product's reader, only the facts of the wiki (namespaces, prefixes), and finds
each link to an article outside templates, references, comments and galleries, and what it shows. It knows
nothing of language variants.
"""

from __future__ import annotations

import contextlib
import html
import re
from urllib.parse import unquote

from anchormine.wiki.languages import namespace_key
from anchormine.wiki.site import Site

_HIDDEN = (
    "ref|references|gallery|imagemap|includeonly|math|chem|ce|pre|source|syntaxhighlight|score|timeline|hiero|"
    "graph|mapframe|maplink|templatedata|templatestyles|inputbox|categorytree|charinsert|dynamicpagelist|rss|"
    "indicator|style|script"
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NOWIKI = re.compile(r"<nowiki(?:\s[^<>]*)?>(.*?)</nowiki\s*>", re.DOTALL | re.IGNORECASE)
_EMPTY = re.compile(rf"<(?:{_HIDDEN})(?:\s[^<>]*)?/>", re.IGNORECASE)
_EMPTY_NOWIKI = re.compile(r"<nowiki(?:\s[^<>]*)?/>", re.IGNORECASE)  # ends the letters behind a link
_ELEMENT = re.compile(rf"<({_HIDDEN})(?:\s[^<>]*)?>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_ARGUMENT = re.compile(r"\{\{\{(?:(?!\{\{|\}\}).)*\}\}\}", re.DOTALL)
_TEMPLATE = re.compile(r"\{\{(?:(?!\{\{|\}\}).)*\}\}", re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:[\s/][^<>]*)?>", re.IGNORECASE)
_INNERMOST = re.compile(r"\[\[((?:(?!\[\[|\]\]).)*)\]\]", re.DOTALL)
_PLACE = re.compile("\ue000([0-9]+)\ue001")


def article_links(wikitext: str, site: Site) -> list[tuple[str, str]]:
    """Returns the title and the text of each link to an article, pictures' captions included, in no order."""
    text = _without_hidden(wikitext)
    links: list[tuple[str, str]] = []
    shown: list[str] = []  # what each place stands for in the text around it

    def rewrite(match: re.Match[str]) -> str:
        content = match[1]
        target, bar, label = content.partition("|")
        inner = _PLACE.search(content)
        title, kind = _classify(target, site)
        if kind in ("file", "hidden"):
            text_of = ""
        elif inner or kind == "text":
            text_of = label if bar else content
        else:
            text_of = re.sub("'{2,}", "", label) if bar else _decoded(target.strip()).lstrip(":")
            if kind == "article" and (text_of.replace("\ue002", "").strip() or not label):
                links.append((title, _shown(match, text_of, site)))
        shown.append(text_of)
        return f"\ue000{len(shown) - 1}\ue001"

    while True:
        rewritten = _INNERMOST.sub(rewrite, text)
        if rewritten == text:
            break
        text = rewritten
    return links


def _shown(match: re.Match[str], text: str, site: Site) -> str:
    """What a link shows, with the letters around it that belong to it."""
    trail = re.match(site.facts.link_trail, match.string[match.end() :]) if site.facts.link_trail else None
    prefix = (
        re.search(f"(?:{site.facts.link_prefix})$", match.string[: match.start()])
        if site.facts.link_prefix
        else None
    )
    text = (prefix[0] if prefix else "") + text.strip(" ") + (trail[0] if trail else "")
    return " ".join(html.unescape(text.replace("\ue002", "")).split())


def _without_hidden(text: str) -> str:
    text = _COMMENT.sub("", text)
    text = _EMPTY.sub("", text)
    text = _EMPTY_NOWIKI.sub("\ue002", text)
    text = _NOWIKI.sub("", text)
    text = _ELEMENT.sub("", text)
    text = text.replace("{{!}}", "|")
    for pattern in (_ARGUMENT, _TEMPLATE):
        while True:
            shorter = pattern.sub("\ue002", text)
            if shorter == text:
                break
            text = shorter
    return _TAG.sub("", _BREAK.sub(" ", text))


def _decoded(target: str) -> str:
    with contextlib.suppress(UnicodeDecodeError):
        return unquote(target, errors="strict")
    return target


def _classify(target: str, site: Site) -> tuple[str, str]:
    """Returns the title and "article", "file", "hidden" (a category, another language), "other", or
    "text"."""
    if "\n" in target or "\ue000" in target or re.match("(https?:|ftp:)?//", target):
        return "", "text"
    target = _decoded(html.unescape(target))
    title = " ".join(re.sub("[\u200e\u200f]", "", target.partition("#")[0]).replace("_", " ").split())
    colon = title.startswith(":")
    title = title.lstrip(": ")
    if not title or "\ue002" in title or re.search(r"[<>\[\]{}|]", title):
        return "", "other"
    prefix, mark, rest = title.partition(":")
    key = namespace_key(prefix)
    if mark and key in site.namespaces:
        hidden = {6: "file", 14: "hidden"}.get(site.namespaces[key], "other")
        return "", "other" if colon else hidden
    if mark and re.search(
        r"\.(jpe?g|png|svg|gif|tiff?|xcf|webp|og[gav]|webm|pdf|djvu|flac|wav|mp3|midi?|stl)$", title, re.I
    ):
        return "", "other" if colon else "file"
    if mark and key == site.language:
        return rest.strip(), "article"
    if mark and key in site.facts.interwiki_prefixes:
        return "", "hidden" if key in site.facts.interlanguage_codes and not colon else "other"
    return title, "article"
