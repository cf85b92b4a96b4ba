"""The families of tasks that `pairs` makes, a module each, with all that the step has to know of it."""

from collections.abc import Collection

from anchormine.pipelines.pair_families.anchor_document import ANCHOR_DOCUMENTS
from anchormine.pipelines.pair_families.bprop import CONTRASTS
from anchormine.pipelines.pair_families.family import TaskFamily
from anchormine.pipelines.pair_families.harp import HARP
from anchormine.pipelines.pair_families.passages import PASSAGES
from anchormine.pipelines.pair_families.rop import DOCUMENT_MODELS

# In the order in which they are wired, and in which the manifest has their options.
FAMILIES = (HARP, DOCUMENT_MODELS, CONTRASTS, ANCHOR_DOCUMENTS, PASSAGES)

ANCHOR_TASKS = tuple(task for family in FAMILIES for task in family.anchor_tasks)


def families_of(tasks: Collection[str]) -> tuple[TaskFamily, ...]:
    """The families that some tasks are of."""
    return tuple(family for family in FAMILIES if {*family.tasks}.intersection(tasks))


__all__ = ["ANCHOR_TASKS", "FAMILIES", "TaskFamily", "families_of"]
