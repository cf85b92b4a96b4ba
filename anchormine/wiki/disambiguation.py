"""Disambiguation pages: known by a template, category, magic word or title, in the language's own words."""

import re

from anchormine.wiki.site import CATEGORY, Site
from anchormine.wiki.titles import fold_first, normalise_title

_TEMPLATE_NAME = re.compile(r"\{\{\s*([^|{}<\n]*[^|{}<\s])")


def is_disambiguation(
    title: str, wikitext: str, removed: list[tuple[str, str]], dropped: list[tuple[str, str]], site: Site
) -> bool:
    """Tells whether a page only lists pages of the same name.

    Args:
        title: of the page.
        wikitext: of the page.
        removed: what `article.prefilter` took out of it: (reason, text).
        dropped: its links that are not anchors: (reason, "[[target]]").
        site: the wiki.
    """
    if title.endswith(")") and title.rpartition(" (")[2][:-1] in site.facts.disambiguation_title_suffixes:
        return True
    if "__" in wikitext and site.disambiguation_switches.search(wikitext):
        return True
    # The plain text is asked first, for nearly all pages are none; what it says is then checked.
    if not site.disambiguation_templates.isdisjoint(_TEMPLATE_NAME.findall(wikitext)) and any(
        reason == "template" and _name(text) in site.disambiguation_templates for reason, text in removed
    ):
        return True
    if any(name in wikitext for name in site.facts.disambiguation_categories):
        return any(reason == "namespace" and _is_category(link[2:-2], site) for reason, link in dropped)
    return False


def _name(template: str) -> str:
    match = _TEMPLATE_NAME.match(template)
    return normalise_title(match[1].rpartition(":")[2]) if match else ""


def _is_category(target: str, site: Site) -> bool:
    if site.target(target).namespace != CATEGORY:
        return False
    name = normalise_title(target.partition(":")[2])
    return fold_first(name) in site.facts.disambiguation_categories
