# SPDX-License-Identifier: Apache-2.0
"""The links of the demo crawl's pages, read with the standard library only: what mining it should find."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

_VOID = frozenset("area base br hr img link meta".split())
_BLOCKS = frozenset("h1 h2 p".split())
_BOILERPLATE = {"banner": "header", "navigation": "nav", "contentinfo": "footer", "complementary": "aside"}
_REGIONS = {
    "table": "table",
    "caption": "caption",
    "figcaption": "caption",
    "ul": "list",
    "ol": "list",
    "dl": "list",
}
_RANKS = ("body", "list", "table", "caption")
_TRACKING = re.compile(r"(?:utm_\w+|fbclid|gclid)=[^&]*&?")


class PageLink(NamedTuple):
    """A link to another address.

    Attributes:
        text: as shown.
        url: absolute, without fragment and tracking.
        region: as in the table of anchors.
        rel: as written.
        image_alt: whether it is an image.
    """

    text: str
    url: str
    region: str
    rel: str | None
    image_alt: bool


class PageLinks(HTMLParser):
    """Reads a page.

    Attributes:
        links: those that lead to another address.
        dropped: the reason of every other.
        proper: URL of the page that it names as its proper form, or moves on to.
    """

    def __init__(self, url: str, html: str) -> None:
        """Reads the page that is at `url`."""
        super().__init__()
        self.links: list[PageLink] = []
        self.dropped: list[str] = []
        self.proper: str | None = None
        self._own = self._base = url
        self._open: list[tuple[str, str, bool]] = []  # name, region, hidden
        self._href: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "base":
            self._base = found["href"]
        elif tag == "link" and found["rel"] == "canonical":
            self._name(found["href"])
        elif tag == "meta" and found.get("http-equiv") == "refresh":
            self._name(found["content"].partition("url=")[2])
        elif tag == "a":
            self._start(found)
        elif tag == "area":
            self._start(found)
            self._alt = found.get("alt", "")
            self._end()
        elif tag == "img" and self._href is not None:
            self._alt += found["alt"]
        if tag not in _VOID:
            self._open.append((tag, _region(tag, found), _is_hidden(found)))

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._end()
        elif tag in _BLOCKS:
            self.handle_data(" ")
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._href is not None:
            self._text += data

    def _name(self, href: str) -> None:
        url = urljoin(self._base, href)
        self.proper = url if url != self._own else None

    def _start(self, found: dict[str, str]) -> None:
        self._href, self._rel, self._text, self._alt = found["href"], found.get("rel"), "", ""

    def _end(self) -> None:
        assert self._href is not None
        text, alt = " ".join(self._text.split()), " ".join(self._alt.split())
        reason, url = self._address(self._href)
        if any(hidden for _, _, hidden in self._open):
            self.dropped.append("hidden")
        elif reason:
            self.dropped.append(reason)
        elif not text and not alt:
            self.dropped.append("no_text")
        else:
            self.links.append(PageLink(text or alt, url, self._where(), self._rel, not text))
        self._href = None

    def _address(self, href: str) -> tuple[str, str]:
        """Returns why a link leads to no other page, or "", and its address."""
        if not href:
            return "empty_href", ""
        try:
            url = urljoin(self._base, href).partition("#")[0]
        except ValueError:
            return "bad_url", ""
        if urlsplit(url).scheme not in ("http", "https"):
            return "scheme", ""
        url = _TRACKING.sub("", url).rstrip("?&")
        url = url if urlsplit(url).path else url + "/"
        return ("self", "") if url == self._own else ("", url)

    def _where(self) -> str:
        regions = [region for _, region, _ in self._open]
        outer = [region for region in regions if region not in _RANKS]
        return outer[0] if outer else max(["body", *regions], key=_RANKS.index)


def _region(tag: str, attributes: dict[str, str]) -> str:
    role = attributes.get("role", "")
    if role == "presentation":
        return "body"
    if tag in ("header", "nav", "footer", "aside"):
        return tag
    return _BOILERPLATE.get(role) or _REGIONS.get(tag, "body")


def _is_hidden(attributes: dict[str, str]) -> bool:
    style = attributes.get("style", "").replace(" ", "")
    return "hidden" in attributes or "display:none" in style or attributes.get("aria-hidden") == "true"
