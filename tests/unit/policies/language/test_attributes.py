"""Single-valued attributes told in sentences."""

from __future__ import annotations

import pytest

from policies.language.attributes import attribute_noun, read_attribute
from policies.language.names import mentions
from tests.support.people import OWNER, people

REGISTRY = people()


def told(sentence: str) -> tuple[str, str, str, str] | None:
    """Subject, key, value (entities as @name) and marks: "-" denied, "<" ended."""
    found = read_attribute(sentence, mentions(sentence, REGISTRY, "fr"), OWNER)
    if found is None:
        return None
    marks = ("-" if found.negated else "") + ("<" if found.ended else "")
    return (found.subject or "").replace("ent:", "@"), found.key, found.value.replace("ent:", "@"), marks


@pytest.mark.parametrize(
    ("sentence", "subject", "key", "value", "marks"),
    [
        ("Marie travaille chez Acme depuis 2019.", "@marie", "employer", "@acme", ""),
        ("Marie works at Globex.", "@marie", "employer", "@globex", ""),
        ("Marie no longer works at Acme.", "@marie", "employer", "@acme", "-<"),
        ("Marie ne travaille plus chez Acme depuis mars 2023.", "@marie", "employer", "@acme", "-<"),
        ("Marie has lived in Lyon since 2014.", "@marie", "residence", "@lyon", ""),
        ("I've worked for Acme for ten years.", "@louis", "employer", "@acme", ""),
        ("Marie has worked for Acme.", "@marie", "employer", "@acme", "<"),
        ("Marie used to work at Acme.", "@marie", "employer", "@acme", "<"),
        ("Marie worked at Acme from 2018 to 2020.", "@marie", "employer", "@acme", "<"),
        ("Je travaille pour Globex.", "@louis", "employer", "@globex", ""),
        ("Mon employeur est Acme.", "@louis", "employer", "@acme", ""),
        ("L'employeur de Marie est Globex.", "@marie", "employer", "@globex", ""),
        ("J'habite à Lyon.", "@louis", "residence", "@lyon", ""),
        ("I live in Lyon with my cat.", "@louis", "residence", "@lyon", ""),
        ("Ma sœur habite à Nantes.", "@louis", "residence:sister", "nantes", ""),
        ("Marie's sister lives in Nantes.", "@marie", "residence:sister", "nantes", ""),
        ("La sœur de Marie habite à Nantes.", "@marie", "residence:sister", "nantes", ""),
        ("Marie n'habite plus à Lyon.", "@marie", "residence", "@lyon", "-<"),
        ("Paul Durand is married to Marie.", "@pauld", "partner", "@marie", ""),
        ("Je suis en couple avec Marie.", "@louis", "partner", "@marie", ""),
        ("Le loyer est de 900 euros.", "", "rent", "900 euros", ""),
        ("My rent is 900 euros.", "@louis", "rent", "900 euros", ""),
        ("Le vélo rouge coûte 350 euros.", "@velo", "price", "350 euros", ""),
        ("My favourite colour is blue.", "@louis", "favourite:colour", "blue", ""),
        ("Ma couleur préférée est le bleu.", "@louis", "favourite:couleur", "bleu", ""),
        ("Blue is my favourite colour.", "@louis", "favourite:colour", "blue", ""),
        ("La couleur préférée de Marie est le vert.", "@marie", "favourite:couleur", "vert", ""),
        ("Marie est née le 3 mars 1990.", "@marie", "birth_date", "3 mars 1990", ""),
        ("Marie was born in Lyon.", "@marie", "birth_place", "@lyon", ""),
        ("Paul Durand is a plumber.", "@pauld", "job", "plumber", ""),
        ("Je suis ingénieur.", "@louis", "job", "engineer", ""),
        ("Mon dentiste est Paul Durand.", "@louis", "dentist", "@pauld", ""),
        ("Le mariage de Marie est le 12 juin 2025.", "@marie", "date:mariag", "12 juin 2025", ""),
        ("The wedding is on June 12.", "", "date:wed", "june 12", ""),
        ("La réunion aura lieu le 3 mai.", "", "date:reunion", "3 mai", ""),
        ("The deadline of Projet Mercure is 30 June.", "@merc", "deadline", "30 june", ""),
        ("Le vélo appartient à Marie.", "@velo", "owner", "@marie", ""),
        ("My car is called Titine.", "@louis", "name:car", "titine", ""),
        ("La capitale de la France est Paris.", "", "capital:franc", "paris", ""),
        ("J'habite 12 rue des Lilas à Lyon.", "@louis", "residence", "12 rue des lilas a lyon", ""),
        ("Anciennement, Marie habitait à Lyon.", "@marie", "residence", "@lyon", "<"),
        ("Acme est mon employeur.", "@louis", "employer", "@acme", ""),
        ("Acme, c'est l'employeur de Marie.", "@marie", "employer", "@acme", ""),
        ("Acme is my favourite company.", "@louis", "favourite:compani", "@acme", ""),
        ("Employeur : Acme", "", "employer", "@acme", ""),
        ("Le billet coûte 30 euros.", "", "price:billet", "30 euros", ""),
        ("Le loyer de mon bureau est de 400 euros.", "@louis", "rent:bureau", "400 euros", ""),
        ("Le vert est la couleur préférée de Marie.", "@marie", "favourite:couleur", "vert", ""),
        ("Marie's phone number: 0612345678", "@marie", "phone", "0612345678", ""),
    ],
)
def test_an_attribute_is_told_with_its_subject_and_value(
    sentence: str, subject: str, key: str, value: str, marks: str
) -> None:
    assert told(sentence) == (subject, key, value, marks)


@pytest.mark.parametrize(
    "sentence",
    [
        "J'aime le café.",
        "I have no children.",
        "Marie a 35 ans.",
        "Marie vit avec son chat.",
        "I live in a small house.",
        "Marie married young.",
        "Marie works at, the mill.",
        "Works for.",
        "Marie works for, well, nobody.",
        "My employer is very kind.",
        "Her employer pays well.",
        "Coûte cher.",
        "Mon employeur.",
        "My favourite.",
        "Il est ingénieur. Est plombier aussi.",
        "Marie est dans le train. Est ingénieur.",
        "Globex est content de son employeur.",
        "Marie est l'employeur de Marie.",
        "",
    ],
)
def test_what_tells_no_attribute_gives_none(sentence: str) -> None:
    assert told(sentence) is None


def test_a_noun_names_its_attribute() -> None:
    assert (attribute_noun("loyer"), attribute_noun("rent"), attribute_noun("arbre")) == (
        "rent",
        "rent",
        None,
    )
