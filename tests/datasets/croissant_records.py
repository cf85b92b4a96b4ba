"""What mlcroissant reads, in Python's own types."""

from __future__ import annotations

from typing import Any


def plain(value: Any) -> Any:
    """A record with bytes as text, arrays as lists, and the last part of each field's id as its name."""
    if isinstance(value, dict):
        return {name.rpartition("/")[2]: plain(item) for name, item in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.decode() if isinstance(value, bytes) else value
