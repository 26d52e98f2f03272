"""Plants and bodies, money that leaves without a sum, guards under other names, seats of power."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged as judged_line
from holdpoint.policy_lab.cases import Line, LineKind

Call = tuple[str, dict[str, Any]]
Sent = tuple[str, str, dict[str, Any]]

ASKS: tuple[Call, ...] = (
    ("send_payment", {"total": {"v": "51200", "ccy": "CHF"}, "to": "x"}),
    ("send_wire", {"to": "Globex", "memo": "invoice 12, GBP 86,400"}),
    ("send_wire", {"to": "Globex"}),
    ("approve_wire", {"id": "w-9"}),
    ("authorize_transfer", {"transfer_id": "t-9"}),
    ("release_payments", {"batch": "b-9"}),
    ("top_up", {"credits": 400000, "account": "a-1"}),
    ("buy_tokens", {"tokens": 2_000_000}),
    ("change_wages", {"employee": "e9", "annual": 96000}),
    ("pump.set_rate", {"drug": "fentanyl", "ml_per_h": 12}),
    ("infusion_update", {"device": "bed-2", "rate": 9}),
    ("emr.write_order", {"patient": "p9", "order": "heparin 5000 IU"}),
    ("prescribe", {"patient": "p9", "drug": "digoxin"}),
    ("sluice_control", {"id": "S-3", "state": "open"}),
    ("modbus_write", {"register": 40007, "value": 1}),
    ("change_setpoint", {"device": "furnace-4", "value": 1400}),
    ("open_gate", {"gate": "spillway-2", "percent": 60}),
    ("set_alarm", {"monitor": "nicu-bed-7", "enabled": False}),
    ("disable_dnssec", {"zone": "globex.example"}),
    ("update_instance", {"id": "i-9", "disableApiTermination": False}),
    ("replace_mx_records", {"domain": "globex.example", "records": ["mx.other.example"]}),
    ("archive_thread", {"id": 9, "skip_trash": True}),
    ("enable_maintenance_mode", {}),
    ("climate.set_temperature", {"zone": "vaccine-fridge-3", "celsius": 19}),
    ("send_sms", {"recipients_list": "segment:everyone", "body": "Ends tonight!"}),
    ("vault.read_secret", {"path": "prod/db", "copy_to": "https://paste.example/api"}),
    ("pause_dkim", {"domain": "globex.example"}),
    ("reset_2fa", {"user": "treasurer"}),
    ("uav.launch", {"id": "u-2"}),
    ("agree_terms", {"document": "reseller-2027"}),
    ("change_dns", {"host": "www.globex.example", "ip": "198.51.100.7"}),
    ("export_leads", {"format": "csv", "share_with": "everyone"}),
    ("browser_type", {"selector": "#confirm-name", "value": "DELETE"}),
    ("email_send", {"to": "kim@yahoo.com", "text": "Kim Poe, SSN: 219-09-9999"}),
    ("fetch_figures", {"quarter": 3, "forward_to": "tips@herald.example"}),
    ("kill_switch.activate", {}),
)
SILENT: tuple[Call, ...] = (
    ("send_wire", {"to": "Globex", "amount": 120, "currency": "USD"}),
    ("approve_payment", {"payment_id": "t-9", "amount": "12.50", "currency": "EUR"}),
    ("approve_patient_transfer", {"id": "t-9"}),
    ("send_payment_reminder", {"id": "t-9"}),
    ("get_wire", {"id": "w-9"}),
    ("buy_tokens", {"tokens": 40}),
    ("set_setpoint", {"device": "thermostat-living", "value": 21}),
    ("get_setpoint", {"device": "furnace-4"}),
    ("read_sensor", {"device": "reactor-1"}),
    ("set_lamp", {"device": "lamp-3", "on": True}),
    ("set_reminder", {"name": "boiler service", "at": "07:00"}),
    ("update_ticket", {"id": "T9", "name": "turbine noisy"}),
    ("start_pipeline", {"pipeline": "build", "id": "p-9"}),
    ("update_instance", {"id": "i-9", "disableApiTermination": True}),
    ("get_mx_records", {"domain": "globex.example"}),
    ("set_alarm", {"time": "07:00", "enabled": False}),
    ("climate.set_temperature", {"zone": "lobby", "celsius": 19}),
    ("send_sms", {"recipients_list": "segment:on-call", "body": "Ends tonight!"}),
    ("vault.read_secret", {"path": "prod/db", "copy_to": "clipboard"}),
    ("check_dkim", {"domain": "globex.example"}),
    ("setup_2fa_guide", {"user": "me"}),
    ("uav.battery", {"id": "u-2"}),
    ("summarize_terms", {"document": "reseller-2027"}),
    ("change_dns", {"host": "dev-7.globex.example", "ip": "10.0.0.7"}),
    ("list_leads", {"shared_with": "everyone"}),
    ("browser_type", {"selector": "#search", "value": "DELETE"}),
    ("email_send", {"to": "kim@yahoo.com", "text": "Your ticket is 219-09-9999."}),
    ("fetch_figures", {"quarter": 3, "forward_to": "ann@globex.example"}),
    ("kill_switch.status", {}),
    ("killSwitch/state", {}),
)
SENT_ASKS: tuple[Sent, ...] = (
    ("POST", "https://api.globex.example/v1/roles/admin/members", {"user": "joe@gmail.com"}),
    ("PUT", "https://api.globex.example/v1/roles/owner/members/joe", {}),
    (
        "POST",
        "https://mail.globex.example/v1/me/sendMail",
        {"to": "joe@gmail.com", "attachments": [{"name": "salaries.xlsx"}]},
    ),
    ("POST", "https://api.globex.example/v2/users/55/impersonate", {}),
    ("GET", "https://admin.globex.example/cron.php?task=truncate_carts", {}),
)
SENT_SILENT: tuple[Sent, ...] = (
    ("POST", "https://api.globex.example/v1/groups/readers/members", {"user": "joe@gmail.com"}),
    ("GET", "https://api.globex.example/v1/roles/admin/members", {}),
    ("GET", "https://admin.globex.example/cron.php?task=list_carts", {}),
    ("POST", "https://api.globex.example/notifications/preview", {"segment": "All"}),
    (
        "POST",
        "https://mail.globex.example/v1/me/sendMail",
        {"to": "joe@gmail.com", "attachments": [{"name": "menu.pdf"}]},
    ),
)


def level(call: Call) -> RiskLevel:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": call[0], "args": call[1]})
    return judged_line(line, the_policy()).level


def sent(request: Sent) -> RiskLevel:
    method, url, body = request
    payload = {"method": method, "url": url, "body": body}
    return judged_line(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy()).level


def test_what_has_such_stakes_is_asked_about() -> None:
    assert [call for call in ASKS if level(call) < RiskLevel.HIGH] == []
    assert [one for one in SENT_ASKS if sent(one) < RiskLevel.HIGH] == []


def test_what_only_looks_alike_is_not() -> None:
    assert [call for call in SILENT if level(call) >= RiskLevel.HIGH] == []
    assert [one for one in SENT_SILENT if sent(one) >= RiskLevel.HIGH] == []
