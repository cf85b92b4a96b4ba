"""Models and tokenizers as transformers loads them: what is said of those it cannot load, and of misfits."""

from pathlib import Path
from typing import Any

from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError
from torch import nn
from transformers.utils import logging as transformers_logging

from anchormine.errors import UsageError

# By a loader of transformers; those of the second line where a file is JSON, but not what it should say.
NOT_LOADED = (
    *(OSError, ValueError, KeyError, RuntimeError, SafetensorError),
    *(TypeError, AttributeError, StrictDataclassError),
)
# transformers' way to say "no limit" is a number of 30 digits
NO_LIMIT = 10**6
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


def vocabulary_fault(model: Any, tokenizer: Any) -> str | None:
    """What is wrong with a tokenizer that gives pieces a model does not know; None if nothing."""
    rows = model.get_input_embeddings().num_embeddings
    return (
        f"its tokenizer has {len(tokenizer)} pieces, its embeddings {rows}" if len(tokenizer) > rows else None
    )


def length_limit(model: Any, tokenizer: Any) -> int:
    """The longest sequence a model takes, in tokens.

    RoBERTa's first positions are never used: they come after the padding's.
    """
    limit = getattr(model.config, "max_position_embeddings", None) or NO_LIMIT
    for name, module in model.base_model.named_modules():
        if (
            name.endswith("position_embeddings")
            and isinstance(module, nn.Embedding)
            and module.padding_idx is not None
        ):
            limit -= module.padding_idx + 1
    return min(limit, tokenizer.model_max_length)
