"""Credentials among the words of a command line: `***` stands for them in what is shown and what is kept."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence

HIDDEN = "***"
# How names end, of Beam's options or as people call variables, that have no "secret" in them; "tokenizer" and
# "max_tokens" are none.
_SECRET = frozenset(
    "password passwd passphrase pw credential credentials token auth key keys apikey signature sig".split()
)
_SECRET_PAIRS = frozenset((("key", "id"), ("connection", "string")))
_PART = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_OPTION = re.compile(r"--([\w-]{1,100})(=.*)?", re.DOTALL)
_USER_OF_URL = re.compile(r"(?<=://)[^/?#\s]+@")
_IN_QUERY = re.compile(r"([?&])([\w.-]{1,100})=([^&#\s]+)")
_SHORTEST = 8  # characters of a value that is sought in other words
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}  # 16 MiB, some hundredths of a second: many guesses take long


def is_secret_name(name: str) -> bool:
    """Tells whether an option or a variable is called as a credential is."""
    parts = [part.lower() for part in _PART.findall(name)]
    return bool(parts) and ("secret" in parts or parts[-1] in _SECRET or tuple(parts[-2:]) in _SECRET_PAIRS)


def without_secrets(words: Sequence[str], values: Iterable[str] = ()) -> list[str]:
    """Words with `***` in place of each credential.

    Hidden are the value of an option, the text of a `NAME=TEXT` behind `--set`, and the value in the query of
    a URL, whose name says that it is one; the user and password of a URL; and values that are known.

    Args:
        words: as they are typed.
        values: that are credentials, wherever they stand in a word; not those of less than eight characters.
    """
    known = sorted({value for value in values if len(value) >= _SHORTEST}, key=len, reverse=True)
    hidden = []
    option = ""  # that the word may be a value of
    for word in words:
        name, value = _option(word)
        if name:
            option = name
            word = f"--{name}={_value(name, value)}" if value is not None else word
        else:
            word = _value(option, word)
            option = option if option == "set" else ""
        word = _IN_QUERY.sub(_without_value, _USER_OF_URL.sub(f"{HIDDEN}@", word))
        for secret in known:
            word = word.replace(secret, HIDDEN)
        hidden.append(word)
    return hidden


def _option(word: str) -> tuple[str, str | None]:
    """The name of an option, "" for another word, and the value that stands behind its "="."""
    match = _OPTION.fullmatch(word)
    if not match:
        return "", None
    return match[1], match[2][1:] if match[2] else None


def _value(option: str, value: str) -> str:
    if is_secret_name(option):
        return HIDDEN
    name, sign, text = value.partition("=")
    return f"{name}={HIDDEN}" if option == "set" and sign and text and is_secret_name(name) else value


def _without_value(match: re.Match[str]) -> str:
    sign, name, value = match.groups()
    return f"{sign}{name}={HIDDEN if is_secret_name(name) else value}"


def seal(words: Sequence[str], salt: str = "") -> str:
    """What tells whether words are the same, without telling the credentials in them.

    Args:
        words: as they are typed.
        salt: of the seal that this one is compared with; a new one by default.
    """
    salt = salt or os.urandom(16).hex()
    text = json.dumps(list(words)).encode()
    key = hashlib.scrypt(text, salt=salt.encode(errors="replace"), **_SCRYPT)
    return f"{salt}:{key.hex()}"


def is_sealed_by(words: Sequence[str], earlier: str) -> bool:
    """Tells whether words are those of an earlier `seal`."""
    return seal(words, earlier.partition(":")[0]) == earlier
