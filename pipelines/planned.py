"""What `--dry-run` prints."""

from collections.abc import Iterable

from apache_beam.options.pipeline_options import PipelineOptions

from anchormine.pipelines.runners import is_local, runner_name


def print_planned(
    command: str,
    inputs: Iterable[tuple[str, int]],
    lines: Iterable[tuple[str, str]],
    workers: int,
    options: PipelineOptions,
    set_aside: Iterable[tuple[str, str]] = (),
) -> None:
    """Prints what a run would do.

    Args:
        command: behind "anchormine".
        inputs: files and their bytes.
        lines: (what it is, the rest), in order.
        workers: processes of the local runner.
        options: of Beam.
        set_aside: files that would not be read, and why.
    """
    print(f"anchormine {command}, as planned:")
    for path, size in inputs:
        print(f"  input   {path} ({size:,} bytes)")
    for path, reason in set_aside:
        print(f"  aside   {path} ({reason})")
    for kind, text in lines:
        print(f"  {kind:7} {text}")
    print(f"  runner  {runner_name(options)}" + (f", {workers} workers" if is_local(options) else ""))
