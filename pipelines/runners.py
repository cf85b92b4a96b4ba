"""Which engine runs a pipeline, and which of Beam's options it is given."""

import argparse
import contextlib
import difflib
import importlib
import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import (
    DirectOptions,
    PipelineOptions,
    PortableOptions,
    StandardOptions,
)
from apache_beam.pipeline import Pipeline
from apache_beam.runners.runner import PipelineRunner

from anchormine.errors import CommandError, UsageError
from anchormine.pipelines.options import unknown_option

_View = TypeVar("_View", bound=PipelineOptions)
_LOCAL = ("DirectRunner", "FnApiRunner", "SwitchingDirectRunner")
_KNOWN = (*StandardOptions.KNOWN_RUNNER_NAMES, *_LOCAL)
_BY_LOWER_CASE = {name.lower(): name for name in _KNOWN}  # Beam, too, takes a runner's name in any case
# What `--workers` says already; Beam itself would take these, and the run would not be as they say.
_OF_WORKERS = ("--direct_num_workers", "--direct_running_mode")
_EMBEDDED = "embed"  # a job server in this process
# Beam says that the time limit of requests is none of the run. With its own job server it ends the streams by
# which the run is watched, though, and so a run of more than five minutes.
_TIME_LIMITS = ("--job_server_timeout", "--job-server-timeout")
_LONGEST_RUN_S = 365 * 24 * 3600
_ANSWER_S = 60  # how long a job server may take to answer at first
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_UNPROXIED = ("no_grpc_proxy", "no_proxy")  # what gRPC reads: the first that is set, and none in upper case


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
    elif name.lower() not in _BY_LOWER_CASE:
        nearest = difflib.get_close_matches(name, _KNOWN, 1, 0.3)
        hint = f"; did you mean {nearest[0]}?" if nearest else ""
        raise UsageError(f"--runner={name}: no such runner of Beam{hint}")


def _check_endpoint(given: argparse.Namespace) -> None:
    endpoint = given.job_endpoint
    if not endpoint:
        if (given.runner or "").rpartition(".")[2].lower() == "portablerunner":
            raise UsageError(
                "--runner=PortableRunner: needs a job server; name it by --job_endpoint=HOST:PORT"
            )
    elif endpoint != _EMBEDDED and (":" not in endpoint or endpoint.startswith(("http:", "https:"))):
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
    for jar in ("flink_job_server_jar", "spark_job_server_jar"):
        files[jar] = [getattr(given, jar, None)]
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


def open_file_systems(arguments: Sequence[str]) -> None:
    """Gives file systems their options: the input is looked at before there is a pipeline, which would.

    Args:
        arguments: Beam options as typed, such as --hdfs_host.
    """
    FileSystems.set_options(PipelineOptions(list(arguments)))


class _Options(PipelineOptions):
    """Beam's options, with each view made once: Beam asks for hundreds, and makes a parser for each."""

    def view_as(self, cls: type[_View]) -> _View:
        views = self.__dict__.setdefault("_views", {})
        if cls not in views:
            views[cls] = super().view_as(cls)
        return views[cls]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_views"}


def pipeline_options(arguments: Sequence[str], workers: int) -> PipelineOptions:
    """Returns Beam's options for a run.

    Args:
        arguments: Beam options as typed.
        workers: processes of the local runner; 1 for none but this one.
    """
    options = _Options(list(arguments))
    if runner_name(options) in _LOCAL:
        direct = options.view_as(DirectOptions)
        direct.direct_num_workers = workers
        direct.direct_running_mode = "in_memory"  # worker processes are the environment's: see make_runner
        return options
    portable = options.view_as(PortableOptions)
    if portable.job_endpoint and not any(name.partition("=")[0] in _TIME_LIMITS for name in arguments):
        portable.job_server_timeout = _LONGEST_RUN_S
    return options


def runner_name(options: PipelineOptions) -> str:
    """The name of the runner, as Beam spells it; DirectRunner if none is given."""
    name = (options.get_all_options().get("runner") or "DirectRunner").rpartition(".")[2]
    return _BY_LOWER_CASE.get(name.lower(), name)


def is_local(options: PipelineOptions) -> bool:
    """Whether the pipeline runs in this process and its workers, on this machine."""
    return runner_name(options) in _LOCAL


def make_runner(options: PipelineOptions) -> PipelineRunner | str:
    """Returns the runner of a pipeline.

    Locally that is always Beam's FnApiRunner: DirectRunner itself would try to download another engine, and
    the same command would run on two.

    Raises:
        CommandError: the job server that is named does not answer.
    """
    _call_this_machine_directly()
    if not is_local(options):
        from anchormine.pipelines.runner_threads import watch_threads

        _check_job_server(options.view_as(PortableOptions).job_endpoint)
        watch_threads()
        return str(options.get_all_options()["runner"])
    from apache_beam.portability.api import beam_provision_api_pb2
    from apache_beam.runners.portability.fn_api_runner import fn_runner
    from apache_beam.runners.portability.portable_runner import JobServiceHandle
    from apache_beam.transforms.environments import SubprocessSDKEnvironment

    from anchormine.pipelines.local_workers import watch_workers

    encoded = JobServiceHandle.encode_pipeline_options(options.get_all_options())
    provision = beam_provision_api_pb2.ProvisionInfo(pipeline_options=encoded)
    environment = None
    if options.view_as(DirectOptions).direct_num_workers > 1:
        # A terminal sends Ctrl-C to workers too, and each would print where it was; this process ends them.
        command = f"trap '' INT; exec {shlex.quote(sys.executable)} -m anchormine.pipelines.worker_process"
        watch_workers()
        environment = SubprocessSDKEnvironment.from_command_string(command)
    return fn_runner.FnApiRunner(environment, provision_info=fn_runner.ExtendedProvisionInfo(provision))


def make_pipeline(options: PipelineOptions) -> Pipeline:
    """Returns an empty pipeline on the runner that the options name.

    Raises:
        UsageError: the options do not go together.
        CommandError: see `make_runner`.
    """
    runner = make_runner(options)
    try:
        return Pipeline(runner=runner, options=options)
    except ValueError as error:
        told = " ".join(str(error).split()).removeprefix("Pipeline has validations errors: ")
        raise UsageError(f"Beam options: {told}") from None


def _call_this_machine_directly() -> None:
    """Keeps gRPC from asking a proxy for localhost, where this process and its workers meet."""
    said = next((os.environ[name] for name in _UNPROXIED if name in os.environ), "")
    hosts = [host for host in said.split(",") if host]
    own = [host for host in _THIS_MACHINE if host not in hosts]
    os.environ[_UNPROXIED[0]] = ",".join([*hosts, *own])  # workers inherit it


def _check_job_server(endpoint: str | None) -> None:
    """Waits for a job server that is named, but not as long as a run may take."""
    if not endpoint or endpoint == _EMBEDDED:
        return
    import grpc

    with grpc.insecure_channel(endpoint) as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=_ANSWER_S)
        except grpc.FutureTimeoutError:
            raise CommandError(
                f"--job_endpoint={endpoint}: no job server has answered in {_ANSWER_S} seconds; start one, "
                "or name its host and port"
            ) from None


def default_workers() -> int:
    """All cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
