"""Rows that wait to become a table, of whose texts Arrow takes no more than 2 GB."""

from __future__ import annotations

from typing import Generic, TypeVar

R = TypeVar("R", bound=tuple)


class WaitingRows(Generic[R]):
    """Rows that wait, few where their texts are long."""

    def __init__(self, most_rows: int | None, most_characters: int) -> None:
        """Starts with none.

        Args:
            most_rows: that wait; None for any number.
            most_characters: that their texts have; the last row may bring more.
        """
        self._most_rows, self._most_characters = most_rows, most_characters
        self._rows: list[R] = []
        self._characters = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def are_enough(self) -> bool:
        """Whether they are to be taken out before another one comes."""
        return self._characters >= self._most_characters or len(self._rows) == self._most_rows

    def add(self, row: R) -> None:
        """Takes a row."""
        self._rows.append(row)
        self._characters += sum(map(_characters, row))

    def take(self) -> list[R]:
        """Returns the rows, which wait no more."""
        rows, self._rows, self._characters = self._rows, [], 0
        return rows


def _characters(value: object) -> int:
    """How long the texts of a value are."""
    if isinstance(value, list):
        return sum(map(_characters, value))
    return len(value) if isinstance(value, str) else 0
