"""SQL functions that a statement may call: those without side effects. Unlisted is refused."""

from sqlglot import exp

READING = frozenset(
    """
    abs age any_value array_agg array_length array_position array_to_string avg bit_length bool_and
    bool_or btrim cardinality cbrt ceil ceiling char char_length character_length chr coalesce
    concat concat_ws corr cos count cume_dist current_catalog current_date current_role
    current_schema current_time current_timestamp current_user date date_part date_trunc datetime
    decode degrees dense_rank div encode every exp extract first_value floor format generate_series
    glob greatest group_concat hex ifnull iif initcap instr json json_agg json_array
    json_array_length json_build_array json_build_object json_each json_extract json_extract_path
    json_extract_path_text json_group_array json_group_object json_object json_object_agg
    json_object_keys json_tree json_type json_typeof json_valid jsonb_agg jsonb_array_elements
    jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
    jsonb_extract_path jsonb_extract_path_text jsonb_object_agg jsonb_object_keys jsonb_typeof
    julianday lag last_value lead least left length like likelihood likely ln localtime
    localtimestamp log log10 log2 lower ltrim make_date make_interval make_timestamp max md5 min mod
    mode now nth_value ntile nullif num_nonnulls num_nulls octet_length overlay percent_rank
    percentile_cont percentile_disc pi position pow power printf quote quote_ident quote_literal
    radians rand random rank regexp_count regexp_like regexp_match regexp_matches regexp_replace
    regexp_substr replace reverse right round row row_number row_to_json rtrim session_user sha256
    sign sin soundex split_part sqrt starts_with statement_timestamp stddev stddev_pop stddev_samp
    str_position strftime string_agg string_to_array strpos substr substring sum tan time timediff
    to_char to_date to_hex to_json to_jsonb to_number to_timestamp total translate trim trunc typeof
    unicode unixepoch unnest upper var_pop var_samp variance width_bucket
    """.split()  # noqa: SIM905  # words in a paragraph, not two hundred lines
)
"""Built in, and harmless to call as often as one likes."""

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

HARMLESS = READING | PARSED_AS
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
