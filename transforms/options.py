"""Options of a PTransform: frozen fields, beside the attributes that Beam itself writes to a transform."""

from dataclasses import FrozenInstanceError, dataclass, fields
from typing import Any, TypeVar

from apache_beam.typehints.decorators import no_annotations
from typing_extensions import dataclass_transform

from anchormine.errors import UsageError

T = TypeVar("T")

# The least that an option may be, by its name, which means the same in every transform.
_MINIMA = {
    **dict.fromkeys(("buckets", "document_buckets", "term_buckets", "most", "rows", "sets", "min_count"), 1),
    "min_words": 0,
}
_SHARE = "_share"  # how the names of options end that are from 0 to 1


@dataclass_transform(frozen_default=True, eq_default=False)
def transform_options(cls: type[T]) -> type[T]:
    """Makes a PTransform a dataclass whose fields are in their range, and cannot be set again.

    A frozen dataclass refuses all attributes, and Beam gives every transform its pipeline and label. Two
    transforms are equal only if they are the same: Beam keeps them in dictionaries.

    The annotations of `expand` are for readers and type checkers. Beam would warn of all that are no
    PCollection, in the midst of a user's own pipeline.

    Making one raises `UsageError` for a number that is out of range, for a text where a tuple is asked for,
    and for what is of another class than the default is made of.
    """
    cls.__post_init__ = _check_options  # type: ignore[attr-defined]
    no_annotations(cls.expand)  # type: ignore[attr-defined]
    made = dataclass(eq=False)(cls)
    names = frozenset(field.name for field in fields(made))  # type: ignore[arg-type]

    def set_attribute(self: T, name: str, value: object) -> None:
        if name in names and name in self.__dict__:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    made.__setattr__ = set_attribute  # type: ignore[method-assign, assignment]
    return made


def _check_options(transform: Any) -> None:
    name = type(transform).__name__
    for option in fields(transform):
        value, made = getattr(transform, option.name), option.default_factory
        if isinstance(value, str) and str(option.type).startswith("tuple["):
            given = f"several, as ({value!r},)" if "[str" in str(option.type) else "a tuple"
            raise UsageError(f"{name}: {option.name} is the text {value!r}; give {given}")
        if isinstance(made, type) and not isinstance(value, made):
            raise UsageError(f"{name}: {option.name} is {value!r}; give {made.__name__}")
    _check_numbers(transform)


def _check_numbers(transform: object) -> None:
    for name, least in _MINIMA.items():
        value = vars(transform).get(name)
        if isinstance(value, int) and value < least:
            raise UsageError(f"{type(transform).__name__}: {name} is {value}; give {least} or more")
    for name, value in vars(transform).items():
        if name.endswith(_SHARE) and not 0 <= value <= 1:
            raise UsageError(f"{type(transform).__name__}: {name} is {value}; give 0 to 1")
