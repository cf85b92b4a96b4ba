"""A manifest that is not as the steps wrote it is refused before anything is done with it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from anchormine.datasets.manifest import parse_manifest
from anchormine.errors import CommandError

SOURCE = {"wiki": "w", "name": "W", "base": None, "language": "en", "licence": None, "newest": None}
WIKI: dict[str, Any] = {
    "command": "anchormine wiki",
    "options": {"wikis": [SOURCE]},
    "seed": 42,
    "versions": {"python": "3.11.7"},
    "inputs": [{"path": "w.xml", "bytes": 1, "sha256": None, "verdict": "complete", "places": []}],
    "outputs": [{"path": "pages/train-00000-of-00001.parquet", "rows": 1, "bytes": 1, "sha256": "0"}],
    "counts": {"pages.read": 1},
    "funnel": [
        {"step": "wiki", "unit": "pages", "read": 1, "written": 1, "rejected": {}, "unreadable": 0},
    ],
}
PAIRS: dict[str, Any] = {**WIKI, "options": {"task": ["rqp"]}}
NEGATIVES: dict[str, Any] = {**WIKI, "options": {"sets": {}}}
MANIFEST = {"schema_version": "1", "steps": {"wiki": WIKI, "pairs": PAIRS, "negatives": NEGATIVES}}


def test_a_whole_one() -> None:
    assert parse_manifest(json.dumps(MANIFEST), "m") == MANIFEST


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "no manifest of anchormine (TypeError('list indices must be integers or slices, not str'))"),
        ('{"steps": {}}', "no manifest of anchormine (KeyError('schema_version'))"),
        ('{"steps": [], "schema_version": "1"}', "damaged: steps is missing or of another type"),
        ('{"steps": {}, "schema_version": 7}', "schema version 7, but this anchormine reads 1"),
    ],
)
def test_none_at_all(text: str, told: str) -> None:
    with pytest.raises(CommandError) as refused:
        parse_manifest(text, "m")
    assert str(refused.value) == f"m: {told}; run the step again"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("wiki", ["outputs"]),
        *((f"wiki.{name}", None) for name in WIKI),
        ("wiki.seed", "42"),
        ("wiki.inputs[0]", "w.xml"),
        ("wiki.inputs[0].bytes", "1"),
        ("wiki.outputs[0]", None),
        ("wiki.outputs[0].path", 1),
        *(
            ("wiki.outputs[0].path", f"{place}.parquet")
            for place in ("../x", "/x", "pages/../../x", "a\\x", "a\n")
        ),
        ("wiki.outputs[0].rows", "many"),
        ("wiki.funnel[0].rejected", 0),
        ("wiki.options.wikis", {}),
        ("wiki.options.wikis[0]", "w"),
        ("wiki.options.wikis[0].wiki", None),
        ("wiki.options.wikis[0].newest", 2026),
        ("pairs.options.task", "rqp"),
        ("negatives.options.sets", []),
    ],
)
@pytest.mark.parametrize("missing", [True, False])
def test_a_damaged_section(place: str, value: Any, missing: bool) -> None:
    manifest = copy.deepcopy(MANIFEST)
    *above, last = place.replace("[", ".").replace("]", "").split(".")
    found: Any = manifest["steps"]
    for name in above:
        found = found[int(name) if name.isdigit() else name]
    if missing and isinstance(found, dict) and above:
        del found[last]
    else:
        found[int(last) if last.isdigit() else last] = value
    with pytest.raises(CommandError) as refused:
        parse_manifest(json.dumps(manifest), "m")
    assert str(refused.value) == (
        f"m: damaged: steps.{place} is missing or of another type; run the step again"
    )
