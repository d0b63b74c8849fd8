"""What a decision is: everything one commit writes, and everything it rests on.

A decision is made outside any transaction and stored with the proposal; the committer carries it out byte for
byte in one transaction, after it has rechecked what the decision rests on (see ``cypher/committer.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from policies.terms import (
    Discretion,
    EntityId,
    EntityType,
    Level,
    Memory,
    MemoryId,
    Outcome,
    ProposalId,
)


class RegistryOp(StrEnum):
    """What a registry entry of the ledger does to the registry."""

    REGISTER = "register"
    ALIAS = "alias"
    MERGE = "merge"
    UNMERGE = "unmerge"
    NEVER_MERGE = "never_merge"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class RegistryChange:
    """One registry entry. Which fields matter depends on ``op``."""

    op: RegistryOp
    entity: EntityId
    name: str | None = None
    type: EntityType | None = None
    level: Level | None = None
    aliases: tuple[str, ...] = ()
    owner: bool = False
    other: EntityId | None = None
    """merge: what ``entity`` is merged into. never_merge: what it must never be merged with."""


@dataclass(frozen=True, slots=True)
class Reclassification:
    """The owner's new level or discretion for one version; replaces the version's own."""

    memory: MemoryId
    level: Level | None = None
    discretion: Discretion | None = None


class PasskeyOp(StrEnum):
    """What a passkey entry of the ledger does to the owner's passkeys."""

    ENROL = "enrol"
    WITHDRAW = "withdraw"
    CONFIRM = "confirm"
    """A passkey signed a waiting directive, which the same commit carries out."""
    RESET = "reset"
    """The owner began anew at the machine: every passkey is withdrawn."""


@dataclass(frozen=True, slots=True)
class Signed:
    """What a passkey signed, whole, so that the signature can be checked again (WebAuthn level 3, section 7.2).

    All of it base64url without padding.
    """

    challenge: str
    """The digest of the directive that was confirmed."""
    client_data: str
    """What the browser says of it, as JSON: the same challenge, on which page."""
    authenticator_data: str
    signature: str


@dataclass(frozen=True, slots=True)
class PasskeyChange:
    """One passkey entry. Which fields matter depends on ``op``."""

    op: PasskeyOp
    credential: str = "owner"
    """The credential's id, base64url without padding; of a reset, which names none: ``owner``."""
    public_key: str | None = None
    """enrol: the COSE key (RFC 9052), base64url without padding."""
    name: str | None = None
    """enrol: what the owner calls it."""
    rp_id: str | None = None
    """enrol: the relying party that it answers to (WebAuthn section 5.1.2)."""
    link: str | None = None
    """enrol, the first: the nonce of the machine link, which is used up."""
    count: int | None = None
    """confirm: the authenticator's signature counter."""
    proposal: ProposalId | None = None
    """confirm: the directive that was signed. reset: the directive itself."""
    signed: Signed | None = None
    """confirm: what the passkey signed."""


@dataclass(frozen=True, slots=True)
class NamedUnregistered:
    """A person or organisation that a rejected proposal names: opens or joins the name's anchor review."""

    name: str
    key: str
    """The name's folded form: what reviews are gathered under."""
    type: EntityType | None


@dataclass(frozen=True, slots=True)
class ClosedReview:
    """An anchor review that has its answer. Where that is an entity, those who wait in it are admitted again."""

    key: str
    """As in ``NamedUnregistered``."""
    entity: EntityId | None
    """What answers to the name from now on; None: the owner will not be asked about it any more."""
    level: Level
    """The entity's. To a tool below it, the name is as unregistered as before: nothing of its is taken up."""


@dataclass(frozen=True, slots=True)
class RestsOn:
    """What must still hold when the decision is committed, else it is decided again."""

    registry_seq: int
    """Sequence of the last registry entry that was known."""
    watermark: int
    """Sequence of the last ledger entry that was known: no memory recorded since may touch ``anchors`` or
    bear one of ``dedup_keys``."""
    heads: tuple[tuple[MemoryId, MemoryId], ...] = ()
    """(target, the head of its line as it was known)."""
    anchors: tuple[EntityId, ...] = ()
    dedup_keys: tuple[str, ...] = ()
    passkey_seq: int = 0
    """Sequence of the last passkey entry that was known: what needs none might need one since."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """An outcome for one proposal. One decision may settle several: a ruling settles its arbitration too."""

    proposal: ProposalId
    outcome: Outcome
    reason: str
    level: Level = Level.S0
    memories: tuple[MemoryId, ...] = ()
    details: dict[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Decision:
    """What the curator decided for one proposal (or directive)."""

    proposal: ProposalId
    root: ProposalId
    rests_on: RestsOn
    settlements: tuple[Settlement, ...]
    """The proposal's own first."""
    memories: tuple[Memory, ...] = ()
    """In the order they are to be recorded; ``recorded_at`` is stamped by the ledger."""
    registry: tuple[RegistryChange, ...] = ()
    reclassifications: tuple[Reclassification, ...] = ()
    passkeys: tuple[PasskeyChange, ...] = ()
    """Recorded before everything else."""
    unregistered: tuple[NamedUnregistered, ...] = ()
    closes: tuple[ClosedReview, ...] = ()
    """Every rejected proposal that waits in one of these, of a tool that may know the name, is admitted again
    as a child, one for each line."""
    children: tuple[ProposalId, ...] = ()
    """Other settled proposals to be admitted again as children."""
