"""Options of a PTransform: frozen fields, beside the attributes that Beam itself writes to a transform."""

from dataclasses import FrozenInstanceError, dataclass, fields
from typing import TypeVar

from typing_extensions import dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def transform_options(cls: type[T]) -> type[T]:
    """Makes a PTransform a dataclass whose fields cannot be set again.

    A frozen dataclass refuses all attributes, and Beam gives every transform its pipeline and label. Two
    transforms are equal only if they are the same: Beam keeps them in dictionaries.
    """
    made = dataclass(eq=False)(cls)
    names = frozenset(field.name for field in fields(made))  # type: ignore[arg-type]

    def set_attribute(self: T, name: str, value: object) -> None:
        if name in names and name in self.__dict__:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    made.__setattr__ = set_attribute  # type: ignore[method-assign, assignment]
    return made
