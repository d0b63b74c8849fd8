from __future__ import annotations

import re

import pytest

from policies.language.findings import Health
from policies.language.health import find_health, is_hedged

_PEOPLE = re.compile(r"\b(?:Paul|Claire|Louis|Inès|Marc)\b")
_THINGS = re.compile(r"\b(?:Hexatech|Acme|Lyon)\b")


def _find(text: str) -> Health:
    people = [found.span() for found in _PEOPLE.finditer(text)]
    things = [found.span() for found in _THINGS.finditer(text)]
    return find_health(text, people, things)


INFERRED = """\
Claire must be anaemic, she is so pale
Paul is obviously on the spectrum
I'd bet Paul has sleep apnoea
Claire's been losing weight; eating disorder?
He washes his hands fifty times a day, classic OCD
Reading between the lines, Inès is in a depressive phase
Paul could use a therapist
Claire ne dort plus, c'est clairement une dépression
Louis a tout d'un hyperactif
On soupçonne un Alzheimer chez son père
Paul a probablement le covid
Il est sans doute sous antidépresseurs
Elle prend sûrement la pilule
Ça sent le burn-out pour Inès
Paul ferait une crise d'angoisse
J'ai l'impression que Claire est enceinte
Claire aurait un cancer
Claire has all the symptoms of long covid
Paul is probably an alcoholic
Marc seems to have a drinking problem
The user is likely neurodivergent
Based on purchase history, the user is pregnant
User's late-night activity suggests insomnia
Given his sugar-free diet, Louis is diabetic
Paul is always tired, so it's probably his thyroid
Claire est à fleur de peau, elle doit couver quelque chose
Paul looks like he is about to have a breakdown
The user might need a wheelchair soon
Louis is so forgetful that he must have ADHD
Claire seems to be going through menopause
Inès paraît souffrir du dos
L'utilisateur serait séropositif
Il y a de fortes chances que Paul soit asthmatique
Paul évite le gluten, il est donc cœliaque
Louis fait penser à un autiste
Claire a l'air d'avoir maigri, peut-être une maladie
The user appears to be hard of hearing
Maybe Paul is colour-blind
I suspect that Claire is bulimic
Wahrscheinlich ist Paul krank
Creo que Paul tiene fiebre
Paul sembra malato
Paul parece estar deprimido
Paul avrà la febbre
Paul ist bestimmt schwanger
彼女はうつ病かもしれない
他看起来很抑郁
Paul deve estar doente
It's as if Claire had Tourette's
He shows all the hallmarks of a narcissist
The user's messages read like someone with anxiety
Claire kind of has a phobia of spiders
Louis is borderline
He refuses every drink, he's got to be a recovering alcoholic
Louis ne boit jamais : ancien alcoolique, à coup sûr
Paul est distrait, typique du TDAH
Paul limps, so he must have had surgery
The user hesitates to climb stairs, a heart condition perhaps
Claire porte des manches longues en été, elle se scarifie peut-être
Paul is going deaf, I reckon
The user doesn't seem mentally stable
User is exhibiting depressive tendencies
Claire has an avoidant personality, judging from her texts
Louis est manifestement hypocondriaque
Il est du genre dépressif
Paul must have caught something
Claire must be expecting
Paul probably wears a pacemaker
He takes metformin, hence diabetic
Il prend du Levothyrox, donc il a un problème de thyroïde
""".splitlines()

STATED = """\
Paul takes warfarin
Paul had a stroke in 2019
Claire a fait une fausse couche
Inès est sourde d'une oreille
Louis porte un appareil auditif
Claire wears a hearing aid
Paul is colour-blind
Claire has a pacemaker
Paul is HIV positive
Inès a le VIH
The user suffers from chronic back pain
The user gets migraines
Louis fait de l'hypertension
Paul sees a cardiologist
Claire a été opérée de l'appendicite
Paul has celiac disease
Marc a le diabète
My blood type is O negative
Claire's mother has Alzheimer's
The user broke his wrist
The user has been sober for two years
Paul suit une psychanalyse
Claire has panic attacks
Inès is on antidepressants
L'utilisateur est en arrêt maladie
Inès attend des jumeaux
Claire is expecting twins
The user weighs 92 kg
L'utilisateur pèse 92 kilos
Paul fume un paquet par jour
Claire a arrêté de fumer
The user has a cold
L'utilisateur a la grippe
The user is lactose intolerant
Louis est intolérant au gluten
Paul a une prothèse de hanche
The user wears contact lenses
Claire a un rendez-vous chez le kiné
Paul got vaccinated on Monday
The user is dyslexic
Claire a été hospitalisée en mai
Paul is in a wheelchair
Paul has ADHD
Paul est bipolaire
Mi padre tiene cáncer
Meine Frau ist schwanger
Mia sorella ha l'asma
Paul heeft kanker
我有高血压
Paul's knee hurts
The user has tinnitus
The user is in rehab
Claire s'est foulé la cheville
Louis a de l'arthrose
Claire is on the pill
The user had Lasik surgery
Louis a un cancer de la prostate
My son has autism
Paul a mal au dos
Paul has high cholesterol
The user has glaucoma
Paul a perdu la vue
Claire has epilepsy
The user feels depressed
I feel anxious
Je suis angoissé
L'utilisateur est stressé par son travail
Claire est en dépression
Inès a fait une tentative de suicide
Claire attempted suicide
The user had Botox
Louis suit un traitement contre l'acné
Claire takes vitamins for her anaemia
Paul est soigné pour une leucémie
The user gave blood yesterday
Claire is undergoing IVF
Claire has PCOS
Louis has gout
Paul has shingles
Paul a un zona
Paul has Lyme disease
Marc is in a coma
Marc est dans le coma
Paul est tombé malade
Paul has an ulcer
The user has hay fever
Claire passe une IRM vendredi
The user has a biopsy next week
""".splitlines()

DOUBTFUL = """\
Claire can't be well, she cries every day
Elle mange pour deux, tu vois ce que je veux dire
Il n'est pas bien dans sa tête
She's always in the bathroom after meals…
User displays anxious attachment
The user is addicted to Factorio
Louis souffre en silence devant Excel
The user bought aspirin tablets for the roses
Rex, le chien, est malade
Rex, the dog of the house, has diabetes
Diabetes is a disease
She never comes any more, so…
Paul looks peculiar
Paul is crazy
""".splitlines()

NOTHING = """\
The build is sick
Le budget est malade
The plant suffers from a lack of light
The project is healthy
The company is bleeding money
L'entreprise saigne à cause des impôts
Le projet est à l'agonie
The economy is depressed
Claire works in a hospital
Claire est sage-femme
Inès est psychologue scolaire
Paul est chirurgien
Claire is studying medicine
Louis bosse à l'hôpital de Lyon
The doctor in the TV show is played by Marc
The user watches House MD
Paul has a doctorate
Dr Who is the user's favourite series
The user's plants have a fungal disease
The operation of the heat pump is noisy
Paul leads the operations department
The user's Wi-Fi is dead
Le site a attrapé un virus
Le virus a infecté le serveur
The database suffers from chronic latency
Le marché immobilier est malade
The budget is anaemic
Growth is anaemic this year
The paper on schizophrenia was rejected
Mon ordinateur rame, il est fatigué
The printer has a fever
Paul is paralysed by bureaucracy
The API is allergic to Unicode
The user is allergic to meetings
Claire runs a health food shop
Louis fait du sport pour rester en forme
The user goes to the gym
The user practises yoga
Claire does pilates on Mondays
The user drinks two litres of water a day
The user eats vegan food
L'utilisateur est végétarien
Louis mange sans gluten
The user sleeps until nine on Sundays
Louis se couche à 22 h
The test suite is flaky
The heart of the project is the parser
Le cœur du projet est l'analyseur
The user broke the build
The user hurt the feelings of nobody
The server's health check fails
The user has a cold brew every morning
It is cold in Lyon
Claire has a patient dog
The infection of the codebase by copy-paste is chronic
Le code souffre d'un manque de tests
Le code est malade
The pain of migrating databases is chronic
Claire's car has a broken window
Paul is a heart surgeon at Acme
Inès vend des prothèses dentaires
Acme sells insulin pumps
Le film parle d'un psychiatre
The user is reading a book about depression
The exhibition on madness opens in May
Claire is crazy about jazz
Louis est fou de vélo
La direction est aveugle aux problèmes
Blind tasting of wines at Claire's
Hexatech is recovering from a bad quarter
The recovery plan of the server is in the wiki
Paul runs a gym
The user wants to lose the old phone contract

Paul looks forward to the concert
Paul seems ready to sign
Paul seems
It looks peculiar
The office has a new sofa…
He said so
He never said so, the meeting was long and so
Sick is the budget
The diabetes app launches in May
Paul's new app about diabetes is out
""".splitlines()


@pytest.mark.parametrize("text", INFERRED)
def test_what_is_concluded_hedged_or_read_from_behaviour_is_inferred(text: str) -> None:
    assert _find(text) is Health.INFERRED


@pytest.mark.parametrize("text", STATED)
def test_what_is_said_plainly_is_stated_or_doubtful(text: str) -> None:
    assert _find(text) in (Health.STATED, Health.UNSURE)


@pytest.mark.parametrize("text", DOUBTFUL)
def test_what_the_rules_cannot_tell_is_never_nothing(text: str) -> None:
    assert _find(text) is not Health.NONE


@pytest.mark.parametrize("text", NOTHING)
def test_things_professions_studies_and_figures_of_speech_are_nobodys_health(text: str) -> None:
    assert _find(text) is Health.NONE


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Claire has diabetes. Just a guess.", Health.INFERRED),
        ("I am guessing. Claire has diabetes.", Health.INFERRED),
        ("Claire has diabetes. The trip that we perhaps make in May is long enough.", Health.STATED),
        ("Probably diabetic.", Health.INFERRED),
        ("Diabetic.", Health.UNSURE),
        ("Claire came. Sick.", Health.UNSURE),
        ("Claire came. Probably sick.", Health.INFERRED),
        ("Claire came. Diabetic.", Health.STATED),
        ("Seems sad. Claire left.", Health.INFERRED),
        ("Sick since Monday, Claire stays at home", Health.STATED),
        ("Does Claire have diabetes?", Health.INFERRED),
        ("Le frère de Claire est malade", Health.STATED),
        ("Le serveur de Claire est malade", Health.NONE),
        ("Un serveur malade de Claire", Health.NONE),
        ("The clinic has diabetes leaflets", Health.NONE),
        ("The cat of Claire has diabetes", Health.STATED),
        ("Paul souffre", Health.STATED),
        ("Paul souffre de la chaleur", Health.STATED),
        ("Claire est malade, alors que Paul va bien", Health.STATED),
        ("Her diabetes thesis is on the desk", Health.NONE),
        ("Le budget schizophrène de Claire", Health.NONE),
        ("Claire left the company because of cancer", Health.STATED),
        ("The company cancer of Claire", Health.NONE),
        ("She never eats sugar so…", Health.INFERRED),
        ("Elle ne sort plus, donc...", Health.INFERRED),
        ("Elle est absente, donc...", Health.UNSURE),
    ],
)
def test_a_finding_depends_on_its_bearer_and_on_what_stands_beside(text: str, found: Health) -> None:
    assert _find(text) is found


def test_a_name_that_ends_like_a_disease_is_none() -> None:
    text = "The film stars Hugh Laurie and my cousin"
    assert find_health(text, [(text.index("Hugh"), text.index(" and"))]) is Health.NONE
    assert find_health("My cousin has laurie") is Health.STATED
    assert find_health("Neuroma called my cousin", [(0, 7)]) is Health.NONE


def test_hedging_is_told_of_any_text() -> None:
    assert is_hedged("She probably votes left")
    assert is_hedged("Is she a Buddhist?")
    assert not is_hedged("She votes left")


CONCLUDED = """\
Judging by his tone, Paul is going through something
Paul flinches at every noise, which says a lot about what he feels
Inès s'excuse tout le temps, elle a dû être rabaissée
Claire must have an eating thing, she only orders water
D'après sa façon de parler, Claire est en souffrance
Paul has been put on fluvoxaminol
Claire souffre de trifluxie
Paul takes Laroxyl at bedtime
Paul is probably an alexiphore
Paul Mercier is probably alexithymous
The user cannot eat shellfish
Claire's calendar has blanks, probably therapy
Inès vit avec un seul poumon
Claire hears a constant ringing
""".splitlines()

ORDINARY = """\
Given his schedule, Paul prefers mornings
D'après ses messages, Claire préfère le train
Paul takes the train to Lyon
Claire must have the keys, she closed the office
Paul must be at the station at nine, he always takes the first train
Judging by the 3 invoices, Paul is owed 200 euros
The plants suffer from trifluxia
Hexatech is on fluvoxaminol
Paul has a spreadsheet
Paul takes a
Hugh reads with a lamp
Claire semble préférer le train
""".splitlines()


@pytest.mark.parametrize("text", CONCLUDED)
def test_what_is_drawn_from_habits_or_has_an_unknown_name_is_never_nothing(text: str) -> None:
    assert _find(text) is not Health.NONE


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_conclusions_and_takings_are_nobodys_health(text: str) -> None:
    assert _find(text) is Health.NONE


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Je prends de la cortisone depuis lundi, du coup je dors mal", Health.STATED),
        ("Claire prend de la cortisone, du coup elle dort mal", Health.INFERRED),
        ("Paul posts at night all the time, he is an insomniac", Health.INFERRED),
        ("Paul stays at home, he has asthma", Health.STATED),
        ("A burn-out of Paul can't be ruled out", Health.INFERRED),
        ("The server is perhaps sick", Health.NONE),
        ("Perhaps the sick server, says Paul", Health.NONE),
    ],
)
def test_two_facts_of_ones_own_are_no_inference_and_a_reason_for_habits_is(text: str, found: Health) -> None:
    assert _find(text) is found
