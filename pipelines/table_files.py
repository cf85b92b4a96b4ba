"""The files of a folder's tables: checked, given their places, and cleared of what belongs to none."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems

from anchormine.datasets.manifest import unlike
from anchormine.errors import CommandError, UsageError
from anchormine.transforms.files import (
    delete_empty_folders,
    delete_files,
    files_below,
    is_local,
    join,
    make_folder,
    open_file,
    plain_path,
)
from anchormine.transforms.parquet_shards import Part

_TABLES = (
    "pages",
    "anchors",
    "filtered",
    "rejects",
    "pairs",
    "provenance",
    "terms",
    "contrastive",
)  # or the folders of several


class PlacedShard(NamedTuple):
    """A shard where it was written, and as the manifest lists it in its place."""

    path: str
    entry: dict[str, Any]


def check_files(folder: str, command: str, outputs: Iterable[Mapping[str, Any]]) -> None:
    """Looks whether files of tables can be read, and are those that were written, by their size.

    Args:
        folder: of the dataset.
        command: that makes them.
        outputs: as the manifest lists them.

    Raises:
        CommandError: a file is gone, no whole Parquet file, or of other rows or bytes than the manifest says.
    """
    for output in outputs:
        path = join(folder, output["path"])
        try:
            with open_file(path) as stream:
                size, rows = stream.seek(0, os.SEEK_END), pq.read_metadata(stream).num_rows
        except (BeamIOError, OSError, pa.ArrowException, CommandError) as error:
            reason = " ".join(str(error).split())
            raise CommandError(
                f"{path}: named in the manifest, but cannot be read ({reason}); make it again with "
                f"`{command}` and --overwrite"
            ) from None
        if found := unlike(output, rows, size):
            raise CommandError(f"{path}: {found}; make it again with `{command}` and --overwrite")


def refuse_links(folder: str, names: Iterable[str]) -> None:
    """Refuses folders that are links to other places, as whoever gave a dataset may have put them there.

    Args:
        folder: of the dataset, which may be one itself.
        names: of folders below it in which files are replaced or deleted.

    Raises:
        UsageError: one of them, or one above it, is a link.
    """
    for name in sorted(names):
        parts = name.split("/")
        for depth in range(1, len(parts) + 1):
            place = join(folder, *parts[:depth])
            if _is_link(place):
                raise UsageError(
                    f"{place}: is a link, and files of what it leads to would be replaced or deleted; remove "
                    "it, or put a folder there"
                )


def _is_link(place: str) -> bool:
    return is_local(place) and Path(plain_path(place)).is_symlink()


def place_shards(parts: Iterable[Part]) -> list[PlacedShard]:
    """Gives shards their names, table by table; touches nothing."""
    placed = []
    for (table, split), shards in _by_table(parts).items():
        for number, part in enumerate(shards):
            name = f"{table}/{split}-{number:05d}-of-{len(shards):05d}.parquet"
            entry = {"path": name, "rows": part.rows, "bytes": part.bytes, "sha256": part.sha256}
            placed.append(PlacedShard(part.path, entry))
    return placed


def move_in(folder: str, placed: Sequence[PlacedShard]) -> None:
    """Moves shards to their places, and deletes what is in the way, table by table."""
    for (table, split), group in groupby(placed, key=_table_and_split):
        shards, place = list(group), join(folder, table)
        make_folder(place)
        delete_files([path for path in files_below(place) if _is_shard(path, place, split)])
        FileSystems.rename(
            [shard.path for shard in shards], [join(folder, shard.entry["path"]) for shard in shards]
        )


def _table_and_split(shard: PlacedShard) -> tuple[str, str]:
    table, _, name = shard.entry["path"].rpartition("/")
    return table, name.partition("-")[0]


def delete_strays(folder: str, named: Collection[str]) -> None:
    """Deletes what killed runs have left in the tables: shards that are not named, and empty folders.

    A table that is a link to another place is passed over: more may be there than what runs have left.

    Args:
        folder: of the dataset.
        named: paths below it.
    """
    prefix = folder.rstrip("/") + "/"
    for table in _TABLES:
        place = join(folder, table)
        if _is_link(place):
            continue
        shards = [path for path in files_below(place) if path.endswith(".parquet")]
        delete_files(path for path in shards if path.removeprefix(prefix) not in named)
        delete_empty_folders(place)


def _by_table(parts: Iterable[Part]) -> dict[tuple[str, str], list[Part]]:
    tables: dict[tuple[str, str], list[Part]] = {}
    for part in sorted(parts, key=lambda part: (part.table, part.split, part.order)):
        tables.setdefault((part.table, part.split), []).append(part)
    return tables


def _is_shard(path: str, folder: str, split: str) -> bool:
    """Whether a file below a table's folder is one of a split's shards, and not of a table further below."""
    name = path.removeprefix(folder).strip("/")
    return "/" not in name and name.startswith(f"{split}-") and name.endswith(".parquet")
