"""Secrets are taken out of submitted text; ordinary numbers and words are not."""

from __future__ import annotations

import pytest

from policies.redaction import redact

# Written in two parts where a scanner of repositories would take them for real ones.
SECRETS = [
    ("My password is hunter2.", "My password is [redacted:password]."),
    (
        "My password for the office wifi is Tr0ub4dor&3, keep it.",
        "My password for the office wifi is [redacted:password], keep it.",
    ),
    (
        "Le mot de passe du compte de Paul est Azerty123!",
        "Le mot de passe du compte de Paul est [redacted:password]!",
    ),
    ("Mon mdp : soleil", "Mon mdp : [redacted:password]"),
    ("password=letmein", "password=[redacted:password]"),
    ('mot de passe: "mon chat est gris"', 'mot de passe: "[redacted:password]"'),
    ("Le mot de passe est « sésame ouvre-toi »", "Le mot de passe est « [redacted:password] »"),
    ("my wifi password is 'let me in please'", "my wifi password is '[redacted:password]'"),
    ("my password is correct-horse-battery-staple", "my password is [redacted:password]"),
    ("The password was SunShine all along", "The password was [redacted:password] all along"),
    ("Le mot de passe, c’est Ab12cd", "Le mot de passe, c’est [redacted:password]"),
    ("password hunter2", "password [redacted:password]"),
    ("My API key is a1b2c3d4e5", "My API key is [redacted:api_key]"),
    ("clé d’API : zzz-yyy-xxx", "clé d’API : [redacted:api_key]"),
    ("client_secret=abcdef", "client_secret=[redacted:api_key]"),
    ("The alarm code is 4821.", "The alarm code is [redacted:pin]."),
    ("Mon code PIN est 1234", "Mon code PIN est [redacted:pin]"),
    ("PIN: 9921", "PIN: [redacted:pin]"),
    ("PIN 99 21", "PIN [redacted:pin]"),
    ("Le digicode est 45A12", "Le digicode est [redacted:pin]"),
    ("Le code de la porte c'est 4512B.", "Le code de la porte c'est [redacted:pin]."),
    ("CVV 123", "CVV [redacted:pin]"),
    ("Le code du portail est le 4512", "Le code du portail est le [redacted:pin]"),
    ("My password's hunter2", "My password's [redacted:password]"),
    ("clé wifi : Bienvenue", "clé wifi : [redacted:password]"),
    (
        "Seed phrase: apple banana cherry door eagle fox grape house iris joker king lemon",
        "Seed phrase: [redacted:recovery_phrase]",
    ),
    ("AKIA" + "IOSFODNN7EXAMPLE", "[redacted:aws_key]"),
    ("token ghp" + "_abcdefghijklmnopqrstuvwxyz0123456789", "token [redacted:github_token]"),
    ("sk-ant" + "-api03-abcdefghijklmnopqrstu", "[redacted:model_key]"),
    (
        "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
        "[redacted:signed_token]",
    ),
    ("postgres://me:s3cret@db/x", "postgres://me:[redacted:password]@db/x"),
    ("Authorization: Bearer abcdefghij0123456789", "Authorization: Bearer [redacted:token]"),
    ("My card is 4242 4242 4242 4242, thanks", "My card is [redacted:card], thanks"),
    ("Ma carte 4242424242424242.", "Ma carte [redacted:card]."),
    ("5555-5555-5555-4444", "[redacted:card]"),
    ("2223003122003222", "[redacted:card]"),
    ("6011111111111117", "[redacted:card]"),
    ("Amex 3782 822463 10005", "Amex [redacted:card]"),
    ("Amex 378282246310005", "Amex [redacted:card]"),
    ("Diners 3622 720627 1667", "Diners [redacted:card]"),
    ("IBAN FR76 3000 6000 0112 3456 7890 189 is mine", "IBAN [redacted:iban] is mine"),
    ("FR76\u00a03000\u202f6000 0112 3456 7890 189", "[redacted:iban]"),
    ("GB82WEST12345698765432", "[redacted:iban]"),
    ("de89370400440532013000.", "[redacted:iban]."),
    (
        "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY----- after",
        "[redacted:private_key] after",
    ),
    ("-----BEGIN PRIVATE KEY-----\nabc", "[redacted:private_key]"),
]

INNOCENT = """My password is too weak.
Le mot de passe est oublié depuis mars.
The password is stored in Bitwarden.
The password is 12 characters long
The password is case-sensitive.
I changed my password on 2024-03-05.
password manager: Bitwarden
Gestionnaire de mots de passe : Bitwarden
Call me at +33 6 12 34 56 78 or 06 12 34 56 78.
My phone is 415-555-0132.
Order 1764496701000000 of 12 500 euros.
SIRET 380 129 866 46850 and SIRET 38012986646850
Commit 9d9ed21ab34c, uuid 123e4567-e89b-12d3-a456-426614174000
See mem:abcdefghijklmnopqrstuvwxyz
IMEI 356938035643809
EAN 4006381333931
Card number 4242 4242 4242 4243 has a wrong check digit
4242-4242 4242-4242 is no card
1234567890123452 begins like no card
Numéro de sécu 1 85 05 78 006 084 36
Bearer authentication is what the API uses
Bearer abcdefghijklmnopqrstuvwxyz is only letters
Paul pinned 1234 photos
I need a pin for my 2024 calendar
The pin code feature ships in 2024
The API key is rotated every 30 days.
La clé API est renouvelée tous les 30 jours.
http://example.org:8080/path
The FR76 bus line, FR12 3456
FR76 3000 6000 0112 3456 7890 188 has a wrong check digit
ZZ76 3000 6000 0112 3456 7890 189 is of no country
GB82WEST123456987654321 is too long
GB82 WEST 1234 56 is too short
Il habite 12 rue de la Paix, 75002 Paris
Le code secret est dans le coffre.
born 1985-04-12; ISBN 978-2-07-036822-8""".splitlines()


@pytest.mark.parametrize(("text", "redacted"), SECRETS)
def test_a_secret_is_replaced_by_what_it_was(text: str, redacted: str) -> None:
    assert redact(text).text == redacted
    assert len(redact(text).kinds) == 1


@pytest.mark.parametrize("text", INNOCENT)
def test_ordinary_text_is_left_alone(text: str) -> None:
    found = redact(text)
    assert found.text == text
    assert found.kinds == ()


def test_several_secrets_are_told_in_their_order() -> None:
    found = redact("PIN: 9921, card 4242 4242 4242 4242, mdp : x1y2z3")
    assert found.text == "PIN: [redacted:pin], card [redacted:card], mdp : [redacted:password]"
    assert found.kinds == ("pin", "card", "password")


def test_of_overlapping_secrets_the_first_and_longest_is_taken() -> None:
    assert redact("password: ghp" + "_abcdefghijklmnopqrstuvwxyz0123456789").kinds == ("github_token",)


@pytest.mark.parametrize(
    "text",
    [
        "password " * 900,
        "password a " * 700,
        "eyJ" * 2600,
        "4242 " * 1600,
        "a://b:" * 1300,
        "-----BEGIN PRIVATE KEY-----" * 290,
        "FR76 " * 1600,
        "seed phrase: " + "abc, " * 1600,
        "A1" * 4000,
    ],
)
@pytest.mark.timeout(5)
def test_no_text_takes_long(text: str) -> None:
    redact(text)
