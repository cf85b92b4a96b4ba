"""A set of rules: which are applied, in which order, and how strictly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from anchormine.errors import UsageError
from anchormine.filters.cleaning import CLEANING, PROFILES
from anchormine.filters.header_footer import HEADER_FOOTER, PAGE_FRAME
from anchormine.filters.keywords import KEYWORDS, LISTS, Keywords
from anchormine.filters.length import LENGTH, MAX_WORDS
from anchormine.filters.nofollow import NOFOLLOW, UNVOUCHED
from anchormine.filters.robots import REFUSALS, ROBOTS
from anchormine.filters.same_site import OFF, SAME_SITE, SCOPES
from anchormine.schemas.anchors import REGIONS

# Each is the name of a rule, and the reason for which it drops an anchor.
RULES = (HEADER_FOOTER, SAME_SITE, CLEANING, KEYWORDS, LENGTH, NOFOLLOW, ROBOTS)


@dataclass(frozen=True)
class RuleSet:
    """Which rules are applied, and how.

    Attributes:
        name: of a built-in set, or of the file.
        rules: of `RULES`, in the order in which they are applied; an anchor is dropped by the first that has
            a reason. Rules behind `cleaning` see the clean text.
        regions: of `header_footer`.
        same_site: scope, "domain", "host" or "code".
        cleaning: profile, "ours" or "code".
        keyword_lists: which of our lists `keywords` takes, one of `anchormine.filters.keywords.LISTS`.
        own_keywords: more of them, in forms of the texts that `keywords` sees (see `keyword_cleaning`).
        max_words: of `length`.
        unspaced: whether `length` counts words in scripts without spaces.
        rel: of `nofollow`.
        directives: of `robots`.
    """

    name: str
    rules: tuple[str, ...]
    regions: tuple[str, ...] = PAGE_FRAME
    same_site: str = "domain"
    cleaning: str = "ours"
    keyword_lists: str = "languages"
    own_keywords: Keywords = field(default_factory=dict)
    max_words: int = MAX_WORDS
    unspaced: bool = True
    rel: tuple[str, ...] = UNVOUCHED
    directives: tuple[str, ...] = REFUSALS

    def __post_init__(self) -> None:
        twice = [rule for rule in self.rules if self.rules.count(rule) > 1]
        if twice:
            raise UsageError(f"rules: {twice[0]} is there twice; name each rule once")
        for rule in self.rules:
            _check("rules", rule, RULES)
        for region in self.regions:
            _check("regions", region, REGIONS)
        _check("same_site", self.same_site, SCOPES[:-1])
        _check("cleaning", self.cleaning, tuple(PROFILES))
        _check("keywords", self.keyword_lists, LISTS)
        if self.max_words < 1:
            raise UsageError(f"max_words {self.max_words}: give 1 or more")

    @property
    def keyword_cleaning(self) -> str | None:
        """The profile by which the texts that `keywords` sees are cleaned; None where they are not."""
        clean = KEYWORDS in self.rules and CLEANING in self.rules[: self.rules.index(KEYWORDS)]
        return self.cleaning if clean else None

    def with_same_site(self, scope: str) -> RuleSet:
        """The set with another scope; "off" takes the rule out.

        Raises:
            UsageError: there is no such scope, or no such rule in it to be changed.
        """
        _check("same_site", scope, SCOPES)
        if scope == OFF:
            return replace(self, rules=tuple(rule for rule in self.rules if rule != SAME_SITE))
        if SAME_SITE not in self.rules:
            raise UsageError(
                f"--same-site {scope}: the rules {self.name} have no {SAME_SITE}; use another set"
            )
        return replace(self, same_site=scope)

    def with_keywords(self, own: Keywords) -> RuleSet:
        """The set with more keywords.

        Raises:
            UsageError: keywords do not matter in it.
        """
        if KEYWORDS not in self.rules:
            raise UsageError(f"--keywords: the rules {self.name} have no {KEYWORDS}; use another set")
        merged = {
            language: self.own_keywords.get(language, frozenset()) | own.get(language, frozenset())
            for language in sorted({*self.own_keywords, *own})
        }
        return replace(self, own_keywords=merged)

    def to_json(self) -> dict[str, Any]:
        """The set as the manifest has it: what decides about an anchor, and nothing else."""
        constants: Mapping[str, dict[str, Any]] = {
            HEADER_FOOTER: {"regions": list(self.regions)},
            SAME_SITE: {"scope": self.same_site},
            CLEANING: {"profile": self.cleaning},
            KEYWORDS: {
                "lists": self.keyword_lists,
                "own": {language: sorted(forms) for language, forms in self.own_keywords.items()},
            },
            LENGTH: {"max_words": self.max_words, "unspaced": self.unspaced},
            NOFOLLOW: {"rel": list(self.rel)},
            ROBOTS: {"directives": list(self.directives)},
        }
        return {rule: constants[rule] for rule in self.rules}


def _check(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{name}: {value!r} is none of {', '.join(choices)}")


# SIGIR 2023, section 3.1.
ANCHOR_DR = (HEADER_FOOTER, SAME_SITE, CLEANING, KEYWORDS, LENGTH)
BUILT_IN = {
    rule_set.name: rule_set
    for rule_set in (
        RuleSet("anchor-dr", ANCHOR_DR),
        RuleSet(
            "anchor-dr-code",
            ANCHOR_DR,
            same_site="code",
            cleaning="code",
            keyword_lists="english",
            unspaced=False,
        ),
        # In articles, what menus of sites say is a topic ("privacy").
        RuleSet("wikipedia", (CLEANING, KEYWORDS, LENGTH), keyword_lists="english"),
        RuleSet("none", ()),
    )
}
