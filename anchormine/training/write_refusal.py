"""Why a file could not be written, also where a library that is not Python's wrote it."""

from __future__ import annotations

import os
import re

# How the errors of Rust end, and so what safetensors and tokenizers say of a file
_OF_RUST = re.compile(r"\(os error (\d+)\)")


def write_refusal(error: BaseException) -> str | None:
    """What the system said; None where it is no error of the system.

    torch takes over a stream that cannot be written with an error of its own, which comes from that of the
    stream.
    """
    if isinstance(error, RuntimeError) and isinstance(error.__context__, OSError):
        error = error.__context__
    if isinstance(error, OSError):
        return error.strerror
    found = _OF_RUST.search(str(error))
    return os.strerror(int(found[1])) if found else None
