"""`manifest.json`: what a dataset folder is made of, a section for each step."""

import json
import platform
from collections.abc import Collection, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from anchormine.datasets.section_fault import section_fault
from anchormine.errors import CommandError
from anchormine.numerals import counted
from anchormine.schemas.tables import SCHEMA_VERSION

MANIFEST = "manifest.json"
# What each step is made from. A step that is run again takes with it what was made from it.
_MADE_FROM = {
    "wiki": (),
    "web": (),
    "clueweb22": (),
    "harp": (),
    "filter": ("wiki", "web", "clueweb22", "harp"),
    "pairs": ("wiki", "web", "clueweb22", "harp", "filter"),
    "negatives": ("pairs",),
}
EXTRACTIONS = ("wiki", "web", "clueweb22", "harp")
CRAWLS = ("web", "clueweb22")  # those whose pages are of the web
MINING_STEPS = tuple(_MADE_FROM)  # those that have a section


class Section(NamedTuple):
    """One step of a manifest, as JSON has it; rows hang on all of it but "workers" and "runner".

    Attributes:
        command: such as "anchormine wiki".
        options: all that the rows depend on, besides the input.
        seed: of all that is drawn.
        versions: of the packages that had a part in it.
        started: ISO 8601, UTC.
        finished: ISO 8601, UTC.
        workers: processes of the local runner; None on a cluster, which has its own.
        runner: such as "DirectRunner".
        inputs: path, bytes, sha256, verdict and places of each file.
        inputs_set_aside: path and reason, a word of the funnel, of each file that was found and not read.
        outputs: path, rows, bytes and sha256 of each file.
        counts: of everything that was counted.
        funnel: the rows of `stats/funnel.json` that are this step's.
    """

    command: str
    options: Mapping[str, Any]
    seed: int
    versions: Mapping[str, str]
    started: str
    finished: str
    workers: int | None
    runner: str
    inputs: list[dict[str, Any]]
    inputs_set_aside: list[dict[str, str]]
    outputs: list[dict[str, Any]]
    counts: Mapping[str, Any]
    funnel: list[dict[str, Any]]


def parse_manifest(text: str | bytes, path: str) -> dict[str, Any]:
    """Reads a manifest.

    Raises:
        CommandError: it is none, one of another schema version, or damaged.
    """
    try:
        manifest = json.loads(text)
        steps, schema_version = manifest["steps"], manifest["schema_version"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CommandError(f"{path}: no manifest of anchormine ({error!r}); run the step again") from None
    if schema_version != SCHEMA_VERSION:
        raise CommandError(
            f"{path}: schema version {schema_version}, but this anchormine reads {SCHEMA_VERSION}; "
            "run the step again"
        )
    if fault := _fault(steps):
        raise CommandError(f"{path}: damaged: {fault} is missing or of another type; run the step again")
    return manifest


def _fault(steps: Any) -> str | None:
    """The first place of a manifest that is not as its step wrote it, or None."""
    if not isinstance(steps, dict):
        return "steps"
    faults = ((step, section_fault(step, section)) for step, section in steps.items())
    return next((f"steps.{step}.{fault}".rstrip(".") for step, fault in faults if fault is not None), None)


def with_section(
    manifest: Mapping[str, Any] | None, step: str, section: Section, kept_steps: Collection[str] = ()
) -> dict[str, Any]:
    """Returns a manifest with a step's section, without what was made from an earlier run of it."""
    steps = without_step(manifest, step, kept_steps)["steps"] | {step: section._asdict()}
    return {
        "schema_version": SCHEMA_VERSION,
        "steps": {name: steps[name] for name in _MADE_FROM if name in steps},
    }


def without_step(
    manifest: Mapping[str, Any] | None, step: str, kept_steps: Collection[str] = ()
) -> dict[str, Any]:
    """Returns a manifest without a step and all that was made from it.

    Args:
        manifest: None of a new folder.
        step: the command.
        kept_steps: steps that were made from what of it stays.
    """
    steps = dict(manifest["steps"]) if manifest else {}
    gone = {step, *(EXTRACTIONS if step in EXTRACTIONS else ())}
    for name, sources in _MADE_FROM.items():
        if gone.intersection(sources) and name not in kept_steps:
            gone.add(name)
    return {
        "schema_version": SCHEMA_VERSION,
        "steps": {name: section for name, section in steps.items() if name not in gone},
    }


def output_paths(manifest: Mapping[str, Any]) -> list[str]:
    """Paths of all files that a manifest names, below its folder."""
    return [output["path"] for section in manifest["steps"].values() for output in section["outputs"]]


def unlike(output: Mapping[str, Any], rows: int, size: int) -> str | None:
    """Says in which number a file differs from what a manifest says of it; None if it does not.

    Args:
        output: the manifest's entry of the file.
        rows: of the file.
        size: of it, in bytes.
    """
    for found, name in ((rows, "row"), (size, "byte")):
        if found != output[f"{name}s"]:
            named = f"{output[f'{name}s']:,} by the manifest"
            return f"has {counted(found, name)}, and {named}, so it is another file"
    return None


def versions_of(*packages: str) -> dict[str, str]:
    """Versions of Python and of packages; one that is not installed is left out."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
