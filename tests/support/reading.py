"""What tests of reading share: a reading of a ledger in memory, and the views of the four scopes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from zoneinfo import ZoneInfo

from policies.parameters import Parameters
from policies.terms import Level, View
from service.reading import Answer, Reading
from service.reading.source import Source
from tests.support.clocks import SetClock
from tests.support.memories import PARAMETERS, at

PARIS = ZoneInfo("Europe/Paris")
NOW = at(1_000_000)
THIRD_PARTY = View(level=Level.S0)
STANDARD = View(level=Level.S1)
WORK = View(level=Level.S2)
PRIVATE = View(level=Level.S3, history=True)
OWNER = View(level=Level.S3, owner=True)
SCOPES = {
    "third-party": THIRD_PARTY,
    "assistant-standard": STANDARD,
    "work-context": WORK,
    "private-full": PRIVATE,
}


def reading(
    source: Source, folder: Path, *, clock: SetClock | None = None, parameters: Parameters = PARAMETERS
) -> Reading:
    """A reading of a ledger, its indexes under ``folder``, at ``NOW`` unless another clock is given."""
    return Reading(source, clock or SetClock(NOW), parameters=parameters, zone=PARIS, folder=folder / "index")


def ids(answer: Answer) -> list[str]:
    """The ids of an answer's items without their prefix, in order."""
    return names(item["id"] for item in answer["items"])


def names(found: Iterable[str]) -> list[str]:
    """Ids without their prefix."""
    return [identifier.partition(":")[2] for identifier in found]
