"""How what is served looks: items, entities and edges, in the owner's zone; of one shape in every answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from policies import bitemporal, moments
from policies.bitemporal import AsOf
from policies.registry import Registry
from policies.terms import EntityId, Evidence, Level, Version, View
from service.reading.edges import Path, Step
from service.reading.phrases import say

Answer = dict[str, Any]
"""A structured result: plain JSON."""
_DECIMALS = 4
_OWNER = "owner"
"""Who speaks in the owner's own words, and what carried what the owner wrote."""


@dataclass(frozen=True, slots=True)
class Why:
    """Why an item is there."""

    relevance: float
    parts: Mapping[str, float]
    path: Path = ()
    """The edges from the question's entities to the item's anchor, where they led to it."""


ASKED_BY_ID = Why(1.0, {"id": 1.0})


@dataclass(frozen=True, slots=True)
class Shown:
    """Shows things to one view, as of one moment."""

    view: View
    registry: Registry
    """What the view may know of it."""
    zone: ZoneInfo
    as_of: AsOf

    def item(self, version: Version, why: Why) -> Answer:
        """A memory with all its qualifications."""
        memory = version.memory
        return {
            "id": memory.id,
            "text": memory.text,
            "kind": memory.kind.value,
            "provenance": memory.provenance.value,
            "confidence": memory.confidence,
            "sensitivity": version.state.level.name,
            "valid_from": None
            if memory.valid_from is None
            else moments.show_start(memory.valid_from, self.zone),
            "valid_to": None if memory.valid_to is None else moments.show_end(memory.valid_to, self.zone),
            "recorded_at": moments.show_recorded(memory.recorded_at, self.zone),
            "status": bitemporal.status(version, self.as_of).value,
            "anchors": self.entities(version.state.anchors),
            "domains": list(memory.domains),
            "event": memory.event,
            "evidence": self._evidence(memory.evidence),
            "why": self._why(why),
        }

    def entity(self, entity: EntityId) -> Answer:
        """An entity as results name it."""
        found = self.registry.entity(entity)
        return {"id": entity, "name": entity if found is None else found.name}

    def entities(self, entities: Iterable[EntityId]) -> list[Answer]:
        """Entities as results name them, in the order given."""
        return [self.entity(entity) for entity in entities]

    def edge(self, step: Step) -> Answer:
        """An entity edge with the memory that asserts it."""
        return {
            "source": self.entity(step.source),
            "type": step.type,
            "target": self.entity(step.target),
            "memory": step.memory,
        }

    def _why(self, why: Why) -> Answer:
        return {
            "relevance": round(why.relevance, _DECIMALS),
            "parts": {name: round(part, _DECIMALS) for name, part in why.parts.items() if part},
            "path": [self.edge(step) for step in why.path],
        }

    def _evidence(self, evidence: Evidence | None) -> Answer | None:
        if evidence is None:
            return None
        said_at = evidence.said_at
        return {
            "words": evidence.words,
            "speaker": self._who(evidence.speaker),
            "source": self._who(evidence.source),
            "said_at": None if said_at is None else moments.show_recorded(said_at, self.zone),
        }

    def _who(self, name: str) -> str:
        """Whose words they are. Tools choose their names: one must not have words of its own read to the others."""
        view = self.view
        knows = view.owner or view.level is Level.S3 or name in (_OWNER, view.name)
        return name if knows else say("evidence.another", view.language)
