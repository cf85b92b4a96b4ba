"""Lines of JSON that other programs have written."""

import json
import re
from typing import Any

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")  # half of a character, as JSON can have it, and no table


def parse_json(line: str | bytes) -> Any:
    """Returns what a line holds, with U+FFFD for halves of characters.

    Raises:
        ValueError: it is not JSON, or not UTF-8.
        RecursionError: it is nested too deep.
    """
    # Of bytes `json` would take halves of characters that are written out, which are not UTF-8.
    record = json.loads(line if isinstance(line, str) else line.decode("utf-8-sig"))
    may_have_half = b"\\ud" in line.lower() if isinstance(line, bytes) else "\\ud" in line.lower()
    if may_have_half:
        return json.loads(_LONE_SURROGATE.sub("\ufffd", json.dumps(record, ensure_ascii=False)))
    return record
