"""Where the workers of a run compute: here, or on other machines, of whose GPUs this one knows nothing."""

import argparse
from typing import Any

from anchormine.model_place import DTYPES, ModelPlace
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.runners import is_local, pipeline_options


def add_compute_options(parser: StepParser, dtype: str | None = ModelPlace.dtype) -> None:
    """Adds where models compute, and in which precision.

    Args:
        parser: of the step.
        dtype: where none is given; None where the step itself says what it is then.
    """
    parser.add_argument(
        "--device",
        default=ModelPlace.device,
        help="auto, cpu, cuda or cuda:N (default: %(default)s: a GPU of this machine where there is one; on "
        "a cluster cpu)",
    )
    parser.add_argument(
        "--dtype",
        choices=DTYPES,
        default=dtype,
        help=f"of products; weights are float32 (default: {ModelPlace.dtype}, in which a GPU gives what a "
        "CPU gives, up to last digits)",
    )


def asked_place(args: argparse.Namespace) -> dict[str, Any]:
    """The fields of `ModelPlace`, as options ask for them.

    Workers on other machines may have GPUs or not: "auto" would be another device on each, so it is the CPU.
    """
    elsewhere = not is_local(pipeline_options(args.beam_options, 1))
    device = "cpu" if elsewhere and args.device == "auto" else args.device
    return {"device": device, "dtype": args.dtype, "elsewhere": elsewhere}


def compute_facts(place: ModelPlace) -> dict[str, str]:
    """The device and the dtype, as the manifest has them; of workers elsewhere, what they are told.

    Raises:
        UsageError: there is no such device, or it does not have the dtype.
    """
    from anchormine.compute import check_device_name, choose_compute

    if place.elsewhere:
        check_device_name(place.device)
        return {"device": place.device.partition(":")[0], "dtype": place.dtype}
    device, dtype = choose_compute(place.device, place.dtype)
    return {"device": device.type, "dtype": str(dtype).removeprefix("torch.")}
