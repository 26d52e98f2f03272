"""Selectors that hold of everything, one of several that is paid, actions in other alphabets."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

Call = tuple[str, dict[str, Any]]

HOLLOW: tuple[dict[str, Any], ...] = (
    {"filter": {"$or": [{}]}},
    {"filter": {"$or": [{"id": 7}, {}]}},
    {"filter": {"$and": []}},
    {"where": {"OR": [{}]}},
    {"where": {"AND": [{"or": []}]}},
    {"query": {"match_all": {}}},
    {"query": {"match_all": {"boost": 1}}},
    {"query": {"bool": {"must": [{"match_all": {}}]}}},
    {"criteria": {"and": [{}, {"and": [{}]}]}},
)
BOUND: tuple[dict[str, Any], ...] = (
    {"filter": {"$or": [{"id": 7}, {"id": 8}]}},
    {"filter": {"$and": [{}, {"id": 7}]}},
    {"query": {"bool": {"must": [{"match_all": {}}], "filter": {"term": {"id": 7}}}}},
    {"query": {"bool": {"must_not": [{}]}}},
    {"metadata": {"and": []}},
)
DEAR: tuple[Call, ...] = (
    ("withdraw", {"everything": True}),
    ("pay", {"quantity": 30, "value": "50 USD"}),
    ("gift", {"giftcards": {"count": 30, "value": "50 USD"}}),
    ("gift_cards.order", {"quantity": 40, "denomination": "100 USD"}),
    ("buy_vouchers", {"qty": 40, "face_value": "100 USD"}),
)
CHEAP: tuple[Call, ...] = (
    ("withdraw", {"everything": False, "amount": "5 USD"}),
    ("pay", {"quantity": 3, "value": "50 USD"}),
    ("order", {"quantity": 40, "total": "50 USD"}),
    ("gift", {"giftcards": {"count": 3, "value": "50 USD"}}),
    ("gift_cards.order", {"quantity": 2, "denomination": "100 USD"}),
    ("pay", {"count": 40, "total_value": "50 USD"}),
)
TAKES = (
    "удалить_пользователя", "закрыть_счёт", "删除用户", "取消订单", "ユーザー削除",
    "ユーザーを削除する", "usuń_użytkownika", "kullan\u0131c\u0131_sil", "hesap_kapat",
    "حذف_المستخدم", "사용자삭제", "видалити_користувача",
)  # fmt: skip
PAYS = ("支付账单", "支払い送金", "przelej_środki", "оплатить_счёт", "öde_fatura", "تحويل_المبلغ")
LOOKS = (
    "показать_пользователя", "удалённые_список", "查看用户", "查询删除记录", "ユーザー一覧",
    "削除履歴", "取消收藏", "pokaż_użytkownika", "kullan\u0131c\u0131_getir", "عرض_المستخدم",
    "사용자목록",
)  # fmt: skip
EVERYBODY = {"audience": "every subscriber", "body": "We moved"}
TO_READ: tuple[dict[str, Any], ...] = (
    {"method": "GET"}, {"action": "list"}, {"verb": "get"}, {"operation": "read"},
)  # fmt: skip


def _level(tool: str, arguments: dict[str, Any]) -> RiskLevel:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged(line, the_policy()).level


def _asks(tool: str, arguments: dict[str, Any]) -> bool:
    return _level(tool, arguments) >= RiskLevel.HIGH


def test_a_condition_that_holds_of_everything_takes_everything() -> None:
    change = {"set": {"a": 1}}

    assert [one for one in HOLLOW if not _asks("update_records", one | change)] == []
    assert [one for one in BOUND if _asks("update_records", one | change)] == []
    assert [one for one in HOLLOW if _asks("find_records", one)] == []


def test_the_value_of_one_of_several_is_paid_for_each() -> None:
    assert [call for call in DEAR if not _asks(*call)] == []
    assert [call for call in CHEAP if _asks(*call)] == []


def test_actions_are_read_in_other_alphabets() -> None:
    assert [tool for tool in TAKES if not _asks(tool, {"id": 7})] == []
    assert [tool for tool in PAYS if not _asks(tool, {"amount": "9000 EUR"})] == []
    assert [tool for tool in (*PAYS, *LOOKS) if _asks(tool, {"amount": "9 EUR"})] == []


def test_what_is_said_to_everybody_is_no_read_whatever_stands_beside_it() -> None:
    assert [more for more in TO_READ if not _asks("bulk_sms", EVERYBODY | more)] == []
    assert [more for more in TO_READ if _asks("sms", {"to": "every subscriber"} | more)] == []
