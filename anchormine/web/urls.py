"""URLs by the WHATWG standard, and the one canonical form under which a page is known.

The canonical form of an http or https URL is what the standard's parser writes (scheme and host in lower
case, the host in Punycode, no default port, no dot segments, "/" for an empty path, what must be
percent-encoded encoded), and then

* without fragment, user name and password;
* percent-encoding as RFC 3986, section 6.2.2, has it: unreserved characters plain, hex digits in upper case;
  and "!*()" plain, which were unreserved in RFC 2396, section 2.3, for both forms of them are in use;
* without the parameters of the query that only track who came from where (`TRACKING`), and without a "?" that
  nothing follows.

http and https stay different, as do "www." and no "www.", "/" at the end and none: some sites answer
differently.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

import ada_url

from anchormine.web.tracking import TRACKING, TrackingParameters, names_of_parameters, tracking_parameters

if TYPE_CHECKING:
    from tldextract import TLDExtract

# Of a URL that is followed: RFC 9110, 4.1, asks no one to support longer ones.
MAX_URL_CHARACTERS: Final = 8000

_TRACKING: Final = tracking_parameters(TRACKING)
_WEB: Final = ("http://", "https://")
# Not where decoding would make a new escape of a stray "%".
# With what is looked for first, to be found fast.
_ESCAPED: Final = re.compile(r"%(?<!%%)(?<!%[0-9A-Fa-f]%)([0-9A-Fa-f]{2})")
# A "%" that begins no escape, right before another: only there decoding may make one.
_STRAY: Final = re.compile("%[0-9A-Fa-f]?%")
# What the standard's parser leaves as it is behind a web URL's host or a folder's URL: nothing to encode in
# it, and no dot segments.
_SEGMENT = r"-A-Za-z0-9_.~!$&'()*+,;=@%"
_AS_WRITTEN: Final = re.compile(
    rf"(?:(https?://[^/?#\\@]+)?(?=/)|[A-Za-z0-9_~-][{_SEGMENT}]*)"
    rf"(?:/(?![./])[{_SEGMENT}:]*)*(?:\?[A-Za-z0-9_.~!$&()*+,;=:@/?%-]*)?(?:#[{_SEGMENT}:/?]*)?"
)
_OTHER_SCHEME = re.compile(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:")
_LONG: Final = 300  # characters of scheme, host and port; a hostile page may have megabytes
_PLAIN: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!*()")
# Escapes that the canonical form has otherwise.
_CHANGED: Final = re.compile(
    f"%(?:[0-9A-Fa-f][a-f]|[a-f][0-9A-F]|{'|'.join(f'{ord(character):02X}' for character in sorted(_PLAIN))})"
)


def join(base: str, href: str) -> str | None:
    """Returns the absolute URL that a link means, fragment and all, or None for one that no browser follows.

    Args:
        base: absolute URL of the page, or of its `<base>`.
        href: as written.
    """
    try:
        return ada_url.join_url(base, href)
    except ValueError:
        return None


def join_as_written(folder: str, href: str) -> str | None:
    """Does what `join` does, in a fifth of the time, for what needs only be put behind its base.

    Args:
        folder: absolute web URL as `join` returns it, of a folder: it ends with "/". Of a site's root, where
            `href` starts with "/".
        href: as written.

    Returns:
        what `join` would; None for any other `href`, which it may well know how to join.
    """
    if href.startswith("../"):
        folder, href = _from_above(folder, href)
    match = _AS_WRITTEN.fullmatch(href)
    if match is None or ("%2" in href and "%2e" in href.lower()):  # "%2e" means "."
        return None
    origin = match[1]
    if origin is not None:
        return href if len(origin) <= _LONG and _is_as_written(origin) else None
    return folder[:-1] + href if href[0] == "/" else folder + href


def _from_above(folder: str, href: str) -> tuple[str, str]:
    """Returns a folder above, and the path to what is meant from there, with a "/" before it."""
    while href.startswith("../"):
        href = href[3:]
        folder = folder[: max(folder.rfind("/", 0, -1), folder.find("/", 8)) + 1]
    return folder, f"/{href}"


@lru_cache(maxsize=1 << 14)
def _is_as_written(origin: str) -> bool:
    """Tells whether the standard's parser leaves scheme, host and port as they are."""
    url = f"{origin}/"
    return join(url, "") == url


def canonical_url(url: str, tracking: Sequence[str] = TRACKING) -> str | None:
    """Returns the canonical form of a URL, as told above; None for what is no http or https URL.

    Args:
        url: absolute; None, too, for one of more than `MAX_URL_CHARACTERS`.
        tracking: parameters to take out of the query; () for none.

    Raises:
        UsageError: `tracking` is one text.
    """
    return _canonical_url(url, names_of_parameters(tracking)) if len(url) <= MAX_URL_CHARACTERS else None


# That of a page is asked for when it is found, when its links are and when it names the address itself.
@lru_cache(maxsize=1 << 6)
def _canonical_url(url: str, tracking: tuple[str, ...]) -> str | None:
    try:
        return canonical_of_joined(ada_url.normalize_url(url), tracking_parameters(tracking))
    except ValueError:
        return None


def why_no_address(url: str) -> str:
    """Returns the reason for a URL that has no canonical form: "scheme" (not of the web) or "bad_url"."""
    return "scheme" if _OTHER_SCHEME.match(url) else "bad_url"


def canonical_of_joined(url: str, tracking: TrackingParameters = _TRACKING) -> str | None:
    """Does what `canonical_url` does for what `join` returned, in less time: it is parsed already."""
    if not url.startswith(_WEB):
        return None
    if "#" in url:
        url = without_fragment(url)
    if "@" in url and "@" in url[: url.find("/", 8)]:
        url = ada_url.replace_url(url, username="", password="")
    if "%" in url:
        url = _with_plain_escapes(url)
    start = url.find("?")
    if start < 0:
        return url
    query = tracking.without(url[start + 1 :])
    return f"{url[:start]}?{query}" if query else url[:start]


def _with_plain_escapes(url: str) -> str:
    """Returns a URL with its percent-encoding as the canonical form has it.

    One form of escape after the other: a URL may have thousands of escapes, but few forms of them.
    """
    if _STRAY.search(url):
        return _ESCAPED.sub(lambda match: _plainer(match[1]), url)
    match = _CHANGED.search(url)
    while match is not None:
        url = url.replace(match[0], _plainer(match[0][1:]))
        match = _CHANGED.search(url, match.start())
    return url


def _plainer(digits: str) -> str:
    character = chr(int(digits, 16))
    return character if character in _PLAIN else f"%{digits.upper()}"


def without_fragment(url: str) -> str:
    """Returns a URL up to its "#"."""
    return url.partition("#")[0]


def fragment_of(url: str) -> str | None:
    """Returns what stands behind the "#" of a URL; None if nothing does."""
    return url.partition("#")[2] or None


def page_id_of(canonical: str) -> str:
    """Returns the id of the page with a canonical URL: "web:" and 16 hex digits of its BLAKE2b hash."""
    return "web:" + blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def registered_domain(url: str) -> str:
    """Returns the domain that was registered for a URL's host, by the public suffix list: "bbc.co.uk".

    Suffixes of companies that give names to the public count as suffixes: the authors of a.github.io and
    b.github.io are two. The list is the snapshot that comes with tldextract: nothing is downloaded. Where it
    knows none, the last label is the suffix, as the list's own rules have it. An IP address, and a host that
    is itself a public suffix or of one label ("localhost"), is returned as it is; "" where there is none.
    """
    host = _host_of(url)
    return (_known_domain if len(host) <= _LONG else _domain_of_host)(host)


def have_same_domain(url: str, other: str) -> bool:
    """Tells whether the registered domains of two URLs are one.

    For one host, or hosts with other last labels, the list is not asked for: to load it takes long.
    """
    host, another = _host_of(url), _host_of(other)
    if host == another:
        return True
    if "[" not in host + another and _last_label(host) != _last_label(another):
        return False
    return registered_domain(url) == registered_domain(other)


def _last_label(host: str) -> str:
    return host.partition(":")[0].rstrip(".").rpartition(".")[2]


def _host_of(url: str) -> str:
    host = url.partition("://")[2].partition("/")[0].partition("?")[0].partition("#")[0]
    return host.rpartition("@")[2].lower()


@lru_cache(maxsize=1 << 16)
def _known_domain(host: str) -> str:
    return _domain_of_host(host)


def _domain_of_host(host: str) -> str:
    name = host.partition("]")[0][1:] if host.startswith("[") else host.partition(":")[0]
    name = name.rstrip(".")
    try:
        return str(ip_address(name))
    except ValueError:
        found = _suffix_list()(name)
    if found.suffix:
        return found.top_domain_under_public_suffix or name
    return ".".join(name.rsplit(".", 2)[-2:])


@cache
def _suffix_list() -> TLDExtract:
    from tldextract import TLDExtract  # most of the time that a process takes to start, and few need it

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
