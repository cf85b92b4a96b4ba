"""Where a model computes, and in which precision: what `--device` and `--dtype` stand for on this machine."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from typing import NamedTuple

import torch

from anchormine.errors import UsageError
from anchormine.model_place import check_dtype
from anchormine.numerals import counted

_KINDS = ("cpu", "cuda")  # torch names twenty more, such as mps, whether it was built for them or not


class Compute(NamedTuple):
    """A device, and the type of the products on it.

    Attributes:
        device: as torch names it.
        dtype: torch.float32; or torch.bfloat16 or torch.float16, in which float32 weights are then read.
    """

    device: torch.device
    dtype: torch.dtype

    def autocast(self) -> torch.autocast:
        """The context in which a model runs."""
        reduced = self.dtype != torch.float32
        return torch.autocast(self.device.type, dtype=self.dtype if reduced else None, enabled=reduced)


def choose_compute(device: str = "auto", dtype: str = "float32") -> Compute:
    """The device and dtype that options stand for here.

    Args:
        device: "auto" (CUDA where there is one), "cpu", "cuda" or "cuda:N".
        dtype: one of `anchormine.model_place.DTYPES`. On a CPU reduced precision is seldom faster (only AMX
            makes bfloat16 so).

    Raises:
        UsageError: there is none such.
    """
    check_device_name(device)
    check_dtype(dtype)
    chosen = _device(device)
    return Compute(chosen, _dtype(dtype, chosen))


def check_device_name(device: str) -> None:
    """Refuses what is no device, whatever this machine has.

    Raises:
        UsageError: see above.
    """
    try:
        kind = torch.device("cpu" if device == "auto" else device).type
    except RuntimeError:
        kind = ""
    if kind not in _KINDS:
        raise UsageError(f"--device {device}: one of auto, cpu, cuda, cuda:N")


def _device(name: str) -> torch.device:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    device = torch.device(name)
    if device.type == "cuda" and not torch.cuda.is_available():
        raise UsageError(
            f"--device {name}: torch finds no GPU here; use --device cpu, or install torch for your GPU"
        )
    if device.type == "cuda" and (device.index or 0) >= (found := torch.cuda.device_count()):
        raise UsageError(f"--device {name}: torch finds {counted(found, 'GPU')} here, counted from cuda:0")
    return device


def _dtype(name: str, device: torch.device) -> torch.dtype:
    lacks_bfloat16 = device.type == "cuda" and not torch.cuda.is_bf16_supported(including_emulation=False)
    if name == "bfloat16" and lacks_bfloat16:
        raise UsageError("--dtype bfloat16: this GPU does not have it; use --dtype float32")
    if device.type == "cpu" and name != "float32" and (signal := _fatal_signal(name)):
        raise UsageError(
            f"--dtype {name}: a product of matrices ends the process on this machine (signal {signal}); "
            "take float32, or set ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16 in the environment"
        )
    found: torch.dtype = getattr(torch, name)
    return found


@cache
def _fatal_signal(dtype: str) -> int:
    """The signal that kills a process computing with `dtype`, or 0.

    Virtual machines have been seen that announce AMX and refuse its instructions: only trying it in another
    process tells, and costs a worker less than dying.
    """
    product = f"import torch; x = torch.ones(256, 256, dtype=torch.{dtype}); x @ x"
    done = subprocess.run([sys.executable, "-c", product], capture_output=True, check=False)
    return max(0, -done.returncode)
