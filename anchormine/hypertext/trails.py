"""Redirects and aliases, followed from address to address to the page where they end."""

from collections.abc import Callable, Collection, Iterable, Mapping
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

    def further(self, hop: Hop | None) -> "Question | None":
        """What is to be asked behind the answer to this question; None where the way ends."""
        if hop is None or hop.key is None:
            return None
        return Question(hop.key, hop.address, self.named and hop.place is None)


class _Rest(NamedTuple):
    """What comes behind a question, once it is known.

    Attributes:
        place: of the page at the end or, where it ends at none, of the last page on the way; where the way
            turns, of the first, but behind a page none: that page counts then. None if there is none.
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

    Each question is asked once, and what comes behind it is found once: it is the same on every way that
    leads to it. All are asked together, with one call of `answer` for each step that any way still takes.

    Args:
        trails: each stands at an address.
        answer: what `AddressTable.find` says to each of the questions.

    Returns:
        The ends, in the order of the trails.
    """
    trails = list(trails)
    hops = _ask((trail.question for trail in trails), answer)
    rests: dict[Question, _Rest] = {}
    return [_ended(trail, _rest_behind(trail.question, hops, rests)) for trail in trails]


def _ask(
    questions: Iterable[Question], answer: Callable[[Collection[Question]], Mapping[Question, Hop | None]]
) -> dict[Question, Hop | None]:
    """Asks questions, and what is to be asked behind them, until all ways end or turn."""
    hops: dict[Question, Hop | None] = {}
    asked = dict.fromkeys(questions)
    while asked:
        hops.update(answer(asked.keys()))
        further = (question.further(hops[question]) for question in asked)
        asked = dict.fromkeys(
            question for question in further if question is not None and question not in hops
        )
    return hops


def _rest_behind(
    question: Question, hops: Mapping[Question, Hop | None], rests: dict[Question, _Rest]
) -> _Rest:
    """Returns what comes behind a question, and remembers it for all questions on the way."""
    way: dict[Question, Hop] = {}
    rest = rests.get(question)
    while rest is None:
        hop = hops[question]
        further = question.further(hop)
        if hop is None or further is None:
            rest = _Rest(hop.place if hop else None, None, False)
        elif question in way:
            rest = _Rest(None, None, True)
        else:
            way[question] = hop
            question, rest = further, rests.get(further)
    for passed, hop in reversed(way.items()):
        rest = rests[passed] = _rest_before(passed, hop, rest)
    return rest


def _rest_before(question: Question, hop: Hop, rest: _Rest) -> _Rest:
    """Returns what comes behind a question, of what comes behind its answer."""
    if rest.cycle and hop.place is not None:
        return rest._replace(place=hop.place if question.named else None, fragment=None)
    if rest.place is not None:
        return rest._replace(fragment=_first(hop.fragment, rest.fragment))
    return rest if rest.cycle else rest._replace(place=hop.place)


def _ended(trail: Trail, rest: _Rest) -> End:
    """Returns the end of a trail, of what comes behind its question."""
    if rest.place is not None:
        return end_of(trail, rest.place, _first(trail.fragment, rest.fragment))._replace(cycle=rest.cycle)
    return turned(trail) if rest.cycle else end_of(trail, trail.passed, trail.page_fragment)


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
