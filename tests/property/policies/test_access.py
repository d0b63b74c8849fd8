"""Access only ever narrows: a smaller view holds no more, a stricter discretion reaches no more (G1, G2)."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policies.access import Aim, in_view, is_aimed, is_topical, surfaces
from policies.terms import Discretion, Kind, Level, Provenance, Version, View
from tests.support.memories import EMPTY, version

_domains = st.lists(st.sampled_from(["work", "food", "health", "family"]), max_size=3, unique=True)


def made(qualifications: dict[str, Any]) -> Version:
    return version(**qualifications)


_versions = st.fixed_dictionaries(
    {
        "level": st.sampled_from(Level),
        "discretion": st.sampled_from(Discretion),
        "domains": _domains.map(tuple),
        "kind": st.sampled_from(Kind),
        "provenance": st.sampled_from(Provenance),
        "ruled": st.booleans(),
    }
).map(made)
_views = st.builds(View, st.sampled_from(Level), st.none() | _domains.map(frozenset))


@given(_versions, _views)
def test_surfacing_implies_topical_implies_in_view(one: Version, view: View) -> None:
    assert not surfaces(one, view) or is_topical(one, view)
    assert not is_topical(one, view) or in_view(one, view)


@given(_versions, _views, st.booleans())
def test_aiming_never_reaches_beyond_the_view(one: Version, view: View, matches: bool) -> None:
    everything = Aim(frozenset({one.memory.id}), frozenset(one.state.anchors), frozenset(one.memory.domains))
    assert is_aimed(one, view, everything, EMPTY, matches=matches) == in_view(one, view)


@given(_versions, _views, _views)
def test_a_narrower_view_holds_no_more(one: Version, wide: View, narrow: View) -> None:
    limits = [view.domains for view in (wide, narrow) if view.domains is not None]
    domains = frozenset[str].intersection(*limits) if limits else None
    within = View(min(wide.level, narrow.level), domains)
    assert not in_view(one, within) or in_view(one, wide)
