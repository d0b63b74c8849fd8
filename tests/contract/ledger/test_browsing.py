"""Looking through the memories: the same on every engine, and at one with what counts as true."""

from __future__ import annotations

from dataclasses import replace

from cypher.browsing import Browsing, Extent, Wanted
from policies import bitemporal
from policies.bitemporal import AsOf
from policies.decision import Reclassification, RegistryChange, RegistryOp
from policies.moments import Period
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    EntityType,
    Kind,
    Level,
    MemoryId,
    Provenance,
    Relation,
    Status,
    Version,
)
from tests.support.committing import Ledger
from tests.support.memories import at, moment, registered

PAUL, ACME = EntityId("ent:paul"), EntityId("ent:acme")
NOW = at(1_000)
ALL = Wanted(everything=True, on_request=True)


def furnish(ledger: Ledger) -> None:
    """Every way in which a memory may stand, some of it hidden from view by itself."""
    ledger.register(registered("paul"), registered("acme", EntityType.ORGANISATION))
    works = Relation(PAUL, "works_for", ACME)
    ledger.remember("works", anchors=(PAUL, ACME), domains=("work",), relation=works, valid_from=moment(-500))
    ledger.remember(
        "closure",
        anchors=(PAUL, ACME),
        domains=("work",),
        relation=works,
        kind=Kind.CLOSURE,
        restates=Kind.FACT,
        valid_from=moment(-500),
        valid_to=moment(300),
        supersedes=MemoryId("mem:works"),
        contra=ContraRole.CLOSURE,
    )
    ledger.remember("retired", supersedes=MemoryId("mem:closure"), contra=ContraRole.SUCCESSION)
    ledger.remember("party", kind=Kind.EVENT, valid_from=moment(-900), valid_to=moment(-800))
    ledger.remember("move", anchors=(PAUL,), valid_from=moment(5_000), level=Level.S2)
    ledger.remember("wrong", anchors=(PAUL,), provenance=Provenance.QUOTED)
    ledger.remember("right", supersedes=MemoryId("mem:wrong"), contra=ContraRole.CORRECTION)
    ledger.remember("false")
    ledger.remember(
        "taken_back", supersedes=MemoryId("mem:false"), contra=ContraRole.RETRACTION, kind=Kind.RETRACTION
    )
    ledger.remember("illness", domains=("health",), discretion=Discretion.ON_REQUEST_ONLY, level=Level.S3)


def recorded(ledger: Ledger) -> list[Version]:
    """Every version, the last recorded first."""
    versions = ledger.reader.changed_since(0, 1_000)
    return sorted(versions, key=lambda one: one.memory.recorded_at, reverse=True)


def names(ledger: Ledger, wanted: Wanted, as_of: AsOf) -> list[str]:
    found = Browsing(ledger.graph).memories(wanted, as_of, limit=100)
    return [one.memory.removeprefix("mem:") for one in found]


def test_every_status_of_every_moment_is_as_the_rules_of_time_have_it(ledger: Ledger) -> None:
    furnish(ledger)
    versions = [one for one in recorded(ledger) if one.memory.kind is not Kind.RETRACTION]
    recorded_at = sorted(one.memory.recorded_at for one in versions)
    for known in (None, *recorded_at, recorded_at[-1] + 1):
        for valid in (None, Period(at(-850), at(-840)), Period(at(0), at(10)), Period(at(6_000), at(6_001))):
            as_of = AsOf(NOW, valid_at=valid, known_before=known)  # pyright: ignore[reportArgumentType]
            told = [one for one in versions if known is None or one.memory.recorded_at < known]
            visible = [one.memory.id for one in told if bitemporal.is_visible(one, as_of)]
            assert [f"mem:{name}" for name in names(ledger, Wanted(on_request=True), as_of)] == visible
            assert len(names(ledger, ALL, as_of)) == len(told)
            for status in Status:
                alike = [
                    one.memory.id
                    for one in told
                    if bitemporal.status(one, as_of) is status
                    and (valid is None or bitemporal.overlaps(one.memory, valid))
                ]
                wanted = Wanted(on_request=True, status=status)
                assert [f"mem:{name}" for name in names(ledger, wanted, as_of)] == alike, (status, as_of)


FILTERS: list[tuple[Wanted, list[str]]] = [
    (Wanted(), ["right", "move", "party", "retired"]),
    (Wanted(entities=(ACME,)), []),
    (Wanted(entities=(ACME,), status=Status.CLOSED), ["closure"]),
    (Wanted(entities=(ACME, PAUL), everything=True), ["wrong", "move", "closure", "works"]),
    (Wanted(domain="health"), []),
    (Wanted(domain="health", on_request=True), ["illness"]),
    (Wanted(domain="work", everything=True), ["closure", "works"]),
    (Wanted(kind=Kind.FACT, domain="work", everything=True), ["closure", "works"]),
    (Wanted(kind=Kind.CLOSURE, everything=True), ["closure"]),
    (Wanted(kind=Kind.EVENT), ["party"]),
    (Wanted(levels=(Level.S2, Level.S3), on_request=True), ["illness", "move"]),
    (Wanted(provenance=Provenance.QUOTED, everything=True), ["wrong"]),
    (Wanted(relates=True, everything=True), ["closure", "works"]),
]


def test_each_filter_leaves_what_it_names(ledger: Ledger) -> None:
    furnish(ledger)
    for wanted, found in FILTERS:
        assert names(ledger, wanted, AsOf(NOW)) == found, wanted


def test_pages_follow_on_without_a_gap(ledger: Ledger) -> None:
    furnish(ledger)
    browsing, whole = Browsing(ledger.graph), names(ledger, ALL, AsOf(NOW))
    paged: list[str] = []
    before: int | None = None
    while page := browsing.memories(ALL, AsOf(NOW), before=before, limit=4):
        paged += [one.memory.removeprefix("mem:") for one in page]
        before = page[-1].seq
    assert paged == whole
    assert len(whole) == 9


def test_what_is_about_an_entity_is_counted_as_its_list_shows_it(ledger: Ledger) -> None:
    furnish(ledger)
    browsing, nobody = Browsing(ledger.graph), EntityId("ent:nobody")
    assert browsing.counts_about([PAUL, ACME, nobody], NOW) == {PAUL: 1, ACME: 0, nobody: 0}
    assert browsing.counts_about([PAUL, ACME], at(100)) == {PAUL: 2, ACME: 1}
    ledger.register(RegistryChange(RegistryOp.MERGE, ACME, other=PAUL))
    assert browsing.counts_about([PAUL, ACME], at(100)) == {PAUL: 2, ACME: 0}
    assert len(names(ledger, replace(ALL, everything=False, entities=(PAUL,)), AsOf(at(100)))) == 2


def test_the_extent_is_that_of_both_axes(ledger: Ledger) -> None:
    browsing = Browsing(ledger.graph)
    assert browsing.extent(0) == Extent(None, None)
    furnish(ledger)
    first = min(one.memory.recorded_at for one in recorded(ledger))
    assert browsing.extent(ledger.reader.head().seq) == Extent(at(-900), first)


def test_what_was_reclassified_is_told_once_for_each_time(ledger: Ledger) -> None:
    furnish(ledger)
    chain = [MemoryId("mem:wrong"), MemoryId("mem:right")]
    browsing = Browsing(ledger.graph)
    assert browsing.reclassifications(chain) == []
    for level in (Level.S3, Level.S2, Level.S2):
        changes = tuple(Reclassification(memory, level=level) for memory in chain)
        ledger.direct(f"reclassify{next(ledger.seconds)}", reclassifications=changes)
    ledger.direct("other", reclassifications=(Reclassification(MemoryId("mem:move"), level=Level.S3),))
    found = browsing.reclassifications(chain)
    assert [(one.memories, one.level, one.discretion) for one in found] == [
        (tuple(chain), level, None) for level in (Level.S3, Level.S2, Level.S2)
    ]
    assert found == sorted(found, key=lambda one: one.recorded_at)
