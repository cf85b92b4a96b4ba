"""What the splitters know of one language: made once, sent to every worker, kept in the manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class SentenceModel:
    """One language's splitter and words. Words are in lower case and without their last full stop.

    Attributes:
        language: Its code, in lower case with hyphens.
        kind: The splitter: ``rules`` for Latin, Cyrillic, Han and Kana, ``punkt`` for other scripts.
        source: Where the words are from: ``shipped`` with the program, ``learned`` from a sample, or
            ``general`` to all languages.
        abbreviations: Words after which a full stop ends no sentence by itself; the next four are among them.
        endings: Those that end a sentence where a capital letter follows ("etc").
        numeric: Those that are plain words unless a number follows ("no", "art").
        years: Words for "year" after its number ("1990 r.").
        starters: Words that start a sentence even after an abbreviation.
        ordinals: How many digits an ordinal with a full stop ("5." for 5th) has at most before a capital
            letter; 0 where ordinals are written otherwise.
    """

    language: str
    kind: Literal["rules", "punkt"]
    source: Literal["shipped", "learned", "general"]
    abbreviations: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    numeric: frozenset[str] = frozenset()
    years: frozenset[str] = frozenset()
    starters: frozenset[str] = frozenset()
    ordinals: int = 0

    def to_json(self) -> dict[str, Any]:
        """Returns the model as JSON's types, its words sorted."""
        fields = asdict(self).items()
        return {key: sorted(value) if isinstance(value, frozenset) else value for key, value in fields}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> SentenceModel:
        """Returns the model that `to_json` wrote."""
        fields: dict[str, Any] = {
            key: frozenset(value) if isinstance(value, list) else value for key, value in record.items()
        }
        return cls(**fields)
