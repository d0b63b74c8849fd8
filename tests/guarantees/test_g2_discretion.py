"""G2. What is found only when asked for never surfaces; what is on request only answers to its name alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from policies.terms import Discretion, Level, View
from tests.support.ledger import MemoryLedger
from tests.support.reading import reading
from tests.support.twins import answers, history, play, reading_surface

SURFACING = ("profile", "pack", "complete")
AIMING = ("about", "memory", "ids")


@pytest.mark.parametrize("seed", range(200, 206))
@pytest.mark.parametrize("owner", [False, True])
def test_in_every_call_only_what_its_discretion_lets_appear(seed: int, owner: bool, tmp_path: Path) -> None:
    whole, ledger = history(seed), MemoryLedger()
    play(whole, ledger)
    read = reading(ledger, tmp_path)
    view = View(level=Level.S3, owner=owner, history=True)
    told = answers(reading_surface(read, view, whole))
    read.close()
    appeared = {Discretion.OPEN: 0, Discretion.ON_DEMAND: 0, Discretion.ON_REQUEST_ONLY: 0}
    for call, answer in told.items():
        kind = call.split(" ")[0]
        for memory, version in whole.versions.items():
            if f'"{memory}"' not in answer or '"error"' in json.loads(answer):
                continue
            discretion = version.state.discretion
            appeared[discretion] += 1
            assert discretion is Discretion.OPEN or kind not in SURFACING, (call, memory)
            assert discretion is not Discretion.ON_REQUEST_ONLY or kind in AIMING, (call, memory)
    assert all(appeared.values()), "every discretion appears somewhere, or nothing was tested"
