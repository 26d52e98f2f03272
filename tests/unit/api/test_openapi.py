"""The OpenAPI document: every form in it is a schema, and every reference leads to one."""

import json
import re

from jsonschema import Draft202012Validator

from holdpoint.api.openapi import document


def test_every_reference_leads_to_a_schema() -> None:
    text = document().decode()
    said = json.loads(text)
    schemas = said["components"]["schemas"]

    assert said["openapi"] == "3.1.0"
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    for name in re.findall(r'"#/components/schemas/([^"]+)"', text):
        assert name in schemas


def test_nothing_in_a_request_says_who_asks() -> None:
    schemas = json.loads(document())["components"]["schemas"]

    for name in ("ActionRequest", "IntentRequest"):
        assert "agent" not in schemas[name]["properties"]
        assert schemas[name]["additionalProperties"] is False
    assert schemas["PersonRequest"]["additionalProperties"] is False
