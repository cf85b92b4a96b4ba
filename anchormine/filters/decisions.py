"""What a set of rules says of an anchor."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from anchormine.filters.cleaning import CLEANING, clean_anchor, cleaning
from anchormine.filters.header_footer import HEADER_FOOTER, header_footer
from anchormine.filters.keywords import KEYWORDS, keywords
from anchormine.filters.length import LENGTH, length
from anchormine.filters.nofollow import NOFOLLOW, nofollow
from anchormine.filters.robots import ROBOTS
from anchormine.filters.rule_set import RuleSet
from anchormine.filters.same_site import SAME_SITE, same_site


class Candidate(NamedTuple):
    """What rules look at: these columns of `anchors/`, in the order of the record.

    Attributes:
        anchor: the text as shown.
        target: the address it leads to; a title on a wiki.
        region: where it stands.
        rel: of the link.
        language: of its page.
        source_url: of its page; None on a wiki, or where it is not known.
        refused: whether its page asks robots for what `robots` drops it for; `pages/` has what it asks.
        of_wiki: whether its page is one of a wiki, and not of a crawl.
    """

    anchor: str
    target: str
    region: str
    rel: str | None
    language: str | None
    source_url: str | None
    refused: bool = False
    of_wiki: bool = False


class Decision(NamedTuple):
    """What became of an anchor.

    Attributes:
        clean: its text as the last rule has seen it.
        reason: why it is dropped, the name of the rule; None if it is kept.
        passed: how many rules it has passed.
    """

    clean: str
    reason: str | None
    passed: int


def judge(candidate: Candidate, rules: RuleSet) -> Decision:
    """Applies rules to an anchor, in their order, up to the first that drops it."""
    text = candidate.anchor
    for passed, rule in enumerate(rules.rules):
        if rule == CLEANING:
            text = clean_anchor(text, rules.cleaning)
        reason = _APPLIED[rule](candidate, text, rules)
        if reason:
            return Decision(text, reason, passed)
    return Decision(text, None, len(rules.rules))


_APPLIED: dict[str, Callable[[Candidate, str, RuleSet], str | None]] = {
    HEADER_FOOTER: lambda row, _, rules: header_footer(row.region, rules.regions, row.of_wiki),
    SAME_SITE: lambda row, _, rules: same_site(row.source_url, row.target, rules.same_site),
    CLEANING: lambda _, text, __: cleaning(text),
    KEYWORDS: lambda row, text, rules: keywords(text, row.language, rules.keyword_lists, rules.own_keywords),
    LENGTH: lambda _, text, rules: length(text, rules.max_words, rules.unspaced),
    NOFOLLOW: lambda row, _, rules: nofollow(row.rel, rules.rel),
    ROBOTS: lambda row, _, __: ROBOTS if row.refused else None,
}
