"""Names that stand twice in JSON are seen wherever they stand, as far as it can be read."""

import pytest

from holdpoint.messages.duplicate_names import differently, in_any_way, stands_twice


@pytest.mark.parametrize(
    ("text", "any_way", "other_value"),
    [
        ('{"a": 1, "b": 2}', False, False),
        ('{"a": 1, "a": 1}', True, False),
        ('{"a": 1, "a": 2}', True, True),
        ('[{"b": {"a": {"c": 1}, "a": {"c": 2}}}]', True, True),
        ('{"a": 1, "\\u0061": 2}', True, True),
        ('[{"a": 1, "a": 2}, nonsense', True, True),
        ('{"a": 1, "a": 2, nonsense', False, False),
        (b'[{"a": 1, "a": 2}]', True, True),
        (b"\xff", False, False),
        ("[" * 100_000, False, False),
    ],
)
def test_a_name_that_stands_twice_is_seen(
    text: str | bytes, any_way: bool, other_value: bool
) -> None:
    assert stands_twice(text, in_any_way) is any_way
    assert stands_twice(text, differently) is other_value
