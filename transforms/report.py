"""What the workers have to say at the end, in one file that the launcher reads."""

import json
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import apache_beam as beam

from anchormine.datasets.distributions import TableDistributions, add_up
from anchormine.transforms.files import create_file, open_file
from anchormine.transforms.options import transform_options
from anchormine.transforms.parquet_shards import Part


@transform_options
class WriteReport(beam.PTransform):
    """Takes dictionaries with "parts" (tuples of `Part`), "counts" and whatever else is listed.

    Attributes:
        path: of the file.
    """

    path: str

    def expand(self, reports: beam.PCollection) -> beam.PCollection:
        return reports | "Gather" >> beam.combiners.ToList() | "Report" >> beam.Map(_write, self.path)


def _write(reports: list[dict[str, Any]], path: str) -> str:
    with create_file(path) as stream:
        stream.write(json.dumps(reports).encode())
    return path


class Report:
    """What `WriteReport` wrote, summed up.

    Attributes:
        parts: of all tables, in order.
        counts: summed.
        notes: the reports' other entries, by name.
        changed: what has become of input files that changed meanwhile, by path.
    """

    def __init__(self, path: str, changed: Mapping[str, str] = MappingProxyType({})) -> None:
        with open_file(path) as stream:
            reports = json.loads(stream.read())
        self.parts = sorted(
            (
                Part(table, split, tuple(order), *rest)
                for report in reports
                for table, split, order, *rest in report.get("parts", ())
            ),
            key=lambda part: (part.table, part.split, part.order),
        )
        self.changed = changed
        self.counts: Counter = Counter()
        self.notes: dict[str, list[Any]] = {}
        for report in reports:
            self.counts.update(report.get("counts", {}))
            for name, note in report.items():
                if name not in ("parts", "counts"):
                    self.notes.setdefault(name, []).append(note)

    def distributions(self) -> dict[str, TableDistributions]:
        """Of the tables that are measured, by their folder."""
        tables: dict[str, list[TableDistributions]] = {}
        for part in self.parts:
            if part.distributions:
                tables.setdefault(part.table, []).append(part.distributions)
        return {table: add_up(parts) for table, parts in tables.items()}

    def rows(self, table: str) -> int:
        """Rows of a table's files."""
        return sum(part.rows for part in self.parts if part.table == table)
