"""What the lexicons know of single names, without any context: given names, places, things, common words."""

from __future__ import annotations

from policies.folding import fold
from policies.language import lexicon
from policies.text import is_stop_word, stem, words

_MALE = lexicon.words("given_names", "male")
_FEMALE = lexicon.words("given_names", "female")
_ALSO_WORDS = lexicon.words("given_names", "also_words")
_SURNAMES = lexicon.words("surnames", "surnames")
_SURNAMES_TOO = lexicon.words("surnames", "words_too")
_COMMON = lexicon.words("common_words", "stems")
_DATE_WORDS = frozenset(
    fold(name)
    for key in ("months", "months_beside_a_number", "weekdays")
    for name in lexicon.load("dates")[key]
)
_COMMON_ENDINGS = (
    "ing", "tion", "tions", "sion", "ment", "ments", "ly", "ness", "able", "ible", "isme", "ism", "euse",
    "euses", "eux", "age", "ages", "ance", "ence", "ality", "ement", "ation", "ez", "ons", "ique", "iques", "ies",
)  # fmt: skip


def joined(phrases: tuple[str, ...] | frozenset[str]) -> frozenset[str]:
    """Phrases as the folded words they consist of, joined by blanks: how names are looked up here."""
    return frozenset(" ".join(word.folded for word in words(phrase)) for phrase in phrases)


_THINGS = joined(
    frozenset(
        entry
        for key in ("technologies", "brands", "works", "events", "peoples", "acronyms", "others")
        for entry in lexicon.entries("names", f"things.{key}")
    )
)
_PRODUCTS = joined(
    frozenset(
        entry
        for key in ("technologies", "brands", "works")
        for entry in lexicon.entries("names", f"things.{key}")
    )
)
_OTHERS = lexicon.words("names", "things.others")
_BRANDS = joined(lexicon.entries("names", "things.brands"))
_ORGANISATIONS = joined(lexicon.entries("names", "organisations.known"))
_PLACES = (
    joined(lexicon.entries("names", "places.known"))
    | lexicon.words("places", "single")
    | frozenset(name.replace("-", " ") for name in lexicon.words("places", "several"))
)
_RATHER_PLACES = lexicon.words("names", "places.rather")


def is_given(token: str) -> bool:
    """Whether a folded token is a given name, one that may be a word too included."""
    return token in _MALE or token in _FEMALE


def is_also_word(token: str) -> bool:
    """Whether this given name is a word of French or English too ("Rose", "Will")."""
    return token in _ALSO_WORDS


def is_surname(token: str) -> bool:
    """Whether a folded token is a family name and no common word."""
    return token in _SURNAMES


def is_surname_too(token: str) -> bool:
    """Whether a common word is a family name as well ("baker", "young")."""
    return token in _SURNAMES_TOO


def sex(token: str) -> str | None:
    """``m`` or ``f`` for a given name of one sex, None for any other token."""
    male, female = token in _MALE, token in _FEMALE
    if male == female:
        return None
    return "m" if male else "f"


def is_common(token: str) -> bool:
    """Whether a folded token is a common word of French or English, in any form."""
    if is_stop_word(token):
        return True
    if token in _SURNAMES or (is_given(token) and token not in _ALSO_WORDS):
        return False
    if stem(token) in _COMMON:
        return True
    return len(token) > 6 and token.endswith(_COMMON_ENDINGS)


def is_date_word(token: str) -> bool:
    """Whether a folded token is the name of a month or of a day of the week."""
    return token in _DATE_WORDS


def is_thing(name: str) -> bool:
    """Whether a name (folded words joined by blanks) is that of a technology, brand, work, feast or language."""
    return name in _THINGS


def is_product(name: str) -> bool:
    """Whether a name is that of a technology, a brand or a work: more words may follow it ("iPhone 15")."""
    return name in _PRODUCTS


def is_address(token: str) -> bool:
    """Whether a folded word is an interjection or a heading ("FYI", "Note", "Bonjour"), no part of a name."""
    return token in _OTHERS


def is_brand(name: str) -> bool:
    """Whether a name is a brand's: a thing, but its maker where somebody works for it."""
    return name in _BRANDS


def is_organisation(name: str) -> bool:
    """Whether a name is that of a well-known organisation."""
    return name in _ORGANISATIONS


def is_place(name: str) -> bool:
    """Whether a name is that of a country, a region, a city or a well-known sight."""
    return name in _PLACES


def is_rather_place(name: str) -> bool:
    """Whether a name that is both a place's and a given name is rather the place's."""
    return name in _RATHER_PLACES
