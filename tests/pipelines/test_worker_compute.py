"""What workers are told of devices: of this machine's GPUs where they run here, as it was named elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("torch")

from anchormine.compute import choose_compute
from anchormine.errors import UsageError
from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.model_place import ModelPlace
from anchormine.negatives.options import MinerModel
from anchormine.pipelines.worker_compute import asked_place, compute_facts
from anchormine.sampling.weighers import WeighingOptions
from tests.pipelines.command_runs import main

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
@pytest.mark.parametrize(
    ("device", "here", "there"),
    [("auto", "auto", "cpu"), ("cpu", "cpu", "cpu"), ("cuda:1", "cuda:1", "cuda:1")],
)
def test_what_workers_are_told(
    has_gpu: bool, beam_options: list[str], elsewhere: bool, device: str, here: str, there: str
) -> None:
    """All the same, whatever the launcher has."""
    args = argparse.Namespace(beam_options=beam_options, device=device, dtype="bfloat16")
    told = {"device": there if elsewhere else here, "dtype": "bfloat16", "elsewhere": elsewhere}
    assert asked_place(args) == told


@pytest.mark.parametrize(
    ("device", "dtype", "found"),
    [
        ("cuda", "float32", {"device": "cuda", "dtype": "float32"}),
        ("cuda:3", "bfloat16", {"device": "cuda", "dtype": "bfloat16"}),
        ("cpu", "float32", {"device": "cpu", "dtype": "float32"}),
    ],
)
@pytest.mark.parametrize(
    "options", [WeighingOptions, partial(ClassifierOptions, "default"), partial(MinerModel, "default")]
)
def test_elsewhere_what_workers_are_told_does_not_hang_on_the_launcher(
    has_gpu: bool, options: Callable[..., ModelPlace], device: str, dtype: str, found: dict[str, str]
) -> None:
    told = options(device=device, dtype=dtype, elsewhere=True)
    assert compute_facts(told) == found
    assert told.on_launcher() == options(device="cpu", dtype="float32", elsewhere=True)


@pytest.mark.parametrize(
    "options", [WeighingOptions(), ClassifierOptions("default"), MinerModel("default")], ids=repr
)
def test_here_the_machine_tells(has_gpu: bool, options: ModelPlace) -> None:
    assert compute_facts(options) == {"device": "cuda" if has_gpu else "cpu", "dtype": "float32"}
    assert options.on_launcher() is options


def test_a_gpu_that_is_not_here(has_gpu: bool) -> None:
    found = "1 GPU here, counted from cuda:0" if has_gpu else "no GPU here; use --device cpu, or"
    with pytest.raises(UsageError, match=f"--device cuda:1: torch finds {found}"):
        choose_compute("cuda:1", "float32")
    with pytest.raises(UsageError, match=f"--device cuda:1: torch finds {found}"):
        compute_facts(WeighingOptions(device="cuda:1"))


def test_names_are_checked_elsewhere_too() -> None:
    with pytest.raises(UsageError, match="--device tpu: one of auto, cpu, cuda, cuda:N"):
        compute_facts(WeighingOptions(device="tpu", elsewhere=True))


@pytest.mark.parametrize("device", ["mps", "meta", "xpu:0", "vulkan", "cuda:x", ""])
def test_a_device_that_torch_alone_has_a_name_for(device: str) -> None:
    refusal = f"--device {device}: one of auto, cpu, cuda, cuda:N"
    with pytest.raises(UsageError) as refused:
        choose_compute(device)
    assert str(refused.value) == refusal
    with pytest.raises(UsageError) as refused:
        compute_facts(WeighingOptions(device=device, elsewhere=True))
    assert str(refused.value) == refusal


@pytest.mark.parametrize(
    "options", [WeighingOptions, partial(ClassifierOptions, "default"), partial(MinerModel, "default")]
)
def test_a_dtype_is_checked_where_it_is_named(options: Callable[..., ModelPlace]) -> None:
    with pytest.raises(UsageError, match="--dtype int8: one of float32, bfloat16, float16"):
        options(device="cuda", dtype="int8", elsewhere=True)


@pytest.mark.parametrize("step", ["filter", "pairs", "negatives"])
def test_a_precision_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture, step: str) -> None:
    required = ["--task", "rdp", "--from", "default"] if step == "negatives" else []
    assert main([step, str(tmp_path), *required, "--dtype", "auto"]) == 2
    assert "argument --dtype: invalid choice: 'auto' (choose from" in capsys.readouterr().err
