"""Names of the bank's tools: `bank_{domain}_{action}`; the action alone is an alias."""

from typing import TypedDict

NAMESPACE = "bank"
SPANISH = {
    "accounts": "cuentas",
    "transfers": "transferencias",
    "investments": "inversiones",
    "support": "soporte",
}
"""Domain names of seed 000, which name the same tools."""


class Names(TypedDict):
    """Keywords of `@tool`."""

    namespace: str
    domain: str
    aliases: tuple[str, ...]


def named(domain: str, action: str) -> Names:
    """Return a tool's namespace, its domain, and the alias with the domain's Spanish name."""
    spanish = SPANISH.get(domain)
    aliases = (f"{NAMESPACE}_{spanish}_{action}",) if spanish else ()
    return Names(namespace=NAMESPACE, domain=domain, aliases=aliases)
