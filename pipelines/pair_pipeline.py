"""The pipeline of `anchormine pairs`: what each family of tasks makes, and the reports of all."""

from typing import Any

import apache_beam as beam

from anchormine.pipelines.earlier_tasks import kept_units
from anchormine.pipelines.mining import report_path
from anchormine.pipelines.pair_families import families_of
from anchormine.pipelines.pair_run import Made, PairRun
from anchormine.transforms.files import join
from anchormine.transforms.keep_rejects import KeepRejects
from anchormine.transforms.report import WriteReport
from anchormine.transforms.write_rejects import WriteRejects


def build(pipeline: beam.Pipeline, scratch: str, run: PairRun) -> None:
    """Wires the pipeline."""
    made = _wire_families(pipeline, scratch, run)
    kept = pipeline | "Keep rejects" >> KeepRejects(
        run.source.rejects, kept_units(run.tasks), run.source.buckets
    )
    rejects = (
        (kept, *(part for family in made for part in family.rejects))
        | "Rejects" >> beam.Flatten()
        | WriteRejects("pairs", join(scratch, "parts"))
    )
    counts = (
        [part for family in made for part in family.counts]
        | "Counts" >> beam.Flatten()
        | "As report" >> beam.Map(_counts_report)
    )
    (
        (rejects, counts, *(part for family in made for part in family.reports))
        | "Reports" >> beam.Flatten()
        | "Write report" >> WriteReport(report_path(scratch))
    )


def _wire_families(pipeline: beam.Pipeline, scratch: str, run: PairRun) -> list[Made]:
    """Wires the families; the first of them that reads anchors counts these."""
    families = families_of(run.tasks.made)
    reading = [family for family in families if run.tasks.made_of(family.anchor_tasks)]
    return [family.wire(pipeline, scratch, run, family in reading[:1]) for family in families]


def _counts_report(counts: dict[str, int]) -> dict[str, Any]:
    return {"counts": counts}
