"""The options that are meant for Beam, which passes over those that it does not know or cannot follow."""

import argparse
import contextlib
import difflib
import importlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.runner import PipelineRunner

from anchormine.errors import UsageError
from anchormine.pipelines.options import unknown_option
from anchormine.pipelines.runners import EMBEDDED, RUNNERS

# What `--workers` says already; Beam itself would take these, and the run would not be as they say.
_OF_WORKERS = ("--direct_num_workers", "--direct_running_mode")


def beam_options(arguments: Sequence[str], known: Iterable[str]) -> list[str]:
    """Checks the arguments that are meant for Beam, which itself ignores those that it does not know.

    Args:
        arguments: what the step's own parser left over.
        known: the step's own options, for the hint.

    Raises:
        UsageError: an unknown option, or one that loses data.
    """
    _refuse_dry_run(arguments)
    parser: Any = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for options in _all_option_classes():
        with contextlib.suppress(argparse.ArgumentError):  # Beam defines some options twice
            options._add_argparse_args(parser)
    try:
        given, rest = parser.parse_known_args(list(arguments))
    except (argparse.ArgumentError, SystemExit) as error:
        raise UsageError(f"Beam option: {error}") from None
    if rest:
        others = [name for action in parser._actions for name in action.option_strings]
        if not rest[0].startswith("-"):
            raise UsageError(f"unexpected argument {rest[0]!r}")
        if rest[0].split("=", 1)[0] == "--output":
            raise UsageError("--output: this step writes into the folder that it reads, beside what is there")
        raise unknown_option(rest[0], known, others=others)
    _refuse_lossy(given)
    _refuse_ignored(arguments)
    _refuse_broken(given)
    _check_files(given)
    _check_runner(given.runner)
    _check_endpoint(given)
    return list(arguments)


def _check_runner(name: str | None) -> None:
    """A runner of one's own is named with its module, with dots."""
    if not name:
        return
    if "." in name:
        _check_own_runner(name)
    elif name.lower() not in RUNNERS:
        nearest = difflib.get_close_matches(name, RUNNERS.values(), 1, 0.3)
        hint = f"; did you mean {nearest[0]}?" if nearest else ""
        raise UsageError(f"--runner={name}: no such runner of Beam{hint}")


def _check_endpoint(given: argparse.Namespace) -> None:
    endpoint = given.job_endpoint
    if not endpoint:
        if (given.runner or "").rpartition(".")[2].lower() == "portablerunner":
            raise UsageError(
                "--runner=PortableRunner: needs a job server; name it by --job_endpoint=HOST:PORT"
            )
    elif endpoint != EMBEDDED and (":" not in endpoint or endpoint.startswith(("http:", "https:"))):
        raise UsageError(
            f"--job_endpoint={endpoint}: is no host and port; give those of a job server, as localhost:8099"
        )


def _check_own_runner(name: str) -> None:
    module, _, kind = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), kind, None)
    except (ImportError, ValueError) as error:
        raise UsageError(
            f"--runner={name}: cannot be imported ({error}); give a runner of Beam, or one by its module"
        ) from None
    if not isinstance(found, type) or not issubclass(found, PipelineRunner):
        raise UsageError(f"--runner={name}: is no runner; give a runner of Beam, or one by its module")


def _all_option_classes() -> list[type[PipelineOptions]]:
    found = []
    waiting = [PipelineOptions]
    while waiting:
        options = waiting.pop()
        waiting += options.__subclasses__()
        if "_add_argparse_args" in vars(options):
            found.append(options)
    return found


def _refuse_lossy(given: argparse.Namespace) -> None:
    if getattr(given, "direct_running_mode", None) == "multi_threading":
        raise UsageError(
            "--direct_running_mode=multi_threading loses records in Beam 2.77; "
            "use --workers N for worker processes"
        )
    if any("data_buffer_time_limit_ms" in item for item in getattr(given, "experiments", None) or ()):
        raise UsageError(
            "--experiments=data_buffer_time_limit_ms=... cuts records in two in Beam 2.77; leave it out"
        )


def _refuse_broken(given: argparse.Namespace) -> None:
    """Refuses what ends any of our pipelines in Beam 2.77, with an error of its own."""
    for name in ("runtime_type_check", "performance_runtime_type_check"):
        if getattr(given, name, False):
            raise UsageError(f"--{name}: takes the rows that steps set aside for errors; leave it out")
    if getattr(given, "type_check_strictness", None) == "ALL_REQUIRED":
        raise UsageError(
            "--type_check_strictness=ALL_REQUIRED: not all steps say what types they give; leave it out"
        )
    for name in ("profile_cpu", "profile_memory"):
        if getattr(given, name, False) and not given.profile_location:
            raise UsageError(f"--{name}: needs --profile_location=FOLDER, where the profiles are written")


def _check_files(given: argparse.Namespace) -> None:
    """Beam looks for the files that workers install when a run begins, and not at all on this machine."""
    files = {name: [getattr(given, name, None)] for name in ("setup_file", "requirements_file")}
    for server in ("flink_job_server_jar", "spark_job_server_jar", "prism_location"):
        files[server] = [getattr(given, server, None)]
    files["extra_package"] = getattr(given, "extra_packages", None) or []
    for name, paths in files.items():
        for path in filter(None, paths):
            if "://" not in path and not Path(path).is_file():
                raise UsageError(f"--{name}={path}: no such file; give one that is there")


def _refuse_dry_run(arguments: Sequence[str]) -> None:
    for argument in arguments:
        if argument.partition("=")[0] == "--dry_run":  # no runner but Dataflow's looks at Beam's own
            raise UsageError(f"{argument}: would run all the same; give --dry-run, which prints the plan")


def _refuse_ignored(arguments: Sequence[str]) -> None:
    for argument in arguments:
        if argument.partition("=")[0] in _OF_WORKERS:
            raise UsageError(f"{argument}: is not followed here; use --workers N for worker processes")
