"""What is said of the input files: of each whether it is complete, and of all where nothing can be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from anchormine.datasets.places import Place, Places, input_entry
from anchormine.numerals import counted
from anchormine.transforms.given_inputs import InputFile
from anchormine.transforms.report import Report
from anchormine.transforms.resumed_reads import LEAVE_OUT, NOT_READ

_FAILURES = ("crash", "memory")  # reasons of rejects
_NAMED = 3  # files that are passed over


def input_entries(
    files: Sequence[InputFile], found: Sequence[Places], left_out: Sequence[int], report: Report
) -> list[dict[str, Any]]:
    """Returns what the manifest says of each file.

    Args:
        files: of the plan.
        found: the places of each where something is wrong.
        left_out: how many more places each has.
        report: of the run, with their checksums, and which have changed.
    """
    sums = dict(report.notes["sha256"])
    inputs = []
    for file, places, more in zip(files, found, left_out, strict=True):
        change = report.changed.get(file.path)
        verdict, shown = _verdict(file, places.kept, change)
        sha256 = None if change else sums[file.path]  # else of what it was at some time
        more += places.count - len(places.kept)
        inputs.append(input_entry(file.path, file.size, sha256, verdict, shown, more))
    return inputs


def _verdict(file: InputFile, places: list[Place], change: str | None) -> tuple[str, list[Place]]:
    """The verdict on a file, and the places that the manifest lists.

    Args:
        file: of the plan.
        places: where something is wrong.
        change: what has become of it since it was planned; None for nothing.
    """
    if file.unreadable:
        return "unreadable", [Place(0, file.size, file.unreadable)]
    unread = sum(place.bytes_skipped for place in places if place.reason.startswith(NOT_READ))
    if unread == file.size > 0:  # since it was looked at
        first, *others = places
        return "unreadable", [first._replace(reason=f"{first.reason}; {LEAVE_OUT}"), *others]
    if change:
        return "damaged", [Place(0, 0, change), *places]
    return "damaged" if places else "complete", places


def add_records(
    entries: Sequence[dict[str, Any]],
    files: Sequence[InputFile],
    records: Mapping[int, tuple[int, Sequence[int]]],
    unread_from: Mapping[int, int | None],
) -> None:
    """Adds to the entries of files how many records they gave, and from where on they were not read.

    Args:
        entries: as `input_entries` returns them.
        files: of the plan.
        records: of each file that was begun, by its number: how many, and how many start before each place.
        unread_from: of these, the byte from which on no more records were wanted; None for none.
    """
    for number, (count, all_before) in records.items():
        entries[number]["records"] = count
        places = entries[number]["places"]
        at_start = [0] * (len(places) - len(all_before))  # of a file that has changed
        for place, before in zip(places, [*at_start, *all_before], strict=True):
            place |= {"records_before": before, "records_after": count - before}
    for number, (file, entry) in enumerate(zip(files, entries, strict=True)):
        start = unread_from.get(number, 0)
        if start is not None and not file.unreadable:
            entry["unread_from"] = start


def verdict_lines(inputs: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yields a line for each file whose verdict is not "complete"; `inputs` is as the manifest has it."""
    for entry in inputs:
        if entry["verdict"] != "complete":
            first = entry["places"][0]
            more = len(entry["places"]) - 1 + entry.get("places_left_out", 0)
            rest = f", and {counted(more, 'more place')} (see manifest.json)" if more else ""
            yield f"{entry['path']}: {entry['verdict']} at byte {first['offset']}: {first['reason']}{rest}"


def passed_over_lines(paths: Sequence[str], remedy: str) -> Iterator[str]:
    """Yields a line where files of folders look like input and are not read; `remedy` says what to do."""
    if paths:
        more = f" (and {len(paths) - _NAMED:,} more, see manifest.json)" if len(paths) > _NAMED else ""
        yield f"{', '.join(paths[:_NAMED])}{more}: passed over, by the ending of the name; {remedy}"


def failure_lines(counts: Mapping[str, int], folder: str) -> Iterator[str]:
    """Yields a line where the reader itself failed at pages, which a limit or a fault of theirs is not.

    Args:
        counts: of the run, with "pages.rejected.crash" and so on.
        folder: that is written.
    """
    failed = {reason: counts.get(f"pages.rejected.{reason}", 0) for reason in _FAILURES}
    found = [reason for reason in _FAILURES if failed[reason]]
    if found:
        said = ", ".join(f"{failed[reason]:,} ({reason})" for reason in found)
        where = f"`anchormine rejects {quote(folder)} --reason {found[0]}` says which, and why"
        yield f"pages that the reader failed at: {said}; they are set aside; {where}"


def reached_limit(inputs: Iterable[Mapping[str, Any]], limit: int | None) -> int | None:
    """Returns the limit of records if it left something unread; `inputs` is as the manifest has it."""
    return limit if any("unread_from" in entry for entry in inputs) else None


def unread_lines(inputs: Sequence[Mapping[str, Any]], limit: int | None) -> Iterator[str]:
    """Yields a line where the limit of records left files unread, or their ends; `inputs` is as above."""
    unread = sum("unread_from" in entry for entry in inputs)
    if unread and limit is not None:
        files = f"{unread:,} of {counted(len(inputs), 'file')}"
        where = "unread_from in manifest.json says from where on; verdicts are of what was read"
        yield f"--limit {limit} left {files} unread, whole or in part; {where}"


def nothing_readable(
    files: Sequence[InputFile],
    inputs: Sequence[Mapping[str, Any]] = (),
    set_aside: str = "",
    limit: int | None = None,
    despite_damage: bool = False,
) -> str:
    """The error for input of which no page could be read.

    Args:
        files: of the plan, one or more.
        inputs: what the manifest would have said, if it was tried.
        set_aside: what became of the records of files without damage, if it was tried.
        limit: of records; None for none, or where it left nothing unread.
        despite_damage: whether `set_aside` is told where there is damage, too: files of a kind that holds no
            page hold none behind it.
    """
    first = files[0]
    reason = first.unreadable or "no page could be read"
    if not first.unreadable and inputs and inputs[0]["places"] and not despite_damage:
        place = inputs[0]["places"][0]
        reason += f" (byte {place['offset']}: {place['reason']})"
    elif not first.unreadable and set_aside:
        reason += f" {set_aside}"
    if limit is not None:
        reason += f"; --limit {limit} leaves the rest unread, so give a larger one"
    more = f" (and {counted(len(files) - 1, 'more file')})" if len(files) > 1 else ""
    return f"{first.path}{more}: {reason}; nothing was published"
