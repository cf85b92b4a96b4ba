"""Where the numbers are worked out: CPU or GPU, float32 or bfloat16."""

import subprocess
import sys
from typing import NamedTuple

import torch

from anchormine.errors import UsageError


class Compute(NamedTuple):
    """A device, and the type of the products on it.

    Attributes:
        device: as torch names it.
        dtype: torch.float32 or torch.bfloat16.
    """

    device: torch.device
    dtype: torch.dtype

    def autocast(self) -> torch.autocast:
        """The context in which a model runs; float32 weights are read in `dtype`."""
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.dtype == torch.bfloat16)


def choose_compute(device: str, dtype: str) -> Compute:
    """Settles on a device.

    Args:
        device: "auto" (a GPU where there is one), "cpu" or "cuda".
        dtype: "float32" or "bfloat16".

    Raises:
        UsageError: there is no GPU, or bfloat16 cannot be had.
    """
    if device == "cuda" and not torch.cuda.is_available():
        raise UsageError(
            "--device cuda: torch finds no GPU here; use --device cpu, or install torch for your GPU"
        )
    chosen = "cuda" if device == "cuda" or (device == "auto" and torch.cuda.is_available()) else "cpu"
    if chosen == "cuda" and dtype == "bfloat16" and not torch.cuda.is_bf16_supported():
        raise UsageError("--dtype bfloat16: this GPU does not have it; use --dtype float32")
    if chosen == "cpu" and dtype == "bfloat16" and not _survives_bfloat16():
        raise UsageError(
            "--dtype bfloat16: this CPU announces instructions for it (AMX) that end the program; use "
            "--dtype float32, or keep torch from them with ONEDNN_MAX_CPU_ISA=AVX10_1_512 in the environment"
        )
    return Compute(torch.device(chosen), getattr(torch, dtype))


def _survives_bfloat16() -> bool:
    """Tries a product in another process: some virtual machines show AMX to programs and then trap it."""
    product = "import torch; x = torch.ones(256, 256, dtype=torch.bfloat16); x @ x"
    return subprocess.run([sys.executable, "-c", product], capture_output=True).returncode == 0
