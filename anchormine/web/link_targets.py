"""What the links of one page point to."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from anchormine.web.urls import TRACKING, canonical_of_joined, canonical_url, join

_STRIPPED = "".join(map(chr, range(33)))  # C0 controls and space: URL standard, 4.4, step 1
_OF_PAGE = ("", "#", "?")  # first characters of what is relative to the page itself
_WEB = ("http://", "https://")
_LONG = 1000  # characters of a link that is not remembered: a hostile page may have megabytes
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
        self._tracking = " ".join(tracking)  # the hash of a text is computed once, of a tuple for each link
        self._own = canonical_url(url, tracking)
        joined = join(url, base) if base else None
        self.base = joined if joined and canonical_of_joined(joined) else join(url, "") or _NO_BASE
        path = self.base.partition("?")[0].partition("#")[0]
        self._folder = path[: path.rfind("/") + 1] or self.base
        self._site = join(self.base, "/") or self._folder
        # Whether links to a fragment stay on the page: they do, unless it has a base of its own.
        self._has_own_fragments = (
            self._own is not None and canonical_of_joined(self.base, tracking) == self._own
        )

    def find(self, href: str) -> Target | str:
        """Returns where a link leads, or the reason why it is none to another page.

        Returns:
            "empty_href", "bad_url" for what no browser can resolve, "scheme" for other URLs than of http and
            https, "self" for a place of the page itself.
        """
        href = href.strip(_STRIPPED)
        first = href[:1]
        # Nearly all links mean the same on every page of a site, or of a folder.
        if first == "/" or href.startswith(_WEB):
            base = self._site
        elif first == "#" and self._has_own_fragments:
            return "self"
        else:
            base = self.base if first in _OF_PAGE else self._folder
        resolve = _resolve if len(href) <= _LONG else _resolve.__wrapped__
        found = resolve(base, href, self._tracking)
        return "self" if found[1] == self._own and type(found) is Target else found


@lru_cache(maxsize=1 << 16)
def _resolve(base: str, href: str, tracking: str) -> Target | str:
    if not href:
        return "empty_href"
    joined = join(base, href)
    if joined is None:
        return "bad_url"
    address = canonical_of_joined(joined, tuple(tracking.split()))
    if address is None:
        return "scheme"
    url, _, fragment = joined.partition("#")
    return Target(url, address, fragment or None)
