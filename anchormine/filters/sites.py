"""Rule `same_site`: links within one site, which its owner wrote for those who are there already."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import tldextract

SAME_SITE = "same_site"
SCOPES = ("domain", "host", "off")
# RFC 3986, appendix B, without the user's name; the addresses of a crawl are normalised before.
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#]+)")
_PORT = re.compile(r":\d*$")
_REMEMBERED_HOSTS = 1 << 16


def same_site(source_url: str | None, target: str, scope: str = "domain") -> str | None:
    """The reason to drop a link that stays on its site, or None.

    Args:
        source_url: of the page that links; None, as on a wiki, is never the same site.
        target: the address it leads to; one without a host, such as a title, is never the same site.
        scope: "domain" compares registered domains, so that www.example.co.uk and shop.example.co.uk are one
            site; "host" compares host and port as they are written, as Anchor-DR's program does; "off" drops
            nothing.
    """
    if scope == "off" or source_url is None:
        return None
    source, destination = host_of(source_url), host_of(target)
    if not source or not destination:
        return None
    if source != destination and (
        scope == "host" or registered_domain(source) != registered_domain(destination)
    ):
        return None
    return SAME_SITE


def host_of(url: str) -> str:
    """Host and port of an absolute address, as written; "" where it has none."""
    match = _HOST.match(url)
    return match[1] if match else ""


@lru_cache(_REMEMBERED_HOSTS)
def registered_domain(host: str) -> str:
    """The domain that somebody has registered, with the suffix below which it is: example.co.uk.

    Suffixes of companies that give names to the public count as suffixes: the authors of a.github.io and
    b.github.io are two.

    Args:
        host: with or without a port.

    Returns:
        The domain in lower case; the host itself where it has none, as an IP address or localhost.
    """
    name = _PORT.sub("", host).rstrip(".").lower()
    return _suffixes().extract_str(name).top_domain_under_public_suffix or name


@cache
def _suffixes() -> tldextract.TLDExtract:
    """The public suffix list that comes with tldextract; nothing is fetched or written."""
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
