"""Which of ClueWeb22's files are read, and which of them belong together.

In each of the folders txt, inlink and outlink a file such as `en/en00/en0000/en0000-00.json.gz` is of the
same pages. These files are a stem, and all that is joined, but for the destinations of out-links, is joined
within one. If a file is named in another way, it may be of any pages, and all files are one stem.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from anchormine.errors import UsageError
from anchormine.transforms.clueweb22_files import SetAside, SourceFile, find_sources
from anchormine.transforms.clueweb22_lines import FileLines

OTHER_SIDE = "other_side"  # why files are set aside whose links others hold from their other side
_STEM = re.compile(r"([a-z_]+[0-9]+-[0-9]+)\.json\.gz")
_MIN_GROUP_BYTES, _MAX_GROUP_BYTES, _GROUPS_OF_SMALL_INPUTS = 8 << 20, 256 << 20, 16


class Stem(NamedTuple):
    """Files of the same pages.

    Attributes:
        number: its place among the stems, and that of its rows.
        name: such as "en0000-00"; "" where the files are named in another way.
        texts: numbers of its files of texts.
        links: numbers of its files of links.
        max_texts: how many records of texts are read; None for all.
        max_links: the same of links.
    """

    number: int
    name: str
    texts: tuple[int, ...]
    links: tuple[int, ...]
    max_texts: int | None = None
    max_links: int | None = None


class ClueWeb22Plan(NamedTuple):
    """What is read.

    Attributes:
        files: that are read or unreadable, in order.
        set_aside: files that are not read: of out-links, where there are files of in-links, which hold the
            same links from the other side, and those of folders that only look like the collection's.
        links: "inlink" or "outlink", of which links anchors are made.
        stems: in order.
        groups: the stems that one worker reads one after the other: their rows go to the same shards.
    """

    files: tuple[SourceFile, ...]
    set_aside: tuple[SetAside, ...]
    links: str
    stems: tuple[Stem, ...]
    groups: tuple[tuple[Stem, ...], ...]


def plan_clueweb22(patterns: Sequence[str], limit: int | None = None) -> ClueWeb22Plan:
    """Plans the reading of files of ClueWeb22.

    Args:
        patterns: see `find_sources`.
        limit: how many records are read, from the first on: of each stem texts and links by turns, which are
            in the same order.

    Raises:
        UsageError: a pattern without a file, no file of texts.
    """
    found, aside = find_sources(patterns)
    links = "inlink" if any(file.kind == "inlink" for file in found) else "outlink"
    files = sorted((file for file in found if file.kind in ("txt", links, "")), key=_order)
    if links == "inlink":
        others = [file for file in found if file.kind == "outlink"]
        aside = [*aside, *(SetAside(file.path, file.name, OTHER_SIDE) for file in others)]
    if not any(file.kind == "txt" for file in files) and any(file.kind for file in files):
        raise UsageError(
            f"{patterns[0]}: links without texts; give the files under txt/ too, or the folder of both"
        )
    stems = _stems(files)
    if limit is not None:
        stems = _limited(stems, files, limit)
    return ClueWeb22Plan(tuple(files), tuple(sorted(aside)), links, tuple(stems), _groups(stems, files))


def _order(file: SourceFile) -> tuple[str, bool, str]:
    return file.path.rpartition("/")[2], file.kind != "txt", file.path


def _stems(files: Sequence[SourceFile]) -> list[Stem]:
    numbers: dict[str, list[int]] = {}
    readable = [number for number, file in enumerate(files) if file.kind]
    names = {number: _STEM.fullmatch(files[number].path.rpartition("/")[2]) for number in readable}
    is_named = all(names.values())
    for number, match in names.items():
        numbers.setdefault(match[1] if match and is_named else "", []).append(number)
    return [
        Stem(
            place,
            name,
            tuple(number for number in of_stem if files[number].kind == "txt"),
            tuple(number for number in of_stem if files[number].kind != "txt"),
        )
        for place, (name, of_stem) in enumerate(numbers.items())
    ]


def _limited(stems: Iterable[Stem], files: Sequence[SourceFile], limit: int) -> list[Stem]:
    """Cuts the stems after a number of records, which are counted here, in input order."""
    kept: list[Stem] = []
    for stem in stems:
        texts = _count(stem.texts, files, limit)
        links = _count(stem.links, files, limit)
        read_texts = min(texts, max((limit + 1) // 2, limit - links))
        read_links = min(links, limit - read_texts)
        kept.append(stem._replace(max_texts=read_texts, max_links=read_links))
        limit -= read_texts + read_links
        if not limit:
            break
    return kept


def _count(numbers: Iterable[int], files: Sequence[SourceFile], most: int) -> int:
    """Returns how many records some files have; `most` of more."""
    count = 0
    for number in numbers:
        count += sum(1 for _ in FileLines(files[number], most=most - count))
    return count


def _groups(stems: Iterable[Stem], files: Sequence[SourceFile]) -> tuple[tuple[Stem, ...], ...]:
    """Puts stems together, by the sizes of their files and by nothing else."""
    total = sum(file.size for file in files)
    step = min(max(total // _GROUPS_OF_SMALL_INPUTS, _MIN_GROUP_BYTES), _MAX_GROUP_BYTES)
    groups: dict[int, list[Stem]] = {}
    before = 0
    for stem in stems:
        groups.setdefault(before // step, []).append(stem)
        before += sum(files[number].size for number in (*stem.texts, *stem.links))
    return tuple(tuple(group) for group in groups.values())
