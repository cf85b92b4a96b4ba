"""What a page says about itself: language, what robots may do, canonical URL, where it moves on to."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from anchormine.text.language_codes import OF_COUNTRIES, OF_THREE_LETTERS, REPLACED
from anchormine.web.encodings.labels import encoding_of
from anchormine.web.encodings.query_codings import query_codec, with_encoded_query
from anchormine.web.page.robots import MEANT, page_directives, robots_of
from anchormine.web.page.tags import attributes_of
from anchormine.web.urls import canonical_of_joined, join, without_fragment

MAX_HREFS = 100  # different ones that a page or an answer names as its canonical address
REFRESH_SECONDS = 10.0  # a page that stays longer is meant to be read

_LANGUAGE = re.compile(r"\s*([A-Za-z]{2,3})(?![A-Za-z0-9])")
_MEANT_LANGUAGES = {**REPLACED, **OF_COUNTRIES, **OF_THREE_LETTERS}
_NO_ONE_LANGUAGE = frozenset(("und", "mul", "mis", "zxx"))  # codes of ISO 639-2 that name none
_DESCRIBED = frozenset(("og:locale", "language", "dc.language"))
# HTML, 4.2.5.3, the pragma "refresh": seconds, and behind a separator the URL.
_REFRESH = re.compile(
    r"\s*(?=[0-9.])([0-9]*)(?:\.[0-9.]*)?(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(.*)",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)


class PageFacts(NamedTuple):
    """What a page says about itself.

    Attributes:
        language: primary code of its language in lower case, such as "en"; None if it does not say.
        described: the same as its description for other programs has it (`og:locale`, `language`,
            `dc.language`): its author has not meant it for browsers. None without.
        robots: all it says to robots, sorted, such as "noindex,nofollow"; None if nothing.
        canonical: absolute URL of the page it is a copy of; None without, or where it names several.
        refresh: absolute URL that a browser goes on to within `REFRESH_SECONDS`; None without.
    """

    language: str | None
    described: str | None
    robots: str | None
    canonical: str | None
    refresh: str | None


def page_facts(tags: Iterable[str], base: str, encoding: str = "utf-8") -> PageFacts:
    """Reads what the page says.

    Args:
        tags: start tags of its `html`, `meta` and `link`, in order.
        base: absolute URL that its links are relative to.
        encoding: of the page, by its name in the WHATWG's standard.
    """
    robots: set[str] = set()
    languages: list[str] = []
    described: list[str] = []
    canonicals: dict[str, None] = {}
    refresh = None
    for tag in tags:
        if not _may_tell(tag):  # as most do not: finding that out takes a tenth of reading them
            continue
        attributes = attributes_of(tag)
        content = attributes.get("content", "")
        pragma = attributes.get("http-equiv", "").strip().lower()
        if tag.startswith("html"):
            languages.insert(0, attributes.get("lang") or attributes.get("xml:lang") or "")
        elif tag.startswith("link"):
            if "canonical" in attributes.get("rel", "").lower().split():
                canonicals[attributes.get("href", "")] = None
        elif (name := attributes.get("name", "").strip().lower()) in MEANT:
            robots |= page_directives(content)
        elif pragma == "content-language":
            languages.append(only_language(content) or "")
        elif pragma == "refresh" and refresh is None:
            refresh = refresh_target(content, base, encoding)
        elif name in _DESCRIBED or attributes.get("property", "").strip().lower() in _DESCRIBED:
            described.append(_described_language(content))
    return PageFacts(
        next(filter(None, map(declared_language, languages)), None),
        next(filter(None, described), None),
        robots_of(robots),
        only_address(base, canonicals, encoding),
        refresh,
    )


def _described_language(content: str) -> str:
    match = _LANGUAGE.match(content)
    is_code = match is not None and len(match[1]) == 2  # not "eng" and "all", which some write
    return (only_language(content) or "") if is_code else ""


def _may_tell(tag: str) -> bool:
    written = tag.lower()
    return (
        "canonical" in written
        or "robots" in written
        or "googlebot" in written
        or "http-equiv" in written
        or "og:locale" in written
        or "language" in written
        or written.startswith("html")
    )


def only_language(tags: str) -> str | None:
    """Returns the code of the language that Content-Language names, as a field of HTTP or in a `meta` tag.

    None where it names several (HTML, 3.2.6.2 and 4.2.5.3).
    """
    return None if "," in tags else declared_language(tags)


def declared_language(tag: str) -> str | None:
    """Returns the primary code of a language tag (RFC 5646) in lower case; None for what is none.

    Some pages write their encoding there: "utf-8" is no language "utf"; others a country, whose language is
    meant where no language has that code. Codes that others have replaced are these, as are those of three
    letters where there is one of two.
    """
    match = _LANGUAGE.match(tag)
    if match is None or ("-" in tag and encoding_of(tag)):
        return None
    code = match[1].lower()
    return _MEANT_LANGUAGES.get(code, code) if code not in _NO_ONE_LANGUAGE else None


def refresh_target(content: str, base: str, encoding: str = "utf-8") -> str | None:
    """Returns where the value of a refresh leads within `REFRESH_SECONDS`; None where nowhere.

    Args:
        content: the value.
        base: absolute URL that it is relative to.
        encoding: of the page that says it.
    """
    match = _REFRESH.fullmatch(content)
    if match is None or float(match[1] or 0) > REFRESH_SECONDS:
        return None
    url = match[2].strip(" \t\n\f\r")  # what HTML calls white space
    if url[:1] in ("'", '"'):
        url = url[1:].partition(url[0])[0]
    return absolute(base, url, encoding)


def only_address(base: str, hrefs: Iterable[str], encoding: str = "utf-8") -> str | None:
    """Returns the one address that all of several hrefs mean, as `absolute` does.

    None where they mean several, or none, or are more than `MAX_HREFS`, which no page means.
    """
    found = None
    for number, href in enumerate(hrefs):
        if number >= MAX_HREFS:
            return None
        address = absolute(base, href, encoding)
        if address and found not in (None, address):
            return None
        found = found or address
    return found


def absolute(base: str, href: str, encoding: str = "utf-8") -> str | None:
    """Returns the web URL without fragment that an href means; None for none.

    Args:
        base: absolute URL that it is relative to.
        href: as written.
        encoding: of the page that it is written in.
    """
    href = with_encoded_query(href, query_codec(encoding))
    joined = join(base, href) if href.strip() else None
    return without_fragment(joined) if joined and canonical_of_joined(joined) else None
