"""Pages that are served as XML, with what XML writes in short written as HTML.

The parser of HTML takes no notice of the "/" in `<script src=x/>` or `<iframe/>`, and all that follows would
be their text.
"""

import re
from collections.abc import Mapping
from html import escape

from anchormine.web.markup.elements import VOID_ELEMENTS

# The start of a document's type, up to the declarations that it may hold; and what they consist of, a "]" of
# their own being the end.
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
# A prefix of HTML's elements, as in a document of several vocabularies.
_PREFIX = re.compile(r"\sxmlns:([A-Za-z_][\w.-]*)\s*=\s*[\"']http://www\.w3\.org/1999/xhtml[\"']")
_MOST_TEXT = 4_000_000  # characters that the references of a page may be written out to

# A comment, a processing instruction, CDATA, or an empty element: name and attributes. Values of XML hold
# no "<", and instructions hardly ever, so what is never closed is searched once, not from each place anew. A
# name is whole: else each letter of it would be tried as the first of the attributes.
_SHORT = re.compile(
    r"<!--(?:.*?-->|.*)|<\?[^<]*?\?>|<!\[CDATA\[(.*?)(?:\]\]>|\Z)"
    r"|<([A-Za-z_][^\s<>\"'/]*)(?=[\s\"'/])([^<>\"'/]*(?:(?:\"[^\"<]*\"|'[^'<]*'|/(?!>))[^<>\"'/]*)*)/>",
    re.DOTALL,
)


def written_out(xhtml: str) -> str:
    """Returns a page with start and end tags of elements that have one tag for both, and CDATA as text;
    without processing instructions, which HTML would end at their first ">"; with what it declares of
    entities in their place; and without a prefix of HTML's elements.
    """
    xhtml, entities = _without_declarations(xhtml)
    if prefix := _PREFIX.search(xhtml):
        xhtml = re.sub(rf"<(/?){re.escape(prefix[1])}:", r"<\1", xhtml)
    if any(sign in xhtml for sign in ("/>", "<![CDATA[", "<?")):
        xhtml = _SHORT.sub(_long, xhtml)
    if entities and xhtml.count("&") * max(map(len, entities.values())) <= _MOST_TEXT:
        xhtml = _REFERENCE.sub(lambda match: entities.get(match[1], match[0]), xhtml)
    return xhtml


def _without_declarations(xhtml: str) -> tuple[str, Mapping[str, str]]:
    """Returns a page without the declarations in its type, which HTML would take for text, and the entities
    of text that they name.
    """
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


def _long(match: re.Match[str]) -> str:
    text, name, attributes = match.groups()
    if text is not None:
        return escape(text, quote=False)
    if match[0].startswith("<?"):
        return ""
    if name is None or name.lower() in VOID_ELEMENTS:
        return match[0]
    return f"<{name}{attributes}></{name}>"
