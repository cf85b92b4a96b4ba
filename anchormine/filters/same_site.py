"""Rule `same_site`: links within one site, which its owner wrote for those who are there already."""

from __future__ import annotations

import re

from anchormine.web.urls import have_same_domain, join

SAME_SITE = "same_site"
OFF = "off"
SCOPES = ("domain", "host", "code", OFF)
# RFC 3986, appendix B, without the user's name.
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#]+)")
_PLAIN_HOST = re.compile(r"https?://[a-z0-9.-]+(?:[/:]|\Z)")


def same_site(source_url: str | None, target: str, scope: str = "domain") -> str | None:
    """The reason to drop a link that stays on its site, or None.

    Args:
        source_url: of the page that links; None, as on a wiki or where it is not known, is never the same
            site.
        target: the address it leads to, be it by another; one without a host, such as a title, is never the
            same site, but for "code".
        scope: "domain" compares registered domains, so that www.example.co.uk and shop.example.co.uk are one
            site; "host" compares host and port as they are written; "code" compares what Anchor-DR's program
            takes for the host, and drops what has none; "off" drops nothing.
    """
    if scope == OFF or source_url is None:
        return None
    if scope == "code":
        places = _place_in_code(source_url), _place_in_code(target)
        return SAME_SITE if "" in places or places[0] == places[1] else None
    source, destination = host_of(source_url), host_of(target)
    if not source or not destination:
        return None
    if source == destination:
        return SAME_SITE
    same = scope == "domain" and have_same_domain(_in_one_form(source_url), _in_one_form(target))
    return SAME_SITE if same else None


def origin_of(url: str) -> str:
    """Scheme, host and port of an absolute address, as written; "" where it has none."""
    match = _HOST.match(url)
    return match[0] if match else ""


def _place_in_code(url: str) -> str:
    """What follows 7 characters, or 8 where an "https://" is anywhere, up to the next "/"."""
    if "https://" in url:
        return url[8:].partition("/")[0]
    return url[7:].partition("/")[0] if "http://" in url else ""


def _in_one_form(url: str) -> str:
    """An address as the URL standard writes its host; those of crawls are, those of ClueWeb22 may not be."""
    return url if _PLAIN_HOST.match(url) else join(url, "") or url


def host_of(url: str) -> str:
    """Host and port of an absolute address, as written; "" where it has none."""
    match = _HOST.match(url)
    return match[1] if match else ""
