"""What one page may cost."""

from __future__ import annotations

from dataclasses import dataclass

from anchormine.errors import UsageError
from anchormine.hypertext.page_rejected import PageRejected

_A_DAY = 86_400.0


@dataclass(frozen=True)
class PageLimits:
    """What one page may cost.

    Attributes:
        characters: of its wikitext or HTML; MediaWiki itself allows 2 MiB.
        seconds: for reading it, a day at most.
    """

    characters: int = 16_000_000
    seconds: float = 20.0

    def __post_init__(self) -> None:
        if self.characters < 1:
            raise UsageError(f"--max-page-characters {self.characters}: give 1 or more")
        if not 0 < self.seconds <= _A_DAY:
            raise UsageError(
                f"--page-timeout {self.seconds}: give more than 0 seconds, and {_A_DAY:,.0f} at most"
            )

    def check_length(self, length: int) -> None:
        """Raises `PageRejected` for "too_large" where a page has so many characters."""
        if length > self.characters:
            raise PageRejected("too_large", f"{length} characters, the limit is {self.characters}")
