"""What the links of one page point to."""

from collections.abc import Sequence
from typing import NamedTuple

from anchormine.web.urls import TRACKING, canonical_of_joined, canonical_url, join

_STRIPPED = " \t\n\r\f"  # what the URL standard takes from both ends, of what HTML lets stand there


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
        self.base = joined if joined and canonical_of_joined(joined) else url
        self._known: dict[str, Target | str] = {}

    def find(self, href: str) -> Target | str:
        """Returns where a link leads, or the reason why it is none to another page.

        Returns:
            "empty_href", "bad_url" for what no browser can resolve, "scheme" for other URLs than of http and
            https, "self" for a place of the page itself.
        """
        found = self._known.get(href)
        if found is None:
            found = self._known[href] = self._find(href)
        return found

    def _find(self, href: str) -> Target | str:
        if not href.strip(_STRIPPED):
            return "empty_href"
        joined = join(self.base, href)
        if joined is None:
            return "bad_url"
        address = canonical_of_joined(joined, self._tracking)
        if address is None:
            return "scheme"
        if address == self._own:
            return "self"
        url, _, fragment = joined.partition("#")
        return Target(url, address, fragment or None)
