"""Models and tokenizers as transformers loads them: what is said of those it cannot load, and of misfits."""

from pathlib import Path
from typing import Any

from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError
from torch import nn
from transformers import AutoTokenizer
from transformers.utils import logging as transformers_logging

from anchormine.errors import UsageError

# By a loader of transformers; those of the second line where a file is JSON, but not what it should say.
NOT_LOADED = (
    *(OSError, ValueError, KeyError, RuntimeError, SafetensorError),
    *(TypeError, AttributeError, StrictDataclassError),
)
# transformers' way to say "no limit" is a number of 30 digits
NO_LIMIT = 10**6
TOKENIZER_FILES = (
    "tokenizer.json",
    "vocab.txt",
    "vocab.json",
    "tokenizer.model",
    "spiece.model",
    "sentencepiece.bpe.model",
)
NO_TOKENIZER = "has no tokenizer (tokenizer.json or vocab.txt beside the weights)"
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
        # Not told, transformers asks on the terminal whether to run a program that lies beside a model.
        return loader.from_pretrained(name, trust_remote_code=False, **options)
    except NOT_LOADED as error:
        raise not_loaded(name, error, kind, remedy) from None


def not_loaded(name: str, error: Exception, kind: str = "", remedy: str = _REMEDY) -> UsageError:
    """The error of a model that cannot be loaded; the arguments are those of `load_pretrained`."""
    reason = str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
    failure = "cannot be loaded" if Path(name).is_dir() else "neither a folder nor a model of the hub"
    return UsageError(f"{kind} {name}: {failure} ({reason}); {remedy}".lstrip())


def lacks_tokenizer(name: str) -> bool:
    """Whether a name is a folder without any file of a tokenizer."""
    folder = Path(name)
    return folder.is_dir() and not any((folder / file).is_file() for file in TOKENIZER_FILES)


def tokenizer_of(name: str, kind: str, remedy: str) -> Any:
    """Loads a tokenizer; where there is none, transformers 5 makes one of special tokens alone.

    Args:
        name: a folder, or an id of the hub.
        kind: as in `load_pretrained`.
        remedy: as there.

    Raises:
        UsageError: it cannot be loaded. transformers 4 fails where there is none, with what is no reason.
    """
    try:
        return load_pretrained(AutoTokenizer, name, kind, remedy)
    except UsageError:
        if lacks_tokenizer(name):
            raise UsageError(f"{kind} {name}: {NO_TOKENIZER}; {remedy}") from None
        raise


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
