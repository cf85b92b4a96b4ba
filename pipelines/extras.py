"""Whether what a step needs is installed, asked before anything is touched or waited for."""

import importlib.util
from collections.abc import Sequence

from anchormine.errors import MissingPackage

ENCODERS = ("torch", "transformers", "tokenizers", "safetensors")  # what encoders need


def require(step: str, modules: Sequence[str], extra: str = "train") -> None:
    """Looks for modules without importing them.

    Args:
        step: what the user typed, such as "anchormine train".
        modules: top-level names.
        extra: of anchormine, that has them.

    Raises:
        MissingPackage: one is not installed; it says how to get it.
    """
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise MissingPackage(step, module, extra)
