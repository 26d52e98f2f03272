"""The service that sends notices: it reads cards, and can answer none."""

from collections.abc import Iterator
from functools import partial

from holdpoint.api.webhooks import secret_of
from holdpoint.console.card_reader import CardReader
from holdpoint.console.card_store import Board
from holdpoint.notices.targets import Mail, Target, Webhook
from holdpoint.notices.telling import Teller, Told
from holdpoint.runtime.broker.connection import login
from holdpoint.runtime.config import files
from holdpoint.runtime.config.channel_files import NOTICES_FILE, NoticesFile, load_notices
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process.service import Service, connected
from holdpoint.runtime.security.credentials import NOTICES

PASSWORD = "smtp-password"  # noqa: S105  # a file's name


async def build(settings: Settings) -> Service:
    """Wire the notices of one tenant; SetupError where nobody is told."""
    config = load_notices(settings.config_dir)
    if not config.groups:
        raise SetupError(f"{settings.config_dir / NOTICES_FILE} names nobody to tell.")
    who = login(settings, NOTICES)
    broker, client = await connected(who)
    board, told = Board(), Told(settings.notices_dir)
    reader = CardReader(
        client=client, login=who, tenant=settings.tenant, board=board, durable=NOTICES
    )
    tellers = [
        Teller(target=it, settings=settings, board=board, told=told)
        for it in _targets(settings, config)
    ]
    return Service(
        name=NOTICES,
        broker=broker,
        client=client,
        jobs=(reader.run, *(it.run for it in tellers)),
        problem=lambda: " ".join(filter(None, (it.problem for it in tellers))),
    )


def _targets(settings: Settings, config: NoticesFile) -> Iterator[Target]:
    if config.email is not None:
        for group in config.email.groups:
            yield Mail(group=group, entry=config.email, password=partial(_password, settings))
    for group, url in config.webhooks.items():
        yield Webhook(group=group, url=url, secret=secret_of(settings.notices_dir, group))


def _password(settings: Settings) -> str:
    return files.read_secret(settings.notices_dir / PASSWORD).decode().strip()
