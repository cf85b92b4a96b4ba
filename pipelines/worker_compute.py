"""Where the workers of a run compute: here, or on other machines, of whose GPUs this one knows nothing."""

import argparse
from dataclasses import replace
from typing import Protocol, TypeVar

from anchormine.pipelines.runners import is_local, pipeline_options


class WorkerOptions(Protocol):
    """Options of a model that workers load; they are a dataclass.

    Attributes:
        device: "auto", "cpu", "cuda" or "cuda:N".
        dtype: "auto", "float32", "bfloat16" or "float16".
        elsewhere: whether workers are on other machines than the launcher.
    """

    @property
    def device(self) -> str: ...
    @property
    def dtype(self) -> str: ...
    @property
    def elsewhere(self) -> bool: ...


Options = TypeVar("Options", bound=WorkerOptions)


def runs_elsewhere(args: argparse.Namespace) -> bool:
    """Whether the command line names a runner whose workers are on other machines."""
    return not is_local(pipeline_options(args.beam_options, 1))


def settled_dtype(args: argparse.Namespace) -> str:
    """`--dtype`, where workers may have GPUs or not: "auto" would give the rows of each its own precision."""
    return "float32" if args.dtype == "auto" and runs_elsewhere(args) else str(args.dtype)


def for_launcher(options: Options) -> Options:
    """The options with which the launcher can try a model that workers elsewhere will load."""
    if not options.elsewhere:
        return options
    return replace(options, device="cpu", dtype="float32")  # type: ignore[type-var]


def compute_facts(options: WorkerOptions) -> dict[str, str]:
    """The device and the dtype, as the manifest has them; of workers elsewhere, what they are told.

    Raises:
        UsageError: there is no such device or dtype.
    """
    from anchormine.compute import check_names, choose_compute

    if options.elsewhere:
        check_names(options.device, options.dtype)
        return {"device": options.device.partition(":")[0], "dtype": options.dtype}
    device, dtype = choose_compute(options.device, options.dtype)
    return {"device": device.type, "dtype": str(dtype).removeprefix("torch.")}
