"""The head of a dump: which wiki it is of, and what its namespaces are called."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit
from xml.etree import ElementTree

_LANGUAGE = re.compile(rb"""<mediawiki\b[^>]*\bxml:lang\s*=\s*["']([A-Za-z0-9_-]+)["']""")
_VERSION = re.compile(rb"""<mediawiki\b[^>]*\bversion\s*=\s*["']([0-9.]+)["']""")
_KEY = re.compile(r"-?[0-9]{1,9}")
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")  # of databases, and so not in ids, which are words of a line
_SITEINFO = re.compile(rb"<siteinfo>.*?</siteinfo>", re.DOTALL)


class SiteInfo(NamedTuple):
    """What the head of a dump says.

    Attributes:
        version: of the export format, such as "0.11".
        language: code of the wiki's language.
        sitename: such as "Wikipedia".
        dbname: such as "enwiki"; dumps before version 0.9 have none.
        base: URL of the main page.
        case_sensitive: whether titles that differ in their first letter's case are different.
        namespaces: (number, name) of each.
    """

    version: str | None
    language: str | None
    sitename: str | None
    dbname: str | None
    base: str | None
    case_sensitive: bool
    namespaces: tuple[tuple[int, str], ...]


NO_SITEINFO = SiteInfo(None, None, None, None, None, False, ())


def parse_siteinfo(head: bytes) -> SiteInfo:
    """Reads what stands before the first page of a dump.

    Args:
        head: the dump's first bytes; what is missing in them is None in the result.
    """
    language = _LANGUAGE.search(head)
    version = _VERSION.search(head)
    info = NO_SITEINFO._replace(
        version=version[1].decode() if version else None, language=language[1].decode() if language else None
    )
    element = _SITEINFO.search(head)
    if element is None:
        return info
    try:
        site = ElementTree.fromstring(element[0])
    except ElementTree.ParseError:
        return info
    namespaces = tuple(
        (int(item.get("key", "")), (item.text or "").strip())
        for item in site.iterfind("namespaces/namespace")
        if _KEY.fullmatch(item.get("key", ""))  # a namespace with another key cannot be any page's
    )
    return info._replace(
        sitename=site.findtext("sitename"),
        dbname=(site.findtext("dbname") or "").strip() or None,
        base="".join((site.findtext("base") or "").split()) or None,  # a URL has no white space
        case_sensitive=site.findtext("case") == "case-sensitive",
        namespaces=namespaces,
    )


def wiki_name(info: SiteInfo) -> str | None:
    """The name for the wiki's page ids: its database's, else one made of its address ("itwiki").

    It is letters, digits, ".", "-" and "_", which stands for all else.
    """
    if info.dbname:
        return _NOT_IN_NAMES.sub("_", info.dbname)
    host = host_of(info.base).split(".")
    if len(host) >= 3 and host[-2] in (
        "wikipedia",
        "wiktionary",
        "wikiquote",
        "wikibooks",
        "wikisource",
        "wikinews",
    ):
        family = "wiki" if host[-2] == "wikipedia" else host[-2]
        return _NOT_IN_NAMES.sub("_", host[0].replace("-", "_")) + family
    return None


def host_of(base: str | None) -> str:
    """The host of a wiki's address, in small letters; "" where there is none, or it is no address."""
    try:
        return urlsplit(base or "").hostname or ""
    except ValueError:
        return ""
