"""An option that is not what it was in the run that is to be resumed, as the user is told."""

from typing import Any

# May be another one in a run that is resumed: rows hang on the dtype, not on what computes in it.
UNCOMPARED = frozenset({"device"})


def told_change(name: str, before: Any, now: Any) -> str:
    """What stands behind "made with".

    Args:
        name: of the option; of one with several values, each of which has a name, the first that differs is
            told.
        before: its value then; None where it was not given.
        now: its value in this run, likewise.
    """
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted({*before, *now}):
            if before.get(key) != now.get(key):
                return told_change(f"{name}.{key}", before.get(key), now.get(key))
    if now is None:
        return f"{name} {before}, which is not given now"
    if before is None:
        return f"no {name}, which is {now} now"
    return f"{name} {before}, not {now}"
