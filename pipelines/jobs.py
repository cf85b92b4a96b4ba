"""The job of a pipeline, which ends with the run that started it."""

import threading
from contextlib import suppress
from typing import Any

import apache_beam as beam

_SECONDS_TO_CANCEL = 10.0


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
