"""What the links of one page point to."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.encodings.query_codings import query_codec, with_encoded_query
from anchormine.web.tracking import TRACKING, tracking_parameters
from anchormine.web.urls import (
    MAX_URL_CHARACTERS,
    canonical_of_joined,
    canonical_url,
    join,
    join_as_written,
    why_no_address,
)

MAX_TARGET_CHARACTERS: Final = 32_000_000  # of a page's links together: each may repeat what its base has
_STRIPPED: Final = "".join(map(chr, range(33)))  # C0 controls and space: URL standard, 4.4, step 1
_OF_FRAGMENTS: Final = ("", "#")  # first characters of links to a place of the page that they are relative to
_OF_PAGE: Final = (*_OF_FRAGMENTS, "?")  # and of all that are relative to that page itself
_WEB: Final = ("http://", "https://")
_NO_BASE = "about:blank"  # nothing is relative to it

_new: Final = tuple.__new__  # takes half the time of a NamedTuple's own constructor


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
        own: canonical URL of the page; None for what is not of the web.
        folder: absolute URL of the base's folder.
        site: key of a cache of what links mean: pages that have the same resolve every href alike, but for
            those that `of_page` and `of_folder` tell of, and links to one of the pages.
        addresses: those found, in order.
        of_page: whether a link was found whose meaning is the page's alone, since the caller last reset this.
        of_folder: the same of a link that means the same in all pages of the folder.
        characters: of the URLs found, and of those that the caller found out otherwise.
    """

    def __init__(
        self,
        url: str,
        base: str | None = None,
        tracking: Sequence[str] = TRACKING,
        encoding: str = "utf-8",
    ) -> None:
        """Starts a page.

        Args:
            url: the page's own, absolute.
            base: href of its `<base>`, which does not count if nothing can be relative to it, as to
                "mailto:x".
            tracking: parameters that the canonical form leaves out.
            encoding: of the page, by its name in the WHATWG's standard.
        """
        names = tuple(tracking)
        self._tracking = tracking_parameters(names)
        self.own = canonical_url(url, names)
        joined = join(url, base) if base else None
        self.base = (joined if joined and _root_of(joined) else join(url, "")) or _NO_BASE
        if len(self.base) > MAX_URL_CHARACTERS:  # each link to the page would have as many
            self.base = _NO_BASE
        path = self.base.partition("?")[0].partition("#")[0]
        self.folder = path[: path.rfind("/") + 1] or self.base
        self._root = _root_of(self.base) or self.folder
        # Whether links to a fragment stay on the page: they do, unless it has a base of its own.
        self._has_own_fragments = (
            self.own is not None and canonical_of_joined(self.base, self._tracking) == self.own
        )
        self._codec = query_codec(encoding)
        self.site = (self._root, names, self._has_own_fragments, self._codec)
        self._join = join_as_written if self.base.startswith(_WEB) else join
        self.addresses: list[str] = []
        self.characters = 0
        self.of_page = self.of_folder = False

    def find(self, href: str) -> Target | str:
        """Returns where a link leads, or the reason why it is none to another page.

        Returns:
            "empty_href" for a link to the page itself, "bad_url" for what no browser can resolve and what has
            more than `MAX_URL_CHARACTERS`, "scheme" for other URLs than of http and https, "self" for a
            place of the page itself.

        Raises:
            PageRejected: "too_large", where the page's links lead to more than `MAX_TARGET_CHARACTERS`.
        """
        href = href.strip(_STRIPPED)
        if len(href) > MAX_URL_CHARACTERS:
            return why_no_address(href)
        href = with_encoded_query(href, self._codec)
        if self._has_own_fragments and href[:1] in _OF_FRAGMENTS:
            return "self" if href else "empty_href"
        base = self._base_of(href)
        joined = self._join(base, href)
        if joined is None:
            if base is self.folder:  # but "http:?x" is of the page, and there are more such
                base = self.base
                self.of_page = True
            joined = join(base, href)
        if joined is None or len(joined) > MAX_URL_CHARACTERS:
            return "bad_url"
        self.characters += len(joined)
        self.check_characters()
        address = canonical_of_joined(joined, self._tracking)
        if address is None:
            return "scheme"
        if address == self.own:
            self.of_page = True
            return "self"
        self.addresses.append(address)
        url, _, fragment = joined.partition("#")
        return _new(Target, (url, address, fragment or None))

    def check_characters(self) -> None:
        """Raises PageRejected as `find` does."""
        if self.characters > MAX_TARGET_CHARACTERS:
            raise PageRejected("too_large", f"links to more than {MAX_TARGET_CHARACTERS} characters of URLs")

    def _base_of(self, href: str) -> str:
        """What a link is relative to: nearly all mean the same on every page of a site, or of a folder."""
        first = href[:1]
        if first == "/" or href.startswith(_WEB):
            return self._root
        if first in _OF_PAGE:
            self.of_page = True
            return self.base
        self.of_folder = True
        return self.folder


def _root_of(base: str) -> str | None:
    """Returns what "/" means, relative to a URL as `join` returns it; None where nothing can be relative."""
    return base[: base.find("/", 8) + 1] if base.startswith(_WEB) else join(base, "/")


def is_idle(href: str, reason: str) -> bool:
    """Tells whether a link that leads to no other page leads nowhere: what it does is done on the page.

    Args:
        href: of the link.
        reason: as `LinkTargets.find` gives it.
    """
    return reason == "empty_href" or (reason == "scheme" and href.strip()[:11].lower() == "javascript:")
