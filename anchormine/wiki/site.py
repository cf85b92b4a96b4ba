"""One wiki: what its links mean, from its siteinfo and the facts of its language."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import quote

from anchormine.wiki.languages import LanguageFacts, language_facts, namespace_key
from anchormine.wiki.marks import GAP
from anchormine.wiki.site_patterns import FILE, any_of, at_the_end, media_opener, own_prefixes
from anchormine.wiki.siteinfo import NO_SITEINFO, SiteInfo, wiki_name
from anchormine.wiki.titles import decode_entities, decode_percents, fold_first, is_legal, split_fragment

CATEGORY = 14
# A title that MediaWiki reads as it stands: without prefix, section, entity or percent-encoding.
_PLAIN_TITLE = re.compile(r"[\w (),.'’/!–-]+")
_PLAIN_CHARACTERS = 60  # at most four bytes each
# One that is its own key in every wiki, too, as most are.
_PLAINEST_TITLE = re.compile(r"[A-Z0-9][A-Za-z0-9 (),.'/!-]{0,250}[A-Za-z0-9(),.'/!-]")
# Where a fragment starts: at a "#" that is not of a character reference, or at one that is written as such.
_FRAGMENT = re.compile(r"(?<!&)#|&(?:#0*35|#[xX]0*23|num);|%23|#(?!(?:[0-9]+|[xX][0-9a-fA-F]+);)")
_CACHED_TARGETS = 200_000  # of the targets seen last; links repeat


class Target(NamedTuple):
    """What a link points to.

    Attributes:
        kind: "article", or the reason why it is none: "self" (no title, only a fragment), "namespace",
            "interwiki", "invalid"; "template" where a template is part of the title.
        shown: whether the link's text is part of the page; a category's and an interlanguage link's is not.
        title: of the page, in normal form; the first letter as written.
        fragment: the section, or None.
        namespace: its number; None on another wiki.
        key: the title as `Site.fold` gives it.
        written: the target as it stands in the link, without fragment.
        label: what a link without a label shows.
    """

    kind: str
    shown: bool
    title: str
    fragment: str | None
    namespace: int | None = 0
    key: str = ""
    written: str = ""
    label: str = ""


_Fields = tuple[str, bool, str, str | None, int | None, str, str, str]  # of `Target`


class _Targets(dict[str, _Fields]):
    """What links point to, by how they are written. Plain tuples take less time than `Target`s.

    What is not in it yet is read when it is asked for.
    """

    def __init__(self, read: Callable[[str], Target]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, written: str) -> _Fields:
        if len(self) >= _CACHED_TARGETS:
            self.clear()
        if _PLAINEST_TITLE.fullmatch(written) and "  " not in written:
            target: _Fields = ("article", True, written, None, 0, written, written, written)
        else:
            target = (*self._read(written),)
        self[written] = target
        return target


class Site:
    """How the wikitext of one wiki is read. Picklable, and cheap to copy: it is made of its two sources.

    Attributes:
        info: the head of the dump.
        facts: of the language.
        wiki: the name that page ids start with.
        language: the code that the rows carry.
        media: finds "[[File:" in all its words.
        link_trail: the letters behind "]]" that belong to the link; None where the language has none.
        link_prefix: those before "[[".
        redirect: matches the start of a redirect page; its group is the target.
        behaviour_switches: finds "__NOTOC__" and the like.
        disambiguation_switches: finds "__DISAMBIG__" and the like.
        disambiguation_templates: names of the templates that mark a disambiguation page.
        targets: what a link points to, by what stands between "[[" and "|" or "]]".
    """

    def __init__(self, info: SiteInfo, wiki: str | None = None, language: str | None = None) -> None:
        self.info = info
        self.language = language or info.language or "en"
        self.facts: LanguageFacts = language_facts(self.language)
        self.wiki = wiki or wiki_name(info) or "wiki"
        self._prefix = f"{self.wiki}\t"
        self.namespaces = _namespaces(info, self.facts)
        self._own_prefixes = own_prefixes(self.language, self.facts, self.namespaces)
        self.media = media_opener(tuple(self.namespaces.items()), self.facts.interwiki_prefixes)
        self.link_trail = re.compile(self.facts.link_trail) if self.facts.link_trail else None
        self.link_prefix = at_the_end(self.facts.link_prefix) if self.facts.link_prefix else None
        self.behaviour_switches = any_of(self.facts.behaviour_switches + self.facts.disambiguation_switches)
        self.disambiguation_switches = any_of(self.facts.disambiguation_switches)
        self.disambiguation_templates = _either_case(self.facts.disambiguation_templates)
        self.redirect = re.compile(
            rf"\s*:?(?:{'|'.join(map(re.escape, self.facts.redirect_words))})\s*(?::\s*)?"
            r"\[\[([^\[\]|\n]+)(?:\|[^\]]*)?\]\]",
            re.IGNORECASE,
        )
        as_written = self.facts.case_sensitive_words
        self._image_options = self.facts.image_options & as_written
        self._folded_image_options = frozenset(map(str.casefold, self.facts.image_options - as_written))
        self._image_parameters = re.compile("|".join(self.facts.image_parameters))
        self.targets = _Targets(self.target)

    @classmethod
    def of_language(cls, code: str) -> "Site":
        """The Wikipedia of a language, without a dump's siteinfo."""
        base = f"https://{code}.wikipedia.org/wiki/Main_Page"
        return cls(NO_SITEINFO._replace(base=base), language=code)

    def __reduce__(self) -> tuple[type["Site"], tuple[SiteInfo, str, str]]:
        return Site, (self.info, self.wiki, self.language)

    def is_image_option(self, parameter: str) -> bool:
        """Tells an option of a picture from its caption."""
        return (
            parameter in self._image_options
            or parameter.casefold() in self._folded_image_options
            or self._image_parameters.fullmatch(parameter) is not None
        )

    def target(self, written: str) -> Target:
        """Returns what a link points to.

        Args:
            written: what stands between "[[" and "|" or "]]".
        """
        return self._plain(written) or self._complete(written)

    def _plain(self, written: str) -> Target | None:
        """The target of a link that is the title of an article as it stands, as most are; else None."""
        if len(written) > _PLAIN_CHARACTERS or not _PLAIN_TITLE.fullmatch(written):
            return None
        if "_" in written or "  " in written or written[-1] == " " or not written[0].isalnum():
            return None
        if not (written.isascii() or unicodedata.is_normalized("NFC", written)):
            return None
        key = written if written[0].isupper() else self.fold(written)
        return Target("article", True, written, None, 0, key, written, written)

    def _complete(self, written: str) -> Target:
        kind, shown, title, fragment, namespace, *_ = self._classify(written)
        if GAP in title:
            kind = "template"
        label = _label(written) if shown else ""
        return Target(
            kind, shown, title, fragment, namespace, self.fold(title), _without_fragment(written), label
        )

    def _classify(self, written: str) -> Target:
        title, fragment = split_fragment(written)
        colon = title.startswith(":")
        title = title.lstrip(": ") if colon else title
        if self._own_prefixes is not None and (match := self._own_prefixes.match(title)):
            colon, title = True, title[match.end() :]
        if not title:
            return Target("invalid" if fragment is None else "self", True, "", fragment)
        prefix, mark, _ = title.partition(":")
        if mark:
            key = namespace_key(prefix)
            number = self.namespaces.get(key)
            if number is not None and number != 0:
                return Target("namespace", colon or number not in (FILE, CATEGORY), title, fragment, number)
            if key in self.facts.interwiki_prefixes:
                shown = colon or key not in self.facts.interlanguage_codes
                return Target("interwiki", shown, title, fragment, None)
        if not is_legal(title):
            return Target("invalid", True, title, fragment)
        return Target("article", True, title, fragment)

    def fold(self, title: str) -> str:
        """Returns the key under which titles are compared: the first letter's case counts where it does."""
        return title if self.info.case_sensitive else fold_first(title, self.language)

    def namespace_of(self, title: str) -> int:
        """Returns the namespace that a page's title says (dumps before version 0.6 do not state it)."""
        prefix, mark, _ = title.partition(":")
        return self.namespaces.get(namespace_key(prefix), 0) if mark else 0

    def key(self, title: str) -> str:
        """All titles that a link could mean have the same key; wikis of one run do not share titles."""
        return self._prefix + (title if title[:1].isupper() else self.fold(title))

    def url(self, title: str) -> str:
        """Returns the address of a page."""
        base = (self.info.base or "").rpartition("/")[0]
        return f"{base}/{quote(title.replace(' ', '_'), safe=_URL_SAFE)}" if base else ""


def _without_fragment(written: str) -> str:
    return _FRAGMENT.split(written, maxsplit=1)[0].strip()


def _label(written: str) -> str:
    shown = decode_percents(written.strip()).removeprefix(":").lstrip()
    return decode_entities(shown) if "&" in shown else shown


_URL_SAFE = ";@$!*(),/~:-._"  # wfUrlencode's


def _namespaces(info: SiteInfo, facts: LanguageFacts) -> Mapping[str, int]:
    """Names of namespaces: the language's, then the wiki's own, which count more."""
    names = dict(facts.namespaces)
    names |= {namespace_key(name): number for number, name in info.namespaces if name}
    if info.sitename:
        names.setdefault(namespace_key(info.sitename), 4)
    return names


def _either_case(titles: frozenset[str]) -> frozenset[str]:
    """The titles with a capital and with a small first letter, as people write templates."""
    return titles | {title[:1].lower() + title[1:] for title in titles}
