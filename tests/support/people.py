"""A registry for the tests of the language: an owner, people (two named Paul), and what surrounds them."""

from __future__ import annotations

from policies.decision import RegistryChange, RegistryOp
from policies.parameters import parameters
from policies.registry import Registry, registry_of
from policies.terms import EntityId, EntityType

OWNER = EntityId("ent:louis")
_REGISTERED: tuple[tuple[str, str, EntityType, tuple[str, ...]], ...] = (
    ("louis", "Louis Moreau", EntityType.PERSON, ()),
    ("pauld", "Paul Durand", EntityType.PERSON, ()),
    ("paulm", "Paul Mercier", EntityType.PERSON, ("Paul le plombier",)),
    ("marie", "Marie Lefèvre", EntityType.PERSON, ("Mimi",)),
    ("wang", "王芳", EntityType.PERSON, ("Wang Fang",)),
    ("jp", "Jean-Pierre Blanc", EntityType.PERSON, ()),
    ("acme", "Acme Corporation", EntityType.ORGANISATION, ("Acme",)),
    ("globex", "Globex", EntityType.ORGANISATION, ()),
    ("ca", "Crédit Agricole", EntityType.ORGANISATION, ()),
    ("lyon", "Lyon", EntityType.PLACE, ()),
    ("velo", "Vélo rouge", EntityType.OBJECT, ("vélo",)),
    ("merc", "Projet Mercure", EntityType.PROJECT, ("Mercure",)),
)


def people(*more: tuple[str, str, EntityType, tuple[str, ...]], owner: bool = True) -> Registry:
    """The registry, with more entities behind; without the owner's own entity if told so."""
    listed = (*_REGISTERED[0 if owner else 1 :], *more)
    changes = [
        RegistryChange(
            RegistryOp.REGISTER,
            EntityId(f"ent:{short}"),
            name=name,
            type=kind,
            aliases=aliases,
            owner=short == "louis",
        )
        for short, name, kind, aliases in listed
    ]
    return registry_of(parameters(), enumerate(changes, start=1))
