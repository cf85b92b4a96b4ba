"""When a page was captured, in the ways that crawl files write it."""

import re
from datetime import datetime, timedelta

_ISO = re.compile(
    r"(\d{4})(?:-(\d{2})(?:-(\d{2,3}))?)?"
    r"(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?",
    re.ASCII,
)
_USUAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_FRACTION = re.compile(r":\d{2}\.(\d{1,9})", re.ASCII)
_DIGITS = re.compile(r"\d{4,17}", re.ASCII)
_FIRST = "00000101000000"


def warc_date(text: str) -> str | None:
    """Returns a WARC-Date as ISO 8601 in UTC to the second, or None if it is no date.

    What WARC 1.1 lets out is the first of its kind: 2016 is 2016-01-01T00:00:00Z. ClueWeb09 wrote the day of
    the year where the day of the month belongs, and the time of some zone: 2009-03-67T15:35:34-0700. Some
    programs write the digits of ARC.
    """
    if _USUAL.fullmatch(text) and _is_valid(text):
        return text
    match = _ISO.fullmatch(text.strip().upper())
    if not match:
        return arc_date(text.strip())
    year, month, day, hour, minute, second, zone = match.groups()
    try:
        date = datetime(int(year), 1, 1, int(hour or 0), int(minute or 0), min(59, int(second or 0)))
        if day and (len(day) == 3 or int(day) > 31):
            date += timedelta(days=int(day) - 1)
        else:
            date = date.replace(month=int(month or 1), day=int(day or 1))
        return _written(date - _offset(zone))
    except (ValueError, OverflowError):
        return None


def nanoseconds(text: str) -> int:
    """Returns how many a WARC-Date has behind its second: several captures may be of one."""
    match = _FRACTION.search(text)
    return int(match[1].ljust(9, "0")) if match else 0


def arc_date(digits: str) -> str | None:
    """Returns ARC's digits YYYYMMDDhhmmss, of which the last may be missing, as ISO 8601 in UTC, or None."""
    if not _DIGITS.fullmatch(digits):
        return None
    full = digits + _FIRST[len(digits) :]
    date = f"{full[:4]}-{full[4:6]}-{full[6:8]}T{full[8:10]}:{full[10:12]}:{full[12:14]}Z"
    return date if _is_valid(date) else None


def _is_valid(usual: str) -> bool:
    try:
        datetime.fromisoformat(usual[:-1])
    except ValueError:
        return False
    return True


def _offset(zone: str | None) -> timedelta:
    if not zone or zone == "Z":
        return timedelta()
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return timedelta(minutes=-minutes if zone[0] == "-" else minutes)


def _written(date: datetime) -> str:
    return f"{date.isoformat()}Z"
