"""Words of HTML that a rule file names: those that no page can have, and those that are likely misspelt."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

from anchormine.errors import UsageError
from anchormine.filters.nofollow import LINK_TYPES, NOFOLLOW
from anchormine.filters.robots import DIRECTIVES, ROBOTS
from anchormine.filters.rule_set import RuleSet
from anchormine.web.page.link_tags import rel_of
from anchormine.web.page.robots import VALUED, page_directives

_ALIKE = 0.8  # from here on a word is taken for another with a slip, as "noindx" (0.92) for noindex


def html_words(key: str, given: Iterable[str]) -> tuple[str, ...]:
    """Words of HTML, which are compared in small letters.

    Args:
        key: where they stand, such as "[nofollow] rel".
        given: as a user wrote them.

    Raises:
        UsageError: there are none, or one is more than a word.
    """
    words = tuple(word.strip().lower() for word in given)
    if not words:
        raise UsageError(f"{key}: names nothing, so the rule drops nothing; leave it out of `rules` instead")
    for word in words:
        if rel_of(word) != word or len(word.split()) != 1:  # commas part words, too
            raise UsageError(f"{key}: {word!r} is not one word; write each as a string of its own")
    return words


def check_directives(words: Iterable[str]) -> None:
    """Refuses directives that the rule `robots` can never meet, or hardly.

    Those are what is kept of no page, and slips of directives that there are: a page that has the same slip
    asks for nothing that a robot obeys. Others are taken, as new ones are made up; see `doubts`.

    Raises:
        UsageError: names the nearest directive.
    """
    for word in words:
        name, colon, _ = word.partition(":")
        if name in VALUED and not colon:
            raise UsageError(
                f"{word!r} stands on pages with a value; write both, as in 'max-snippet:0' and "
                "'max-image-preview:none'"
            )
        nearest = _nearest(name, DIRECTIVES)
        if page_directives(word) != {word} or (nearest and name not in DIRECTIVES):
            hint = f"did you mean {nearest}?" if nearest else f"one of {', '.join(DIRECTIVES)}"
            raise UsageError(f"{word!r} is no directive of [robots]; {hint}")


def doubts(rules: RuleSet) -> list[str]:
    """What a person should look at again in a set of rules, a sentence each.

    A `rel` may have any word, and pages misspell theirs, so none is refused.
    """
    return [
        *(_doubted_rel(word) for word in rules.rel if NOFOLLOW in rules.rules and _is_slip(word)),
        *(_doubted_directive(word) for word in rules.directives if ROBOTS in rules.rules and _is_new(word)),
    ]


def _is_slip(rel: str) -> bool:
    return rel not in LINK_TYPES and _nearest(rel, LINK_TYPES) is not None


def _doubted_rel(word: str) -> str:
    return (
        f"[nofollow] rel: {word!r} drops only links that are marked just so; did you mean "
        f"{_nearest(word, LINK_TYPES)}?"
    )


def _is_new(directive: str) -> bool:
    return directive.partition(":")[0] not in DIRECTIVES


def _doubted_directive(word: str) -> str:
    return f"[robots] directives: {word!r} is none that is known, and drops only links of pages that say it"


def _nearest(word: str, known: Collection[str]) -> str | None:
    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=_ALIKE)), None)
