"""A table of the dataset folder: its record, and the pyarrow schema that goes with it."""

import types
import typing
from typing import NamedTuple

import pyarrow as pa

# Written into the metadata of every Parquet file; raised when a column changes its meaning.
SCHEMA_VERSION = "1"
VERSION_KEY = b"anchormine.schema_version"

_ARROW = {str: pa.string(), int: pa.int64(), float: pa.float32(), bool: pa.bool_()}


def schema_of(record: type[NamedTuple], **arrow_types: pa.DataType) -> pa.Schema:
    """Derives the pyarrow schema of a record from its annotations.

    Args:
        record: a NamedTuple class; `X | None` makes a nullable column.
        **arrow_types: types of the columns whose annotation does not say enough.

    Returns:
        The schema, with the schema version in its metadata.
    """
    fields = []
    for name, hint in typing.get_type_hints(record).items():
        options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
        nullable = type(None) in options
        plain = next(option for option in options if option is not type(None))
        fields.append(pa.field(name, arrow_types.get(name) or _ARROW[plain], nullable))
    return pa.schema(fields, metadata={VERSION_KEY: SCHEMA_VERSION.encode()})
