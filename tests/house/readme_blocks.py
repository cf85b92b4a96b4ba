"""The code blocks of README.md, and of the pages that it refers to."""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.house.floors import ROOT

_BLOCK = re.compile(
    r"(?:^<!-- (?P<reason>not run by the test: .*?) -->\n)?"
    r"^```(?P<kind>\w+)(?: (?P<name>[\w-]+))?\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


class Block(NamedTuple):
    """A code block.

    Attributes:
        kind: "sh", "python", "json" or "text".
        name: behind the kind, or None.
        code: its lines.
        reason: why it is not run, or None.
    """

    kind: str
    name: str | None
    code: str
    reason: str | None


def blocks(page: str = "README.md") -> list[Block]:
    """All blocks of a page of the project, in order."""
    found = _BLOCK.finditer((ROOT / page).read_text("utf-8"))
    return [Block(match["kind"], match["name"], match["code"], match["reason"]) for match in found]
