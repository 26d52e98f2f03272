"""What a sentence calls a secret is covered in what is exported; what it says of one stays."""

import time

import pytest

from holdpoint.core.redaction.credential_names import run_in
from holdpoint.core.redaction.credentials import credentials_in
from holdpoint.core.redaction.prose import spoken_secrets

COVERED = [
    "The pw is ⟦swordfish⟧.",
    "pwd: ⟦swordfish⟧",
    "Password = ⟦swordfish⟧, user = ann",
    "I use the passphrase ⟦correct horse battery staple⟧",
    f"The seed phrase is ⟦{' '.join(['zebra'] * 24)}⟧ now",
    "I unlock it with passphrase: ⟦correct horse battery staple⟧ and go on",
    "The passphrase is ⟦correct horse battery staple⟧, I think.",
    "The password for the admin account happens to be ⟦swordfish⟧",
    "The password that we use on the staging database was ⟦Tuesday⟧ before.",
    "⟦swordfish⟧ is the password of the admin",
    "Somebody told me that ⟦swordfish⟧ is the root password.",
    "⟦correct horse battery staple⟧ is my passphrase.",
    "The one-time code I got is ⟦993817⟧",
    "The one time password is ⟦993817⟧.",
    "the verification code from the text message is ⟦G-993817⟧, so I go on",
    "the pin for the card is ⟦4821⟧.",
    "the token I was given is ⟦zq9-77x⟧",
    "the recovery key is “⟦alpha bravo⟧”".replace("“⟦", "⟦“").replace("⟧”", "”⟧"),
    "the password is ⟦“two words”⟧",
    "I pay with ⟦4111 1111 1111 1111⟧ now",
    "I pay with ⟦5500-0000-0000-0004⟧.",
    "card ⟦340000000000009⟧, valid until May",
    "I log in with the pw ⟦Kodiak99bear⟧",
    "pw ⟦Kodiak99deer⟧, then I go on",
    "I use ⟦Moonlight67river⟧ as password",
    "with ⟦Moonlight67river⟧ as the root password.",
    "the API key for it is ⟦abcd-efgh-ijkl⟧",
    "otp ⟦998877⟧",
    "I enter pin ⟦4821⟧ now",
    "login bob / ⟦Pa55phrase!⟧",
    "The credentials are ⟦ann/Pa55phrase⟧.",
    "Das Passwort ist ⟦Rumpelstilz77⟧",
    "La contraseña es ⟦Rumpelstilz⟧",
    "le mot de passe est ⟦Rumpelstilz⟧",
]
LEFT = [
    "",
    "the password is wrong",
    "The password is not right, and the pw is too short.",
    "the token is expired, the passphrase is required, the password was rotated",
    "The password for the admin account is unknown.",
    "The password of the root user was changed by Ann.",
    "the password is in the vault",
    "The password: please rotate it.",
    "I use the passphrase to unlock the vault",
    "I enter the passphrase again",
    "with the passphrase for the backup",
    "What matters is the password.",
    "The first step is the password reset for all users",
    "It is the password of the admin that expired.",
    "The secret to a quick build is caching.",
    "The token is sent to the client, whose pin is blocked.",
    "order 4111 1111 1111 1112 of 2026",
    "transfer 1764000000000 to account 12345678901234567",
    "SELECT 4111111111111111.5",
    "passing the word is a pastime",
    "I use the second one as password field",
    "the API key for it is read-only",
    "the token 3 of 12 was spent",
    "I log in / sign up",
    "order 4532015112830366123456",
]


def marked(text: str) -> str:
    for start, end in reversed(spoken_secrets(text)):
        text = f"{text[:start]}⟦{text[start:end]}⟧{text[end:]}"
    return text


@pytest.mark.parametrize("text", COVERED)
def test_what_a_sentence_calls_a_secret_is_covered(text: str) -> None:
    assert marked(text.replace("⟦", "").replace("⟧", "")) == text


@pytest.mark.parametrize("text", LEFT)
def test_what_is_said_of_a_secret_stays(text: str) -> None:
    assert marked(text) == text


@pytest.mark.parametrize("text", [text for text in LEFT if text])
def test_so_it_does_on_a_card(text: str) -> None:
    assert credentials_in(text, run_in(text)) == ()


@pytest.mark.parametrize(
    "piece",
    [
        "password for ", "pw is ", "password ", "a is the ", "use the passphrase ", "and a ", "4 ",
        "4111 ", "password of a a a a a a ", "b\n", "the password is a ", "passphrase b c d e ",
        "aaaa bbb ", "token is ", "'", "pw='", 'pw is "a', "4-", "abcd is the my ", "pw is #",
    ],
)  # fmt: skip
def test_the_longest_text_is_read_at_once(piece: str) -> None:
    text = (piece * 65_536)[:65_536]
    began = time.process_time()

    spoken_secrets(text)

    assert time.process_time() - began < 2
