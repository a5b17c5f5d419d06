"""Options of a report → a selection: a window of time, and the runs, projects, models and harnesses to keep.

A selection reaches SQL only as variables of the session (the files of `chosen/` reads them), never as text of a query. This module must not know a view.
"""

from __future__ import annotations

import calendar
import datetime as dt
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self
from zoneinfo import ZoneInfo

from agentlog.errors import AgentlogError

When = str | dt.date | dt.datetime
"""A bound of a window, as typed or as a Python value. A date is a whole day."""

_INSTANT: Final = dt.timedelta(microseconds=1)
_EARLIEST, _LATEST = dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC)
_AGO: Final = re.compile(r"(\d{1,5})([hdw])")
_MONTH: Final = re.compile(r"\d{4}-\d{2}")
_WEEK: Final = re.compile(r"\d{4}-W\d{2}")
FORMS: Final = "2026-05-01, 2026-05, 2026-W23, today, yesterday, 7d, 2w, 12h or 2026-05-01T14:30"
"""How a time may be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a report counts. `since` is inclusive, `until` exclusive; the others are names or globs, None keeps everything."""

    since: dt.datetime | None
    until: dt.datetime | None
    tz: str
    run: str | None = None
    project: str | None = None
    model: str | None = None
    harness: str | None = None

    @classmethod
    def of(cls, *, since: When | None, until: When | None, tz: str | None, now: dt.datetime | None = None, **names: str | None) -> Self:
        """The selection that these options mean, days in the time zone `tz` (this machine's by default) and relative to `now`."""
        zone = zone_of(tz or machine_zone())
        at = (now or dt.datetime.now(dt.UTC)).astimezone(zone)
        start = None if since is None else span(since, at)[0]
        end = None if until is None else span(until, at)[1]
        if start is not None and end is not None and start >= end:
            raise AgentlogError(f"since {since} is after until {until}")
        return cls(since=start, until=end, tz=zone.key, **names)

    @property
    def has_window(self) -> bool:
        """Whether rows without a time are left out."""
        return self.since is not None or self.until is not None

    @property
    def is_narrowed(self) -> bool:
        """Whether figures of whole runs do not apply."""
        return self.has_window or self.model is not None

    def as_variable(self) -> dict[str, object]:
        """The session variable `selection`, which the files of `chosen/` reads."""
        return {
            "since": self.since,
            "until": self.until,
            "tz": self.tz,
            "run": self.run,
            "run_path": None if self.run is None else os.path.abspath(self.run),  # noqa: PTH100 (a glob, which Path would not keep)
            "project": self.project,
            "model": self.model,
            "harness": self.harness,
        }


def span(when: When, now: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
    """What `when` covers, [start, end) in UTC: a day, a week, a month or an instant, in the time zone of `now`. It ends with the calendar at the latest."""
    if isinstance(when, dt.datetime):
        start = _utc(when if when.tzinfo else when.replace(tzinfo=now.tzinfo))
        return start, start + min(_INSTANT, _LATEST - start)
    if isinstance(when, dt.date):
        return _days(when, 1, now)
    try:
        return _span_of_text(when.strip(), now)
    except (ValueError, OverflowError):
        raise AgentlogError(f"cannot read the time {when!r}; write it as {FORMS}") from None


def _span_of_text(text: str, now: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
    today = now.date()
    if text in {"today", "yesterday"}:
        return span(today - dt.timedelta(days=text == "yesterday"), now)
    if ago := _AGO.fullmatch(text):
        count = int(ago[1])
        if ago[2] == "h":
            return span(now.astimezone(dt.UTC) - dt.timedelta(hours=count), now)
        return span(today - dt.timedelta(days=count * (7 if ago[2] == "w" else 1)), now)
    if _MONTH.fullmatch(text):
        first = dt.date.fromisoformat(f"{text}-01")
        return _days(first, calendar.monthrange(first.year, first.month)[1], now)
    try:
        return _days(dt.date.fromisoformat(text), 7 if _WEEK.fullmatch(text) else 1, now)
    except ValueError:
        return span(dt.datetime.fromisoformat(text), now)


def _days(first: dt.date, count: int, now: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
    """So many days from that one on, in the time zone of `now`."""
    is_last = (dt.date.max - first).days < count
    return _midnight(first, now), _LATEST if is_last else _midnight(first + dt.timedelta(days=count), now)


def _midnight(day: dt.date, now: dt.datetime) -> dt.datetime:
    return _utc(dt.datetime.combine(day, dt.time(), now.tzinfo))


def _utc(moment: dt.datetime) -> dt.datetime:
    """The moment in UTC, or the end of the calendar beyond which it lies there."""
    try:
        return moment.astimezone(dt.UTC)
    except OverflowError:
        return _EARLIEST if moment.year == dt.MINYEAR else _LATEST


def zone_of(name: str) -> ZoneInfo:
    """The time zone of that IANA name; raises `AgentlogError` for another."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # zoneinfo looks the name up as a file, so a folder's name is an OSError
        raise AgentlogError(f"unknown time zone {name!r}; use an IANA name such as UTC or Europe/Berlin") from None


def machine_zone() -> str:
    """The IANA name of this machine's time zone: `$TZ`, else what /etc says, else UTC."""
    localtime, timezone = Path("/etc/localtime"), Path("/etc/timezone")
    named = [
        os.environ.get("TZ", "").removeprefix(":"),
        str(localtime.resolve()).rpartition("/zoneinfo/")[2] if localtime.is_symlink() else "",
    ]
    named.append(timezone.read_text(encoding="utf-8", errors="replace").strip() if timezone.is_file() else "")
    for name in filter(None, named):
        try:
            return zone_of(name).key
        except AgentlogError:
            continue
    return "UTC"
