"""Models and tokenizers as transformers loads them, and what is said of those it cannot load."""

from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from transformers.utils import logging as transformers_logging

from anchormine.errors import UsageError

NOT_LOADED = (OSError, ValueError, KeyError, RuntimeError, SafetensorError)  # by a loader of transformers
_REMEDY = "give an id of the hub, or a folder that `save_pretrained` has written"


def quiet_transformers() -> None:
    """Keeps transformers' bars and notes out of the progress of a command."""
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()


def load_pretrained(loader: Any, name: str, kind: str = "", remedy: str = _REMEDY, **options: Any) -> Any:
    """What a loader of transformers makes of a model.

    Args:
        loader: such as `AutoModel`.
        name: a folder, or an id of the hub.
        kind: what the message calls the model; nothing by default.
        remedy: what the message advises.
        **options: of its `from_pretrained`.

    Raises:
        UsageError: it cannot be loaded.
    """
    try:
        return loader.from_pretrained(name, **options)
    except NOT_LOADED as error:
        raise not_loaded(name, error, kind, remedy) from None


def not_loaded(name: str, error: Exception, kind: str = "", remedy: str = _REMEDY) -> UsageError:
    """The error of a model that cannot be loaded; the arguments are those of `load_pretrained`."""
    reason = str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
    failure = "cannot be loaded" if Path(name).is_dir() else "neither a folder nor a model of the hub"
    return UsageError(f"{kind} {name}: {failure} ({reason}); {remedy}".lstrip())
