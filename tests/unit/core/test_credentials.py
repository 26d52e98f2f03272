"""What is recognisably a credential is covered, nothing else is, and no danger hides behind it."""

import string
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdpoint.core.redaction import display
from holdpoint.core.redaction.credential_names import run_in
from holdpoint.core.redaction.credential_values import Span
from holdpoint.core.redaction.credentials import credentials_in
from holdpoint.core.redaction.display import MASK, cover_lines

SIGNS = set(" \t\n'\"`;|&$()<>\\")
LETTERS = string.ascii_letters + string.digits
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g"
LINE = "MIIEpAIBAAKCAQEA7bq1Zc3RmXo5vWn0sYtE2dKp8hLxQfUjGa6iOyTNrBuVwMCe"

COVERED = {
    "an assignment": "password=⟦hunter2⟧",
    "an environment's": "export AWS_SECRET_ACCESS_KEY=⟦wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY⟧",
    "a name without borders": "PGPASSWORD=⟦hunter2⟧ psql -h db shop",
    "a hump": "const apiKey = \"⟦abcdefgh⟧\"; clientSecret: '⟦zxcv1234⟧'",
    "JSON": '{"password": "⟦hunter2⟧", "user": "ann", "max_tokens": 5000}',
    "JSON in JSON": r"{\"api_key\": \"⟦abc123def⟧\"}",
    "SQL": "UPDATE users SET password = '⟦hunter2⟧' WHERE id = 7",
    "YAML": "password: ⟦hunter2⟧",
    "a URL's query": "https://x.example/?access_token=⟦abcd1234⟧&page=1",
    "a URL's user": "git clone https://bob:⟦s3cr3t⟧@github.com/x/y",
    "a URL's user with signs": "psql postgres://u:⟦p@ss!word⟧@db:5432/shop?sslmode=on",
    "a flag": "deploy --token ⟦abcdef⟧ --yes",
    "a flag with a sign": "qpdf --password=⟦hunter2⟧ --decrypt a.pdf",
    "a mixed secret": "run --secret ⟦Ab3dEf9h⟧",
    "a bearer": "curl -H 'Authorization: Bearer ⟦abcdefgh⟧' https://x.example",
    "a basic": 'curl -H "authorization: Basic ⟦dXNlcjpwYXNz⟧"',
    "a bare header": "Authorization: ⟦abc123def⟧",
    "a bearer alone": "I use the bearer ⟦abcdef12345⟧.",
    "a cookie": "Cookie: ⟦sid=abcd1234⟧; theme=dark",
    "mysql": "mysql -uroot -p⟦hunter2⟧ shop -e 'DROP TABLE x; SELECT 1'",
    "mysql in quotes": "mysqldump -p'⟦hunter2⟧' shop; tar -pxzvf a.tgz",
    "mariadb": "mariadb -p⟦hunter2⟧",
    "sshpass": "sshpass -p ⟦hunter2⟧ ssh root@db rm -r /srv",
    "redis": "redis-cli -a ⟦hunter2⟧ FLUSHALL",
    "curl": "curl -u ann:⟦hunter2⟧ -X DELETE https://x.example/all",
    "a login": "docker login -u bob -p ⟦hunter2⟧ reg.example",
    "a directory": "ldapsearch -x -w ⟦hunter2⟧",
    "a user in SQL": "ALTER USER a PASSWORD '⟦hunter2⟧'; CREATE USER a IDENTIFIED BY '⟦b0by⟧'",
    "a sentence": "The password is ⟦hunter2⟧.",
    "a short word for it": "The pw is ⟦hunter2⟧, the one-time code is ⟦993817⟧",
    "a setting": "aws configure set aws_secret_access_key ⟦wJalrXUtnFEMI7MDENG⟧ --profile x",
    "a shell's quote": "run --password=$'⟦hunter2⟧'",
    "a signature's scheme": "Authorization: AWS4-HMAC-SHA256 ⟦Credential=AKIAIOSFODNN7EXAMPLE/1⟧",
    "wget": "wget --user ann:⟦hunter2⟧ https://x.example",
    "AWS": "⟦AKIAIOSFODNN7EXAMPLE⟧ and ⟦ASIAIOSFODNN7EXAMPLE⟧",
    "GitHub": f"⟦ghp_{'a1' * 18}⟧ ⟦gho_{'a1' * 18}⟧ ⟦github_pat_{'a1' * 20}⟧",
    "GitLab": "⟦glpat-abcDEF1234567890abcd⟧",
    "Slack": "⟦xoxb-1234567890-abcdefghij⟧ ⟦xoxp-1234567890-abc⟧",
    "OpenAI": "⟦sk-proj-abcdefghijklmnopqrstuvwxyz123456⟧ ⟦sk-abcdefghijklmnopqrstuvwx⟧",
    "Anthropic": "⟦sk-ant-api03-abcdefghijklmnop_qrs-tuv⟧",
    "Stripe": "⟦sk_live_abcdefghij1234567890⟧",
    "Google": f"⟦AIza{'Sy1-_' * 7}⟧",
    "a NATS seed": f"⟦SU{'A2' * 28}⟧",
    "a JSON web token": f"see ⟦{JWT}⟧ there",
    "a private key": f"-----BEGIN EC PRIVATE KEY-----\n⟦{LINE}⟧\n⟦Ab12⟧\n-----END EC PRIVATE",
    "a private key in JSON": rf"-----BEGIN PRIVATE KEY-----\n⟦{LINE}⟧\n-----END PRIVATE KEY-----\n",
    "a private key that was cut": f"-----BEGIN OPENSSH PRIVATE KEY-----\n⟦{LINE}⟧\n⟦{LINE}⟧",
    "what is not run": 'TOKEN=⟦abcd1234⟧; curl -H "Authorization: Bearer $TOKEN" x.example',
    "what a wrapper only hands on": 'TOKEN=⟦abcd1234⟧; sudo -E deploy --token "$TOKEN" --yes',
    "two that touch": "token=⟦abcd1234⟧ secret=⟦efgh5678⟧",
    "one in another": "token=⟦ghp_abcdefghijklmnopqrstuvwxyz012345⟧",
    "the end of a sentence": "It is password=⟦hunter2⟧.",
    "told beside its name": "I log in with the pw ⟦Kodiak99bear⟧ and go on",
    "told behind a with": "connect with password ⟦hunter2hunter⟧ first",
    "printed for sudo": "echo ⟦Bbb778899⟧ | sudo -S rm -r /srv",
    "printed in quotes for sudo": "printf '⟦Bbb778899⟧' | sudo -kS id",
    "openssl": "openssl enc -aes256 -k ⟦Ooo101010⟧ -in a -out b",
    "zip": "zip -r -P ⟦hunter2⟧ a.zip /srv; unzip -P '⟦b0bby⟧' a.zip",
    "7z": "7z a -p⟦hunter2⟧ a.7z /srv",
    "a key with hyphens": "⟦sk-live-abcdefghij1234567890⟧",
    "a payment card": "pay with ⟦4111 1111 1111 ⟧1111, then ⟦550000000000⟧0004",
    "a card of another length": "or with ⟦3400-000000-0⟧0009.",
    "JSON that curl sends": 'curl -d \'{"password":"⟦Jjj5566ee⟧"}\' https://x.example',
}
LEFT = [
    "",
    "ls -la /srv",
    "echo hello | sudo tee /etc/motd",
    "echo S3cret99 | sudo tee -a /etc/hosts",
    "zip -r a.zip /srv; 7z x a.7z -p",
    "openssl rand -hex 16; openssl enc -d -in a",
    "reset the password for user12345",
    "Reset password user12345 now",
    "order 4111111111111112, invoice 9876543210987654, 1764000000000 and 4532015112830366123456",
    "mysql -p shop",
    "mysql -px shop",
    "mysql -P3306 --password shop",
    "psql --password mydb",
    "createuser --no-password ann",
    "docker run -u 1000:1000 --secret id=db,src=a -p 80:80 img",
    "gcloud secrets delete --secret=prod-db",
    "gcloud secrets delete --secret prod-db2",
    "docker login --password-stdin --token --yes",
    "the password: please rotate it; the token is expired",
    "Authorization: required. Bearer tokens are fine",
    "UPDATE users SET password = :password, secret = ? WHERE token = t1.token",
    "DROP TABLE access_tokens; DELETE FROM password_resets",
    "password=getpass() token=os.environ['X'] token=null secret=%s",
    "PASSWORD=$(cat /run/secrets/db) ./run; PWD=/srv/x ls; PASSWORD_FILE=/run/x",
    "PASSWORD=$PASSWORD ./run",
    "monkey=banana primary_key=identity key=value bypass=everything compass=north",
    "sk-learn-classification-model eyJ.eyJ.x http://host:8080/a@b xoxo-hugs",
    "password=a; token=abc",
    "The pw is wrong, the pwd is unknown, the one-time code is expired, the otp is required",
    "The password is wrong; set token rotation on; set -e; docker run -p 8080:80 login-app",
    "-----BEGIN PUBLIC KEY-----\n" + LINE + "\n-----END PUBLIC KEY-----",
]
DANGERS = {
    "a name that is run": "TOKEN=truncate; $TOKEN -s 0 /srv/f",
    "a name that is run by another": 'SECRET=reboot9; sudo -n "${SECRET}" now',
    "a name that a wrapper runs": "SECRET=reboot9; timeout 5 sudo -u bob $SECRET now",
    "a name that is decoded": "TOKEN=cm0gLXJmIC8=; echo $TOKEN | base64 -d | sh",
    "a name that a shell reads": "TOKEN=reboot9; echo $TOKEN | sudo bash",
    "a name that a shell is given": "TOKEN=reboot9; bash <<< $TOKEN",
    "a name that is evaluated": "TOKEN=reboot9; eval $TOKEN",
    "words in a key": f"-----BEGIN PRIVATE KEY-----\nrm\n/Srv1\nreboot\n{LINE}\n-----END PRIVATE",
    "a path": "password=/etc/passwd cat secret=../prod token=~/x",
}
BEYOND = [
    ";reboot",
    "|sh",
    "&reboot",
    "$(reboot)",
    "`reboot`",
    " reboot",
    "\nreboot",
    ">/etc/x",
    "'x",
]


def spans_in(text: str) -> tuple[Span, ...]:
    return credentials_in(text, run_in(text))


def cover_credentials(text: str) -> str:
    return display.cover_credentials(text, run_in(text))


def shown(text: str) -> str:
    return text.replace("⟦", "").replace("⟧", "")


def marked(text: str) -> str:
    for start, end in reversed(spans_in(text)):
        text = f"{text[:start]}⟦{text[start:end]}⟧{text[end:]}"
    return text


@pytest.mark.parametrize("text", COVERED.values(), ids=COVERED)
def test_a_credential_is_covered_and_nothing_else(text: str) -> None:
    assert marked(shown(text)) == text


@pytest.mark.parametrize("text", LEFT)
def test_what_only_looks_like_one_is_not(text: str) -> None:
    assert marked(text) == text


@pytest.mark.parametrize("text", DANGERS.values(), ids=DANGERS)
def test_what_a_text_runs_stays_in_sight(text: str) -> None:
    assert cover_credentials(text).replace(MASK, LINE) == text


@pytest.mark.parametrize("beyond", BEYOND)
def test_a_credential_ends_at_the_first_sign(beyond: str) -> None:
    assert cover_credentials(f"password=hunter2{beyond}") == f"password={MASK}{beyond}"


NAMES = st.sampled_from(
    ["password=", "DB_PASSWORD=", "--token ", "api_key: ", "Authorization: Bearer "]
)
VALUES = st.text(LETTERS + "-_+/=!#*", min_size=8, max_size=40).map(lambda it: f"x9{it}Z")
WORDS = st.lists(
    st.sampled_from(["rm", "-r", "/srv/x", ";", "&&", "echo", "'a b'", "| sh", "users"])
)


@given(NAMES, VALUES, WORDS, WORDS)
def test_a_card_s_text_never_shows_it_and_keeps_every_other_word(
    name: str, value: str, before: list[str], after: list[str]
) -> None:
    text = " ".join([*before, f"{name}{value}", *after])

    covered = cover_credentials(text)

    assert value not in covered
    assert covered == " ".join([*before, f"{name}{MASK}", *after])


@given(st.text(st.sampled_from("pasword=token: '\"$;|(sk-ghp_eyJ.A1b2•\n\\@/")) | st.text())
def test_of_any_text_only_whole_pieces_without_blanks_or_signs_are_covered(text: str) -> None:
    spans = spans_in(text)

    for start, end in spans:
        assert end > start
        assert not SIGNS & set(text[start:end])
    assert all(first[1] < then[0] for first, then in pairwise(spans))
    parts = [
        text[a:b]
        for a, b in zip([0, *(e for _, e in spans)], [*(s for s, _ in spans), None], strict=True)
    ]
    assert cover_credentials(text) == MASK.join(parts)


@pytest.mark.parametrize("text", COVERED.values(), ids=COVERED)
def test_covering_twice_is_covering_once(text: str) -> None:
    once = cover_credentials(shown(text))

    assert cover_credentials(once) == once


def test_what_stands_alone_is_looked_for_unless_it_reads_as_a_word() -> None:
    texts = ["password=hunter2", "token='production'", "ls"]

    assert display.credentials_of(texts, frozenset()) == ("hunter2",)


@pytest.mark.parametrize(
    "piece",
    [
        *("password=", "a=a=", "://a:", "curl '", "curl \"'", "--password ", "eyJ", "eyJaaaaaa."),
        *("-----BEGIN PRIVATE KEY-----", "sk-", "mysql -p", "base64 $a;token=", "authorization:"),
        *("$token ", "sudo -", "bearer ", "\\n", "token", "-", "a.", "PWD=/token=", "secret: "),
        *("env x $token ", "set ", "set token ", "password is ", "login -p ", "password '"),
        "pw is ",
    ],
)
def test_the_longest_text_is_read_at_once(piece: str) -> None:
    text = ("token $x -----BEGIN PRIVATE KEY-----" + piece * 65_536)[:65_536]
    credentials_in.cache_clear()
    run_in.cache_clear()
    began = time.process_time()

    spans_in(text)

    assert time.process_time() - began < 2


def test_the_lines_of_a_script_are_covered_as_one_text() -> None:
    lines = ("x.sh:", "-----BEGIN EC PRIVATE KEY-----", LINE, "-----END", "PASSWORD=hunter2", "")

    assert cover_lines(lines, frozenset()) == (*lines[:2], MASK, lines[3], f"PASSWORD={MASK}", "")
    assert cover_lines((), frozenset()) == ()
