"""An independent reader of links, slow and plain: innermost-first rewriting to a fixed point.

It shares no code with the product's reader, only the facts of the wiki (namespaces, prefixes), and finds
each link to an article outside templates, references, comments and galleries.
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
_EMPTY = re.compile(rf"<(?:{_HIDDEN}|nowiki)(?:\s[^<>]*)?/>", re.IGNORECASE)
_ELEMENT = re.compile(rf"<({_HIDDEN})(?:\s[^<>]*)?>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_ARGUMENT = re.compile(r"\{\{\{(?:(?!\{\{|\}\}).)*\}\}\}", re.DOTALL)
_TEMPLATE = re.compile(r"\{\{(?:(?!\{\{|\}\}).)*\}\}", re.DOTALL)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:[\s/][^<>]*)?>", re.IGNORECASE)
_INNERMOST = re.compile(r"\[\[((?:(?!\[\[|\]\]).)*)\]\]", re.DOTALL)
_PLACE = re.compile("\ue000([0-9]+)\ue001")


def article_links(wikitext: str, site: Site) -> list[str]:
    """Returns the title of each link to an article, pictures' captions included, in no particular order."""
    text = _without_hidden(wikitext)
    links: list[str] = []
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
            text_of = label if bar else target.strip().lstrip(":")
            if kind == "article" and (text_of.replace("\ue002", "").strip() or not label):
                links.append(title)
        shown.append(text_of)
        return f"\ue000{len(shown) - 1}\ue001"

    while True:
        rewritten = _INNERMOST.sub(rewrite, text)
        if rewritten == text:
            break
        text = rewritten
    return links


def _without_hidden(text: str) -> str:
    text = _COMMENT.sub("", text)
    text = _EMPTY.sub("", text)
    text = _NOWIKI.sub("", text)
    text = _ELEMENT.sub("", text)
    text = text.replace("{{!}}", "|")
    for pattern in (_ARGUMENT, _TEMPLATE):
        while True:
            shorter = pattern.sub("\ue002", text)
            if shorter == text:
                break
            text = shorter
    return _TAG.sub("", text)


def _classify(target: str, site: Site) -> tuple[str, str]:
    """Returns the title and "article", "file", "hidden" (a category, another language), "other", or
    "text"."""
    if "\n" in target or "\ue000" in target or re.match("(https?:|ftp:)?//", target):
        return "", "text"
    target = html.unescape(target)
    with contextlib.suppress(UnicodeDecodeError):
        target = unquote(target, errors="strict")
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
