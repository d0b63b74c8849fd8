"""G9. ``verify`` is clean on what was recorded, and names the first entry of whatever was changed by hand."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from curator.verify import Verified
from cypher.committer import Committer
from cypher.engine import Engine
from cypher.statement import parse_statement
from policies.chain import entry_hash
from policies.entries import EntryType
from policies.terms import Level
from tests.support.clocks import CountingIds
from tests.support.curated import Curated, curated

EDIT = parse_statement(
    "edit_entry", "// Tamper.\n// $seq: which\n// $body: new\nMATCH (e:Entry {seq: $seq}) SET e.body = $body"
)
EDIT_TEXT = parse_statement(
    "edit_text", "// Tamper.\n// $seq: which\n// $text: new\nMATCH (e:Entry {seq: $seq}) SET e.text = $text"
)
EDIT_WORDS = parse_statement(
    "edit_words", "// Tamper.\n// $words: new\nMATCH (v:Evidence) SET v.words = $words"
)
FORGE = parse_statement(
    "forge_entry",
    "// Tamper.\n// $seq: which\n// $body: new\n// $hash: new\n"
    "MATCH (e:Entry {seq: $seq}) SET e.body = $body, e.hash = $hash",
)
DELETE = parse_statement(
    "delete_entries",
    "// Tamper.\n// $from: first\n// $to: last\n"
    "MATCH (e:Entry) WHERE e.seq >= $from AND e.seq <= $to DETACH DELETE e",
)
INSERT = parse_statement(
    "insert_entry",
    "// Tamper.\n// $seq: where\n// $prev: hash\n// $hash: own\n// $body: what\n// $at: when\n"
    "CREATE (e:Entry:RegistryEntry {seq: $seq, type: 'registry', subject: 'ent:forged', recorded_at: $at, "
    "body: $body, prev: $prev, hash: $hash, commit_key: 'forged'})",
)
REWIND = parse_statement(
    "rewind_head",
    "// Tamper.\n// $seq: to\n// $hash: to\n// $at: to\n"
    "MATCH (h:ChainHead {name: 'ledger'}) SET h.seq = $seq, h.hash = $hash, h.recorded_at = $at",
)
LOWER = parse_statement("lower_level", "// Tamper.\nMATCH (s:State) SET s.level = 0")


@pytest.fixture
def recorded(tmp_path: Path, engine: Engine) -> Curated:
    """A dozen entries and a checkpoint of them."""
    store = curated(tmp_path, engine)
    store.register("Louis Martin", owner=True)
    store.register("Léa Roux")
    store.register("Acme", "organisation")
    store.direct("declare", text="Léa Roux works at Acme", level="S2")
    store.remember("Léa Roux likes green tea", words="Léa Roux likes green tea a lot")
    store.run()
    verified = store.curator.verify()
    assert verified.ok, verified.reason
    return store


def memory_seq(store: Curated) -> int:
    return next(s.entry.seq for s in store.reader.all_entries() if s.entry.type is EntryType.MEMORY)


def verify(store: Curated) -> Verified:
    return store.curator.verify()


def test_g9_a_sound_ledger_verifies_with_its_size_and_root(recorded: Curated) -> None:
    verified = verify(recorded)
    assert verified.to_json() == {
        "ok": True,
        "size": recorded.reader.head().seq,
        "root": verified.root,
        "first_bad": None,
        "reason": None,
    }
    assert recorded.curator.witnesses.checkpoints.all()[-1].root == verified.root


@pytest.mark.parametrize("which", range(1, 9))
def test_g9_an_edited_entry_is_named_whichever_it_is(recorded: Curated, which: int) -> None:
    body = list(recorded.reader.all_entries())[which - 1].entry.body
    recorded.engine.graph.write(EDIT, seq=which, body=body.replace('"format":1', '"format":1,"x":1'))
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, which)


def test_g9_an_edited_entry_is_named_even_with_its_hash_made_anew(recorded: Curated) -> None:
    entry = list(recorded.reader.all_entries())[3].entry
    body = entry.body.replace('"format":1', '"format":1,"x":1')
    forged = entry_hash(4, entry.type, entry.subject, entry.recorded_at, body, entry.prev)
    recorded.engine.graph.write(FORGE, seq=4, body=body, hash=forged)
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, 4)


def test_g9_an_edited_text_is_named(recorded: Curated) -> None:
    seq = memory_seq(recorded)
    recorded.engine.graph.write(EDIT_TEXT, seq=seq, text="Léa Roux works at Globex")
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, seq)


def test_g9_edited_evidence_is_named(recorded: Curated) -> None:
    recorded.engine.graph.write(EDIT_WORDS, words="something else")
    assert not verify(recorded).ok


def test_g9_a_deleted_entry_is_named(recorded: Curated) -> None:
    recorded.engine.graph.write(DELETE, **{"from": 4, "to": 4})
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, 4)
    assert (found.reason or "").startswith("delete")


def test_g9_swapped_entries_are_named(recorded: Curated) -> None:
    entries = [stored.entry for stored in recorded.reader.all_entries()]
    recorded.engine.graph.write(EDIT, seq=3, body=entries[4].body)
    recorded.engine.graph.write(EDIT, seq=5, body=entries[2].body)
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, 3)


def test_g9_an_inserted_entry_is_named(recorded: Curated) -> None:
    last = list(recorded.reader.all_entries())[-1].entry
    recorded.engine.graph.write(
        INSERT,
        seq=last.seq + 1,
        prev=last.hash,
        hash=hashlib.sha256(b"forged").hexdigest(),
        body="{}",
        at=last.recorded_at + 1,
    )
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, last.seq + 1)


def test_g9_an_entry_that_another_appended_is_named_although_it_fits_the_chain(recorded: Curated) -> None:
    """Whoever holds the graph's password, a web process that was taken over for one, does all that a commit does."""
    end = recorded.reader.chain_end().seq
    thief = Committer(recorded.engine.graph, b"the owner's key, or any other...", CountingIds("thief"))
    taken_up = recorded.submit_directive("declare", text="The password of the safe is 1234")
    decision = recorded.curator.settler.decide(recorded.view(taken_up).proposal)
    lease = thief.acquire("thief", 1_000_000, recorded.clock.now())
    assert lease is not None
    thief.commit(lease, decision, recorded.clock.now())
    thief.release(lease)
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, end + 1)
    assert (found.reason or "").startswith("insert")
    recorded.remember("Léa Roux plays chess")
    assert recorded.run().findings, "what is recorded after it does not cover it"


def test_g9_what_is_cut_off_before_the_next_checkpoint_shows(recorded: Curated) -> None:
    before = recorded.reader.chain_end()
    recorded.direct("declare", text="Léa Roux moved to Lyon")
    assert verify(recorded).ok
    recorded.engine.graph.write(DELETE, **{"from": before.seq + 1, "to": recorded.reader.chain_end().seq})
    recorded.engine.graph.write(REWIND, seq=before.seq, hash=before.hash, at=before.recorded_at)
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, before.seq + 1)
    assert (found.reason or "").startswith("rollback")
    recorded.direct("declare", text="Léa Roux plays chess")
    recorded.direct("declare", text="Léa Roux plays the flute")
    assert not verify(recorded).ok, "what is recorded in its place does not hide it"


def test_g9_a_truncation_is_found(recorded: Curated) -> None:
    last = list(recorded.reader.all_entries())[-1].entry
    recorded.engine.graph.write(DELETE, **{"from": last.seq - 1, "to": last.seq})
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, last.seq - 1)
    assert (found.reason or "").startswith("truncation")


def test_g9_a_rollback_with_a_consistent_head_is_found_by_the_checkpoint(recorded: Curated) -> None:
    *_, kept, _, last = (stored.entry for stored in recorded.reader.all_entries())
    recorded.engine.graph.write(DELETE, **{"from": kept.seq + 1, "to": last.seq})
    recorded.engine.graph.write(REWIND, seq=kept.seq, hash=kept.hash, at=kept.recorded_at)
    found = verify(recorded)
    assert (found.ok, found.first_bad) == (False, kept.seq + 1)
    assert (found.reason or "").startswith("rollback")


def test_g9_a_lowered_level_in_the_projection_is_found_and_a_rebuild_puts_it_right(recorded: Curated) -> None:
    recorded.engine.graph.write(LOWER)
    found = verify(recorded)
    assert not found.ok
    assert (found.reason or "").startswith("projection")
    recorded.curator.ask_rebuild()
    recorded.lane()
    assert verify(recorded).ok
    levels = {v.memory.text: v.state.level for v in recorded.reader.changed_since(0, 10)}
    assert levels["Léa Roux works at Acme"] is Level.S2


def test_g9_a_run_over_a_ledger_that_does_not_verify_says_so_and_signs_nothing(recorded: Curated) -> None:
    signed = len(recorded.curator.witnesses.checkpoints.all())
    recorded.engine.graph.write(EDIT_TEXT, seq=memory_seq(recorded), text="forged")
    recorded.remember("Léa Roux plays chess")
    report = recorded.run()
    assert report.findings
    assert len(recorded.curator.witnesses.checkpoints.all()) == signed


def test_g9_a_missing_checkpoint_shows(recorded: Curated) -> None:
    recorded.remember("Léa Roux plays chess")
    recorded.run()
    folder = recorded.settings.store_dir / "checkpoints"
    first, *others = sorted(folder.iterdir())
    assert others
    first.unlink()
    assert not verify(recorded).ok
    shutil.rmtree(folder)
    assert verify(recorded).ok
