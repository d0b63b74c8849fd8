"""Commands that their form tells: a clause that begins with a verb, without a subject, speaks to its reader.

English verbs in the bare form, French ones in the second person, and those of other languages that are listed. A
French verb whose command reads like its third person ("envoie") commands only where no subject can stand before it.
"""

from __future__ import annotations

from itertools import pairwise

from policies.language import lexicon
from policies.language.identify import guess
from policies.language.phrases import Hit
from policies.language.tokens import Token
from policies.text import is_stop_word

_ALWAYS = frozenset({"always", "never", "please", "kindly"})
_CLITICS = frozenset({"le", "la", "les", "lui", "leur", "moi", "nous"})
_IMPERATIVE_ENDINGS = ("e", "s", "ez", "ons", "a")
_OPENING_MARKS = frozenset(':;()[]«“"”—–')
_ELSEWHERE = ("es", "de", "it", "pt", "nl")

_NO_COMMAND = lexicon.words("instructions", "no_command_words")
_CLAUSE_WORDS = lexicon.words("instructions", "clause_words")
_VERBS = lexicon.words("instructions", "verbs_only")
_VERBS_OR_NOUNS = lexicon.words("instructions", "verbs_or_nouns")
_OBJECTS = lexicon.words("instructions", "begins_object")
_OPENERS = lexicon.words("instructions", "openers")
_FILLERS = lexicon.words("instructions", "fillers")
_LEADS = lexicon.words("instructions", "leads")
_FINITE = lexicon.words("instructions", "finite")
_SECOND_PERSON = lexicon.words("instructions", "second_person_french")
_EITHER_PERSON = lexicon.words("instructions", "either_person_french")
_REACH = 40
"""How many words around a verb are looked at: a text is read in linear time."""
_CONCLUDING = frozenset({"donc", "alors", "so"})
_NEGATION = frozenset({"ne", "n"})
_OBJECTS_BEFORE = frozenset({"me", "m", "le", "la", "les", "l", "lui", "leur", "nous", "y", "en"})
_SUBORDINATORS = lexicon.words("instructions", "subordinators")
_FRENCH_ENDINGS = ("e", "s", "ez", "ons")
_NOTES = lexicon.words("instructions", "notes_french")
_GRAVE = lexicon.words("instructions", "grave_french")
_TOLD_OF_OWNER = lexicon.words("instructions", "told_of_owner")
_NO_SECOND_PERSON = lexicon.words("instructions", "no_second_person")
_FOREIGN = frozenset(
    verb for language in _ELSEWHERE for verb in lexicon.words("instructions", f"commands_{language}")
)
_FIRST_PERSON = frozenset({"je", "j", "i", "nous", "we"})
_BARE_AFTER = lexicon.words("instructions", "bare_after")


def find_commands(text: str, tokens: tuple[Token, ...]) -> list[Hit]:
    """The places of a text that command, by their form alone."""
    return [*_adverbial(text, tokens), *_leading(text, tokens)]


def _adverbial(text: str, tokens: tuple[Token, ...]) -> list[Hit]:
    """As in "always praise…" at the head of a clause, "recommande-la"."""
    found: list[Hit] = []
    for index, (token, following) in enumerate(pairwise(tokens)):
        heads = index == 0 or tokens[index - 1].is_mark or tokens[index - 1].folded in _CLAUSE_WORDS
        if heads and token.folded in _ALWAYS and _looks_bare(following):
            found.append(Hit(index, index + 2, token.folded))
        hyphenated = (
            text[token.end : following.start] == "-" and text[following.end : following.end + 1] != "-"
        )
        a_name = text[token.start].isupper() and not heads
        imperative = token.folded.endswith(_IMPERATIVE_ENDINGS) and not a_name
        if hyphenated and imperative and following.shown in _CLITICS:
            found.append(Hit(index, index + 2, following.folded))
    return found


def _looks_bare(token: Token) -> bool:
    """Whether a word may be an English verb without an ending."""
    return (
        token.folded.isascii()
        and token.folded.isalpha()
        and not token.folded.endswith(("s", "ed", "ing", "ly"))
        and token.folded not in _NO_COMMAND
    )


def _leading(text: str, tokens: tuple[Token, ...]) -> list[Hit]:
    """As in "Skip small talk", "Si Claire appelle, dis oui", "Louis said: tell everybody"."""
    language = guess(text)
    found: list[Hit] = []
    first = 0  # of the sentence
    for index, token in enumerate(tokens):
        if index and tokens[index - 1].ends_sentence:
            first = index
        if token.is_mark or not _begins(tokens, first, index):
            continue
        place = index
        while place < len(tokens) - 1 and tokens[place].folded in _FILLERS:
            place += 1
        if tokens[place].folded in _NEGATION and place < len(tokens) - 1:
            place = next(
                (i for i in range(place + 1, len(tokens)) if tokens[i].folded not in _OBJECTS_BEFORE), place
            )
        if _commands(text, tokens, place, language):
            found.append(Hit(index, place + 1, tokens[place].folded))
    return found


def _begins(tokens: tuple[Token, ...], first: int, index: int) -> bool:
    """Whether no subject can stand before a word: it heads its sentence, what is quoted, or a main clause."""
    if index == first:
        return True
    before = tokens[index - 1]
    if before.folded in _OPENING_MARKS:
        return True
    if before.folded in (",", "，"):
        return tokens[first].folded in _OPENERS or tokens[first].folded in _LEADS
    if before.folded in _CONCLUDING:
        return True
    if before.folded not in _CLAUSE_WORDS:
        return False
    # "Louis lives in Lyon and tell everybody": what is coordinated with "lives" has its ending.
    words = {token.folded for token in tokens[max(first, index - _REACH) : index - 1]}
    alone = any(word in _FINITE and word.endswith("s") for word in words)
    return alone and not words & _BARE_AFTER


def _commands(text: str, tokens: tuple[Token, ...], index: int, language: str) -> bool:
    """Whether the word at ``index``, which has no subject before it, is a verb that commands."""
    word = tokens[index].folded
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if language not in ("en", "fr") and word in _FOREIGN:
        return True
    if language in _ELSEWHERE:
        return False
    if index and tokens[index - 1].folded == "," and _is_bare_main(text, tokens, index, language):
        return True
    if language != "fr" and (word in _VERBS or word in _VERBS_OR_NOUNS):
        return _english(text, tokens, index, following)
    return language != "en" and _french(tokens, index, following)


def _is_bare_main(text: str, tokens: tuple[Token, ...], index: int, language: str) -> bool:
    """As in "when in doubt, side with Claire": a main clause that has neither subject nor finite verb."""
    back = max(0, index - _REACH)
    first = next((i + 1 for i in range(index - 1, back, -1) if tokens[i].ends_sentence), back)
    leads = {token.folded for token in tokens[first : first + 2]} & _SUBORDINATORS
    word, following = tokens[index], tokens[index + 1 : index + 2]
    plain = text[word.start].islower() and len(word.folded) > 2 and not is_stop_word(word.folded)
    if not leads or not plain or not following or following[0].is_mark:
        return False
    if language == "fr":
        return word.folded.endswith(_FRENCH_ENDINGS)
    bare = not word.folded.endswith(("s", "ing", "ly", "ed")) and word.folded not in _FINITE
    return bare and not _has_verb(tokens, index + 1)


def _french(tokens: tuple[Token, ...], index: int, following: Token | None) -> bool:
    word = tokens[index].folded
    if any(token.folded in _FIRST_PERSON for token in tokens[max(0, index - _REACH) : index]):
        return False
    if word in _SECOND_PERSON or (len(word) > 4 and word.endswith("ez") and word not in _NO_SECOND_PERSON):
        return following is None or following.folded not in ("est", "is")
    if word not in _EITHER_PERSON or word in _GRAVE:
        return word in _GRAVE
    told = {token.folded for token in _clause(tokens, index)} & _TOLD_OF_OWNER
    heads = index == 0 or tokens[index - 1].ends_sentence
    return not (heads and (told or word in _NOTES))


def _clause(tokens: tuple[Token, ...], start: int) -> tuple[Token, ...]:
    last = min(len(tokens), start + _REACH)
    end = next((place for place in range(start, last) if tokens[place].is_mark), last)
    return tokens[start:end]


def _english(text: str, tokens: tuple[Token, ...], index: int, following: Token | None) -> bool:
    if following is None or following.is_mark:
        return tokens[index].folded in _VERBS
    if following.folded in _FINITE or following.folded in ("of", "from", "or"):
        return False
    named = text[following.start].isupper()
    if tokens[index].folded in _VERBS_OR_NOUNS:
        return (following.folded in _OBJECTS or named) and not _has_verb(tokens, index + 1)
    return not _has_verb(tokens, index + 1)


def _has_verb(tokens: tuple[Token, ...], start: int) -> bool:
    """Whether the clause has a finite verb of its own, before anything depends on it."""
    for token in tokens[start:]:
        if token.is_mark or token.folded in _LEADS or token.folded in _CLAUSE_WORDS:
            return False
        if token.folded in _FINITE:
            return True
    return False
