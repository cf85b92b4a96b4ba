"""The files of a folder's tables: checked, given their places, and cleared of what belongs to none."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems

from anchormine.errors import CommandError
from anchormine.transforms.files import (
    delete_empty_folders,
    delete_files,
    files_below,
    join,
    make_folder,
    open_file,
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


def check_files(folder: str, command: str, outputs: Iterable[Mapping[str, Any]]) -> None:
    """Looks whether files of tables can be read.

    Args:
        folder: of the dataset.
        command: that makes them.
        outputs: as the manifest lists them.

    Raises:
        CommandError: a file is gone, no whole Parquet file, or has other rows than the manifest says.
    """
    for output in outputs:
        path = join(folder, output["path"])
        try:
            with open_file(path) as stream:
                rows = pq.read_metadata(stream).num_rows
        except (BeamIOError, OSError, pa.ArrowException, CommandError) as error:
            reason = " ".join(str(error).split())
            raise CommandError(
                f"{path}: named in the manifest, but cannot be read ({reason}); make it again with "
                f"`{command}` and --overwrite"
            ) from None
        if rows != output["rows"]:
            raise CommandError(
                f"{path}: has {rows:,} rows, and {output['rows']:,} by the manifest, so it is another file; "
                f"make it again with `{command}` and --overwrite"
            )


def move_in(folder: str, parts: Sequence[Part]) -> list[dict[str, Any]]:
    """Gives shards their names, table by table, and returns them as the manifest lists them."""
    outputs = []
    for (table, split), shards in _by_table(parts).items():
        place = join(folder, table)
        make_folder(place)
        names = [f"{table}/{split}-{n:05d}-of-{len(shards):05d}.parquet" for n in range(len(shards))]
        delete_files([path for path in files_below(place) if _is_shard(path, place, split)])
        FileSystems.rename([part.path for part in shards], [join(folder, name) for name in names])
        outputs += [
            {"path": name, "rows": part.rows, "bytes": part.bytes, "sha256": part.sha256}
            for name, part in zip(names, shards, strict=True)
        ]
    return outputs


def delete_strays(folder: str, named: Collection[str]) -> None:
    """Deletes what killed runs have left in the tables: shards that are not named, and empty folders.

    Args:
        folder: of the dataset.
        named: paths below it.
    """
    prefix = folder.rstrip("/") + "/"
    for table in _TABLES:
        shards = [path for path in files_below(join(folder, table)) if path.endswith(".parquet")]
        delete_files(path for path in shards if path.removeprefix(prefix) not in named)
        delete_empty_folders(join(folder, table))


def _by_table(parts: Iterable[Part]) -> dict[tuple[str, str], list[Part]]:
    tables: dict[tuple[str, str], list[Part]] = {}
    for part in sorted(parts, key=lambda part: (part.table, part.split, part.order)):
        tables.setdefault((part.table, part.split), []).append(part)
    return tables


def _is_shard(path: str, folder: str, split: str) -> bool:
    """Whether a file below a table's folder is one of a split's shards, and not of a table further below."""
    name = path.removeprefix(folder).strip("/")
    return "/" not in name and name.startswith(f"{split}-") and name.endswith(".parquet")
