"""Where a model computes that the workers of a run load."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from anchormine.errors import UsageError

DTYPES = ("float32", "bfloat16", "float16")

_Place = TypeVar("_Place", bound="ModelPlace")


def check_dtype(name: str) -> None:
    """Refuses what is no dtype.

    Raises:
        UsageError: see above.
    """
    if name not in DTYPES:
        raise UsageError(f"--dtype {name}: one of {', '.join(DTYPES)}")


@dataclass(frozen=True, kw_only=True)
class ModelPlace:
    """A device and a precision, the same for all workers.

    Attributes:
        device: "auto" (CUDA where there is one), "cpu", "cuda" or "cuda:N".
        dtype: of the products, one of `DTYPES`; weights are float32. In float32 a GPU gives what a CPU gives,
            up to the last digits.
        elsewhere: whether workers are on other machines than the launcher, whose GPU tells nothing of theirs.
    """

    device: str = "auto"
    dtype: str = "float32"
    elsewhere: bool = False

    def __post_init__(self) -> None:
        check_dtype(self.dtype)

    def on_launcher(self: _Place) -> _Place:
        """What the launcher can try the model with that its workers will load."""
        return replace(self, device="cpu", dtype="float32") if self.elsewhere else self
