"""Every page tells when a memory is true, whatever its dates: one that could not be told would hide all the others."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from policies.terms import Instant, Kind, Moment, Precision
from service.console.strings import LANGUAGES, Strings
from service.console.telling import when_true
from tests.support.strategies import all_zones, any_instants

_any_moments = st.none() | st.builds(Moment, any_instants, st.sampled_from(Precision))


@given(all_zones, st.sampled_from(LANGUAGES), any_instants, st.sampled_from(Precision))
def test_any_moment_is_written(zone: ZoneInfo, language: str, at: Instant, precision: Precision) -> None:
    strings = Strings(language, zone)
    for written in (
        strings.moment(Moment(at, precision)),
        strings.when(at),
        strings.day(at),
        strings.iso(at),
    ):
        assert any(character.isdigit() for character in written)


@given(all_zones, st.sampled_from(LANGUAGES), st.sampled_from(Kind), _any_moments, _any_moments)
def test_whatever_its_dates_when_it_is_true_is_told(
    zone: ZoneInfo, language: str, kind: Kind, begins: Moment | None, ends: Moment | None
) -> None:
    told = when_true(kind, begins, ends, Strings(language, zone))
    assert bool(told) == (begins is not None or ends is not None)
