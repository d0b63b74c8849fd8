"""What stands beside a name and tells its nature: cue nouns, prepositions, verbs."""

from __future__ import annotations

from policies.folding import fold
from policies.language import lexicon
from policies.text import Word, is_stop_word, words

_CUES = {
    word: category
    for category in ("thing", "place", "organisation", "animal", "person")
    for word in lexicon.words("names", f"cues.{category}")
    if not is_stop_word(word)  # "thé" folds to "the"
}
_BETWEEN = lexicon.words("names", "cues.between")
_OF = lexicon.words("grammar", "of")
_LINKS = lexicon.words("grammar", "links")
_NAMING = lexicon.words("grammar", "naming")
_PERSON_VERBS = lexicon.words("names", "verbs.person")
_EITHER_VERBS = lexicon.words("names", "verbs.either")
_PERSON_AFTER_AUX = lexicon.words("names", "verbs.person_after_aux")
_ORGANISATION_VERBS = lexicon.words("names", "verbs.organisation")
_ORGANISATION_AFTER_AUX = lexicon.words("names", "verbs.organisation_after_aux")
_AUX = lexicon.words("grammar", "auxiliaries")
_CLITICS = lexicon.words("grammar", "clitics")
_PREPOSITION_A = ("à", "À", "a\u0300", "A\u0300")  # folds to the article "a"
_GIVING = lexicon.words("names", "verbs.giving")
_TO_SOMEBODY = lexicon.words("names", "verbs.to_somebody")
_GOING = lexicon.words("names", "places.going")
_ARTICLES = lexicon.words("grammar", "determiners")


def _phrases(key: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(word.folded for word in words(phrase)) for phrase in lexicon.entries("names", key))


ORGANISATION_BEFORE = _phrases("organisations.before")
THING_BEFORE = _phrases("things.before")
PLACE_BEFORE = _phrases("places.before")
PLACE_IF_GOING = _phrases("places.before_if_going")
BESIDE_PERSONS = _phrases("verbs.before_person")
ONLY_BESIDE_PERSONS = _phrases("verbs.before_person_only")
BEFORE_OTHERS = _phrases("nobody.others")
TITLES = {
    title: sex
    for sex, key in (("m", "titles.male"), ("f", "titles.female"), ("", "titles.neutral"))
    for title in lexicon.words("names", key)
}


class Context:
    """The words of one text, asked about what stands around a name."""

    def __init__(self, text: str, found: tuple[Word, ...]) -> None:
        self.text = text
        self.words = found

    def glue(self, index: int) -> str:
        """What stands between a word and the one before it, blanks removed."""
        if not 0 <= index < len(self.words):
            return "."
        start = self.words[index - 1].end if index else 0
        return self.text[start : self.words[index].start].strip()

    def folded(self, index: int) -> str:
        """The folded word at ``index``; empty beyond the ends."""
        return self.words[index].folded if 0 <= index < len(self.words) else ""

    def begins_sentence(self, index: int) -> bool:
        """Whether a word is the first of its sentence, of a line or of a quotation."""
        if index == 0:
            return True
        between = self.text[self.words[index - 1].end : self.words[index].start]
        return any(mark in '.!?:;\n«“"•…|>' for mark in between)

    def led_by(self, index: int, phrases: frozenset[tuple[str, ...]]) -> bool:
        """Whether one of the phrases stands right before ``index``, an article between them allowed."""
        ends = [index]
        if self.folded(index - 1) in _ARTICLES:
            ends.append(index - 1)
        for end in ends:
            if any(mark in self.glue(end) for mark in ",;:.!?()"):
                continue
            for count in range(1, min(4, end) + 1):
                phrase = tuple(word.folded for word in self.words[end - count : end])
                article = phrase == ("a",) and phrases is THING_BEFORE
                if phrase in phrases and not (article and self.words[end - 1].surface in _PREPOSITION_A):
                    return True
        return False

    def goes_near(self, index: int) -> bool:
        """Whether somebody goes, lives or stays, within six words before."""
        return any(self.folded(before) in _GOING for before in range(max(0, index - 6), index))

    def given_to(self, index: int) -> bool:
        """Whether something is given, lent, told or sold to what stands at ``index``: it is somebody."""
        if self.folded(index - 1) not in _TO_SOMEBODY:
            return False
        return any(self.folded(before) in _GIVING for before in range(max(0, index - 7), index - 1))

    def cue_before(self, index: int) -> str | None:
        """The nature told by a noun before a name: "my friend X", "a dog called X", "la ville de X"."""
        possessed = linked = False
        for steps, before in enumerate(range(index - 1, max(-1, index - 9), -1)):
            mark = self.glue(before + 1)
            if any(sign in mark for sign in ".;!?") or (steps and "," in mark):
                return None
            word = self.folded(before)
            if word == "a" and self.folded(before - 1) not in _LINKS:  # "à", or the verb
                return None
            cue = _CUES.get(word)
            if cue is not None:
                if possessed and cue != "place":
                    return None
                return cue
            if word not in _BETWEEN and word not in _LINKS and word != "s":
                return None
            linked = linked or word in _LINKS or word in _NAMING
            possessed = possessed or (word in _OF and not linked)
        return None

    def cue_after(self, index: int) -> str | None:
        """The nature told by a noun after a name: "X is my neighbour", "X, mon plombier"."""
        linked = "," in self.glue(index) or "(" in self.glue(index)
        skipped = 0
        for after in range(index, min(len(self.words), index + 6)):
            if after > index and any(sign in self.glue(after) for sign in ",.;!?"):
                return None
            if after == index and any(sign in self.glue(after) for sign in ".;!?"):
                return None
            word = self.folded(after)
            if linked and word in _CUES:
                return _CUES[word]
            if word in _LINKS or (after == index and word in ("the", "le", "la", "l")):
                linked = True
            elif word not in _BETWEEN:
                skipped += 1
                if skipped > 1 or not linked:
                    return None
        return None

    def verb_after(self, index: int) -> str | None:
        """Who does what is told right after a name: only a ``person``, only an ``organisation``, ``either``."""
        if any(sign in self.glue(index) for sign in ",.;:!?)"):
            return None
        after = index
        while after < index + 4 and self.folded(after) in _CLITICS:
            after += 1
        word = self.folded(after)
        receiver = self.words[after + 1].surface if after + 1 < len(self.words) else ""
        if word in _PERSON_VERBS or (word in _GIVING and receiver[:1].isupper()):
            return "person"
        if word in _ORGANISATION_VERBS:
            return "organisation"
        if word in _EITHER_VERBS:
            return "either"
        if word not in _AUX:
            return None
        after += 1
        while after < index + 7 and self.folded(after) in _CLITICS:
            after += 1
        if self.folded(after) in _PERSON_AFTER_AUX:
            return "person"
        return "organisation" if self.folded(after) in _ORGANISATION_AFTER_AUX else None

    def around(self, start: int, end: int, reach: int = 4) -> frozenset[str]:
        """The folded words beside a name, within its clause."""
        near: set[str] = set()
        for before in range(start - 1, max(-1, start - 1 - reach), -1):
            if any(sign in self.glue(before + 1) for sign in ".;!?"):
                break
            near.add(self.folded(before))
        for after in range(end, min(len(self.words), end + reach)):
            if any(sign in self.glue(after) for sign in ".;!?"):
                break
            near.add(self.folded(after))
        return frozenset(near)


def cue_of(token: str) -> str | None:
    """The nature that a noun tells of the name beside it."""
    return _CUES.get(fold(token))
