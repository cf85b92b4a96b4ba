"""Systems on a collection: each is ranked, written as a run file, and measured."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from anchormine.errors import CommandError, UsageError
from anchormine.evaluation.collection import Collection
from anchormine.evaluation.measures import measure_rankings, parse_measures
from anchormine.evaluation.options import EvaluationOptions
from anchormine.evaluation.runs import write_run
from anchormine.evaluation.systems import LEXICAL, Systems
from anchormine.training.output_place import check_place, make_place
from anchormine.training.progress import Progress


class SystemScores(NamedTuple):
    """What one system came to.

    Attributes:
        system: as named by the user.
        measures: mean over the queries, by the measure's name.
        run: path of the run file.
    """

    system: str
    measures: dict[str, float]
    run: str


class Evaluation(NamedTuple):
    """What `anchormine evaluate --json` prints.

    Attributes:
        collection: its folder.
        split: whose judgements were used.
        queries: how many were judged and so averaged over.
        systems: in the order in which they were named.
    """

    collection: str
    split: str
    queries: int
    systems: list[SystemScores]

    def as_dict(self) -> dict[str, Any]:
        """The same as dictionaries and lists."""
        return {**self._asdict(), "systems": [system._asdict() for system in self.systems]}


def evaluate(options: EvaluationOptions, progress: Progress) -> Evaluation:
    """Ranks, writes and measures; a system's run file appears as soon as it is done.

    Args:
        options: what to measure.
        progress: for a person.

    Raises:
        UsageError: a model, split or measure that is not there, or an output that cannot be written; nothing
            was touched.
        CommandError: a malformed collection, or a run that cannot be written; it names those that are.
    """
    measures = parse_measures(options.measures)
    paths = run_paths(options)
    _check_output(Path(options.output), paths)
    collection = Collection(options.collection)
    topics = collection.topics(options.split)
    for warning in topics.warnings:
        progress.warn(warning)
    systems = Systems(options, collection)
    make_place(Path(options.output))
    done: list[SystemScores] = []
    for system in options.systems:
        rankings = systems.ranker(system)(topics.queries, progress)
        with _told_runs(done):
            write_run(paths[system], rankings, collection.doc_ids, paths[system].name.split(".")[-2])
        scores = measure_rankings(rankings, topics.qrels, collection.doc_ids, measures)
        done.append(SystemScores(system, scores, str(paths[system])))
    return Evaluation(options.collection, options.split, len(topics.queries), done)


@contextmanager
def _told_runs(done: Sequence[SystemScores]) -> Iterator[None]:
    """Adds the runs that are there to what is said of one that cannot be written."""
    try:
        yield
    except CommandError as error:
        if not done:
            raise
        raise CommandError(f"{error}; written before: {', '.join(scores.run for scores in done)}") from None


def _check_output(output: Path, paths: dict[str, Path]) -> None:
    check_place(output)
    for path in paths.values():
        if path.is_dir():
            raise UsageError(f"{path}: is a folder, a run file is to stand there; give another --output")


def run_paths(options: EvaluationOptions) -> dict[str, Path]:
    """The run file of each system: <collection>.<split>.<system>.run; a model's is named after its folder."""
    collection = _file_name(Path(options.collection).resolve().name)
    paths: dict[str, Path] = {}
    for system, name in zip(options.systems, _distinct_names(options.systems), strict=True):
        paths[system] = Path(options.output) / f"{collection}.{_file_name(options.split)}.{name}.run"
    return paths


def _distinct_names(systems: Sequence[str]) -> list[str]:
    """A name for each system; where two folders share theirs, the later ones get a number."""
    names: list[str] = []
    for system in systems:
        name = system if system in LEXICAL else _file_name(Path(system).name or Path(system).resolve().name)
        number = 2
        distinct = name
        while distinct in names:
            distinct, number = f"{name}-{number}", number + 1
        names.append(distinct)
    return names


def _file_name(text: str) -> str:
    """Letters, digits, "-" and "_" only: the dots in a run file's name separate its parts."""
    return re.sub(r"[^\w-]+", "-", text).strip("-") or "unnamed"
