"""Redirects and aliases, followed from address to address to the page where they end."""

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from typing import NamedTuple

from anchormine.hypertext.address_table import Hop, Place


class Trail(NamedTuple):
    """A redirect or alias that is followed.

    Attributes:
        key: of its own address.
        address: its own.
        next_key: where it stands.
        next_address: where it stands.
        fragment: the first on its way.
        alias: whether it is a page too.
        page_id: of the first page on its way, None while there is none.
        range: of that page.
        ordinal: of that page.
        page_fragment: the first on its way to that page.
    """

    key: str
    address: str
    next_key: str
    next_address: str
    fragment: str | None
    alias: bool = False
    page_id: str | None = None
    range: int = -1
    ordinal: int = -1
    page_fragment: str | None = None

    @property
    def passed(self) -> Place | None:
        """The first page on its way."""
        return None if self.page_id is None else Place(self.page_id, self.range, self.ordinal)

    @property
    def question(self) -> "Question":
        """What is to be asked where it stands. Behind a page, pages that name the same address do not count:
        many name one that is wrong for all of them.
        """
        return Question(self.next_key, self.next_address, not (self.alias or self.page_id is not None))


class End(NamedTuple):
    """Where a redirect or alias ends.

    Attributes:
        key: of its own address.
        address: its own.
        fragment: the first on its way to the page, None where it leads nowhere.
        page_id: of the page, None where it leads nowhere.
        range: of the page.
        ordinal: of the page.
        cycle: whether it leads back to itself.
        alias: whether it is a page too.
    """

    key: str
    address: str
    fragment: str | None
    page_id: str | None
    range: int
    ordinal: int
    cycle: bool
    alias: bool


class Question(NamedTuple):
    """What a walk asks of the table of addresses: the arguments of `AddressTable.find`."""

    key: str
    address: str
    named: bool


class _Rest(NamedTuple):
    """What comes behind a question, once it is known.

    Attributes:
        place: of the page at the end or, where it ends at none, of the last page on the way; None if none.
        fragment: the first on the way to that page.
        cycle: whether the way turns.
    """

    place: Place | None
    fragment: str | None
    cycle: bool


def step(trail: Trail, hop: Hop | None) -> Trail | End | None:
    """Takes one step of a trail.

    Returns:
        The trail one redirect or alias further, or its end; None where a trail does not hold what its end
        depends on, as behind a second page.

    Args:
        trail: that is followed.
        hop: what `AddressTable.find` says to its question.
    """
    if hop is None:
        return end_of(trail, trail.passed, trail.page_fragment)
    if hop.key is None:
        return end_of(trail, hop.place, trail.fragment)
    if (trail.next_key, hop.found) == (trail.key, trail.address):
        return turned(trail)
    return None if hop.place and trail.passed else hopped(trail, hop)


def follow(
    trails: Iterable[Trail], answer: Callable[[Collection[Question]], Mapping[Question, Hop | None]]
) -> list[End]:
    """Follows redirects to their ends, however many redirects and aliases are in between.

    A chain of redirects is walked along once, not once for each that is part of it, and so is one of pages
    that name another address; only what comes behind such a page is walked anew for each redirect to it. All
    walk on together, with one call of `answer` for each step that any of them still takes.

    Args:
        trails: each stands at an address.
        answer: what `AddressTable.find` says to each of the questions.
    """
    rests: dict[Question, _Rest] = {}
    answers: dict[Question, Hop | None] = {}
    ends: list[End] = []
    walks = [_walk(trail, rests) for trail in trails]
    asking = [(walk, next(walk)) for walk in walks]
    while asking:
        answers.update(answer(dict.fromkeys(question for _, question in asking).keys()))
        waiting, asking = asking, []
        for walk, question in waiting:
            try:
                while question in answers:
                    question = walk.send(answers[question])
                asking.append((walk, question))
            except StopIteration as ended:
                ends.append(ended.value)
    return ends


def _walk(trail: Trail, rests: dict[Question, _Rest]) -> Generator[Question, Hop | None, End]:
    """Asks for one address after the other."""
    seen = {(trail.key, trail.address)}
    passed: list[tuple[Question, Hop]] = []
    last, last_fragment = trail.passed, trail.page_fragment  # of the pages on the way, and on the way to it
    while True:
        question = trail.question
        # Behind a page that a redirect leads to, the way depends on what is before it.
        is_known_way = trail.alias or last is None
        rest = rests.get(question) if is_known_way else None
        if rest is not None:
            break
        hop = yield question
        if hop is None or hop.key is None:
            rest = _Rest(hop.place if hop else None, None, False)
            break
        if (trail.next_key, hop.found) in seen:
            rest = _Rest(None, None, True)
            break
        seen.add((trail.next_key, hop.found))
        passed.append((question, hop))
        if hop.place is not None:
            last, last_fragment = hop.place, trail.fragment
        trail = hopped(trail, hop)
    if is_known_way:
        _remember(passed, rest, rests)
    if rest.cycle:
        return turned(trail)
    if rest.place is None:
        return end_of(trail, last, last_fragment)
    return end_of(trail, rest.place, _first(trail.fragment, rest.fragment))


def _remember(passed: Sequence[tuple[Question, Hop]], rest: _Rest, rests: dict[Question, _Rest]) -> None:
    for question, hop in reversed(passed):
        if rest.place is not None:
            rest = rest._replace(fragment=_first(hop.fragment, rest.fragment))
        elif not rest.cycle:
            rest = rest._replace(place=hop.place)
        rests[question] = rest


def _first(fragment: str | None, behind: str | None) -> str | None:
    return fragment if fragment is not None else behind


def hopped(trail: Trail, hop: Hop) -> Trail:
    """Returns the trail one redirect or alias further."""
    if hop.place is not None and trail.page_id is None:
        trail = trail._replace(**hop.place._asdict(), page_fragment=trail.fragment)
    fragment = _first(trail.fragment, hop.fragment)
    return trail._replace(next_key=hop.key or "", next_address=hop.address, fragment=fragment)


def end_of(trail: Trail, place: Place | None, fragment: str | None) -> End:
    """Returns the trail as ended at a page, or nowhere.

    Args:
        trail: that has ended.
        place: of the page.
        fragment: the first on the way to it.
    """
    page_id, range_number, ordinal = place or (None, -1, -1)
    fragment = fragment if place is not None else None
    return End(trail.key, trail.address, fragment, page_id, range_number, ordinal, False, trail.alias)


def turned(trail: Trail) -> End:
    """Returns the trail as ended in a circle: at the first page on its way, if it is none itself."""
    place = None if trail.alias else trail.passed
    return end_of(trail, place, trail.page_fragment)._replace(cycle=True)
