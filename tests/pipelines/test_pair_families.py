"""The families of tasks: together they are all tasks, and what they say of options is what the flags are."""

from __future__ import annotations

from collections import Counter

from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_arguments import add_arguments, task_options
from anchormine.pipelines.pair_families import FAMILIES, families_of
from anchormine.schemas.pairs import TASKS


def test_every_task_is_of_one_family() -> None:
    assert Counter(task for family in FAMILIES for task in family.tasks) == Counter(TASKS)
    for family in FAMILIES:
        assert {*family.anchor_tasks} <= {*family.tasks}
        assert families_of(family.tasks[:1]) == (family,)


def test_options_are_what_the_flags_say() -> None:
    parser = StepParser(prog="anchormine pairs")
    add_arguments(parser)
    parser.set_defaults(beam_options=[])
    options = task_options(parser.parse_args(["folder"]))
    for family in FAMILIES:
        assert {name: parser.get_default(name) for name in family.defaults} == family.defaults
        assert {*family.defaults} <= {*family.concerns}
        assert {task for tasks in family.concerns.values() for task in tasks} <= {*family.tasks}
    passages = {family.name: family for family in FAMILIES}["passages"]
    assert list(passages.describe_options(options["passages"])) == list(passages.concerns)
