"""Parameters of a URL's query that say where a visitor came from, not what is shown."""

import re
from collections.abc import Iterable
from functools import cache

from anchormine.errors import UsageError

# A "*" at the end stands for anything.
TRACKING = tuple(
    "utm_* mtm_* pk_campaign pk_kwd pk_source pk_medium pk_content "  # campaigns, by those who count visitors
    "gclid gclsrc dclid gbraid wbraid gad_source srsltid _ga _gl "  # Google
    "fbclid igshid igsh msclkid twclid ttclid li_fat_id yclid ysclid "  # other networks
    "mc_cid mc_eid _hsenc _hsmi mkt_tok vero_id oly_anon_id oly_enc_id".split()  # letters by mail
)

_MAX_REMEMBERED, _LONG = 1 << 12, 100
_NAMES = re.compile("(?:^|&)([^&=]*)")  # of a query's parameters


class TrackingParameters:
    """Takes such parameters out of queries."""

    def __init__(self, names: tuple[str, ...]) -> None:
        """Takes the parameters' names, in any case; a "*" in one stands for anything."""
        patterns = (re.escape(name).replace(r"\*", ".*") for name in names)
        self._pattern = re.compile("|".join(patterns), re.IGNORECASE | re.DOTALL) if names else None
        self._others: set[str] = set()  # a crawl has few names of parameters

    def without(self, query: str) -> str:
        """Returns a query without them; what stays is as it was."""
        if self._pattern is None or self._others.issuperset(_NAMES.findall(query)):
            return query
        parts = query.split("&")
        tracking = {part for part in set(parts) if self._tracks(part.partition("=")[0])}
        return "&".join([part for part in parts if part not in tracking]) if tracking else query

    def _tracks(self, name: str) -> bool:
        if self._pattern is None or name in self._others:
            return False
        if self._pattern.fullmatch(name):
            return True
        if len(name) <= _LONG:
            if len(self._others) >= _MAX_REMEMBERED:
                self._others.clear()
            self._others.add(name)
        return False


def names_of_parameters(names: Iterable[str]) -> tuple[str, ...]:
    """Returns names of parameters as a tuple.

    Raises:
        UsageError: they are one text, whose letters would be taken for names.
    """
    if isinstance(names, str):
        raise UsageError(f"tracking is the text {names!r}; give the names of parameters, as ({names!r},)")
    return tuple(names)


@cache
def tracking_parameters(names: tuple[str, ...]) -> TrackingParameters:
    """Returns the same for the same names."""
    return TrackingParameters(names)
