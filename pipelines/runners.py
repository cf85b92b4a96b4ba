"""Which engine runs a pipeline, and which of Beam's options it is given."""

import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any, TypeVar

from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import (
    DebugOptions,
    DirectOptions,
    PipelineOptions,
    PortableOptions,
    StandardOptions,
)
from apache_beam.pipeline import Pipeline
from apache_beam.runners.runner import PipelineRunner

from anchormine.errors import CommandError, UsageError

_View = TypeVar("_View", bound=PipelineOptions)
_LOCAL = ("DirectRunner", "FnApiRunner", "SwitchingDirectRunner")
# By their names in small letters, as Beam takes them in any case.
RUNNERS = {name.lower(): name for name in (*StandardOptions.KNOWN_RUNNER_NAMES, *_LOCAL)}
EMBEDDED = "embed"  # a job server in this process
# Beam says that the time limit of requests is none of the run. With its own job server it ends the streams by
# which the run is watched, though, and so a run of more than five minutes.
_TIME_LIMITS = ("--job_server_timeout", "--job-server-timeout")
_LONGEST_RUN_S = 365 * 24 * 3600
# Beam lists what is installed here: by pip, which need not be, and into a folder that it leaves behind.
# Dataflow tells what its workers have otherwise; elsewhere the list comes to no more than a line in a log.
_UNLISTED = "disable_logging_submission_environment"
_COMPARING = "DataflowRunner"
_ANSWER_S = 60  # how long a job server may take to answer at first
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_UNPROXIED = ("no_grpc_proxy", "no_proxy")  # what gRPC reads: the first that is set, and none in upper case


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
    if runner_name(options) != _COMPARING:
        options.view_as(DebugOptions).add_experiment(_UNLISTED)
    portable = options.view_as(PortableOptions)
    if portable.job_endpoint and not any(name.partition("=")[0] in _TIME_LIMITS for name in arguments):
        portable.job_server_timeout = _LONGEST_RUN_S
    return options


def runner_name(options: PipelineOptions) -> str:
    """The name of the runner, as Beam spells it; DirectRunner if none is given."""
    name = (options.get_all_options().get("runner") or "DirectRunner").rpartition(".")[2]
    return RUNNERS.get(name.lower(), name)


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

    from anchormine.pipelines.local_workers import check_threads, watch_workers
    from anchormine.pipelines.worker_process import LAUNCHER

    encoded = JobServiceHandle.encode_pipeline_options(options.get_all_options())
    provision = beam_provision_api_pb2.ProvisionInfo(pipeline_options=encoded)
    environment = None
    workers = options.view_as(DirectOptions).direct_num_workers
    if workers > 1:
        check_threads(workers)
        # A terminal sends Ctrl-C to workers too, and each would print where it was; this process ends them.
        python = f"{shlex.quote(sys.executable)} -m anchormine.pipelines.worker_process"
        command = f"trap '' INT; export {LAUNCHER}={os.getpid()}; exec {python}"
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
    if not endpoint or endpoint == EMBEDDED:
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
