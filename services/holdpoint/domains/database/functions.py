"""SQL functions that a statement may call: those without side effects. Unlisted is refused."""

from sqlglot import exp

from holdpoint.core.risk import HARMLESS_FUNCTIONS

PARSED_AS = frozenset(
    """
    array_concat array_contains_all array_contained_by array_overlaps array_size current_version
    date_add date_sub explode exploding_generate_series jsonb_contains jsonb_contains_all_top_keys
    jsonb_contains_any_top_keys posexplode regexp_i_like str_to_date str_to_time str_to_unix
    time_str_to_time time_to_str time_to_unix timestamp_trunc to_char ts_or_ds_to_date
    ts_or_ds_to_timestamp unix_to_time
    """.split()  # noqa: SIM905  # as above
)
"""sqlglot's own names for some of them, and for operators."""

HARMLESS = HARMLESS_FUNCTIONS | PARSED_AS
WRITING = frozenset(
    {
        *("changes", "currval", "gen_random_uuid", "last_insert_rowid"),
        *("lastval", "nextval", "randomblob", "zeroblob"),
    }
)
"""Harmless in a statement that changes something anyway; a dry run may not use up a sequence."""

SYNTAX = (
    exp.And, exp.Array, exp.Case, exp.Cast, exp.Collate, exp.Exists, exp.If, exp.JSONBExtract,
    exp.JSONBExtractScalar, exp.JSONExtract, exp.JSONExtractScalar, exp.Or, exp.TryCast, exp.Xor,
)  # fmt: skip
"""What sqlglot counts among the functions although the language has its own words for it."""


def unlisted(tree: exp.Expr, allowed: frozenset[str]) -> list[str]:
    """The functions in it that are not allowed, by name."""
    found = {_name(node) for node in tree.find_all(exp.Func) if not isinstance(node, SYNTAX)}
    return sorted(name for name in found if name not in allowed)


def _name(node: exp.Func) -> str:
    """A function in another schema goes by its full name, so no namesake is let through."""
    if isinstance(node.parent, exp.Dot):
        return str(node.parent.sql()).partition("(")[0].lower()
    if isinstance(node, exp.Anonymous | exp.AnonymousAggFunc):
        return str(node.name).lower() if isinstance(node.this, str) else str(node.this).lower()
    names = [name.lower() for name in node.sql_names()]
    return next((name for name in names if name in HARMLESS), names[0])
