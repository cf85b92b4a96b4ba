"""How many attributes the tags of a page have: a parser compares each with those before it.

It does so within a tag. All tags of `html`, and all of `body`, make one element each: their attributes are
compared with those of all such tags before. Lexbor takes seconds for 60,000 attributes, and minutes for
200,000.
"""

import re

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.markup.markup_tags import OPEN_VALUE

MAX_ATTRIBUTES = 20_000  # of one tag, and of all tags of html and body
MAX_PAIRS = 2_000_000_000  # of attributes to compare in long tags, about 5 s

_SMALL = 100_000  # characters of a page; in fewer there are not attributes enough to do harm
_LONG = 10_000  # characters of a tag; in shorter ones, up to 2,000,000 characters, neither

# Written so that "<" is what is searched for: with IGNORECASE every character is looked at.
ROOT_START = r"<(?:[hH][tT][mM][lL]|[bB][oO][dD][yY])\b"
_VALUE = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")
_REST = rf"(?:{_VALUE.pattern}|[^>=]+|=)*"
_TAG = re.compile(rf"<[a-zA-Z]{_REST}")
_ROOT = re.compile(ROOT_START + _REST)


def check_attributes(html: str) -> None:
    """Raises where a page has attributes enough to keep a parser busy.

    What looks like a tag is taken for one, in a script as well: what the parser will make of it is not known.

    Raises:
        PageRejected: "too_large".
    """
    if len(html) <= _SMALL:
        return
    in_roots = sum(map(_count, _ROOT.findall(html)))
    if in_roots > MAX_ATTRIBUTES:
        reason = f"tags of html and body of {in_roots} attributes, the limit is {MAX_ATTRIBUTES}"
        raise PageRejected("too_large", reason)
    if _may_have_a_long_tag(html):
        _check_long_tags(html)


def _may_have_a_long_tag(html: str) -> bool:
    """Tells whether a tag may be longer than `_LONG`: one that holds a ">" in a value, or none for long."""
    step = _LONG // 2
    places = range(0, len(html) - step, step)
    if any(html.find(">", place, place + step) < 0 for place in places):
        return True
    return OPEN_VALUE.search(html) is not None


def _check_long_tags(html: str) -> None:
    pairs = 0
    for tag in _TAG.findall(html):  # takes less time than to go through matches
        if len(tag) <= _LONG:
            continue
        attributes = _count(tag)
        if attributes > MAX_ATTRIBUTES:
            reason = f"a tag of {attributes} attributes, the limit is {MAX_ATTRIBUTES}"
            raise PageRejected("too_large", reason)
        pairs += attributes * attributes // 2
        if pairs > MAX_PAIRS:
            raise PageRejected("too_large", f"several tags of up to {MAX_ATTRIBUTES} attributes")


def _count(tag: str) -> int:
    """How many attributes a tag has at most, and one for its name."""
    return len(_VALUE.sub(" ", tag).replace("/", " ").split())
