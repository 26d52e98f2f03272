"""Coins that a remote procedure pays: `{"method": "sendtoaddress", "params": […]}`."""

from collections.abc import Iterator, Mapping
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.opened import opened
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_NAME = 60

_METHODS = ("method", "rpc_method", "rpcmethod", "command")
_PARAMS = ("params", "parameters", "args", "arguments", "param")
_PAYS = words("words/tools:rpc.pays")

_PAYS_TO = word_set("transfer send pay payment submit relay")
"""Those that also mean other things: only beside somebody who is paid."""

_WALLETS = words("words/tools:rpc.wallets")

_PAID = words("words/tools:rpc.paid")
_TRIED = ("testnet", "sepolia", "goerli", "holesky", "hoodi", "regtest", "devnet", "signet")
"""Chains whose coins are worth nothing: the address itself says which it is."""

_ADDRESSES = word_set("url uri endpoint host rpc_url rpcurl node network chain")


def paid_remotely(
    leaves: tuple[Leaf, ...], objects: tuple[Mapping[str, Any], ...]
) -> Iterator[str]:
    """The methods that pay."""
    found = [name for one in objects if (name := _method(one)) and _pays(name, one)]
    if found and not any(map(_is_trial, leaves)):
        yield from found


def _method(one: Mapping[str, Any]) -> str:
    """The name of a procedure that stands beside what it is called with."""
    if _given(one) is None:
        return ""
    said = (one[key] for key in _METHODS if key in one)
    return next((name for name in said if isinstance(name, str) and len(name) <= MAX_NAME), "")


def _given(one: Mapping[str, Any]) -> Any:
    return next((opened(one[key]) for key in _PARAMS if key in one), None)


def _pays(name: str, one: Mapping[str, Any]) -> bool:
    words = words_of(name)
    bare = "".join(words[1:] if words[:1] and words[0] in _WALLETS else words)
    if bare in _PAYS or "".join(words) in _PAYS:
        return True
    given = _given(one)
    known = given[0] if isinstance(given, list) and given else given
    return bare in _PAYS_TO and isinstance(known, Mapping) and _names_payee(known)


def _names_payee(given: Mapping[str, Any]) -> bool:
    return any("".join(words_of(str(key))) in _PAID for key in list(given)[:MAX_NAME])


def _is_trial(leaf: Leaf) -> bool:
    if leaf.key.lower() not in _ADDRESSES or not isinstance(leaf.value, str):
        return False
    host = leaf.value.partition("://")[2].partition("/")[0] or leaf.value[:MAX_NAME]
    return any(name in host.lower() for name in _TRIED)
