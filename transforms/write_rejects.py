"""Writes what a step has set aside."""

from collections.abc import Iterable, Iterator
from typing import Any

import apache_beam as beam

from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.rejects import REJECTS, Reject
from anchormine.transforms.blobs import unpack
from anchormine.transforms.options import transform_options
from anchormine.transforms.parquet_shards import ShardWriter


@transform_options
class WriteRejects(beam.PTransform):
    """Takes (bucket, blob of `Reject`), and gives reports {"parts"}.

    Attributes:
        step: the command.
        folder: for the files, until they are published.
    """

    step: str
    folder: str

    def expand(self, rejects: beam.PCollection) -> beam.PCollection:
        return rejects | "Group rejects" >> beam.GroupByKey() | "Write rejects" >> beam.ParDo(_write, self)


def _write(group: tuple[int, Iterable[bytes]], options: WriteRejects) -> Iterator[dict[str, Any]]:
    bucket, blobs = group
    rows = sorted(
        (row for data in blobs for row in unpack(data, Reject)),
        key=lambda row: (row.origin, row.unit, row.record_id or "", row.reason, row.excerpt, row.records),
    )
    writer = ShardWriter(options.folder, f"rejects/{options.step}", REJECTS, bucket)
    writer.write(to_table(rows, REJECTS))
    yield {"parts": [tuple(part) for part in writer.close()]}
