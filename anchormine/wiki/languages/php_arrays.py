"""Reads the constants and arrays that a PHP file assigns, without PHP.

MediaWiki keeps what it knows about a language in PHP files that only assign literals:
``$linkTrail = '/^([a-z]+)(.*)$/sD';`` or ``$namespaceNames = [ NS_FILE => 'Datei' ];``.
This reader understands that much of PHP and no more; anything else inside such an assignment is an error,
so that a new MediaWiki which starts to compute its tables is noticed instead of misread.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

PhpValue = Any  # str, int, bool, None, or a list or dict of these

_TOKEN = re.compile(
    r"""
      (?P<skip>    \s+ | \#[^\n]* | //[^\n]* | /\*.*?\*/ | <\?php | \?> )
    | (?P<single>  '(?:[^'\\]|\\.)*' )
    | (?P<double>  "(?:[^"\\]|\\.)*" )
    | (?P<number>  -?\d+ )
    | (?P<variable>\$\w+ )
    | (?P<name>    [A-Za-z_\\][\w\\]*(?:::\w+)? )
    | (?P<mark>    => | \+= | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_LITERALS: Mapping[str, PhpValue] = {"true": True, "false": False, "null": None}
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "v": "\v",
    "e": "\x1b",
    "f": "\f",
    "\\": "\\",
    "$": "$",
    '"': '"',
}


class PhpSyntaxError(ValueError):
    """An assignment holds something else than literals, arrays and known constants."""


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def assignments(source: str, constants: Mapping[str, int] | None = None) -> dict[str, PhpValue]:
    """Returns what the file assigns, by name.

    ``$name = …``, ``$name['key'] = …`` (merged into one dict), ``const NAME = …`` and
    ``public static $name = …`` are read; every other statement is passed over.

    Args:
        source: The PHP file's text.
        constants: Values of the named constants it uses, such as ``{"NS_FILE": 6}``.

    Returns:
        Values by variable or constant name, without ``$``. Arrays without keys are lists, others dicts.

    Raises:
        PhpSyntaxError: An assigned value is no literal, or names an unknown constant.
    """
    return _Reader(source, constants or {}).read()


def namespace_constants(source: str) -> dict[str, int]:
    """Returns the ``define( 'NS_…', number )`` of a PHP file such as MediaWiki's ``includes/Defines.php``."""
    return {
        name: int(number) for name, number in re.findall(r"define\(\s*'(NS_\w+)',\s*(-?\d+)\s*\)", source)
    }


def _tokens(source: str) -> list[_Token]:
    tokens, line = [], 1
    for match in _TOKEN.finditer(source):
        if match.lastgroup != "skip":
            tokens.append(_Token(match.lastgroup or "", match.group(), line))
        line += match.group().count("\n")
    return [*tokens, _Token("end", "", line)]


class _Reader:
    """Walks the tokens of one file."""

    def __init__(self, source: str, constants: Mapping[str, int]):
        self._tokens = _tokens(source)
        self._at = 0
        self._constants = constants
        self._found: dict[str, PhpValue] = {}

    def read(self) -> dict[str, PhpValue]:
        while self._next.kind != "end":
            token = self._take()
            if token.kind == "variable":
                self._assign(token.text[1:])
            elif token.text == "const" and self._next.kind == "name":
                self._assign(self._take().text)
        return self._found

    def _assign(self, name: str) -> None:
        key = self._subscript()
        if self._next.text != "=":
            return
        self._take()
        value = self._value()
        if key is None:
            self._found[name] = value
        else:
            table = self._found.setdefault(name, {})
            if isinstance(table, list) and not table:  # `$namespaceNames = [];` came before
                table = self._found[name] = {}
            if not isinstance(table, dict):
                raise self._error(f"${name} is no array")
            table[key] = value

    def _subscript(self) -> str | int | None:
        """Takes ``['key']`` where one follows a variable on the left side of an assignment."""
        opening, key, closing = (self._tokens + [self._tokens[-1]] * 2)[self._at : self._at + 3]
        if opening.text != "[" or key.kind not in ("single", "double", "number") or closing.text != "]":
            return None
        self._take()
        value = self._term()
        self._take()
        assert isinstance(value, str | int)
        return value

    def _value(self) -> PhpValue:
        value = self._term()
        while self._next.text == ".":
            self._take()
            right = self._term()
            if not isinstance(value, str) or not isinstance(right, str):
                raise self._error("only strings are joined by '.'")
            value += right
        return value

    def _term(self) -> PhpValue:
        token = self._take()
        if token.kind == "single":
            return re.sub(r"\\([\\'])", r"\1", token.text[1:-1])
        if token.kind == "double":
            return _unescape(token.text[1:-1])
        if token.kind == "number":
            return int(token.text)
        if token.text == "[":
            return self._array("]")
        if token.text.lower() == "array" and self._next.text == "(":
            self._take()
            return self._array(")")
        return self._named(token)

    def _named(self, token: _Token) -> PhpValue:
        if token.kind == "variable" and token.text[1:] in self._found:
            return self._found[token.text[1:]]
        if token.text.lower() in _LITERALS:
            return _LITERALS[token.text.lower()]
        if token.text in self._constants:
            return self._constants[token.text]
        raise self._error(f"cannot read {token.text!r}", token)

    def _array(self, closing: str) -> PhpValue:
        table: dict[str | int, PhpValue] = {}
        keyed = False
        while self._next.text != closing:
            value = self._value()
            if self._next.text == "=>":
                self._take()
                if not isinstance(value, str | int):
                    raise self._error("an array key is a string or a number")
                keyed = True
                table[value] = self._value()
            else:
                table[len(table)] = value
            if self._next.text != closing and self._take().text != ",":
                raise self._error("expected ',' in an array")
        self._take()
        return table if keyed else list(table.values())

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        token = self._next
        if token.kind == "end":
            raise self._error("the file ends inside an assignment")
        self._at += 1
        return token

    def _error(self, what: str, token: _Token | None = None) -> PhpSyntaxError:
        return PhpSyntaxError(f"line {(token or self._next).line}: {what}")


def _unescape(text: str) -> str:
    r"""Resolves a double-quoted string's escapes; ``\x{0A80}`` is none in PHP and stays for PCRE to read."""

    def character(match: re.Match[str]) -> str:
        code_point, byte, letter = match.groups()
        if code_point or byte:
            return chr(int(code_point or byte, 16))
        return _ESCAPES.get(letter, "\\" + letter)

    return re.sub(
        r"\\(?:u\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{1,2})|(.))",
        character,
        text,
        flags=re.DOTALL,
    )
