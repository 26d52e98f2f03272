"""A subscriber that shows two buttons in a terminal: each card, then Proceed or Cancel.

HP_PERSON=ann python examples/two_buttons.py
"""

import asyncio
import getpass
import os

from holdpoint.client import SetupError
from holdpoint.messages.answer import Choice
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.person_connection import Person, cards
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security import credentials as keys

ASK = "  Proceed (type it) or Cancel (Enter): "
BUTTONS = {"proceed": Choice.PROCEED, "cancel": Choice.CANCEL, "": Choice.CANCEL}


async def main(name: str, seed: str, its: Settings) -> None:
    """Ask about every card that waits, in the order they come."""
    login = Login(user=keys.person_user(name), seed=seed, url=its.broker_url)
    person = await Person.connect(name, its.tenant, "terminal", login)
    seen = keys.read_seed(its.credentials_dir, keys.view_user(name))
    view = Login(user=keys.view_user(name), seed=seen, url=its.broker_url)
    async for card in cards(its.tenant, name, view):
        if card.state != "rendered":
            print(card.title, "->", card.state, card.outcome, card.result)
            continue
        print(f"\n{card.title}  [{card.ui.risk_level.value}]\n  agent says: {card.ui.message!r}")
        while (typed := (await asyncio.to_thread(input, ASK)).strip().lower()) not in BUTTONS:
            continue
        print(" ", (await person.answer(card, BUTTONS[typed])).status.value)


me, ours = os.environ["HP_PERSON"], Settings()
try:
    opened = keys.unlock_person_key(ours.people_dir, me, getpass.getpass(f"Password of {me}: "))
except SetupError as wrong:
    raise SystemExit(str(wrong)) from None
asyncio.run(main(me, opened, ours))
