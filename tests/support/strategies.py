"""Hypothesis strategies for the nouns of ``policies.terms``."""

from __future__ import annotations

from zoneinfo import ZoneInfo, available_timezones

from hypothesis import strategies as st

from policies.decision import PasskeyChange, PasskeyOp, Reclassification, RegistryChange, RegistryOp, Signed
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    EntityType,
    Evidence,
    GrantId,
    Instant,
    Kind,
    Level,
    Memory,
    MemoryId,
    Moment,
    Outcome,
    OutcomeRecord,
    Precision,
    ProposalId,
    Provenance,
    Relation,
)

# Years 1 to 9999, with a margin that every zone stays within.
instants = st.integers(-62_135_000_000_000_000, 253_402_000_000_000_000).map(Instant)
_about_an_end = st.integers(-100_000_000_000, 100_000_000_000)
any_instants = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    _about_an_end.map(lambda away: away - 62_135_596_800_000_000),
    _about_an_end.map(lambda away: away + 253_402_300_800_000_000),
).map(Instant)
"""Whatever a ledger can hold, often within a day of either end of the calendar."""
all_zones = st.sampled_from(sorted(available_timezones())).map(ZoneInfo)
moments = st.builds(Moment, instants, st.sampled_from(Precision))
names = st.text("abcdefghij", min_size=1, max_size=8)
entity_ids = names.map(lambda name: EntityId(f"ent:{name}"))
memory_ids = names.map(lambda name: MemoryId(f"mem:{name}"))
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
levels = st.sampled_from(Level)
evidence = st.builds(Evidence, texts, texts, texts, st.none() | instants)

memories = st.builds(
    Memory,
    id=memory_ids,
    text=texts,
    language=st.sampled_from(["fr", "en", "und"]),
    kind=st.sampled_from(Kind),
    provenance=st.sampled_from(Provenance),
    confidence=st.floats(0.01, 1.0),
    level=levels,
    discretion=st.sampled_from(Discretion),
    recorded_at=instants.filter(lambda instant: instant > 0),
    root=names.map(lambda name: ProposalId(f"prop:{name}")),
    parameters=names,
    salience_declared=st.booleans(),
    valid_from=st.none() | moments,
    valid_to=st.none() | moments,
    event=st.none() | texts,
    anchors=st.lists(entity_ids, max_size=3).map(tuple),
    domains=st.lists(names, max_size=3).map(tuple),
    tags=st.lists(texts, max_size=3).map(tuple),
    relation=st.none() | st.builds(Relation, entity_ids, texts, entity_ids),
    restates=st.none() | st.sampled_from(Kind),
    supersedes=st.none() | memory_ids,
    contra=st.none() | st.sampled_from(ContraRole),
    ruled=st.booleans(),
    proposed_by=st.none() | names.map(lambda name: GrantId(f"grant:{name}")),
    evidence=st.none() | evidence,
)

registry_changes = st.builds(
    RegistryChange,
    op=st.sampled_from(RegistryOp),
    entity=entity_ids,
    name=st.none() | texts,
    type=st.none() | st.sampled_from(EntityType),
    level=st.none() | levels,
    aliases=st.lists(texts, max_size=3).map(tuple),
    owner=st.booleans(),
    other=st.none() | entity_ids,
)

reclassifications = st.builds(
    Reclassification, memory_ids, st.none() | levels, st.none() | st.sampled_from(Discretion)
)

passkey_changes = st.builds(
    PasskeyChange,
    op=st.sampled_from(PasskeyOp),
    credential=texts,
    public_key=st.none() | names,
    name=st.none() | texts,
    rp_id=st.none() | names,
    link=st.none() | names,
    count=st.none() | st.integers(0, 2**32 - 1),
    proposal=st.none() | names.map(lambda name: ProposalId(f"prop:{name}")),
    signed=st.none() | st.builds(Signed, names, names, names, names),
)

outcomes = st.builds(
    OutcomeRecord,
    proposal=names.map(lambda name: ProposalId(f"prop:{name}")),
    outcome=st.sampled_from(Outcome),
    reason=names,
    decided_at=instants,
    memories=st.lists(memory_ids, max_size=3).map(tuple),
    level=levels,
    details=st.dictionaries(
        names, st.none() | st.booleans() | texts | st.lists(texts, max_size=3), max_size=3
    ),
)
