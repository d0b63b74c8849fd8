from __future__ import annotations

import pytest

from policies.errors import CursorInvalid
from policies.terms import GrantId
from service.cursors import Cursors
from tests.support.clocks import SetClock

MINE, THEIRS = GrantId("grant:mine"), GrantId("grant:theirs")
QUESTION: dict[str, object] = {"query": "bike", "about": ["ent:a"]}


@pytest.fixture
def cursors(clock: SetClock) -> Cursors:
    return Cursors(b"k" * 32, clock, 3_600)


def test_a_cursor_gives_back_what_it_was_made_of(cursors: Cursors) -> None:
    cursor = cursors.make({"place": [12, 0.5, "x"]}, MINE, "mem_recall", QUESTION)
    assert cursors.read(cursor, MINE, "mem_recall", QUESTION) == {"place": [12, 0.5, "x"]}


def test_a_cursor_is_read_with_itself_and_the_language_among_the_arguments(cursors: Cursors) -> None:
    cursor = cursors.make({"at": 12}, MINE, "mem_recall", {**QUESTION, "lang": "fr"})
    assert cursors.read(cursor, MINE, "mem_recall", {**QUESTION, "cursor": cursor}) == {"at": 12}


def test_a_cursor_opens_nothing_for_another_grant_tool_or_question(cursors: Cursors) -> None:
    cursor = cursors.make({"at": 12}, MINE, "mem_recall", QUESTION)
    for grant, tool, arguments in (
        (THEIRS, "mem_recall", QUESTION),
        (MINE, "mem_gates", QUESTION),
        (MINE, "mem_recall", {**QUESTION, "query": "car"}),
        (MINE, "mem_recall", {"query": "bike"}),
    ):
        with pytest.raises(CursorInvalid):
            cursors.read(cursor, grant, tool, arguments)


def test_a_cursor_lives_an_hour(cursors: Cursors, clock: SetClock) -> None:
    cursor = cursors.make({"at": 12}, MINE, "mem_recall", QUESTION)
    clock.advance(3_600)
    assert cursors.read(cursor, MINE, "mem_recall", QUESTION) == {"at": 12}
    clock.advance(1)
    with pytest.raises(CursorInvalid):
        cursors.read(cursor, MINE, "mem_recall", QUESTION)


def test_a_cursor_of_another_store_or_of_nobody_is_refused(cursors: Cursors, clock: SetClock) -> None:
    foreign = Cursors(b"q" * 32, clock, 3_600).make({"at": 12}, MINE, "mem_recall", QUESTION)
    for forged in (foreign, "", ".", "x.y.z", "12", "é", "a" * 2_000, cursors.make({}, MINE, "t", {})[:-1]):
        with pytest.raises(CursorInvalid):
            cursors.read(forged, MINE, "mem_recall", QUESTION)
