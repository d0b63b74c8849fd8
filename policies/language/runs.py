"""Runs of words that may be a name: capitalised ones, and names known to lexicons or the registry without capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from policies.language import gazetteer, lexicon
from policies.language.context import BESIDE_PERSONS, ONLY_BESIDE_PERSONS, TITLES, Context, cue_of
from policies.language.identify import OTHER, guess
from policies.language.roster import Roster, is_no_name
from policies.text import Word, is_stop_word

_ALWAYS = lexicon.words("names", "particles.always")
_OFTEN = lexicon.words("names", "particles.often")
_HEADS = lexicon.words("names", "organisations.heads")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]")
_NOUNS_CAPITALISED = lexicon.words("names", "particles.german")
_ELSEWHERE = frozenset(
    word
    for language in ("es", "de", "it", "pt", "nl", "days")
    for word in lexicon.words("languages", language)
)
"""Little words of other languages, some of which are names elsewhere ("una")."""
_NAMING = lexicon.words("grammar", "naming")
_ADDRESSES = lexicon.words("names", "told_by.addresses")
"""Forms of address that are no other word: whoever comes after one is somebody, capital or not."""
_WITH = lexicon.words("names", "told_by.company")
"""Before a word that no lexicon knows, they tell of company more often than of things."""
_REFLEXIVE = frozenset({"me", "te", "se"})
_JOINING = frozenset({"", "-", "‐", "‑", ".", ".-", "&", "'", "’", "/"})


@dataclass(frozen=True, slots=True)
class Run:
    """Words ``[start, end)`` of a text that may be one name."""

    start: int
    end: int
    initial: bool
    """It begins a sentence, where a capital tells nothing."""
    capital: bool
    """Its capitals tell something: the text is not all capitals, titles or lower case there."""


def capitals_tell(found: tuple[Word, ...], language: str) -> bool:
    """Whether capitals tell names from words in this text: not in shouting, titles or German."""
    lettered = [word for word in found if word.surface[:1].isalpha() and not _UNSPACED.search(word.surface)]
    if language not in ("fr", "en") and any(word.folded in _NOUNS_CAPITALISED for word in lettered):
        return False
    long = [word for word in lettered if len(word.surface) > 1]
    if len(long) >= 4 and sum(word.surface.isupper() for word in long) > 0.7 * len(long):
        return False
    stops = [word for word in long[1:] if is_stop_word(word.folded)]
    return not (len(stops) >= 2 and all(word.surface[0].isupper() for word in stops))


def runs(context: Context, roster: Roster, *, telling: bool) -> Iterator[Run]:
    """The runs of a text, in order, without overlap."""
    index = 0
    foreign = guess(context.text) == OTHER  # any word may be a name somewhere
    while index < len(context.words):
        end = _run_end(context, roster, index, telling)
        if end is None or (end == index + 1 and foreign and _is_lower(context.words[index], roster)):
            index += 1
            continue
        capital = telling and context.words[index].surface[0].isupper()
        yield Run(index, end, context.begins_sentence(index), capital)
        index = end


def _run_end(context: Context, roster: Roster, index: int, telling: bool) -> int | None:
    word = context.words[index]
    named = _is_told_named(context, index)
    if named:
        return named
    if not _namelike(word, roster, telling):
        return None
    if _is_elision(context, index) or (not _capital(word) and context.folded(index - 1) in _REFLEXIVE):
        return None
    end = index + 1
    while end < len(context.words):
        glue = context.glue(end)
        between = context.text[context.words[end - 1].end : context.words[end].start]
        if glue not in _JOINING or "\n" in between:
            break
        if glue == "." and not _abbreviated(context.words[end - 1]):
            break
        if glue in ("'", "’") and not (
            len(context.words[end - 1].surface) <= 2 and _capital(context.words[end])
        ):
            break
        following = context.words[end]
        if (
            glue == "&"
            and gazetteer.is_given(following.folded)
            and gazetteer.is_given(context.folded(end - 1))
        ):
            break
        if _continues(context, following, roster, telling, end):
            end += 1
            continue
        past = _past_particles(context, roster, index, end)
        if past is None or not _continues(context, context.words[past], roster, telling, past):
            break
        end = past + 1
    return end


def _is_told_named(context: Context, index: int) -> int | None:
    """Where a name in lower case ends that only the words before it tell: "my brother is called anatole"."""
    word = context.words[index]
    if not _may_be_lower_name(word) or any(sign in context.glue(index) for sign in ",;:.!?"):
        return None
    before = context.folded(index - 1)
    naming = before in _NAMING and context.cue_before(index) == "person"
    beside = before in _WITH or context.led_by(index, BESIDE_PERSONS | ONLY_BESIDE_PERSONS)
    if not naming and before not in _ADDRESSES and (gazetteer.is_common(word.folded) or not beside):
        return None
    end = index + 1
    following = context.words[end : end + 1]
    if naming and following and _may_be_lower_name(following[0]) and not context.glue(end):
        end += 1
    return end


def _may_be_lower_name(word: Word) -> bool:
    return (
        word.surface.isalpha()
        and (word.surface.islower() or word.surface.isupper())
        and len(word.surface) > 2
        and not _UNSPACED.search(word.surface)
        and not is_stop_word(word.folded)
        and not gazetteer.is_date_word(word.folded)
        and cue_of(word.folded) is None
    )


def _past_particles(context: Context, roster: Roster, start: int, index: int) -> int | None:
    """The index after the particles at ``index``, if such may join what is before and after them."""
    past = index
    while past < len(context.words) and past < index + 3 and context.folded(past) in _ALWAYS | _OFTEN:
        if context.glue(past) not in ("", "-", "'", "’"):
            return None
        past += 1
    if past == index or past >= len(context.words) or context.glue(past) not in ("", "'", "’", "-"):
        return None
    if all(context.folded(place) in _ALWAYS for place in range(index, past)):
        return past
    head = context.folded(start)
    if head in _HEADS or (
        cue_of(head) in ("place", "organisation", "thing") and context.words[start].surface[0].isupper()
    ):
        return past
    # "Marie de la Tour", but "Paul de Lyon" is Paul.
    name = context.folded(past)
    elsewhere = gazetteer.is_place(name) or gazetteer.is_given(name) or gazetteer.is_organisation(name)
    named = gazetteer.is_given(head) and not elsewhere and not roster.whole_at(context.words, past)
    return past if named and context.folded(index) in ("de", "d", "du") else None


def _continues(context: Context, word: Word, roster: Roster, telling: bool, index: int) -> bool:
    if _UNSPACED.search(word.surface):
        return False
    if word.surface[0].isdigit():
        numbered = telling and word.surface.isdigit() and len(word.surface) < 4
        before = context.words[index - 1]
        person = gazetteer.is_given(before.folded) or gazetteer.is_surname(before.folded)
        other = person or gazetteer.is_date_word(before.folded) or roster.is_part(before.folded)
        return numbered and any(c.isupper() for c in before.surface) and not other
    if telling and _capital(word):
        return not (word.surface == "I" or gazetteer.is_date_word(word.folded))
    if telling and _capital(context.words[index - 1]):
        return False
    return _namelike(word, roster, telling) or (
        not word.surface[0].isupper() and gazetteer.is_surname(word.folded)
    )


def _namelike(word: Word, roster: Roster, telling: bool) -> bool:
    if not word.surface[0].isalpha() or _UNSPACED.search(word.surface) or is_no_name(word.surface):
        return False
    if telling and (_capital(word) or any(c.isupper() for c in word.surface[1:])):
        return True
    if is_stop_word(word.folded) or len(word.folded) < 3:
        return False
    if _capital(word) and _is_known(word.folded):
        return True
    if gazetteer.is_date_word(word.folded):
        return False
    common = gazetteer.is_common(word.folded)
    if roster.is_part(word.folded) and (not common or _capital(word)):
        return True
    if word.folded in _ELSEWHERE:
        return False
    return gazetteer.is_given(word.folded) and not gazetteer.is_also_word(word.folded) and not common


def _abbreviated(word: Word) -> bool:
    """An initial, a form of address, "St.": a full stop after it ends no sentence."""
    return len(word.surface) == 1 or word.folded in TITLES or word.folded in ("st", "ste", "mt")


def _is_known(token: str) -> bool:
    return gazetteer.is_place(token) or gazetteer.is_organisation(token) or gazetteer.is_thing(token)


def _is_elision(context: Context, index: int) -> bool:
    """The "L" of "L'ami", the "J" of "J'ai"."""
    word = context.words[index]
    return len(word.surface) <= 2 and context.glue(index + 1)[:1] in ("'", "’") and word.folded in (
        "l", "d", "j", "n", "s", "c", "m", "t", "qu",
    )  # fmt: skip


def _is_lower(word: Word, roster: Roster) -> bool:
    return word.surface.islower() and not roster.is_part(word.folded)


def _capital(word: Word) -> bool:
    return word.surface[0].isupper()


def is_title(token: str) -> bool:
    """Whether a folded word is a form of address ("M.", "Dr", "Mme")."""
    return token in TITLES
