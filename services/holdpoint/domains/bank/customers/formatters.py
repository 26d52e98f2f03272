"""The customers' results."""

from typing import Any

from holdpoint.core.spoken import counted
from holdpoint.core.tool import Result
from holdpoint.domains.bank.results import action, done
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction


def listing(found: list[dict[str, Any]]) -> Result:
    """Customers that were found."""
    names = ", ".join(str(it["name"]) for it in found)
    count = f"{len(found)} customer{'' if len(found) == 1 else 's'}"
    return done(
        {"customers": found},
        "\n".join(f"- {it['name']} ({it['customer_id']}), {it['email']}" for it in found)
        or "No customers.",
        f"I found {counted(len(found), 'customer', 'customers')}"
        + (f", {names}." if names else "."),
        f"I found {count}.",
        *(_accounts(it["customer_id"]) for it in found[:3]),
    )


def contact_added(outcome: JsonObject) -> Result:
    """A contact stands."""
    return done(
        outcome,
        f"Contact added: {outcome['name']} ({outcome['account']}).",
        f"{outcome['name']} is a contact now.",
        f"I added {outcome['name']} to the contacts.",
        _find(outcome["customer_id"]),
    )


def changed(outcome: JsonObject) -> Result:
    """A record was changed."""
    name = outcome["customer_name"]
    what = ", ".join(it.replace("_", " ") for it in outcome["changed"])
    return done(
        {"customer_id": outcome["customer_id"], "changed": outcome["changed"]},
        f"Updated for {name}: {what}.",
        f"I updated {what} for {name}.",
        f"I updated {what} for {name}.",
        _find(outcome["customer_id"]),
    )


def notified(outcome: JsonObject) -> Result:
    """Channels stand."""
    lines = [
        f"- {topic}: {', '.join(channels) or 'off'}"
        for topic, channels in outcome["preferences"].items()
    ]
    name = outcome["customer_name"]
    return done(
        {"customer_id": outcome["customer_id"], "preferences": outcome["preferences"]},
        "\n".join([f"Notifications of {name}:", *lines]),
        f"The notifications of {name} are updated.",
        f"I updated the notifications of {name}.",
        _find(outcome["customer_id"]),
    )


def deleted(outcome: JsonObject) -> Result:
    """A customer's data is gone."""
    name = outcome["customer_name"]
    text = f"All personal data of {name} was deleted."
    return done({"customer_id": outcome["customer_id"]}, text, text, text)


def _accounts(customer_id: str) -> AvailableAction:
    text = "See this customer's accounts"
    return action("list_accounts", "List accounts", text, {"customer_id": customer_id})


def _find(customer_id: str) -> AvailableAction:
    text = "See the customer's record"
    return action("find_customer", "View the customer", text, {"query": customer_id})
