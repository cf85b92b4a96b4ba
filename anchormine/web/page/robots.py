"""What is said to robots of a page, in its meta elements and in the head of the answer that brought it."""

import re
from collections.abc import Iterable

MEANT = frozenset(("robots", "googlebot"))  # names of robots whose directives count
ROBOTS_FIELD = "x-robots-tag"

# Directives with a value behind a colon, where else a robot's name would stand.
VALUED = frozenset(("max-snippet", "max-image-preview", "max-video-preview"))
_DATED = "unavailable_after"
_NAMED = re.compile(r"\s*([a-z*][\w.*-]*)\s*:(.*)", re.DOTALL)
_WORD = re.compile(r"[a-z][\w-]*")
# In a page: words, some with a value behind a colon; a date may have a comma, behind the day of the week.
_DATE = re.compile(rf"({_DATED})\s*:[^,]*(?:,\s*\d[^,]*)?")
_DIRECTIVE = re.compile(r"(?<![\w:-])([a-z][\w-]*)(?:\s*:\s*([\w-]*))?")


def robots_of(values: Iterable[str]) -> str | None:
    """Returns rules for robots in one form: lower case, sorted, "none" in the two words it stands for."""
    found = set(values)
    if "none" in found:
        found = found - {"none"} | {"noindex", "nofollow"}
    return ",".join(sorted(found)) or None


def header_directives(values: Iterable[str]) -> set[str]:
    """Returns the directives of X-Robots-Tag for all robots, and for those in `MEANT`.

    Args:
        values: of each field of that name, such as "noindex, nofollow" or "googlebot: noai, max-snippet: 5";
            a name holds for what follows it in the field.
    """
    found: set[str] = set()
    for value in values:
        is_meant = True
        for part in value.lower().split(","):
            named = _NAMED.match(part)
            if named and named[1] not in VALUED and named[1] != _DATED:
                is_meant = named[1] in MEANT or named[1] == "*"
                part = named[2]
            directive = _directive(part)
            if is_meant and directive:
                found.add(directive)
    return found


def page_directives(content: str) -> set[str]:
    """Returns the directives of a meta element's `content`, by commas or white space: "noindex, noai"."""
    plain = _DATE.sub(r"\1", content.lower())
    return {
        f"{name}:{value}" if name in VALUED and value else name for name, value in _DIRECTIVE.findall(plain)
    }


def _directive(part: str) -> str:
    """A directive without spaces, and a dated one without its date, which may have commas; "" for none."""
    name, _, value = (piece.strip() for piece in part.partition(":"))
    if not _WORD.fullmatch(name):
        return ""
    return f"{name}:{value}" if value and name in VALUED else name
