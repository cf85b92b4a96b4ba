"""How a job on a cluster ends: with the run that started it; and in one line, where that fails."""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.error import URLError

from anchormine.errors import CommandError

if TYPE_CHECKING:
    import apache_beam as beam

_SECONDS_TO_CANCEL = 10.0
# What Beam's portable runner raises.
_FAILED = re.compile(r"Pipeline .+? failed in state (\w+): (.*)", re.DOTALL)
_TRACEBACK = "Traceback (most recent call last)"
_UNREACHED = "ConnectException"
_UNPUBLISHED = "nothing was published"


def run_to_end(pipeline: beam.Pipeline) -> None:
    """Runs a pipeline. Its job is cancelled if this run ends before it: no runner does that by itself."""
    result = pipeline.run()
    try:
        result.wait_until_finish()
    except BaseException:
        _cancel(result)
        raise


def _cancel(result: Any) -> None:
    """Asks for the end of a job, and waits for the answer for a while: its server may be gone."""

    def cancel() -> None:
        with suppress(Exception):  # the local runner cannot, and has none that is under way
            result.cancel()

    asking = threading.Thread(target=cancel, daemon=True)
    asking.start()
    asking.join(_SECONDS_TO_CANCEL)


def job_error(error: BaseException) -> CommandError | None:
    """The error for the user where a job has ended on its cluster; None for any other, as of the program.

    Args:
        error: that a runner has raised.
    """
    if isinstance(error, URLError):
        return CommandError(
            f"the job server's jar cannot be fetched ({error.reason}); give --flink_job_server_jar or "
            f"--spark_job_server_jar; {_UNPUBLISHED}"
        )
    if type(error).__module__.startswith("grpc"):
        details = " ".join((getattr(error, "details", str)() or type(error).__name__).split())
        return CommandError(
            f"the job server answers no more ({details}); see whether its job goes on; {_UNPUBLISHED}"
        )
    failed = _FAILED.fullmatch(str(error)) if isinstance(error, RuntimeError) else None
    if failed is None or _TRACEBACK in failed[2]:
        return None
    told = failed[2].strip().partition("\n")[0] or "unknown error"
    remedy = (
        "see that it reaches the workers of --environment_config" if _UNREACHED in told else "see its log"
    )
    return CommandError(f"the job has ended in state {failed[1]} ({told}); {remedy}; {_UNPUBLISHED}")
