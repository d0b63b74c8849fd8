"""What an unregistered name is the name of: by the lexicons, by its own form, by the words beside it."""

from __future__ import annotations

from enum import StrEnum

from policies.language import gazetteer, lexicon
from policies.language.context import (
    BESIDE_PERSONS,
    ONLY_BESIDE_PERSONS,
    ORGANISATION_BEFORE,
    PLACE_BEFORE,
    PLACE_IF_GOING,
    THING_BEFORE,
    TITLES,
    Context,
    cue_of,
)
from policies.language.runs import Run
from policies.text import is_stop_word

_LEGAL = lexicon.words("names", "organisations.legal")
_HEADS = lexicon.words("names", "organisations.heads")
_OF = lexicon.words("grammar", "of_or_article")
_PARTICLES = lexicon.words("grammar", "particles")
_CHOSEN = frozenset({"go", "goes", "going", "went", "works", "made", "built", "written", "compatible"})
_NOBODY = lexicon.words("names", "nobody.words")
_COMPOUNDED = lexicon.words("names", "things.compounded")
_ARTICLES = lexicon.words("grammar", "articles")


class Nature(StrEnum):
    """What a name is the name of."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    THING = "thing"
    UNCLEAR = "unclear"


_OF_CUE = {
    "person": Nature.PERSON,
    "organisation": Nature.ORGANISATION,
    "place": Nature.PLACE,
    "animal": Nature.THING,
    "thing": Nature.THING,
}


def nature_of(context: Context, run: Run, language: str) -> Nature | None:
    """What an unregistered run is the name of; None where it is no name but the beginning of a sentence."""
    reading = _Run(context, run, language)
    for step in _BY_ITSELF:
        found = step(reading)
        if found is not None:
            return found
    if reading.only_begins():
        return None
    for step in _IN_CONTEXT:
        found = step(reading)
        if found is not None:
            return found
    return None if reading.is_ordinary() else Nature.UNCLEAR


class _Run:
    """One run with what is asked of it again and again."""

    def __init__(self, context: Context, run: Run, language: str) -> None:
        self.context = context
        self.run = run
        self.language = language
        self.tokens = tuple(word.folded for word in context.words[run.start : run.end])
        self.name = " ".join(self.tokens)
        self.first = self.tokens[0]
        self.before = context.cue_before(run.start)
        self.after = context.cue_after(run.end)
        self.verb = context.verb_after(run.end)
        self.at_work = context.led_by(run.start, ORGANISATION_BEFORE)

    @property
    def surface(self) -> str:
        return self.context.words[self.run.start].surface

    @property
    def alone(self) -> bool:
        return len(self.tokens) == 1

    def of_something(self) -> bool:
        """Whether its last word only tells of what: "Marie de la Tour"."""
        return self.context.folded(self.run.end - 2) in _OF

    def led_by_article(self) -> bool:
        return self.context.folded(self.run.start - 1) in _ARTICLES

    def told_with_article(self) -> bool:
        """Whether it is one of many: "an old ThinkPad", "une vieille Clio"."""
        article = self.run.start - 2
        quality = self.context.folded(self.run.start - 1)
        one_of_many = self.context.folded(article) in ("a", "an", "un", "une")
        written = self.context.words[article].surface if one_of_many else "à"
        return written not in ("à", "À") and gazetteer.is_common(quality) and cue_of(quality) is None

    def led_to_place(self) -> bool:
        """Whether a preposition of place leads to it."""
        start = self.run.start
        if self.context.led_by(start, PLACE_BEFORE):
            return True
        return self.context.led_by(start, PLACE_IF_GOING) and self.context.goes_near(start)

    def whole(self) -> str:
        """The run as it is written, blanks and hyphens included."""
        found = self.context.words
        return self.context.text[found[self.run.start].start : found[self.run.end - 1].end]

    def accompanies(self) -> bool:
        """As in "shares a desk with Wren", "Adamson's boat", but not in "went with Nomad"."""
        owns = self.context.glue(self.run.end)[:1] in ("'", "’") and self.context.folded(self.run.end) == "s"
        if owns and self.alone and not self.run.initial and not self.led_by_article():
            return not self.surface.isupper()
        before = self.context.folded(self.run.start - 1)
        if before in ("with", "avec") and self.context.folded(self.run.start - 2) in _CHOSEN:
            return False
        return self.alone and before in ("with", "avec", "by", "par") and not self.surface.isupper()

    def any_digit(self) -> bool:
        """Whether a figure stands in it or right after it."""
        after = self.context.folded(self.run.end).isdigit() and not self.context.glue(self.run.end)
        return after or any(character.isdigit() for character in self.whole())

    def acts_like_somebody(self) -> bool:
        """Whether a noun without an article, which only names are in the singular, does what persons do."""
        plural = self.first.endswith("s")
        following = self.context.folded(self.run.end)
        acts = len(following) > 3 and following.endswith(("s", "ed")) and not self.context.glue(self.run.end)
        if gazetteer.is_surname_too(self.first) and acts:
            return True
        return self.verb == "person" and self.language == "en" and not plural and self.first not in _NOBODY

    def beside_somebody(self) -> bool:
        """As in "Baker and Louis": told in one breath with a name, without an article."""
        after = self.run.end
        if not self.alone or self.first in _NOBODY or self.context.folded(after) not in ("and", "et"):
            return False
        other = self.context.words[after + 1 : after + 2]
        named = bool(other) and other[0].surface[0].isupper() and gazetteer.is_given(other[0].folded)
        return named and not self.context.glue(after) and not gazetteer.is_date_word(self.first)

    def only_begins(self) -> bool:
        """Whether the first of its words is an ordinary one that begins the sentence: the rest may be a name."""
        ordinary = gazetteer.is_common(self.first) and not gazetteer.is_given(self.first)
        return not self.has_initial() and self.run.initial and not self.alone and ordinary

    def has_initial(self) -> bool:
        """As in "D. Fontaine": no ordinary words begin so."""
        return len(self.first) == 1 and not self.alone and self.context.glue(self.run.start + 1) == "."

    def is_ordinary(self) -> bool:
        """Whether the run may be an ordinary word that only begins its sentence."""
        if not self.run.capital:
            return True
        if self.has_initial():
            return False
        if self.run.initial and self.beside_somebody():
            return False
        if self.accompanies():
            return False
        if all(gazetteer.is_common(token) or token.isdigit() for token in self.tokens):
            return self.run.initial or not self.context.led_by(self.run.start, BESIDE_PERSONS)
        return self.run.initial and self.alone and self.language not in ("fr", "en")


def _title(run: _Run) -> Nature | None:
    """As in "Dr Martin", "M. Dupont", "Mme"."""
    before = run.context.folded(run.run.start - 1)
    if run.before == "thing":  # "her favourite series is Doctor Who"
        return None
    own = run.first in TITLES and not run.alone and run.surface[0].isupper()
    if own and run.first == "m" and run.context.glue(run.run.start + 1)[:1] not in ("", "."):
        own = False
    if own or (before in TITLES and before not in ("m", "me", "don", "dame") and run.run.start > 0):
        return Nature.PERSON
    return None


def _in_lexicon(run: _Run) -> Nature | None:
    """Names of things, well-known organisations."""
    if not run.run.capital and (run.alone and gazetteer.is_common(run.first)):
        return None
    if run.run.initial and run.alone and gazetteer.is_common(run.first) and not run.surface.isupper():
        return None
    works = run.at_work and not gazetteer.is_given(run.first)
    if gazetteer.is_organisation(run.name):
        return Nature.ORGANISATION
    if gazetteer.is_thing(run.name):
        return Nature.ORGANISATION if works and gazetteer.is_brand(run.name) else Nature.THING
    for count in range(len(run.tokens) - 1, 0, -1):  # "iPhone 15", "Google Pixel", "BNP Paribas Fortis"
        head = " ".join(run.tokens[:count])
        if gazetteer.is_product(head) and not gazetteer.is_given(head):
            return Nature.ORGANISATION if works else Nature.THING
        if gazetteer.is_organisation(head) and not gazetteer.is_common(head):
            return Nature.ORGANISATION
    return None


def _in_form(run: _Run) -> Nature | None:
    """As in "Dupont SA", "Université de Lyon", "Lac Léman", "rue Victor Hugo"."""
    if run.alone:
        return None
    if (
        run.tokens[-1] in _LEGAL
        or "&"
        in run.context.text[run.context.words[run.run.start].start : run.context.words[run.run.end - 1].end]
    ):
        return Nature.ORGANISATION
    if run.first == "chez" or (cue_of(run.tokens[-1]) == "place" and not run.of_something()):
        return Nature.PLACE
    cue = cue_of(run.first)
    if run.first in _HEADS and not gazetteer.is_given(run.first):
        return Nature.ORGANISATION
    if cue in ("place", "thing", "organisation", "person") and not gazetteer.is_given(run.first):
        return _OF_CUE[cue]
    last = run.tokens[-1]
    if last in _HEADS:
        return Nature.ORGANISATION
    cue = None if run.of_something() else cue_of(last)
    if cue in ("thing", "organisation") and not gazetteer.is_given(last):
        return _OF_CUE[cue]
    return Nature.ORGANISATION if any(token in _HEADS for token in run.tokens[1:]) else None


def _by_cue(run: _Run) -> Nature | None:
    """As in "my friend X", "X is a company"."""
    if run.at_work and run.before is None:
        return Nature.PERSON if gazetteer.is_given(run.first) and not run.alone else Nature.ORGANISATION
    cue = run.before
    if (
        cue is None
        and run.after is not None
        and not (
            run.run.initial
            and run.alone
            and gazetteer.is_common(run.first)
            and not gazetteer.is_given(run.first)
        )
    ):
        cue = run.after
    if cue is None:
        return None
    if cue != "place" and gazetteer.is_place(run.name) and not gazetteer.is_given(run.first):
        return Nature.PLACE
    if cue in ("thing", "place") and run.before is None and gazetteer.is_given(run.first):
        return None
    return _OF_CUE[cue]


def _place(run: _Run) -> Nature | None:
    """A place by the gazetteer, or where somebody goes or lives."""
    known = gazetteer.is_place(run.name) or gazetteer.is_place(
        f"{run.context.folded(run.run.start - 1)} {run.name}"
    )
    given = gazetteer.is_given(run.first)
    if run.context.led_by(run.run.start, ONLY_BESIDE_PERSONS):
        return None
    if known and not given:
        if run.run.initial and run.alone and gazetteer.is_common(run.first):
            return None
        return Nature.PLACE
    if known and run.verb != "person" and (run.led_to_place() or gazetteer.is_rather_place(run.name)):
        return Nature.PLACE
    if not given and run.run.capital and run.led_to_place() and not gazetteer.is_surname(run.first):
        return Nature.PLACE
    return None


def _person(run: _Run) -> Nature | None:
    """A given name, a family name, or one who does what only persons do."""
    word_too = gazetteer.is_also_word(run.first) or gazetteer.is_common(run.first)
    if gazetteer.is_given(run.first):
        if gazetteer.is_place(run.name) and run.verb != "person":
            return Nature.UNCLEAR if run.alone else Nature.PERSON
        if not word_too or not run.alone:
            return Nature.PERSON
        if not run.run.initial and run.run.capital and not run.led_by_article():
            return Nature.PERSON
        if run.verb == "person" or run.after == "person" or run.acts_like_somebody():
            return Nature.PERSON
        return Nature.UNCLEAR if run.verb == "either" else None
    if run.run.initial and run.alone and gazetteer.is_common(run.first):
        return Nature.PERSON if run.acts_like_somebody() else None
    if any(gazetteer.is_given(token) and not gazetteer.is_also_word(token) for token in run.tokens[1:]) and (
        not gazetteer.is_common(run.first) or not run.run.initial
    ):
        return Nature.PERSON
    if run.context.folded(run.run.start - 1) in ("a", "an", "un", "une") and run.any_digit():
        return None  # "a Dufour 34"
    elsewhere = run.run.initial and run.alone and run.language not in ("fr", "en")
    if gazetteer.is_surname(run.first) and not run.led_by_article() and not elsewhere:
        return Nature.PERSON
    if run.context.led_by(run.run.start, ONLY_BESIDE_PERSONS) or run.context.given_to(run.run.start):
        return Nature.PERSON
    if run.verb == "person" or run.context.folded(run.run.start - 1) in _PARTICLES:
        return Nature.PERSON
    return Nature.ORGANISATION if run.verb == "organisation" else None


def _thing(run: _Run) -> Nature | None:
    """What is used, watched, bought, or told with a figure in it."""
    if gazetteer.is_given(run.first):
        return None
    if run.any_digit():
        return Nature.THING
    before = run.context.folded(run.run.start - 1)
    if run.alone and len(run.surface) == 1 and gazetteer.is_common(before) and not is_stop_word(before):
        return None if run.context.led_by(run.run.start, BESIDE_PERSONS) else Nature.THING  # "plan B"
    if run.run.capital and (run.context.led_by(run.run.start, THING_BEFORE) or run.told_with_article()):
        return Nature.THING
    inner = any(c.isupper() for c in run.surface[1:]) and any(c.islower() for c in run.surface)
    if run.alone and inner and run.surface[0].islower():
        return Nature.THING
    return None


def _common(run: _Run) -> Nature | None:
    """A common word with a capital inside a sentence."""
    if run.run.initial or not run.run.capital:
        return None
    if run.context.led_by(run.run.start, BESIDE_PERSONS):
        return None
    if run.accompanies():
        return None
    acronym = run.surface.isupper() and 1 < len(run.surface) < 5
    if not acronym and all(gazetteer.is_common(token) or is_stop_word(token) for token in run.tokens):
        return Nature.THING
    return None


def _compounded(run: _Run) -> Nature | None:
    """As in "Douglas fir", "a Thonet chair": a name before the noun of the thing that bears it."""
    noun = run.context.folded(run.run.end)
    if noun not in _COMPOUNDED or run.context.glue(run.run.end) or run.verb is not None:
        return None
    if run.context.led_by(run.run.start, BESIDE_PERSONS) or run.context.led_by(
        run.run.start, ONLY_BESIDE_PERSONS
    ):
        return None
    return Nature.THING


_BY_ITSELF = (_compounded, _title, _in_lexicon, _in_form)
_IN_CONTEXT = (_by_cue, _place, _person, _thing, _common)
