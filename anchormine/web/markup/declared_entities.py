"""What a page that is served as XML declares in its document type, and HTML would take for text."""

import re
from collections.abc import Mapping
from html import escape

# The start of the type, up to the declarations that it may hold; and what they consist of, a "]" of their own
# being the end.
_TYPE = re.compile(r"<!DOCTYPE\s(?:[^<>\[\"']|\"[^\"]*\"|'[^']*')*\[", re.IGNORECASE)
_DECLARED = re.compile(r"\"[^\"]*\"|'[^']*'|<!--(?:.*?-->|.*)|<\?(?:.*?\?>|.*)|\]", re.DOTALL)
_END = re.compile(r"\s*>")
# An entity of text alone: others may stand for one another, and for more than there is room for.
_KNOWN = r"&(?:#[0-9]+|#x[0-9A-Fa-f]+|amp|lt|gt|quot|apos);"
_ENTITY = re.compile(
    r"<!ENTITY\s+([A-Za-z_][\w.-]*)\s+"
    rf"(?:\"((?:[^\"<&%]|{_KNOWN}){{0,100}})\"|'((?:[^'<&%]|{_KNOWN}){{0,100}})')\s*>"
)
_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]*);")
_MAX_TEXT = 4_000_000  # characters that the references of a page may be written out to


def without_declarations(xhtml: str) -> tuple[str, Mapping[str, str]]:
    """Returns a page without the declarations in its type, and the entities of text that these name."""
    found = _TYPE.search(xhtml)
    if found is None:
        return xhtml, {}
    ends = (match.start() for match in _DECLARED.finditer(xhtml, found.end()) if match[0] == "]")
    last = next(ends, -1)
    end = _END.match(xhtml, last + 1) if last >= 0 else None
    if end is None:
        return xhtml, {}
    declared = _ENTITY.findall(xhtml, found.end(), last)
    entities = {
        name: escape(double or single).replace("&amp;", "&")  # which begins one that HTML knows
        for name, double, single in reversed(declared)  # the first counts
    }
    return xhtml[: found.end() - 1] + xhtml[end.end() - 1 :], entities


def with_entities(xhtml: str, entities: Mapping[str, str]) -> str:
    """Returns a page with entities in the place of their references, unless these are too many."""
    if not entities or xhtml.count("&") * max(map(len, entities.values())) > _MAX_TEXT:
        return xhtml
    return _REFERENCE.sub(lambda match: entities.get(match[1], match[0]), xhtml)
