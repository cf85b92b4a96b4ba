"""co-doc: two passages of one page."""

from __future__ import annotations

from collections import Counter

import pytest

from anchormine.errors import UsageError
from anchormine.schemas.pairs import Pair
from anchormine.tasks.codoc import codoc_pairs
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.page_passages import PagePassages, PassageOptions
from anchormine.text.sentences import sentence_model

ENGLISH = sentence_model("en")
NAMES = ("First", "Second", "Third", "Fourth", "Fifth")
TEXT = "\n".join(f"{name} boats float here." for name in NAMES)


def pairs(
    text: str, page_id: str = "w:1", words: int = 4, most: int = 1, seed: int = 42
) -> list[Pair | Refusal]:
    return list(codoc_pairs(PagePassages(page_id, text, "", ENGLISH, PassageOptions(words, most, 1)), seed))


def pair(text: str, page_id: str = "w:1", words: int = 4) -> Pair:
    (made,) = pairs(text, page_id, words)
    assert isinstance(made, Pair)
    return made


def test_the_whole_pair() -> None:
    text = "A pier stands on piles.\nShips lie along it."
    made = pair(text, words=5)
    first, second = (0, 1) if made.pair_id.startswith("codoc:w:1#p0") else (1, 0)
    lines = text.split("\n")
    assert made == Pair(
        f"codoc:w:1#p{first}:w:1#p{second}", "codoc", lines[first], lines[second], None, None, "w:1",
        None, None, None, [], None,
    )  # fmt: skip


def test_every_two_passages_are_equally_likely_in_both_orders() -> None:
    drawn: Counter = Counter()
    for page in range(2000):
        made = pair(TEXT, f"w:{page}")
        drawn[made.query, made.document] += 1
    assert len(drawn) == 20
    assert min(drawn.values()) > 60
    assert max(drawn.values()) < 140
    assert {query for query, _ in drawn} == {*TEXT.split("\n")}


def test_no_passage_is_in_two_pairs_of_a_page() -> None:
    for page in range(50):
        made = [one for one in pairs(TEXT, f"w:{page}", most=2) if isinstance(one, Pair)]
        assert len({passage for one in made for passage in (one.query, one.document)}) == 4
        assert made[0] == pair(TEXT, f"w:{page}")


def test_what_a_page_has_no_passages_for() -> None:
    few = Refusal("codoc", "few_passages", None, "w:1", TEXT, 3)
    assert pairs(TEXT, most=5)[2:] == [few]
    assert len(pairs(TEXT, most=5)) == 3
    assert pairs(TEXT, words=128) == [few._replace(records=1)]
    assert pairs(TEXT, words=3) == [few._replace(records=1)]


def test_a_passage_is_not_paired_with_itself() -> None:
    line = "Boats float here."
    (made,) = pairs(f"{line}\n{line}", words=3)
    assert isinstance(made, Refusal)
    assert made == Refusal("codoc", "equal_passages", made.record_id, "w:1", line)
    assert made.record_id in ("codoc:w:1#p0:w:1#p1", "codoc:w:1#p1:w:1#p0")


def test_a_passage_that_reads_otherwise_is_taken() -> None:
    """Of three passages two read the same: there is always a pair."""
    line, other = "Boats float here.", "Ships sail there."
    drawn: Counter = Counter()
    for page in range(300):
        made = pair(f"{line}\n{line}\n{other}", f"w:{page}", words=3)
        drawn[made.query, made.document] += 1
    assert set(drawn) == {(line, other), (other, line)}
    two = pairs(f"{line}\n{line}\n{other}\n{other}", words=3, most=2)
    assert [{one.query, one.document} for one in two if isinstance(one, Pair)] == [{line, other}] * 2


def test_another_seed_draws_other_passages() -> None:
    changed = sum(pairs(TEXT, f"w:{page}") != pairs(TEXT, f"w:{page}", seed=7) for page in range(100))
    assert changed > 80


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((0, 1), "--passage-words 0: give 1 or more"),
        ((128, -1), "--pairs-per-page -1: give 1 or more"),
        ((128, 1, 0), "--query-words 0: give 1 or more"),
        ((9, 1, 10), "--query-words 10: give at most --passage-words, 9"),
        ((128, 1, 1, 0.0, 0), "--pairs-per-passage 0: give 1 or more"),
        ((128, 1, 1, 0.0, 5, 0), "--query-pages 0: give 1 or more"),
        ((128, 1, 1, 1.5), "--keep-sentence 1.5: give a share from 0 to 1"),
    ],
)
def test_wrong_options(options: tuple, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        PassageOptions(*options)
