"""An independent reader of links, slow and plain: innermost-first rewriting to a fixed point.

It shares no code with the product's reader, only the facts of the wiki (namespaces, prefixes), and yields each
link to an article as (title, text), outside templates, references, comments, galleries and captions.
"""

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


def article_links(wikitext: str, site: Site) -> list[tuple[str, str]]:
    """Returns (title, text) of each link to an article, in the order in which they open."""
    text = _without_hidden(wikitext)
    links: list[tuple[int, str, str]] = []  # (place, title, text)
    shown: list[str] = []  # what each place stands for in the text around it
    in_caption: set[int] = set()

    def rewrite(match: re.Match[str]) -> str:
        content = match[1]
        target, bar, label = content.partition("|")
        inner = [int(number) for number in _PLACE.findall(content)]
        title, kind = _classify(target, site)
        if kind == "file":
            in_caption.update(inner)
            text_of = ""
        elif inner or kind == "text":
            text_of = label if bar else content
        elif kind == "hidden":
            text_of = ""
        else:
            text_of = label if bar else target.strip().lstrip(":")
            if kind == "article" and (text_of.replace("\ue002", "").strip() or not label):
                links.append((len(shown), title, text_of))
        shown.append(text_of)
        return f"\ue000{len(shown) - 1}\ue001"

    while True:
        rewritten = _INNERMOST.sub(rewrite, text)
        if rewritten == text:
            break
        text = rewritten
    captions = _all_inner(in_caption, shown)
    return [(title, text) for place, title, text in links if place not in captions]


def _all_inner(places: set[int], shown: list[str]) -> set[int]:
    """The places, and those within what they stand for."""
    found: set[int] = set()
    waiting = list(places)
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting += [int(number) for number in _PLACE.findall(shown[place])]
    return found


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
    """Returns the title and "article", "file", "hidden" (a category, another language), "other", or "text"."""
    if "\n" in target or "\ue000" in target or re.match("(https?:|ftp:)?//", target):
        return "", "text"
    target = html.unescape(target)
    try:
        target = unquote(target, errors="strict")
    except UnicodeDecodeError:
        pass
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
    if mark and re.search(r"\.(jpe?g|png|svg|gif|tiff?|xcf|webp|og[gav]|webm|pdf|djvu|flac|wav|mp3|midi?|stl)$", title, re.I):
        return "", "other" if colon else "file"
    if mark and key == site.language:
        return rest.strip(), "article"
    if mark and key in site.facts.interwiki_prefixes:
        return "", "hidden" if key in site.facts.interlanguage_codes and not colon else "other"
    return title, "article"
