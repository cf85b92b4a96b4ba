"""How the addresses of the web's pages are looked up: a canonical URL is what it is."""

from __future__ import annotations

from typing import NamedTuple


class WebAddresses(NamedTuple):
    """The canonical URLs of a run; nothing has to be known of them."""

    def key(self, address: str) -> str:
        """Returns the canonical URL itself: no other means the same."""
        return address
