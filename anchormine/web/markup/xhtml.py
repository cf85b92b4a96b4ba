"""Pages that are served as XML, with what XML writes in short written as HTML.

The parser of HTML takes no notice of the "/" in `<script src=x/>` or `<iframe/>`, and all that follows would
be their text.
"""

import re
from html import escape

from anchormine.web.markup.declared_entities import with_entities, without_declarations
from anchormine.web.markup.elements import VOID_ELEMENTS

# A prefix of HTML's elements, as in a document of several vocabularies.
_PREFIX = re.compile(r"\sxmlns:([A-Za-z_][\w.-]*)\s*=\s*[\"']http://www\.w3\.org/1999/xhtml[\"']")

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
    xhtml, entities = without_declarations(xhtml)
    if prefix := _PREFIX.search(xhtml):
        xhtml = re.sub(rf"<(/?){re.escape(prefix[1])}:", r"<\1", xhtml)
    if any(sign in xhtml for sign in ("/>", "<![CDATA[", "<?")):
        xhtml = _SHORT.sub(_long, xhtml)
    return with_entities(xhtml, entities)


def _long(match: re.Match[str]) -> str:
    text, name, attributes = match.groups()
    if text is not None:
        return escape(text, quote=False)
    if match[0].startswith("<?"):
        return ""
    if name is None or name.lower() in VOID_ELEMENTS:
        return match[0]
    return f"<{name}{attributes}></{name}>"
