"""Damages of files that are damaged everywhere take no more memory than others."""

from __future__ import annotations

import random

import pytest

from anchormine.archives.compression import Damage
from anchormine.transforms import kept_damages
from anchormine.transforms.kept_damages import FirstDamages, LeastDamages


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_damages, "MAX_PLACES", 5)


def at(offset: int) -> Damage:
    return Damage(offset, 1, "broken", "file")


@pytest.mark.parametrize(("count", "kept", "left_out"), [(10, 10, 0), (11, 5, 6), (16, 10, 6), (100, 10, 90)])
def test_the_least_of_damages_in_any_order(count: int, kept: int, left_out: int) -> None:
    offsets = list(range(count))
    random.Random(1).shuffle(offsets)
    damages = LeastDamages()
    for offset in offsets:
        damages.append(at(offset))
    assert (len(damages), damages.left_out) == (kept, left_out)
    assert sorted(damages)[:5] == [at(offset) for offset in range(5)]


def test_the_first_and_the_last_of_damages_in_order() -> None:
    damages = FirstDamages()
    for offset in range(101):
        damages.append(at(offset))
    assert (len(damages), damages.left_out) == (11, 90)
    assert list(damages) == [at(offset) for offset in (0, 1, 2, 3, 4, 95, 96, 97, 98, 99, 100)]
