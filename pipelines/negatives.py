"""`anchormine negatives`: training pairs with hard negatives, by BM25 or by a dual encoder."""

import argparse
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from anchormine.datasets.funnel import funnel_row
from anchormine.datasets.negative_table import negative_table
from anchormine.errors import CommandError
from anchormine.negatives.answers import KINDS
from anchormine.negatives.guards import GUARDS
from anchormine.negatives.options import BM25, NegativeOptions
from anchormine.numerals import counted
from anchormine.pipelines.earlier_sets import divide_sets, found_sets, units_of_documents
from anchormine.pipelines.earlier_steps import Kept
from anchormine.pipelines.extras import ENCODERS, require
from anchormine.pipelines.input_folder import input_folder
from anchormine.pipelines.mining import Job, Outcome, Plan, run_job, say_done
from anchormine.pipelines.negative_arguments import add_arguments, idle_options, negative_options
from anchormine.pipelines.negative_defaults import check_parts, chosen_options
from anchormine.pipelines.negative_options import manifest_options, miner_name
from anchormine.pipelines.negative_pipeline import NegativeRun, build
from anchormine.pipelines.negative_source import negative_source
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.transforms.load_miner import load_miner
from anchormine.transforms.report import Report

# What a pair sends through the largest grouping: its query, ids and signature.
_BYTES_PER_PAIR = 600
# What a link sends through the join with what is asked, for each kind of answer: two keys.
_BYTES_PER_ANSWER = 16
_ALWAYS = ("bm25s", "datasketch")
__all__ = ["add_arguments", "check", "run"]


def check(args: argparse.Namespace) -> None:
    """Makes sure of what can be told without the folder.

    Raises:
        UsageError: an option is out of its range.
    """
    if not args.refresh:  # which keeps options that the folder says
        plain = NegativeOptions()
        for own in chosen_options(args, {}).values():
            negative_options(own, plain.form, plain.passage_words, None)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    require(
        f"anchormine negatives --from {args.miner}", _ALWAYS if args.miner == BM25 else (*_ALWAYS, *ENCODERS)
    )
    tasks = list(dict.fromkeys(args.task))
    folder = OutputFolder(args.folder)
    there = input_folder(folder.path)
    chosen = chosen_options(args, found_sets(there.manifest) if args.refresh else {})
    if args.miner != BM25 and any(own.index == "faiss" for own in chosen.values()):
        require("anchormine negatives --index faiss", ("faiss",), "faiss")
    args.seed = chosen[tasks[0]].seed
    source = negative_source(there, {task: own.limit for task, own in chosen.items()})
    options = {
        task: negative_options(own, source.forms[task], source.passage_words, source.language)
        for task, own in chosen.items()
    }
    check_parts(options)
    asked = {task: manifest_options(options[task], own) for task, own in chosen.items()}
    sets = divide_sets(folder, asked, args.overwrite, args.resume, args.refresh)
    if not sets.made:
        folder.check_there("negatives")
        say_done(args, folder)
        return 0
    all_options = {**asked, **sets.options}
    made = NegativeRun(source, sets, options, miner_name(options[tasks[0]]), all_options, args)
    return run_job(args, folder, partial(plan_negatives, made), done=False)


def plan_negatives(run: NegativeRun) -> Job:
    """Plans the step, and wires the pipeline."""
    first = run.options[run.sets.made[0]]
    if first.model and not run.args.dry_run:
        load_miner(first.model.on_launcher())  # before anything is written: a worker's error would come late
    source = run.source
    pairs = sum(source.rows[task] for task in run.sets.made)
    plan = Plan(
        step="negatives",
        inputs=[(entry["path"], entry["bytes"]) for entry in _inputs(run)],
        tables=[*_tables(run.sets.made), "rejects/negatives"],
        stages=[*(f"index {form} of pages" for form in run.forms), f"mine by {run.mined_from}", "write"],
        total=pairs,
        counter="mined",
        unit="pairs",
        shuffled_bytes=max(pairs * _BYTES_PER_PAIR, source.link_rows * len(KINDS) * _BYTES_PER_ANSWER),
    )
    return Job(
        plan, partial(build, run=run), partial(conclude, run=run), _options(run), Kept(_tables(run.sets.kept))
    )


def conclude(report: Report, run: NegativeRun) -> Outcome:
    """Makes the outcome of a run."""
    counts, tasks = report.counts, run.sets.all
    for task in run.sets.made:
        # Known before the run, and so a check on what was counted in it.
        counts[f"negatives-{task}.read"] = run.source.rows[task]
        counts[f"negatives-{task}.written"] = report.rows(f"contrastive/{task}")
    counts.update(run.sets.counts)
    if not any(counts[f"negatives-{task}.written"] for task in tasks):
        raise CommandError(
            f"{run.args.folder}: no query of {', '.join(tasks)} has a negative ({_reasons(counts, tasks)}), "
            f"and nothing was published; {_remedy(counts, tasks)}"
        )
    wanted = {task: run.sets_options[task]["negatives"] for task in tasks}
    units = [*units_of_documents(run.sets_options, tasks), *(f"negatives-{task}" for task in tasks)]
    return Outcome(
        funnel=[funnel_row("negatives", unit, counts) for unit in units],
        inputs=_inputs(run),
        counts=counts,
        options=_options(run),
        packages=_packages(run),
        warnings=list(_warnings(run, wanted, counts)),
        tables=[("negatives", *negative_table(tasks, wanted, counts))],
        versions=run.sets.versions,
    )


def _inputs(run: NegativeRun) -> list[dict[str, Any]]:
    """The files that are read; those of earlier sets' pairs are the same folder's, and named there."""
    return [entry for key in ("", *run.sets.made) for entry in run.source.inputs[key]]


def _options(run: NegativeRun) -> dict[str, Any]:
    return {"task": list(run.sets.all), "sets": {task: run.sets_options[task] for task in run.sets.all}}


def _tables(tasks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"contrastive/{task}" for task in tasks)


def _reasons(counts: Mapping[str, int], tasks: tuple[str, ...]) -> str:
    rows = [funnel_row("negatives", f"negatives-{task}", counts) for task in tasks]
    return ", ".join(f"{reason} {count:,}" for row in rows for reason, count in row.rejected.items())


def _remedy(counts: Mapping[str, int], tasks: tuple[str, ...]) -> str:
    """Why no query has a negative, and what may give some."""

    def total(name: str) -> int:
        return sum(counts.get(f"negatives.{task}.{name}", 0) for task in tasks)

    if not total("candidates"):
        return (
            "no document of a query's split has a word of it; make the folder of more pages, or search by a "
            "model (--from default)"
        )
    dropped = {guard: total(f"dropped.{guard}") for guard in GUARDS}
    found = ", ".join(f"{name} {count:,}" for name, count in dropped.items() if count)
    why = f"guards dropped all that was found: {found}"
    guard = max(GUARDS[1:], key=lambda name: dropped[name])  # one is always the positive
    if guard == "near_duplicate" and dropped[guard]:
        return f"{why}; give a higher --similarity, or make the folder of pages that differ more"
    if guard == "margin" and dropped[guard]:
        return f"{why}; give a smaller --margin, or a larger --depth"
    return f"{why}; make the folder of more pages, or give a larger --depth"


def _warnings(run: NegativeRun, wanted: Mapping[str, int], counts: Mapping[str, int]) -> Iterator[str]:
    for task in run.sets.made:
        none = counts[f"negatives-{task}.read"] - counts[f"negatives-{task}.written"]
        few = counts.get(f"negatives.{task}.few", 0)
        if few or none:
            yield (
                f"{task}: {counted(few + none, 'query has', 'queries have')} fewer than "
                f"{counted(wanted[task], 'negative')}; {_set_aside(none)}--negatives asks for fewer, --depth "
                "looks at more documents"
            )
    yield from idle_options(run.args, run.forms)
    if run.sets.kept:
        yield f"negatives of {', '.join(run.sets.kept)} stay as they are"


def _set_aside(none: int) -> str:
    """What became of queries without a negative, if there are any."""
    told = counted(none, "of these has none, and is", "of these have none, and are")
    return f"{told} set aside; " if none else ""


def _packages(run: NegativeRun) -> tuple[str, ...]:
    """The packages that decide what is drawn."""
    model = run.options[run.sets.made[0]].model
    ranking = ("torch", "transformers", "tokenizers") if model else ("bm25s",)
    return (*ranking, *(("faiss-cpu",) if model and model.index == "faiss" else ()), "datasketch", "numpy")
