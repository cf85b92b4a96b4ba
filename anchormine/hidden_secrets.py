"""Credentials among the words of a command line: `***` stands for them in what is shown and what is kept."""

import hashlib
import json
import os
import re
from collections.abc import Sequence

HIDDEN = "***"
# Names of Beam's options, and what people call variables; "tokenizer" and "max_tokens" are none.
_NAME = r"(?:secret[\w-]*|pass(?:word|wd|phrase)|credentials?|token|key(?:[_-]id)?|connection[_-]?string)"
_OPTION = re.compile(rf"--[\w-]*{_NAME}", re.IGNORECASE)
_NAMED = re.compile(rf"({_NAME}=).+", re.IGNORECASE | re.DOTALL)
_USER_OF_URL = re.compile(r"(?<=://)[^/?#\s]+@")
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}  # 16 MiB, some hundredths of a second: many guesses take long


def without_secrets(words: Sequence[str]) -> list[str]:
    """Words with `***` in place of each credential.

    Hidden are the value of an option, and the text of a `NAME=TEXT`, whose name says that it is one, and the
    user and password of a URL.

    Args:
        words: as they are typed.
    """
    hidden = []
    for before, word in zip(("", *words), words, strict=False):
        is_secret = _OPTION.fullmatch(before) and not word.startswith("--")
        named = _NAMED.sub(rf"\1{HIDDEN}", word)
        hidden.append(HIDDEN if is_secret else _USER_OF_URL.sub(f"{HIDDEN}@", named))
    return hidden


def seal(words: Sequence[str], salt: str = "") -> str | None:
    """What tells whether words are the same, without telling the credentials in them; None if there are none.

    Args:
        words: as they are typed.
        salt: of the seal that this one is compared with; a new one by default.
    """
    if without_secrets(words) == list(words):
        return None
    salt = salt or os.urandom(16).hex()
    key = hashlib.scrypt(json.dumps(list(words)).encode(), salt=salt.encode(), **_SCRYPT)
    return f"{salt}:{key.hex()}"


def is_sealed_by(words: Sequence[str], earlier: str | None) -> bool:
    """Tells whether words are those of an earlier `seal`."""
    return seal(words, (earlier or "").partition(":")[0]) == earlier
