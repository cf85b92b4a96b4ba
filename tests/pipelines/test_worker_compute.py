"""What workers are told of devices: of this machine's GPUs where they run here, as it was named elsewhere."""

from __future__ import annotations

import argparse

import pytest

pytest.importorskip("torch")

from anchormine.compute import choose_compute
from anchormine.errors import UsageError
from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.negatives.options import MinerModel
from anchormine.pipelines.worker_compute import (
    WorkerOptions,
    compute_facts,
    for_launcher,
    runs_elsewhere,
    settled_dtype,
)
from anchormine.sampling.weighers import WeighingOptions

PORTABLE = ["--runner=PortableRunner", "--job_endpoint=localhost:1"]


@pytest.fixture(params=[False, True], ids=["no_gpu", "one_gpu"])
def has_gpu(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """A launcher that has no GPU, or one."""
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: request.param)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: int(request.param))
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: True)
    return request.param


@pytest.mark.parametrize(
    ("beam_options", "elsewhere"),
    [
        ([], False),
        (["--runner=DirectRunner"], False),
        (PORTABLE, True),
        (["--runner=SparkRunner"], True),
        (["--runner=DataflowRunner"], True),
    ],
)
def test_where_workers_run(beam_options: list[str], elsewhere: bool) -> None:
    args = argparse.Namespace(beam_options=beam_options, dtype="auto")
    assert runs_elsewhere(args) is elsewhere
    assert settled_dtype(args) == ("float32" if elsewhere else "auto")
    args.dtype = "bfloat16"
    assert settled_dtype(args) == "bfloat16"


@pytest.mark.parametrize(
    ("device", "dtype", "found"),
    [
        ("cuda", "float32", {"device": "cuda", "dtype": "float32"}),
        ("cuda:3", "bfloat16", {"device": "cuda", "dtype": "bfloat16"}),
        ("auto", "float32", {"device": "auto", "dtype": "float32"}),
        ("cpu", "float32", {"device": "cpu", "dtype": "float32"}),
    ],
)
def test_elsewhere_what_workers_are_told_does_not_hang_on_the_launcher(
    has_gpu: bool, device: str, dtype: str, found: dict[str, str]
) -> None:
    weighing = WeighingOptions(device=device, dtype=dtype, elsewhere=True)
    assert compute_facts(weighing) == found
    assert for_launcher(weighing) == WeighingOptions(device="cpu", dtype="float32", elsewhere=True)


def test_here_the_machine_tells(has_gpu: bool) -> None:
    kinds = {"device": "cuda", "dtype": "bfloat16"} if has_gpu else {"device": "cpu", "dtype": "float32"}
    weighing = WeighingOptions()
    assert compute_facts(weighing) == kinds
    assert for_launcher(weighing) is weighing
    exact: list[WorkerOptions] = [ClassifierOptions("default"), MinerModel("default")]
    assert [compute_facts(options) for options in exact] == [{**kinds, "dtype": "float32"}] * 2


def test_a_gpu_that_is_not_here(has_gpu: bool) -> None:
    found = "1 GPU here, counted from cuda:0" if has_gpu else "no GPU here; use --device cpu, or"
    with pytest.raises(UsageError, match=f"--device cuda:1: torch finds {found}"):
        choose_compute("cuda:1", "float32")
    with pytest.raises(UsageError, match=f"--device cuda:1: torch finds {found}"):
        compute_facts(WeighingOptions(device="cuda:1"))


@pytest.mark.parametrize(
    ("device", "dtype", "message"),
    [
        ("tpu", "auto", "--device tpu: one of auto, cpu, cuda, cuda:N"),
        ("cuda", "int8", "--dtype int8: one of auto, float32, bfloat16, float16"),
    ],
)
def test_names_are_checked_elsewhere_too(device: str, dtype: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compute_facts(WeighingOptions(device=device, dtype=dtype, elsewhere=True))
