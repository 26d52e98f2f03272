"""Names of tools that move money, charge somebody or bind them: level 4 at least."""

import pytest

from holdpoint.core.risk import commits

COMMIT = """pay create_payment send_money charge_card issue_refund transfer_funds place_order
buy_shares
sell_asset book_flight subscribe sign_contract checkout withdraw accept_offer start_subscription
exchange_delivered_order_items"""
NOT = """list_payments get_invoice execute_sql run_command insert_row create_file read_file
transfer_file
query_database payments_search add_payment_method get_order_details update_order_status sort_orders
delete_rows book_report send_certificate
git_checkout git_git_checkout svn_checkout checkout_branch"""


@pytest.mark.parametrize("name", COMMIT.split())
def test_what_moves_money_charges_or_binds_is_known_by_its_name(name: str) -> None:
    assert commits(name)


@pytest.mark.parametrize("name", NOT.split())
def test_what_only_looks_like_it_is_left_alone(name: str) -> None:
    assert not commits(name)
