"""Tools that only ask are known by their names, and nothing else is."""

import pytest

from holdpoint.core.ask_tools import is_ask_only
from holdpoint.domains.settings import BANK_DOMAINS


@pytest.mark.parametrize(
    "name",
    [
        "ask", "Ask", "ask_user", "ask_human", "ask_for_permission", "prompt_user", "confirm",
        "confirm_with_user", "request_confirmation", "get_user_approval", "wait_for_approval",
        "human_in_the_loop", "acme_desk_ask", "user_confirmation",
    ],
)  # fmt: skip
def test_what_only_asks_is_known(name: str) -> None:
    assert is_ask_only(name, "desk")


@pytest.mark.parametrize(
    "name",
    [
        "ask_price", "task", "confirm_transfer", "request_refund", "get_balance", "basket",
        "approve_invoice", "prompt_library", "mask_user", "acme_desk_close", "confirm_booking",
    ],
)  # fmt: skip
def test_what_does_something_is_not(name: str) -> None:
    assert not is_ask_only(name, "desk")


def test_no_tool_of_ours_only_asks() -> None:
    assert not any(is_ask_only(domain, domain) for domain in BANK_DOMAINS)
