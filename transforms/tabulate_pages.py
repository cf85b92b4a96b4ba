"""From pages that are read to the tables of a dataset folder, their links resolved."""

from __future__ import annotations

from typing import Any

import apache_beam as beam

from anchormine.hypertext.rows import Provenance
from anchormine.transforms.files import join
from anchormine.transforms.options import transform_options
from anchormine.transforms.resolve_links import ResolveLinks
from anchormine.transforms.spill_pages import Addresses, SpillPages
from anchormine.transforms.write_pages import WritePages


@transform_options
class TabulatePages(beam.PTransform):
    """Takes `PageRead`, in input order within each range; gives reports of what was written and counted.

    The pages are those of one reading: two number their files alike, from 0, and cannot be told apart.

    Attributes:
        spaces: the addresses of each file, by the file's number.
        provenances: of the rows, by the range's number.
        groups: the group of each range; its rows go to the same shards.
        buckets: among how many the addresses are divided.
        scratch: folder for all files until they are published, and for heartbeats.
    """

    spaces: tuple[Addresses, ...]
    provenances: tuple[Provenance, ...]
    groups: tuple[int, ...]
    buckets: int
    scratch: str

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        folder, progress = join(self.scratch, "pages"), join(self.scratch, "progress")
        spilled = pages | "Spill pages" >> SpillPages(self.spaces, self.buckets, folder, progress)
        resolved = (spilled.addresses, spilled.targets) | "Resolve links" >> ResolveLinks(
            self.buckets, join(self.scratch, "addresses")
        )
        written = (spilled, resolved) | "Write pages" >> WritePages(
            self.provenances, self.groups, join(self.scratch, "parts")
        )
        counts = (
            (spilled.counts, resolved.counts)
            | "Counts" >> beam.Flatten()
            | "As report" >> beam.Map(_counts_report)
        )
        return (written, counts) | "Reports" >> beam.Flatten()


def _counts_report(counts: dict[str, int]) -> dict[str, Any]:
    return {"counts": counts}
