"""What a terminal, or a reader of lines, obeys in addresses and names, which anybody may have given."""

import re

# Control characters, and those that turn the order of what is behind them.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def shown(text: str) -> str:
    """Returns a text in which they are written as JSON does, so that printed JSON stays the same JSON."""
    return _CONTROLS.sub(lambda control: f"\\u{ord(control[0]):04x}", text)


def one_line(text: str) -> str:
    """Returns a message with its line feeds, which are those of files' names, as Python writes them."""
    return text.replace("\n", r"\n")
