"""Dates and periods told in sentences, said on Wednesday 15 May 2024 at ten in Paris."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from policies.language.dates import date_spans, read_times
from policies.moments import parse_said_at, show_end, show_start
from policies.terms import Instant, Moment, Precision

PARIS = ZoneInfo("Europe/Paris")
SAID_AT = parse_said_at("2024-05-15T10:00:00+02:00", PARIS)


def start(moment: Moment | None) -> str:
    return "" if moment is None else show_start(moment, PARIS)


def end(moment: Moment | None) -> str:
    return "" if moment is None else show_end(moment, PARIS)


@pytest.mark.parametrize(
    ("language", "sentence", "valid_from", "valid_to", "event_at"),
    [
        ("fr", "Paul habite à Lyon depuis mars 2021.", "2021-03", "", ""),
        ("en", "I have lived in Paris since 2019.", "2019", "", ""),
        ("en", "Marie works at Acme until June 2024.", "", "2024-07-01", ""),
        ("en", "The offer is valid until 30 June.", "", "2024-07-01", ""),
        ("fr", "Le bail court jusqu'au 12 mai.", "", "2025-05-13", ""),
        ("fr", "Le bail court jusqu'au 12 juin inclus.", "", "2024-06-13", ""),
        ("en", "I worked at IBM from January to March 2020.", "2020-01", "2020-04-01", ""),
        ("fr", "J'ai travaillé chez IBM entre 2018 et 2020.", "2018", "2021-01-01", ""),
        ("fr", "Je pars le 3 mars.", "", "", "2025-03-03"),
        ("fr", "Je suis parti le 3 mars.", "", "", "2024-03-03"),
        ("fr", "Rendez-vous demain à 14h30.", "", "", "2024-05-16T14:30:00+02:00"),
        ("en", "I'll call tomorrow at 2 pm.", "", "", "2024-05-16T14:00:00+02:00"),
        ("fr", "Hier j'ai vu Paul.", "", "", "2024-05-14"),
        ("en", "We meet next Friday.", "", "", "2024-05-17"),
        ("fr", "On se voit vendredi prochain.", "", "", "2024-05-17"),
        ("fr", "On se voit vendredi.", "", "", "2024-05-17"),
        ("en", "I saw Paul on Friday.", "", "", "2024-05-10"),
        ("fr", "Il y a deux ans j'ai acheté un vélo.", "", "", "2022"),
        ("en", "I bought it 3 weeks ago.", "", "", "2024-04-24"),
        ("en", "We move in 3 weeks.", "", "", "2024-06-05"),
        ("fr", "Je déménage dans un mois.", "", "", "2024-06"),
        ("fr", "Le contrat date du 12/05/2024.", "", "", "2024-05-12"),
        ("en", "The contract is dated 12/05/2024.", "", "", "2024-05-12"),
        ("en", "The contract is dated 13/05/2024.", "", "", "2024-05-13"),
        ("en", "Released on 2024-05-12.", "", "", "2024-05-12"),
        ("fr", "Samedi 18 mai, on fête Paul.", "", "", "2024-05-18"),
        ("fr", "Entretien annuel le 21 mai.", "", "", "2024-05-21"),
        ("fr", "Anniversaire de Paul le 21 mai.", "", "", ""),
        ("en", "They own a summer house.", "", "", ""),
        ("fr", "Le 1er janvier, on ferme.", "", "", "2025-01-01"),
        ("en", "In the 1990s I lived in Rome.", "1990", "2000-01-01", ""),
        ("en", "The car cost 2000 euros.", "", "", ""),
        ("fr", "La voiture coûte 2000 euros.", "", "", ""),
        ("en", "I read chapter 2019.", "", "", ""),
        ("fr", "J'ai passé l'été dernier à Nice.", "", "", "2023-06"),
        ("en", "Last summer I was in Rome.", "2023-06", "2023-09-01", ""),
        ("en", "She was born in March 1990.", "", "", "1990-03"),
        ("fr", "Marie est née le 3 mars 1990.", "", "", "1990-03-03"),
        ("fr", "Paul travaille chez Acme depuis deux ans.", "2022", "", ""),
        ("en", "I have worked here for the past three years.", "2021", "", ""),
        ("fr", "Depuis 3 mois je cours.", "2024-02", "", ""),
        ("en", "In 2019 I lived in Lyon.", "2019", "2020-01-01", ""),
        ("fr", "En 2019 je vivais à Lyon.", "2019", "2020-01-01", ""),
        ("fr", "En 2019, j'ai acheté une maison.", "", "", "2019"),
        ("en", "Paul moved from Paris to Lyon in March.", "", "", "2024-03"),
        ("fr", "Paul a déménagé de Paris à Lyon en mars.", "", "", "2024-03"),
        ("fr", "Du 3 au 5 juin je serai à Rome.", "2024-06-03", "2024-06-06", ""),
        ("fr", "Vacances du 28 juillet au 3 août 2024.", "2024-07-28", "2024-08-04", ""),
        ("en", "The conference runs June 3-5, 2024.", "2024-06-03", "2024-06-06", ""),
        ("en", "From 2018 to 2020 she studied law.", "2018", "2021-01-01", ""),
        ("en", "(2018-2020) studied law.", "2018", "2021-01-01", ""),
        ("fr", "Je commence chez Airbus le 1er septembre.", "2024-09-01", "", "2024-09-01"),
        ("en", "Paul starts at Airbus on September 1st.", "2024-09-01", "", "2024-09-01"),
        ("fr", "La réunion est lundi à 9h.", "", "", "2024-05-20T09:00:00+02:00"),
        ("fr", "Le lundi je fais du yoga.", "", "", ""),
        ("fr", "Tous les mardis, piscine.", "", "", ""),
        ("en", "Every Monday I swim.", "", "", ""),
        ("en", "Marie's birthday is March 3.", "", "", ""),
        ("fr", "L'anniversaire de Paul est le 3 mars.", "", "", ""),
        ("en", "April is my neighbor.", "", "", ""),
        ("en", "I may go to March.", "", "", ""),
        ("fr", "Mars est une planète.", "", "", ""),
        ("fr", "Mon frère aime le chocolat.", "", "", ""),
        ("fr", "Le projet démarre en septembre.", "2024-09", "", "2024-09"),
        ("fr", "Avant 2020, je vivais à Nantes.", "", "2020-01-01", ""),
        ("fr", "Il y a dix personnes.", "", "", ""),
        ("en", "The meeting starts at 10.", "", "", ""),
        ("en", "In two years he built a house.", "", "", ""),
        ("fr", "à partir de janvier 2025, je serai à mi-temps.", "2025-01", "", ""),
        ("en", "Effective 1 July 2024 the rent is 900 euros.", "2024-07-01", "", ""),
        ("fr", "Cette année, je travaille à Lyon.", "2024", "2025-01-01", ""),
        ("fr", "Dans les années 90 il habitait à Rome.", "1990", "2000-01-01", ""),
        ("en", "Since yesterday the server is down.", "2024-05-14", "", ""),
        ("fr", "Le mois prochain nous partons.", "", "", "2024-06"),
        ("en", "Last year I ran a marathon.", "", "", "2023"),
        ("en", "I was in Lyon from May 2019 until June 2021.", "2019-05", "2021-07-01", ""),
        ("fr", "À Noël, je vais chez Marie.", "", "", "2024-12-25"),
        ("en", "Project due Q3 2024.", "", "", "2024-07"),
        ("en", "On March 3rd, 2021 I quit smoking.", "", "", "2021-03-03"),
        ("en", "3rd of March 2021 meeting.", "", "", "2021-03-03"),
        ("fr", "Fin 2023, Paul a quitté Acme.", "", "", "2023"),
        ("fr", "mi-mars 2022", "", "", "2022-03"),
        ("fr", "début juin je pars", "", "", "2024-06"),
        ("en", "The budget for 2024 is 3,000 dollars.", "2024", "2025-01-01", ""),
        ("fr", "L'appartement fait 2019 m².", "", "", ""),
        ("en", "Jeff Bezos owns 2000 cars.", "", "", ""),
        ("zh", "我2021年3月搬到巴黎。", "", "", "2021-03"),
        ("de", "Ich wohne seit März 2021 in Berlin.", "2021-03", "", ""),
        ("es", "Vivo en Madrid desde 2019.", "2019", "", ""),
        ("fr", "Je n'habite plus à Paris depuis juin 2023.", "2023-06", "", ""),
        ("en", "I no longer work at Acme since May.", "2024-05", "", ""),
        ("en", "Paul left Acme in 2022.", "", "", "2022"),
        ("fr", "Le mardi 12 mars 2024 Paul a signé.", "", "", "2024-03-12"),
        ("en", "By Friday I must finish.", "", "", "2024-05-17"),
        ("fr", "en 2000 exemplaires", "", "", ""),
        ("fr", "Windows 2000 est vieux.", "", "", ""),
        ("fr", "La garantie expire en juin 2027.", "", "", "2027-06"),
        ("fr", "Je pars après-demain.", "", "", "2024-05-17"),
        ("en", "I graduated in 2010 and moved to Rome in 2012.", "", "", "2010"),
        ("fr", "Le 31 février je pars.", "", "", ""),
        ("en", "The shop is open from 9 to 5.", "", "", ""),
        ("en", "since I was 10 I play piano", "", "", ""),
        ("fr", "Le 12 juin 2024 à 8 h 30 j'ai rendez-vous.", "", "", "2024-06-12T08:30:00+02:00"),
        ("en", "The deadline is 2024-06-12T14:30.", "", "", "2024-06-12T14:30:00+02:00"),
        ("en", "The deadline is 2024-06-12T25:30.", "", "", "2024-06-12"),
        ("en", "Budget of 2024-06.", "", "", "2024-06"),
        ("en", "Season 2024-2025 starts.", "", "", ""),
        ("fr", "Le numéro 2024/17 est pris.", "", "", ""),
        ("fr", "Le 12/06 je pars.", "", "", "2024-06-12"),
        ("en", "On 12/06 I leave.", "", "", ""),
        ("fr", "Ratio 12/45.", "", "", ""),
        ("fr", "06/2025, déménagement.", "", "", "2025-06"),
        ("en", "3-4 people came.", "", "", ""),
        ("en", "12-345 is a code.", "", "", ""),
        ("de", "Seit 12.05.2021 wohne ich hier.", "2021-05-12", "", ""),
        ("de", "Am 12.13.2024 nichts.", "", "", ""),
        ("en", "On 13/14/2024 nothing.", "", "", ""),
        ("zh", "我2021年13月来。", "", "", ""),
        ("zh", "我2021年3月5日来。", "", "", "2021-03-05"),
        ("zh", "我2021年来。", "2021", "2022-01-01", ""),
        ("fr", "Au printemps 2022, j'ai couru.", "", "", "2022-03"),
        ("fr", "Dans les années 2020, tout change.", "2020", "2030-01-01", ""),
        ("fr", "Les années 95 furent belles.", "", "", ""),
        ("fr", "années 1993", "", "", ""),
        ("en", "I will march in may.", "", "", ""),
        ("fr", "En mars, je pars.", "", "", "2025-03"),
        ("en", "In 2019€ terms it costs more.", "", "", ""),
        ("en", "In 2019 euros it costs more.", "", "", ""),
        ("en", "Since 2019 people like it.", "", "", ""),
        ("fr", "Ce mois-ci je travaille à Lyon.", "2024-05", "2024-06-01", ""),
        ("fr", "Cette semaine, je suis à Rome.", "2024-05-13", "2024-05-20", ""),
        ("en", "This summer I will go to Rome.", "", "", "2024-06"),
        ("fr", "Après 2020, je vivais à Nantes.", "2021", "", ""),
        ("fr", "Du 3 au lundi, je pars.", "", "", "2024-05-20"),
        ("fr", "Du 28 au 31 février, je pars.", "", "", ""),
        ("fr", "De décembre à mars 2020, j'étais à Rome.", "2019-12", "2020-04-01", ""),
        ("fr", "fin juin et août sont pris", "", "", "2024-06"),
        ("en", "June 3-tea.", "", "", "2024-06-03"),
        ("en", "It happens at noon on Monday at 10am.", "", "", "2024-05-20T10:00:00+02:00"),
        ("en", "Call on Monday at 25h.", "", "", "2024-05-20"),
        ("fr", "Demain à 8 heures, réunion.", "", "", "2024-05-16T08:00:00+02:00"),
        ("fr", "Demain à 8 h, réunion.", "", "", "2024-05-16T08:00:00+02:00"),
        ("en", "Meet tomorrow at 12 am.", "", "", "2024-05-16T00:00:00+02:00"),
        ("en", "In March 2020 pages were printed.", "", "", "2024-03"),
        ("en", "March 3 km.", "", "", ""),
        ("en", "0000-01-02 is odd.", "", "", ""),
        ("en", "In 9999-12-31 style.", "", "", ""),
        ("en", "The first of May is off.", "", "", "2025-05-01"),
        ("en", "one may think", "", "", ""),
        ("fr", "Le sept mars, je pars.", "", "", "2025-03-07"),
        ("fr", "un mars ou une Twix", "", "", ""),
        ("en", "Next March I leave, last March I came.", "", "", "2025-03"),
        ("en", "I leave next May.", "", "", "2025-05"),
        ("fr", "Lundi prochain à 9h30, réunion.", "", "", "2024-05-20T09:30:00+02:00"),
        ("fr", "Le lundi 3 juin, réunion.", "", "", "2024-06-03"),
        ("en", "On Monday, June 3, we meet.", "", "", "2024-06-03"),
        ("fr", "Il y a un an, j'ai déménagé.", "", "", "2023"),
        ("fr", "ça fait trois mois que je cours", "2024-02", "", ""),
        ("fr", "Je suis né un 29 février.", "", "", "2024-02-29"),
        ("en", "Halloween is fun. For Halloween we dress up.", "", "", "2024-10-31"),
        ("en", "Last Christmas I was ill.", "", "", "2023-12-25"),
        ("en", "New Year's Eve 2023 was great, on New Year's Eve 2023.", "", "", "2023-12-31"),
        ("fr", "T3 2024 : livraison.", "", "", "2024-07"),
        ("fr", "T5 2024 : rien.", "", "", ""),
        ("en", "by the end of June 2024", "", "", "2024-06"),
        ("fr", "d'ici deux semaines", "", "", "2024-05-29"),
        ("en", "The lease runs until tomorrow.", "", "2024-05-17", ""),
        ("fr", "Jusqu'à mercredi je suis à Rome.", "", "2024-05-23", ""),
        ("fr", "Avant le 3 juin, je finis.", "", "2024-06-03", ""),
        ("en", "Until 2 pm.", "", "", ""),
        ("fr", "l'an dernier nous étions à Rome", "", "", "2023"),
        ("fr", "l'été prochain", "", "", "2024-06"),
        ("en", "Around early the June 2024 launch, we met.", "", "", "2024-06"),
        ("en", "Ref 2024-06-abc.", "", "", "2024-06"),
        ("en", "A 12-week plan, 123/4.", "", "", ""),
        ("en", "The Bastille was stormed on 14 July 1789.", "", "", "1789-07-14"),
        ("fr", "Il est né en mars 1789 à Paris.", "", "", "1789-03"),
        ("en", "The lease ends on 31 December 9999.", "", "", ""),
        ("fr", "Le bail finit le 31 décembre 9999.", "", "", ""),
        ("en", "It began on 1 January 0001.", "", "", ""),
        ("fr", "Il habitait Rome en l'an 1.", "", "", ""),
        ("en", "I have lived there since year 9999.", "", "", ""),
        ("fr", "Le 3 juin 1500 personnes ont couru.", "", "", "2023-06-03"),
        ("fr", "Le 3 juin 2500 € sont partis.", "", "", "2023-06-03"),
    ],
)
def test_dates_tell_when_it_begins_ends_or_happens(
    language: str, sentence: str, valid_from: str, valid_to: str, event_at: str
) -> None:
    times = read_times(sentence, said_at=SAID_AT, zone=PARIS, language=language)
    assert (start(times.valid_from), end(times.valid_to), start(times.event_at)) == (
        valid_from,
        valid_to,
        event_at,
    )


@pytest.mark.parametrize(
    ("language", "sentence", "unsure"),
    [
        ("en", "The contract is dated 12/05/2024.", True),
        ("en", "The contract is dated 05/05/2024.", False),
        ("en", "The contract is dated 05/13/2024.", False),
        ("fr", "Le contrat date du 12/05/2024.", False),
        ("fr", "Le bail court de juin 2021 à mars 2020.", True),
        ("en", "It was valid since 2020 until 2019.", True),
    ],
)
def test_a_date_of_two_readings_or_a_reversed_period_is_unsure(
    language: str, sentence: str, unsure: bool
) -> None:
    assert read_times(sentence, said_at=SAID_AT, zone=PARIS, language=language).unsure is unsure


def test_tomorrow_is_the_day_after_it_was_said_in_the_owners_zone() -> None:
    friday_night = parse_said_at("2024-05-17T23:30:00+00:00", PARIS)  # Saturday in Paris
    times = read_times("Rendez-vous demain.", said_at=friday_night, zone=PARIS, language="fr")
    assert start(times.event_at) == "2024-05-19"


def test_a_date_stands_where_it_says() -> None:
    text = "Marie travaille chez Acme depuis mars 2021 et part demain."
    found = read_times(text, said_at=SAID_AT, zone=PARIS, language="fr").found
    assert [text[mention.start : mention.end] for mention in found] == [mention.surface for mention in found]
    assert date_spans(text) == tuple((mention.start, mention.end) for mention in found)


def test_precision_is_that_of_what_was_said() -> None:
    def precision(text: str) -> Precision | None:
        moment = read_times(text, said_at=SAID_AT, zone=PARIS, language="fr").event_at
        return moment.precision if moment else None

    assert precision("Elle est née en 1990.") is Precision.YEAR
    assert precision("Elle est née en mars 1990.") is Precision.MONTH
    assert precision("Elle est née le 3 mars 1990.") is Precision.DAY
    assert precision("Elle est née le 3 mars 1990 à 8h.") is Precision.INSTANT


@pytest.mark.parametrize("year", [1, 9990])
def test_relative_dates_far_away_stay_within_what_can_be_reckoned(year: int) -> None:
    said_at = parse_said_at(f"{year:04d}-06-15", ZoneInfo("UTC"))
    for text in ("900 years ago", "in 900 years", "999 weeks ago", "in 999 weeks", "last year", "next week"):
        assert isinstance(read_times(text, said_at=Instant(said_at), zone=PARIS, language="en").found, tuple)


@pytest.mark.parametrize("day", ["0001-01-01", "0003-03-01", "9998-12-31", "9999-12-31"])
def test_what_was_said_at_either_end_of_the_calendar_is_read(day: str) -> None:
    said_at = parse_said_at(day, PARIS)
    for text in (
        "yesterday",
        "tomorrow",
        "this year",
        "in March",
        "last summer",
        "at Christmas",
        "29 February",
    ):
        for frame in ("I moved {}.", "I will move {}.", "I live there since {}.", "I stay until {}."):
            times = read_times(frame.format(text), said_at=said_at, zone=PARIS, language="en")
            for moment in (times.valid_from, times.valid_to, times.event_at):
                assert moment is None or 1 < int(show_start(moment, PARIS)[:4]) < 9999
