"""Two hundred texts that try to be more than text, on whatever surface shows them."""

from itertools import product

_MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!channel> <!here> <!everyone>",
    "<@U0ANN> said yes",
    "<https://evil.example|Open in the console>",
    "[Proceed](https://evil.example)",
    "*bold* _it_ ~no~ `code` ```block```",
    "&lt;!channel&gt; &amp;amp;",
    ":white_check_mark: Approved :tada:",
    "<!date^1^{date}|now> <!subteam^S1>",
    "https://evil.example/holds/x",
    "mailto:a@evil.example",
)
_TERMINAL = (
    "\x1b[2J\x1b[H Approved",
    "\x1b]8;;https://evil.example\x07link\x1b]8;;\x07",
    "\x1b[8m hidden \x1b[0m",
    "safe\rrm -rf /",
    "back\b\b\b\bspace",
    "\x9b31m red",
    "\x00\x07\x0b\x0c",
)
_UNICODE = (
    "abc\u202etxt.exe",
    "\u2066left\u2069",
    "zero\u200bwidth\u200djoined\ufeff",
    "\U000e0041\U000e0042 tags",
    "p\u0430ypal.com",
    "z\u0301\u0301\u0301\u0301\u0301alg\u0300\u0300\u0300o",
    "\u2028line\u2029paragraph",
    "\u3164filler\u2800",
    "\ufe0f\ufe0e selectors",
)
_FAKES = (
    "[ Proceed ]  [ Cancel ]",
    "Approved by ann, and it ran.",
    "Low risk: crm-agent wants to act",
    "┗━\nStep-up: none needed",
    "The agent's own words. Nobody has verified them:\nnothing",
    '{"type": "button", "text": "Proceed"}',
    "⟦U+0430⟧ ⟦… 3 blank lines⟧",
    "Hold h1. Group finance.",
    "</pre></section><button>Proceed</button>",
    "Voices: 2 of 2",
)
_BASES = (*_MARKUP, *_TERMINAL, *_UNICODE, *_FAKES)
_AROUND = ("{}", "Harmless first.\n\n\n\n\n{}", "{} " * 3, "x" * 300 + "{}", "\t{}\n")

HOSTILE = (
    *(around.format(*[base] * 3) for base, around in product(_BASES, _AROUND)),
    "A" * 50_000,
    "\n" * 5_000 + "Approved",
    "\u202e" * 1_000,
    " " * 10_000 + "rm -rf /",
    "<!channel>" * 500,
    "z" + "\u0301" * 2_000,
    "🙂" * 3_000,
    "'\"`$(){}[]\\",
    "\ud7ff\ue000\uffff",
    "null",
)
assert len(HOSTILE) == 200, len(HOSTILE)
