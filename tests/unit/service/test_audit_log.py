from __future__ import annotations

import threading
from collections.abc import Sequence

import anyio
import pytest

from policies.errors import LedgerUnavailable
from service.audit_log import AuditLog

pytestmark = pytest.mark.anyio


async def test_an_entry_is_kept_before_the_writer_returns() -> None:
    kept: list[int] = []
    await AuditLog[int](kept.extend).write(1)
    assert kept == [1]


async def test_entries_that_come_while_one_is_written_are_written_together_in_order() -> None:
    batches: list[list[int]] = []
    first_is_writing, go_on = threading.Event(), threading.Event()

    def append(entries: Sequence[int]) -> None:
        batches.append(list(entries))
        first_is_writing.set()
        go_on.wait(10)

    audit_log = AuditLog[int](append)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(audit_log.write, 0)
        await anyio.to_thread.run_sync(first_is_writing.wait)
        for number in range(1, 5):
            tasks.start_soon(audit_log.write, number)
        await anyio.wait_all_tasks_blocked()
        go_on.set()
    assert batches == [[0], [1, 2, 3, 4]]


async def test_what_cannot_be_kept_is_raised_to_every_writer_of_the_batch_and_to_no_other() -> None:
    kept: list[int] = []

    def append(entries: Sequence[int]) -> None:
        if 13 in entries:
            raise LedgerUnavailable
        kept.extend(entries)

    audit_log = AuditLog[int](append)
    with pytest.raises(LedgerUnavailable):
        await audit_log.write(13)
    await audit_log.write(14)
    assert kept == [14]


async def test_an_unexpected_fault_of_the_log_is_told_as_unavailable() -> None:
    def append(entries: Sequence[int]) -> None:
        raise OSError("disk full: /secret/place")

    with pytest.raises(LedgerUnavailable) as raised:
        await AuditLog[int](append).write(1)
    assert "secret" not in str(raised.value)


async def test_a_caller_that_goes_away_leaves_nobody_waiting() -> None:
    kept: list[int] = []
    writing, go_on = threading.Event(), threading.Event()

    def append(entries: Sequence[int]) -> None:
        writing.set()
        go_on.wait(10)
        kept.extend(entries)

    audit_log = AuditLog[int](append)
    async with anyio.create_task_group() as tasks:
        leaver = anyio.CancelScope()

        async def leave() -> None:
            with leaver:
                await audit_log.write(1)

        tasks.start_soon(leave)
        await anyio.to_thread.run_sync(writing.wait)
        tasks.start_soon(audit_log.write, 2)
        await anyio.wait_all_tasks_blocked()
        leaver.cancel()
        go_on.set()
    assert kept == [1, 2]
