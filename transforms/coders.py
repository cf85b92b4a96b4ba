"""Beam coders of the records. Beam's own RowCoder gives them back in worker processes as other classes."""

import marshal
import pickle
from typing import Any

from apache_beam.coders import Coder, registry

from anchormine.schemas.anchors import Anchor
from anchormine.schemas.pages import Page
from anchormine.schemas.pairs import Pair
from anchormine.schemas.rejects import Reject


class RecordCoder(Coder):
    """Codes a NamedTuple of plain values."""

    def __init__(self, record: type) -> None:
        self._record = record

    def encode(self, value: tuple) -> bytes:
        return marshal.dumps(tuple(value))

    def decode(self, encoded: bytes) -> Any:
        return self._record(*marshal.loads(encoded))

    def is_deterministic(self) -> bool:
        return False  # marshal's bytes depend on reference counts

    def to_type_hint(self) -> type:
        return self._record

    @classmethod
    def from_type_hint(cls, typehint: Any, registry: Any) -> Any:
        return cls(typehint)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._record is other._record

    def __hash__(self) -> int:
        return hash((type(self), self._record))


class NestedRecordCoder(RecordCoder):
    """Codes a NamedTuple that holds other records."""

    def encode(self, value: tuple) -> bytes:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)

    def decode(self, encoded: bytes) -> Any:
        return pickle.loads(encoded)


for _record in (Page, Anchor, Pair, Reject):
    registry.register_coder(_record, RecordCoder)
