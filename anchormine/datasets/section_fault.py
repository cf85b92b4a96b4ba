"""Whether a section of a manifest is as its step wrote it: editors and full disks leave others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_FIELDS: Mapping[str, type] = {
    "command": str,
    "options": dict,
    "seed": int,
    "versions": dict,
    "inputs": list,
    "outputs": list,
    "counts": dict,
    "funnel": list,
}
_ENTRIES: Mapping[str, Mapping[str, type]] = {
    "inputs": {"path": str, "bytes": int, "verdict": str},
    "outputs": {"path": str, "rows": int, "bytes": int, "sha256": str},
    "funnel": {"step": str, "unit": str, "read": int, "written": int, "rejected": dict, "unreadable": int},
}
_WIKIS = {"wikis": list}
_OPTIONS: Mapping[str, Mapping[str, type]] = {
    "wiki": _WIKIS,
    "web": _WIKIS,
    "clueweb22": _WIKIS,
    "harp": _WIKIS,
    "pairs": {"task": list},
    "negatives": {"sets": dict},
}
_TEXT = (str, type(None))
_SOURCE = {"wiki": str, "name": _TEXT, "base": _TEXT, "language": _TEXT, "licence": _TEXT, "newest": _TEXT}


def section_fault(step: str, section: Any) -> str | None:
    """What is missing from a section, or of another type, such as "outputs[0].rows"; None where it is whole.

    Nor may an output be elsewhere than below the folder, of which a run removes what it makes anew.

    Args:
        step: the command.
        section: as JSON has it; "" is said of one that is no object.
    """
    if not isinstance(section, dict):
        return ""
    if fault := _fault(section, _FIELDS):
        return fault
    for name, fields in _ENTRIES.items():
        for number, entry in enumerate(section[name]):
            if fault := _fault(entry, fields, f"{name}[{number}]."):
                return fault
    for number, output in enumerate(section["outputs"]):
        if not _is_below(output["path"]):
            return f"outputs[{number}].path"
    if fault := _fault(section["options"], _OPTIONS.get(step, {}), "options."):
        return fault
    for number, source in enumerate(section["options"].get("wikis", ())):
        if fault := _fault(source, _SOURCE, f"options.wikis[{number}]."):
            return fault
    return None


def _is_below(path: str) -> bool:
    """Tells whether a path leads to a place below the folder that it is of."""
    return "\\" not in path and path.isprintable() and not {"", ".", ".."}.intersection(path.split("/"))


def _fault(record: Any, fields: Mapping[str, Any], place: str = "") -> str | None:
    if not isinstance(record, dict):
        return place.rstrip(".")
    wrong = (
        name for name, kind in fields.items() if name not in record or not isinstance(record[name], kind)
    )
    return next((place + name for name in wrong), None)
