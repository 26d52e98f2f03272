"""A subscriber that shows two buttons in a terminal: each card, then Proceed or Cancel.

HP_PERSON=ann python examples/two_buttons.py
"""

import asyncio
import getpass
import os

from holdpoint.channels.person import Person
from holdpoint.channels.view import cards
from holdpoint.messages.answer import Choice
from holdpoint.runtime.connection import Login
from holdpoint.runtime.credentials import person_user, read_seed, unlock_person_key, view_user
from holdpoint.runtime.settings import Settings


async def main(name: str, password: str) -> None:
    """Ask about every card that waits, in the order they come."""
    its, url = Settings(), Settings().broker_url
    seed = unlock_person_key(its.people_dir, name, password)
    login = Login(user=person_user(name), seed=seed, url=url)
    person = await Person.connect(name, its.tenant, "terminal", login)
    seen = read_seed(its.credentials_dir, view_user(name))
    view = Login(user=view_user(name), seed=seen, url=url)
    async for card in cards(its.tenant, name, view):
        if card.state != "rendered":
            print(card.title, "->", card.state, card.outcome, card.result)
            continue
        proceed, cancel = card.ui.buttons
        print(f"\n{card.title}  [{card.ui.risk_level.value}]\n  agent says: {card.ui.message!r}")
        typed = await asyncio.to_thread(input, f"  {proceed} (type it) or {cancel} (Enter): ")
        choice = Choice.PROCEED if typed.strip() == proceed else Choice.CANCEL
        print(" ", (await person.answer(card, choice)).status.value)


if __name__ == "__main__":
    me = os.environ["HP_PERSON"]
    asyncio.run(main(me, getpass.getpass(f"Password of {me}: ")))
