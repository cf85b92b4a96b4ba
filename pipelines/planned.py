"""What `--dry-run` prints."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from apache_beam.options.pipeline_options import PipelineOptions

from anchormine.control_characters import one_line
from anchormine.numerals import counted
from anchormine.pipelines.runners import is_local, runner_name


class PlannedRun(NamedTuple):
    """What a run would do.

    Attributes:
        command: behind "anchormine".
        inputs: (path, bytes) of each file.
        steps: what is done, in order.
        outputs: paths that are written.
        removals: what does not stay though it is not made again, and why, in lines.
        set_aside: (path, reason) of each file that would not be read.
    """

    command: str
    inputs: Sequence[tuple[str, int]]
    steps: Sequence[str]
    outputs: Sequence[str]
    removals: Sequence[str] = ()
    set_aside: Sequence[tuple[str, str]] = ()


def print_planned(run: PlannedRun, workers: int, options: PipelineOptions, as_json: bool) -> None:
    """Prints what a run would do, in lines or as one JSON object.

    Args:
        run: see `PlannedRun`.
        workers: processes of the local runner; no other has them.
        options: of Beam.
        as_json: whether an object is asked for.
    """
    runner, processes = runner_name(options), workers if is_local(options) else None
    if as_json:
        planned = {
            "command": f"anchormine {run.command}",
            "inputs": [{"path": path, "bytes": size} for path, size in run.inputs],
            "inputs_set_aside": [{"path": path, "reason": reason} for path, reason in run.set_aside],
            "steps": list(run.steps),
            "outputs": list(run.outputs),
            "removals": list(run.removals),
            "runner": runner,
            "workers": processes,
        }
        print(json.dumps(planned, ensure_ascii=False))
        return
    print(f"anchormine {run.command}, as planned:")
    lines = [("input", f"{path} ({size:,} bytes)") for path, size in run.inputs]
    lines += [("aside", f"{path} ({reason})") for path, reason in run.set_aside]
    lines += [("step", step) for step in run.steps]
    lines += [("output", path) for path in run.outputs]
    lines += [("removal", line) for line in run.removals]
    lines += [("runner", runner if processes is None else f"{runner}, {counted(processes, 'worker')}")]
    for kind, text in lines:
        print(one_line(f"  {kind:7} {text}"))
