"""The language rules on any text at all: they never fail, and what they say of a text stands in it."""

from __future__ import annotations

from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from policies.folding import fold
from policies.language.attributes import read_attribute
from policies.language.changes import read_change
from policies.language.dates import read_times
from policies.language.names import MentionStatus, mentions
from policies.language.relations import read_relation
from policies.language.saying import read_saying
from policies.terms import Instant
from policies.text import dedup_key, says_nothing, search_terms, tokens, unsafe_character, words
from tests.support.people import OWNER, people

REGISTRY = people()
PARIS = ZoneInfo("Europe/Paris")
ANY = st.text(max_size=300)
PIECES = st.sampled_from(
    """
    Paul Durand Marie Acme Lyon 王芳 le la de l' d' n' est is works at chez travaille habite à depuis since until 2019
    mars March 3 12/05/2024 from to , . ' - ( ) my mon sœur sister employer employeur moved passé quitté pour ne pas plus
    not no longer préférée favourite s'appelle 14h30 demain prochain next last Friday il y a deux ans Zorg SA Dr M. &
    """.split()  # noqa: SIM905 (a sentence of pieces reads better)
)
SENTENCES = st.lists(PIECES, max_size=25).map(" ".join)
INSTANTS = st.integers(-62_000_000_000_000_000, 253_000_000_000_000_000).map(Instant)


@given(ANY)
def test_folding_is_idempotent_and_deaf_to_case(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(fold(text).upper()) == fold(fold(text).upper().lower())


@given(ANY)
def test_terms_of_a_folded_text_are_those_of_the_text(text: str) -> None:
    assert tokens(fold(text)) == tokens(text)
    assert all(term and " " not in term for term in search_terms(text))


@given(ANY)
def test_a_text_that_says_nothing_has_no_tokens_with_letters(text: str) -> None:
    if says_nothing(text):
        assert not any(character.isalnum() for token in tokens(text) for character in token)


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cf", "Cc")), max_size=200))
def test_ordinary_text_is_safe(text: str) -> None:
    assert unsafe_character(text) is None


@given(ANY, st.lists(st.text(max_size=8), max_size=4))
def test_the_key_of_a_saying_does_not_depend_on_the_order_of_anchors(text: str, anchors: list[str]) -> None:
    assert dedup_key(text, anchors) == dedup_key(text, reversed(anchors))


@given(st.one_of(ANY, SENTENCES), st.sampled_from(["fr", "en", "und"]))
def test_mentions_stand_in_the_text_without_overlap(text: str, language: str) -> None:
    found = mentions(text, REGISTRY, language)
    assert all(text[mention.start : mention.end] == mention.surface for mention in found)
    placed = [mention for mention in found if mention.surface]
    assert all(one.end <= two.start for one, two in pairwise(placed))
    for mention in found:
        assert (len(mention.candidates) == 1) is (mention.status is MentionStatus.RESOLVED)
        assert (len(mention.candidates) > 1) is (mention.status is MentionStatus.AMBIGUOUS)


@given(st.one_of(ANY, SENTENCES), INSTANTS, st.sampled_from(["fr", "en", "und"]))
def test_times_are_ordered_and_stand_in_the_text(text: str, said_at: Instant, language: str) -> None:
    times = read_times(text, said_at=said_at, zone=PARIS, language=language)
    if times.valid_from is not None and times.valid_to is not None:
        assert times.valid_from.at < times.valid_to.at
    assert all(text[mention.start : mention.end] == mention.surface for mention in times.found)


@given(st.one_of(ANY, SENTENCES))
def test_readers_of_attributes_changes_and_relations_never_fail(text: str) -> None:
    named = mentions(text, REGISTRY, "fr")
    attribute = read_attribute(text, named, OWNER)
    change = read_change(text, named, OWNER)
    relation = read_relation(text, named, OWNER)
    assert attribute is None or attribute.value
    assert change is None or change.old_value or change.new_value
    assert relation is None or relation.subject != relation.object
    assert read_saying(text, named, OWNER).words == read_saying(text + " (mem:abcd2345)", named, OWNER).words


def test_the_work_grows_with_the_length_of_the_text_and_not_faster() -> None:
    for piece in ("a ", "1 000 ", "mem:aaaaa ", "((((", "don't ", "1.", "12,", "अ़", "王", "e\u0301"):
        for reader in (tokens, search_terms, words, dedup_key):
            steps = [len(repr(reader((piece * size)[:size]))) for size in (2_000, 4_000)]
            assert steps[1] <= 2.1 * steps[0] + 100
