"""What the head of an answer says about the page that it brings; what the page itself says goes before it."""

import re
from typing import NamedTuple

from anchormine.web.http.http_messages import field
from anchormine.web.page.page_facts import only_address, only_language, refresh_target

# RFC 8288, 3: a target, and its parameters; what stands in quotes is none of either. A quotation without an
# end goes up to that of the field: else its end would be sought again behind each target.
_LINK = re.compile(r'<([^<>]*)>((?:[^<"]|"(?:[^"\\]|\\.)*")*)(?:"(?:[^"\\]|\\.)*\\?\Z)?')
_PARAMETER = re.compile(r';\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?')


class AnswerFacts(NamedTuple):
    """What an answer says.

    Attributes:
        encoding: of the page, by its name in the WHATWG's standard.
        language: primary code of its language, if it names one; None if it does not, or several.
        canonical: as `PageFacts`.
        refresh: as `PageFacts`.
    """

    encoding: str = "utf-8"
    language: str | None = None
    canonical: str | None = None
    refresh: str | None = None


UNTOLD = AnswerFacts()  # of a page that came in no answer


def answer_facts(headers: list[tuple[str, str]], url: str, encoding: str) -> AnswerFacts:
    """Reads the fields of an answer.

    Args:
        headers: name and value of each.
        url: of the page, absolute.
        encoding: of the page.
    """
    language = field(headers, "content-language")
    refresh = field(headers, "refresh")
    return AnswerFacts(
        encoding,
        only_language(language) if language else None,
        _canonical(headers, url),
        refresh_target(refresh, url) if refresh else None,
    )


def _canonical(headers: list[tuple[str, str]], url: str) -> str | None:
    """The target of the links "canonical" (RFC 6596); None if they have several."""
    found = (
        target
        for name, value in headers
        if name.lower() == "link" and "canonical" in value.lower()
        for target, parameters in _LINK.findall(value)
        if _is_canonical(parameters)
    )
    return only_address(url, dict.fromkeys(found))


def _is_canonical(parameters: str) -> bool:
    found: dict[str, str] = {}
    for name, quoted, bare in _PARAMETER.findall(parameters):
        found.setdefault(name.lower(), quoted or bare)  # the first counts
    is_of_page = "anchor" not in found  # else it may be a link of another
    return is_of_page and "canonical" in found.get("rel", "").lower().split()
