"""URLs by the WHATWG standard, and the one canonical form under which a page is known.

The canonical form of an http or https URL is what the standard's parser writes (scheme and host in lower
case, the host in Punycode, no default port, no dot segments, "/" for an empty path, what must be
percent-encoded encoded), and then

* without fragment, user name and password;
* percent-encoding as RFC 3986, section 6.2.2, has it: unreserved characters plain, hex digits in upper case;
* without the parameters of the query that only track who came from where (`TRACKING`), and without a "?" that
  nothing follows.

http and https stay different, as do "www." and no "www.", "/" at the end and none: some sites answer
differently.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from ipaddress import ip_address

import ada_url
import tldextract

# Parameters that say where a visitor came from, not what is shown; a "*" at the end stands for anything.
TRACKING = tuple(
    "utm_* mtm_* pk_campaign pk_kwd pk_source pk_medium pk_content "  # campaigns, by those who count visitors
    "gclid gclsrc dclid gbraid wbraid gad_source srsltid _ga _gl "  # Google
    "fbclid igshid igsh msclkid twclid ttclid li_fat_id yclid ysclid "  # other networks
    "mc_cid mc_eid _hsenc _hsmi mkt_tok vero_id oly_anon_id oly_enc_id".split()  # letters by mail
)

_WEB = ("http://", "https://")
# Not where decoding would make a new escape of a stray "%".
_ESCAPED = re.compile(r"(?<!%)(?<!%[0-9A-Fa-f])%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_extract_domain = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


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


def canonical_url(url: str, tracking: Sequence[str] = TRACKING) -> str | None:
    """Returns the canonical form of a URL, as told above; None for what is no http or https URL.

    Args:
        url: absolute.
        tracking: parameters to take out of the query; () for none.
    """
    try:
        return canonical_of_joined(ada_url.normalize_url(url), tracking)
    except ValueError:
        return None


def canonical_of_joined(url: str, tracking: Sequence[str] = TRACKING) -> str | None:
    """Does what `canonical_url` does for what `join` returned, in less time: it is parsed already."""
    if not url.startswith(_WEB):
        return None
    if "#" in url:
        url = without_fragment(url)
    if "@" in url and "@" in url[: url.find("/", 8)]:
        url = ada_url.replace_url(url, username="", password="")
    if "%" in url:
        url = _ESCAPED.sub(_plainer, url)
    start = url.find("?")
    return url if start < 0 else _with_query(url, start, tuple(tracking))


def _plainer(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _with_query(url: str, start: int, tracking: tuple[str, ...]) -> str:
    """Takes tracking parameters out of the query that starts at `start`; what stays is as it was."""
    query = url[start + 1 :]
    if tracking:
        pattern = _tracking_pattern(tracking)
        if pattern.search(query):
            query = "&".join(part for part in query.split("&") if not pattern.match(part))
    return f"{url[:start]}?{query}" if query else url[:start]


@cache
def _tracking_pattern(tracking: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(re.escape(name).replace(r"\*", "[^=&]*") for name in tracking)
    return re.compile(rf"(?:^|(?<=&))(?:{names})(?==|&|$)", re.IGNORECASE)


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
    host = url.partition("://")[2].partition("/")[0].partition("?")[0].partition("#")[0]
    return _domain_of_host(host.rpartition("@")[2].lower())


@lru_cache(maxsize=1 << 16)
def _domain_of_host(host: str) -> str:
    name = host.partition("]")[0][1:] if host.startswith("[") else host.partition(":")[0]
    name = name.rstrip(".")
    try:
        return str(ip_address(name))
    except ValueError:
        found = _extract_domain(name)
    if found.suffix:
        return found.top_domain_under_public_suffix or name
    return ".".join(name.rsplit(".", 2)[-2:])
