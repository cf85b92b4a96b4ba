"""Comments, extension elements and tags of wikitext, taken out in one pass.

MediaWiki's preprocessor reads comments and extension elements before anything else, and their content is
opaque to it: so are they here. (Preprocessor_Hash.php, Parser.php and Sanitizer.php of MediaWiki 1.39.)
"""

import re

from anchormine.wiki.marks import BREAK, GAP, NOTHING, PROTECT
from anchormine.wiki.titles import decode_entities

# Elements whose content is not running text, with the reason that their links are counted for.
_OPAQUE = {
    "ref": "reference",
    "references": "reference",
    "gallery": "gallery",
    "imagemap": "imagemap",
    "includeonly": "template",
    **dict.fromkeys(
        "ce charinsert chem categorytree dynamicpagelist graph hiero indicator inputbox mapframe maplink "
        "math nowiki pre rss score script source style syntaxhighlight templatedata templatestyles "
        "timeline".split(),
        "code",
    ),
}
_LISTINGS = frozenset(("pre", "source", "syntaxhighlight"))
# Tags that only format: they go, their content stays. These are MediaWiki's Sanitizer and the wrappers of
# extensions; a tag that is in no list here is shown literally by MediaWiki, and stays as text.
_FORMATTING = dict.fromkeys(
    "abbr b bdi bdo big cite code data del dfn em font i ins kbd link mark meta noinclude onlyinclude poem q "
    "rb rp rt rtc ruby s samp section small span strike strong sub sup time translate tt tvar u var "
    "wbr".split(),
    ("", ""),
)
_BLOCKS = dict.fromkeys("blockquote center div dl hr ol p tbody tfoot thead ul".split(), ("\n", "\n"))
# HTML structure, rewritten as the wiki markup that means the same.
_STRUCTURE = {
    "br": (BREAK, BREAK),
    "table": ("\n{|\n", "\n|}\n"),
    "caption": ("\n|+", "\n"),
    "tr": ("\n|-\n", "\n"),
    "td": ("\n||", "\n"),  # so that "-", "+" and "}" start no row, caption or end, and "|" ends no attributes
    "th": ("\n!", "\n"),
    "li": ("\n* ", "\n"),
    "dt": ("\n: ", "\n"),
    "dd": ("\n: ", "\n"),
    **{f"h{level}": ("\n" + "=" * level, "=" * level + "\n") for level in range(1, 7)},
}
_REPLACED = _FORMATTING | _BLOCKS | _STRUCTURE | dict.fromkeys(_OPAQUE, ("", ""))

# A reference without tags inside, as most are; the start of a comment; a tag.
_TAG = re.compile(
    r"<(?:ref(?=[\s/>])(?:[^<>]*/>|[^<>]*>([^<]*)</ref>)|!--|(/?)([A-Za-z][A-Za-z0-9]*)(?=[\s/>])([^<>]*)>)"
)
_CLOSE = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _OPAQUE}


def strip_elements(text: str, dropped: list[tuple[str, str]]) -> str:
    """Takes comments, extension elements and tags out of wikitext.

    Args:
        text: wikitext.
        dropped: receives (reason, removed text) for what may hold links.

    Returns:
        The text with `GAP` where a formula or code stood, `BREAK` for <br>, <nowiki> text protected, and HTML
        tables, lists and headings as wiki markup.
    """
    if "<" not in text:
        return text
    out: list[str] = []
    position = 0
    unclosed: set[str] = set()
    search = _TAG.search
    while match := search(text, position):
        start, end = match.span()
        reference, closing, name, attributes = match.groups()
        if name is None:
            replacement = ""
            if reference:
                dropped.append(("reference", reference))
            elif text[start + 1] == "!":
                start, end = _comment_span(text, start, end)
                dropped.append(("comment", text[start:end]))
        else:
            name = name.lower()
            if name in _OPAQUE and not closing:
                replacement, end = _element(text, name, attributes, start, end, unclosed, dropped)
            elif name in _REPLACED:
                replacement = _REPLACED[name][closing != ""]
            else:
                replacement = match[0]
        out.append(text[position:start])
        out.append(replacement)
        position = end
    out.append(text[position:])
    return "".join(out)


def _comment_span(text: str, start: int, end: int) -> tuple[int, int]:
    """A comment that has its lines to itself goes with them; one that is never closed runs to the end."""
    end = text.find("-->", end)
    end = len(text) if end < 0 else end + 3
    before, after = start, end
    while before and text[before - 1] in " \t":
        before -= 1
    while after < len(text) and text[after] in " \t":
        after += 1
    if (before == 0 or text[before - 1] == "\n") and text.startswith("\n", after):
        return before, after + 1
    return start, end


def _element(
    text: str,
    name: str,
    attributes: str,
    start: int,
    end: int,
    unclosed: set[str],
    dropped: list[tuple[str, str]],
) -> tuple[str, int]:
    """Returns what replaces the element whose tag is text[start:end], and where reading goes on."""
    if attributes.endswith("/"):
        return (NOTHING if name == "nowiki" else ""), end
    close = None if name in unclosed else _CLOSE[name].search(text, end)
    if close is None:
        unclosed.add(name)  # so that a thousand of them cost one search
        return " ", end
    content = text[end : close.start()]
    if name == "nowiki":
        # A line end in it is white space: it starts no paragraph, list or cell.
        content = decode_entities(content.replace("\n", " "))
        return NOTHING + content.translate(PROTECT), close.end()
    reason = _OPAQUE[name]
    if reason != "code":
        dropped.append((reason, content))
        return "", close.end()
    # What starts a line and runs over several is a block of its own, not words of a sentence.
    is_block = (name in _LISTINGS or "\n" in content.strip()) and text[max(0, start - 2) : start].rstrip(" ")[
        -1:
    ] in ("", "\n")
    return ("\n" if is_block else GAP), close.end()
