"""The types of a file of JSON, as the card of an export names them for `datasets`.

Without them it takes the types of the first few megabytes for those of all: a list that is empty there, or a
column of numbers, is another type than what follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

_NAMES = {pa.string(): "string", pa.int64(): "int64", pa.float64(): "float64"}


def feature_lines(fields: Iterable[pa.Field], indent: str) -> Iterator[str]:
    """Yields lines of YAML, as `datasets.Features` are written.

    Args:
        fields: of strings, integers and floats of 64 bits, and lists and structs of these.
        indent: before each line.
    """
    for field in fields:
        yield f"{indent}- name: {field.name}"
        yield from _type_lines(field.type, f"{indent}  ")


def _type_lines(of: pa.DataType, indent: str) -> Iterator[str]:
    if pa.types.is_struct(of):
        yield f"{indent}struct:"
        yield from feature_lines(of.fields, indent)
    elif not pa.types.is_list(of):
        yield f"{indent}dtype: {_NAMES[of]}"
    elif pa.types.is_struct(of.value_type):
        yield f"{indent}list:"
        yield from feature_lines(of.value_type.fields, indent)
    else:
        yield f"{indent}list: {_NAMES[of.value_type]}"
