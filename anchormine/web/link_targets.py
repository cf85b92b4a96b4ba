"""What the links of one page point to."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from anchormine.web.link_tags import link_tag
from anchormine.web.tags import LINK
from anchormine.web.urls import TRACKING, canonical_of_joined, canonical_url, join

_STRIPPED = "".join(map(chr, range(33)))  # C0 controls and space: URL standard, 4.4, step 1
# How links start that are relative to the page: all others mean the same on every page of a folder.
_OF_PAGE = ("", "#", "?")
_NO_BASE = "about:blank"  # nothing is relative to it


class Target(NamedTuple):
    """Where a link leads.

    Attributes:
        url: absolute, without fragment.
        address: its canonical form.
        fragment: None if it has none.
    """

    url: str
    address: str
    fragment: str | None


class LinkTargets:
    """Resolves what is written in the links of one page.

    Attributes:
        base: absolute URL that links are relative to.
    """

    def __init__(self, url: str, base: str | None = None, tracking: Sequence[str] = TRACKING) -> None:
        """Starts a page.

        Args:
            url: the page's own, absolute.
            base: href of its `<base>`, which only counts if it is an http or https URL.
            tracking: parameters that the canonical form leaves out.
        """
        self._tracking = tuple(tracking)
        self._own = canonical_url(url, self._tracking)
        joined = join(url, base) if base else None
        self.base = joined if joined and canonical_of_joined(joined) else join(url, "") or _NO_BASE
        path = self.base.partition("?")[0].partition("#")[0]
        self._folder = path[: path.rfind("/") + 1] or self.base
        # Whether links to a fragment stay on the page: they do, unless it has a base of its own.
        self._has_own_fragments = (
            self._own is not None and canonical_of_joined(self.base, self._tracking) == self._own
        )

    def read(self, tag: str) -> tuple[str, str | None, Target | str] | None:
        """Returns what the start tag of an `a` says: its href, its rel, and what `find` returns for the href.

        None for a tag that is no link, or that hides it.
        """
        found = _read(tag, self._folder, self._tracking)
        if found is None:
            return None
        href, rel, target = found
        if target is None:
            return href, rel, self.find(href)
        if target[1] == self._own and type(target) is Target:
            return href, rel, "self"
        return href, rel, target

    def find(self, href: str) -> Target | str:
        """Returns where a link leads, or the reason why it is none to another page.

        Returns:
            "empty_href", "bad_url" for what no browser can resolve, "scheme" for other URLs than of http and
            https, "self" for a place of the page itself.
        """
        href = href.strip(_STRIPPED)
        if href[:1] not in _OF_PAGE:
            found = _resolve(self._folder, href, self._tracking)
        elif self._has_own_fragments and href[:1] == "#":
            return "self"
        else:
            found = _resolve(self.base, href, self._tracking)
        return "self" if found[1] == self._own and type(found) is Target else found


@lru_cache(maxsize=1 << 16)
def _read(
    tag: str, folder: str, tracking: tuple[str, ...]
) -> tuple[str, str | None, Target | str | None] | None:
    """Does what `LinkTargets.read` does for pages of a folder; a target that depends on the page is None."""
    act, hidden, href, rel = link_tag(tag)
    if act != LINK or hidden:
        return None
    stripped = href.strip(_STRIPPED)
    if stripped[:1] in _OF_PAGE:
        return href, rel, None
    return href, rel, _resolve(folder, stripped, tracking)


@lru_cache(maxsize=1 << 16)
def _resolve(base: str, href: str, tracking: tuple[str, ...]) -> Target | str:
    if not href:
        return "empty_href"
    joined = join(base, href)
    if joined is None:
        return "bad_url"
    address = canonical_of_joined(joined, tracking)
    if address is None:
        return "scheme"
    url, _, fragment = joined.partition("#")
    return Target(url, address, fragment or None)
