"""What could not be read of a file: the first places are kept and the others counted.

A file can be damaged at each of its records, and all of that would not fit in memory.
"""

from __future__ import annotations

from collections import UserList

from anchormine.archives.compression import Damage
from anchormine.datasets.places import MAX_PLACES


class FirstDamages(UserList[Damage]):
    """Damages that come in order: the first `MAX_PLACES` and the last ones, which what follows may continue.

    Attributes:
        left_out: how many more there are in between, which are only counted.
    """

    left_out = 0

    def append(self, item: Damage) -> None:
        super().append(item)
        self._leave_out()

    def insert(self, i: int, item: Damage) -> None:
        super().insert(i, item)
        self._leave_out()

    def _leave_out(self) -> None:
        if len(self.data) > 3 * MAX_PLACES:
            del self.data[MAX_PLACES : 2 * MAX_PLACES]
            self.left_out += MAX_PLACES


class LeastDamages(UserList[Damage]):
    """Damages that come in any order: the `MAX_PLACES` that stand first in the file, and perhaps others.

    Attributes:
        left_out: how many more there are, which are only counted.
    """

    left_out = 0

    def append(self, item: Damage) -> None:
        super().append(item)
        if len(self.data) > 2 * MAX_PLACES:
            self.data.sort()
            self.left_out += len(self.data) - MAX_PLACES
            del self.data[MAX_PLACES:]
