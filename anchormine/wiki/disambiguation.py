"""Disambiguation pages: known by a template, category, magic word or title, in the language's own words."""

from anchormine.wiki.site import CATEGORY, Site
from anchormine.wiki.titles import fold_first, normalise_title

_NAME_END = 100  # where the longest name has long ended


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
    # A page has a few kinds of templates, each of them many times.
    kinds = {text[2:_NAME_END].partition("|")[0] for reason, text in removed if reason == "template"}
    if any(_is_named(kind, site.disambiguation_templates) for kind in kinds):
        return True
    plain = wikitext.replace("_", " ")
    if any(name[1:] in plain for name in site.facts.disambiguation_categories):  # in either case
        return any(reason == "namespace" and _is_category(link[2:-2], site) for reason, link in dropped)
    return False


def _is_named(written: str, names: frozenset[str]) -> bool:
    """Tells whether what stands between "{{" and "|" is one of the names, with or without its namespace."""
    name = written.partition("}")[0].strip().replace("_", " ")
    return name in names or (":" in name and name.partition(":")[2].lstrip() in names)


def _is_category(target: str, site: Site) -> bool:
    if site.target(target).namespace != CATEGORY:
        return False
    name = normalise_title(target.partition(":")[2])
    return fold_first(name) in site.facts.disambiguation_categories
