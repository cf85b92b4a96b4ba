"""What a part of a page is there for, as its element, role, class and id tell.

The parts around a block are one number: a bit for each of FORM, ARTICLE, MAIN, BODY, the body of an article,
TITLE, the head of a part of a book, NOTE, an `aside` that belongs to the text around it, CONTENT, what an id
says to be what others mark with `main`, COMMENTS, where readers say something of a text, TOC, a table of
contents, and APART, what stands beside a heading or in it and is none of it; and times BOILERPLATE how many
elements around are boilerplate, up to `MAX_DEPTH`. A `main` is in no boilerplate, whatever it stands in.
"""

import re
from collections.abc import Mapping
from typing import Final

from anchormine.web.markup.elements import HEADINGS

FORM: Final = 1
ARTICLE: Final = 2
MAIN: Final = 4
BODY: Final = 8
TITLE: Final = 16
NOTE: Final = 32
CONTENT: Final = 64
COMMENTS: Final = 128
TOC: Final = 256
APART: Final = 512
BOILERPLATE: Final = 1024
MAX_DEPTH: Final = 7

_ELEMENTS = {
    **dict.fromkeys(("form", "search"), FORM),
    **{"article": ARTICLE, "main": MAIN},
    **dict.fromkeys(("button", "legend", "nav", "aside"), BOILERPLATE),
    **dict.fromkeys(("amp-sidebar", "amp-consent", "amp-user-notification"), BOILERPLATE),
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
    "share sharing sharedaddy social likes rating ratings feedback comment comments nocomments "
    "nav navbar navigationbar navheader navfooter docnav navigation menu dropdown breadcrumb breadcrumbs "
    "pagination pager skip topbar footer printfooter "
    "sidebar side related relatedposts recommended recommend recommendation recommendations trending "
    "popular teasers widget widgets ads advert banner promo sponsor sponsored outbrain taboola "
    "popup modal overlay donate donation author authors byline bio meta credit credits "
    "caption tags navbox ambox".split()
)
_BOILERPLATE_IDS = frozenset(
    "projectname projectbrief mbrsel "  # of Doxygen and Scaladoc
    "siteNotice siteSub contentSub jump-to-nav catlinks mw-head mw-panel".split()  # of MediaWiki
)
_SITE_SUB: Final = "siteSub"  # was a heading once ("From Wikipedia, the free encyclopedia")
_EDITING: Final = frozenset(("mw-editsection", "editsection"))  # MediaWiki's "[edit]" beside headings
_WAYS = frozenset(("prev", "next"))  # both in one name: the way to the pages before and behind
# Classes and ids, whole, of what readers wrote under a text, and of the form to do so. A single "comment" may
# be a post of a forum, or belong to a picture; "has-comments" is what an article may be called.
_COMMENTS = re.compile(
    r"(?:(?:all|article|blog|entry|leser|page|post|reader|recipe|story|user|wp)[-_]*)*"
    r"(?:comments|commentaires|comentarios|commenti|kommentare[nr]?|komentarze|reacties|yorumlar|"
    r"comment(?=[-_]*(?:area|form|list|respond|section|thread|wrapper)))"
    r"(?:[-_]*(?:area|block|box|container|content|form|holder|inner|list|respond|section|template|thread|wrap|"
    r"wrapper|\d+(?!\d)))*",
    re.IGNORECASE,
)
_ENTRIES = frozenset(("li", "dt", "dd", "tr", "td", "th"))  # of a list or table, which may be of anything
# Each puts every piece of a page into a "widget": Elementor, and SiteOrigin in classes of its own.
_BUILDERS = ("elementor", "so-widget", "siteorigin-widget")
_BUILT = "so-panel"
_TITLE_PAGE = "titlepage"  # DocBook's, of each part of a book, its sidebars among them
# What stands above a text that is shown and hidden by it, in an accordion of Elementor: a button by its role.
_TOGGLE = "elementor-tab-title"
# As the whole of a name they are what programs say that write documentation of its texts: Scaladoc and
# TypeDoc, YARD and PlDoc, Javadoc.
_OF_DOCUMENTATION = frozenset(("comment", "tsd-comment", "tags", "deprecation-comment", "preview-comment"))
# They stand in names that are made of what is there, "side-by-side", and not of what it is for.
_IN_PHRASES = frozenset(("by", "of", "the"))
# Their ids are made of the words of headings, to be linked to: by Sphinx, Pandoc, MediaWiki and others.
_SECTIONS = HEADINGS | {"section", "dt"}
# And by DocBook, Texinfo, Org, RDoc, Sphinx, odoc, pydoctor, docutils and AsciiDoc, whose classes say so.
_OF_SECTION = re.compile(
    r"(?:ref)?sect\d|(?:(?:sub)*section|chapter|(?:appendix|unnumbered)(?:(?:sub)*sec)?)(?:-level-extent)?|"
    r"refentry|footnote|outline-\d|table|method-(?:detail|source-code)|viewcode-block|anchored|rst-section|"
    r"simple|"
    r"paragraph|[uod]list|(?:admonition|example|listing|open|quote|table)block"
)
# Ids of Haddock, "i:" and the name of a type, and of Nim, a function's name and the types of what it takes.
_OF_NAME = re.compile("[a-z]:|[^,]+,")
# Classes of an `aside` that is a note, as docutils, MyST, DocC, Slate and Starlight write, and roles of ARIA.
_NOTES = frozenset(
    "admonition topic callout starlight-aside note tip hint important warning caution danger attention "
    "notice success footnote footnotes footnote-list".split()
)
_NOTE_ROLES = frozenset("note doc-tip doc-notice doc-example doc-footnote doc-endnote doc-endnotes".split())
# Classes of posts that are made of their topics: by WordPress, whose posts are of hAtom, and Ghost.
_TOPIC = re.compile(r"(?:category|tag)-")
# Behind it WordPress has topics alone, also of kinds that a site made ("event_tags-trade").
_HATOM = "hentry"
_POSTS = frozenset((_HATOM, "post"))
# A class of docutils, and what another begins with beside it that is made of the title of a note.
_TITLED = "admonition"
_TITLED_NOTE = f"{_TITLED}-"
# What names the body of an article, in hAtom, microformats and style sheets: "entry-content", "story__body".
_BODY = re.compile(
    r"(?:^|[-_])(?:e-content|(?:entry|article|post|story|news|blog)[-_]*(?:body|content|text))(?:$|[-_])",
    re.IGNORECASE,
)
# Ids of what stands beside the header, menus and footer of a page, as WordPress, Drupal and others have them.
_CONTENT = re.compile(
    r"(?:main|page|body)[-_]?(?:content|text)|content(?:[-_]?(?:main|area))?|main|maincol(?:umn)?|primary|"
    r"article|story",
    re.IGNORECASE,
)
# Classes and ids, whole, of tables of contents and their titles: by DocBook, AsciiDoc and many others. A
# "table-contents" of DocBook is a table.
_TOC = re.compile(
    r"toc[-_]?(?:title)?|tables?[-_]?of[-_]?contents|list-of-(?:equation|example|figure|procedure|table)s",
    re.IGNORECASE,
)
_SCHEMA_BODY = "articleBody"  # of schema.org
_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")


def part_of(name: str, attributes: Mapping[str, str], is_block: bool) -> int:
    """Returns which part an element is, 0 for none; only of a block do class, id and `itemprop` count."""
    roles = attributes.get("role", "").lower().split()
    called = attributes.get("class", "").split()
    part = NOTE if name == "aside" and _is_note(roles, called) else _ELEMENTS.get(name, 0)
    for role in roles:
        part |= _ROLES.get(role, 0)
    if _TOGGLE in called:
        return 0
    if is_apart(attributes):
        return part | BOILERPLATE | APART
    if part & MAIN or depth_of(part) or not is_block or name == "body":
        return part
    is_section = name in _SECTIONS or any(map(_OF_SECTION.fullmatch, called))
    if part & ARTICLE or not _POSTS.isdisjoint(called):
        called = [each for each in called if not _TOPIC.match(each)]
    if _BUILT in called:
        called = []
    elif _TITLE_PAGE in called:
        return part | TITLE
    ids = attributes.get("id", "").split()
    told = [each for each in ids if each == _SITE_SUB or not (is_section or _OF_NAME.match(each))]
    names = called + told
    if name not in _ENTRIES and any(map(_COMMENTS.fullmatch, names)):
        return part | BOILERPLATE | COMMENTS
    if any(map(_names_boilerplate, _not_of_texts(called) + told)) or not _BOILERPLATE_IDS.isdisjoint(told):
        return part | BOILERPLATE
    if name not in _SECTIONS and any(map(_CONTENT.fullmatch, ids)):
        part |= CONTENT
    if any(map(_TOC.fullmatch, names)):
        part |= TOC
    is_body = _SCHEMA_BODY in attributes.get("itemprop", "").split() or any(map(_BODY.search, names))
    return part | BODY if is_body else part


def _not_of_texts(classes: list[str]) -> list[str]:
    """Returns the classes of an element but for those that are made of the topics of a post, or a title."""
    own = classes[: classes.index(_HATOM)] if _HATOM in classes else classes
    return [each for each in own if not each.startswith(_TITLED_NOTE)] if _TITLED in own else own


def _is_note(roles: list[str], classes: list[str]) -> bool:
    """Tells whether an `aside` is a note on the text that it stands in."""
    return not (_NOTES.isdisjoint(classes) and _NOTE_ROLES.isdisjoint(roles))


def is_apart(attributes: Mapping[str, str]) -> bool:
    """Tells whether an element within a line is a part of its own, and no text of what stands beside it."""
    return not _EDITING.isdisjoint(attributes.get("class", "").split())


def is_button(name: str, attributes: Mapping[str, str]) -> bool:
    """Tells whether an element is a button, by its name or role."""
    return name == "button" or "button" in attributes.get("role", "").lower().split()


def _names_boilerplate(name: str) -> bool:
    """Tells whether a class or id says that an element is boilerplate."""
    if name.startswith(_BUILDERS) or name in _OF_DOCUMENTATION:
        return False
    words = {word.lower() for word in _WORD.findall(name)}
    if not words.isdisjoint(_IN_PHRASES):
        return False
    return words >= _WAYS or not words.isdisjoint(_BOILERPLATE_WORDS)


def depth_of(parts: int) -> int:
    """Returns how many elements are boilerplate, of those around a block or of one."""
    return parts // BOILERPLATE


def inner_parts(around: int, part: int) -> int:
    """Returns the parts around what stands in an element, by those around it and its own."""
    bits = (around | part) % BOILERPLATE
    if part & MAIN:
        return bits & ~COMMENTS
    if depth_of(part):  # such as the authors in a head: it is not the head of that
        bits &= ~TITLE
    return bits + BOILERPLATE * min(MAX_DEPTH, depth_of(around) + depth_of(part))
