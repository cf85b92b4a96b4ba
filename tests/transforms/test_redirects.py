"""Redirects that lead to redirects and pages that name another address, followed to where they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise, permutations
from pathlib import Path

import pyarrow as pa
import pytest

from anchormine.hypertext.address_table import ADDRESSES, AddressRow, AddressTable, Hop
from anchormine.hypertext.trails import End, Question, Trail, follow, step
from anchormine.schemas.arrow_rows import from_ipc, to_ipc, to_rows, to_table
from anchormine.transforms import address_buckets, resolve_links
from anchormine.transforms.address_buckets import TRAILS, bucket_of
from tests.growth import LINEAR, growth_of
from tests.transforms.address_rows import asking, pages_and_redirects, random_rows, row, trails_of, walked

BUCKETS = 5


def test_all_together_end_where_each_does() -> None:
    kinds = Counter[str]()
    for seed in range(4_000):
        rows = random_rows(seed)
        table, trails = AddressTable(rows), trails_of(rows)
        expected = [walked(trail, table) for trail in trails]
        assert [end for trail in trails for end in follow([trail], asking(table))] == expected
        found = {(end.key, end.address): end for end in follow(trails, asking(table))}
        for end in expected:
            assert found[end.key, end.address] == end
            kinds["cycle" if end.cycle else "page" if end.page_id else "nowhere"] += 1
    assert kinds == {"nowhere": 4_072, "page": 3_033, "cycle": 2_960}


def test_the_first_place_on_the_way_counts() -> None:
    """In whatever order they are followed: what one has seen of the way, others do not walk again."""
    ways = [("z", "y", False), ("y", "b", False), ("b", "c", True), ("c", "d", True)]
    rows = [row(number, *way[:2], to_place=way[2]) for number, way in enumerate(ways)]
    rows.append(row(4, "d"))
    for trails in permutations(trails_of(rows)):
        ends = follow(trails, asking(AddressTable(rows)))
        assert {end.key: (end.page_id, end.fragment) for end in ends} == {
            "z": ("w:4", "f2"),
            "y": ("w:4", "f2"),
            "b": ("w:4", "f2"),
            "c": ("w:4", "f3"),
        }


def test_steps_lead_to_the_same_ends() -> None:
    """Any number of steps by themselves, and the rest together."""
    taken = Counter[int]()
    for seed in range(4_000):
        rows = random_rows(seed)
        table = AddressTable(rows)
        for trail in trails_of(rows):
            expected, at, steps = walked(trail, table), trail, 0
            while True:
                assert follow([at], asking(table)) == [expected]
                found = step(at, table.find(*at.question))
                if not isinstance(found, Trail) or steps == 4:
                    break
                at, steps = found, steps + 1
            if isinstance(found, End):
                assert found == expected
            taken[steps if isinstance(found, End) else -1] += 1
    assert taken == {0: 6_833, 1: 1_809, 2: 313, 3: 22, 4: 3, -1: 1_085}


@pytest.mark.parametrize("alias", [False, True], ids=["redirects", "proper addresses"])
@pytest.mark.parametrize("turns", [False, True], ids=["to a page", "in a circle"])
def test_a_chain_is_walked_along_once(alias: bool, turns: bool) -> None:
    def chain(pieces: int) -> list[End]:
        addresses = [f"a{number}" for number in range(pieces)]
        rows = [row(n, *pair, alias=alias) for n, pair in enumerate(pairwise(addresses))]
        rows.append(row(pieces, addresses[-1], addresses[0] if turns else None, alias=alias and turns))
        return follow(sorted(trails_of(rows), key=lambda trail: trail.key), asking(AddressTable(rows)))

    assert {(end.page_id, end.cycle) for end in chain(50)} == {(None, True) if turns else ("w:50", False)}
    assert growth_of(chain) < LINEAR


@pytest.mark.parametrize(
    ("beside", "last", "ends"),
    [
        (True, "page", "a0 w:4 f2, r0 w:4 f1, a1 w:4 f2, r1 w:4 f3"),
        (True, "gone", "a0 w:2 None, r0 w:2 f1, a1 None None, r1 w:2 f3"),
        (True, "circle", "a0 turns, r0 turns at w:0 f1, a1 turns, r1 turns at w:0 f3, a2 turns"),
        (False, "page", "a0 w:4 f1, r0 w:4 f1, a1 w:4 f2, r1 w:4 f3"),
        (False, "gone", "a0 w:2 f1, r0 w:2 f1, a1 None None, r1 None None"),
        (False, "circle", "a0 turns, r0 turns at w:2 f1, a1 turns, r1 turns at w:4 f3, a2 turns"),
    ],
)
def test_a_chain_of_pages_is_walked_along_once(beside: bool, last: str, ends: str) -> None:
    """Behind a redirect, too, however many lead into it."""

    def followed(pieces: int) -> list[End]:
        rows = pages_and_redirects(pieces, beside, last)
        return follow(trails_of(rows), asking(AddressTable(rows)))

    assert ", ".join(map(shown, followed(2))) == ends
    rows = pages_and_redirects(40, beside, last)
    table = AddressTable(rows)
    assert followed(40) == [walked(trail, table) for trail in trails_of(rows)]
    assert growth_of(followed, max_runs=3) < LINEAR


def shown(end: End) -> str:
    turns = ("turns at" if end.page_id else "turns") if end.cycle else ""
    place = "" if end.cycle and not end.page_id else f"{end.page_id} {end.fragment}"
    return " ".join(filter(None, (end.address, turns, place)))


def test_ways_that_no_other_trail_stands_on_are_asked_for_once() -> None:
    """One question a step for all that walk there, however many they are."""
    rows = pages_and_redirects(500, True, "page")
    table, asked = AddressTable(rows), Counter[Question]()

    def answer(questions: Collection[Question]) -> dict[Question, Hop | None]:
        asked.update(questions)
        return {question: table.find(*question) for question in questions}

    redirects = [trail for trail in trails_of(rows) if not trail.alias]
    assert follow(redirects, answer) == [walked(trail, table) for trail in redirects]
    first = Question("a0", "a0", True)
    assert asked == {first: 1, **{Question(f"a{n}", f"a{n}", False): 1 for n in range(1, 501)}}


def test_pages_that_all_name_one_address_take_linear_time() -> None:
    """Of a site whose pages say that they are its home page; the first of them is found there."""

    def look_up(count: int) -> set[int]:
        table = AddressTable([row(number, "Home", named=True) for number in reversed(range(count))])
        found = [table.find("home", address) for address in ["Home", "hOME"] * (count // 2)]
        assert [one.ordinal for one in table.named()] == [0]
        return {hop.place.ordinal for hop in found if hop and hop.place}

    assert look_up(10) == {0}
    assert growth_of(look_up) < LINEAR


def test_tables_are_opened_for_all_redirects_together(tmp_path: Path, monkeypatch) -> None:
    """Of 200 chains of four redirects each, in the tables of five buckets."""
    rows = [
        row(
            10 * chain + step,
            f"{chain}-{step}",
            f"{chain}-{step + 1}" if step < 4 else None,
            to_place=step % 2 == chain % 2,
        )
        for chain in range(200)
        for step in range(5)
    ]
    paths = {}
    for bucket in range(BUCKETS):
        paths[bucket] = str(tmp_path / f"{bucket}.arrow")
        own = [row for row in rows if bucket_of(row.key, BUCKETS) == bucket]
        Path(paths[bucket]).write_bytes(to_ipc(to_table(own, ADDRESSES)))
    opened = Counter[str]()
    open_table = resolve_links.open_table

    def count(path: str, keys: Collection[str]) -> AddressTable:
        opened[path] += 1
        return open_table(path, keys)

    monkeypatch.setattr(resolve_links, "open_table", count)
    trails = trails_of(rows)
    assert ends_of(trails, paths) == sorted(walked(trail, AddressTable(rows)) for trail in trails)
    assert opened == dict.fromkeys(paths.values(), 1)
    opened.clear()
    # Where others lead on from these, they are asked for step by step, and still for all chains together.
    first = [trail for trail in trails if trail.address.endswith(("-0", "-1"))]
    assert ends_of(first, paths) == sorted(walked(trail, AddressTable(rows)) for trail in first)
    assert opened == dict.fromkeys(paths.values(), 3)


def test_of_the_tables_only_what_is_asked_for_is_taken(tmp_path: Path, monkeypatch) -> None:
    """However long the way: a table has a hundred thousand rows, and is read at each step."""
    rows = [row(number, f"page {number}") for number in range(1000)]
    rows += [row(1000 + step, f"step {step}", f"step {step + 1}") for step in range(50)]
    rows.append(row(1050, "step 50"))
    path = tmp_path / "0.arrow"
    path.write_bytes(to_ipc(to_table(rows, ADDRESSES)))
    taken = []

    def take(table: pa.Table, record: type[AddressRow]) -> Iterator[AddressRow]:
        for one in to_rows(table, record):
            taken.append(one.address)
            yield one

    monkeypatch.setattr(address_buckets, "to_rows", take)
    asked = (0, [to_ipc(to_table(trails_of(rows)[:1], TRAILS))])
    ((bucket, (kind, data)),) = resolve_links._FollowAll(1).process(asked, {0: str(path)})
    assert (bucket, kind) == (0, "ends")
    assert list(to_rows(from_ipc(data), End)) == [
        End("step 0", "step 0", None, "w:1050", 0, 1050, False, False)
    ]
    assert taken == [f"step {step}" for step in range(1, 51)]


def ends_of(trails: list[Trail], paths: dict[int, str]) -> list[End]:
    def ends() -> Iterator[End]:
        do = resolve_links._FollowAll(BUCKETS)
        for bucket, (kind, data) in do.process((0, [to_ipc(to_table(trails, TRAILS))]), paths):
            assert kind == "ends"
            for end in to_rows(from_ipc(data), End):
                assert bucket_of(end.key, BUCKETS) == bucket
                yield end

    return sorted(ends())
