"""What a part of a page is there for, as its element, role, class and id tell.

The parts around a block are one number: a bit for each of FORM, ARTICLE and MAIN, and times BOILERPLATE how
many elements around are boilerplate, up to `MOST_BOILERPLATE`. A `main` is in no boilerplate, whatever it
stands in.
"""

import re
from collections.abc import Mapping

FORM, ARTICLE, MAIN, BOILERPLATE = 1, 2, 4, 8
MOST_BOILERPLATE = 7 * BOILERPLATE

_ELEMENTS = {
    **dict.fromkeys(("form", "search"), FORM),
    **{"article": ARTICLE, "main": MAIN},
    **dict.fromkeys(("button", "legend", "nav", "aside"), BOILERPLATE),
}
_ROLES = {
    **{"search": FORM, "article": ARTICLE, "main": MAIN},
    **dict.fromkeys(
        "navigation complementary button dialog alertdialog tablist menu menubar toolbar".split(), BOILERPLATE
    ),
}
# Words in the class or id of what stands beside a text, or between its paragraphs, and is none of it.
_BOILERPLATE_WORDS = frozenset(
    "cookie cookies consent gdpr disclaimer copyright login signup subscribe subscription newsletter "
    "share sharing sharedaddy social likes rating ratings feedback comment comments "
    "nav navbar navigation menu dropdown breadcrumb breadcrumbs pagination pager skip topbar footer "
    "sidebar side related relatedposts recommended recommend recommendation recommendations trending "
    "popular teasers widget widgets ad ads advert banner promo sponsor sponsored outbrain taboola "
    "popup modal overlay donate donation author authors byline bio meta credit credits "
    "caption tags".split()
)
_BUILDER = "elementor"  # which puts every piece of a page into a "widget"
_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")


def part_of(name: str, attributes: Mapping[str, str], is_block: bool) -> int:
    """Returns which part an element is, 0 for none; only of a block do class and id count."""
    part = _ELEMENTS.get(name, 0)
    for role in attributes.get("role", "").lower().split():
        part |= _ROLES.get(role, 0)
    if part & MAIN or part >= BOILERPLATE or not is_block or name == "body":
        return part
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}".split()
    words = (word.lower() for name in names if not name.startswith(_BUILDER) for word in _WORD.findall(name))
    return part if _BOILERPLATE_WORDS.isdisjoint(words) else part | BOILERPLATE


def inner_parts(around: int, part: int) -> int:
    """Returns the parts around what stands in an element, by those around it and its own."""
    bits = (around | part) % BOILERPLATE
    return (
        bits
        if part & MAIN
        else bits + min(MOST_BOILERPLATE, around - around % BOILERPLATE + (part & BOILERPLATE))
    )
