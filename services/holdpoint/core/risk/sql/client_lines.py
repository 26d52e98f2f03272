"""How a line begins that a database's client keeps for itself."""

import re

_DOTTED = (
    "shell|system|read|import|output|once|load|restore|save|open|clone|archive|backup|log|excel|"
    "tables|schema|mode|headers?|timer|databases|indexe?s|dump|echo|print|width|separator|quit|"
    "exit|help|cd|bail|changes|nullvalue|show|stats|prompt|explain|eqp|parameter|timeout|trace"
)
_CLICKHOUSE = (
    "flush|reload|start|stop|drop|sync|shutdown|kill|restart|restore|suspend|unfreeze|enable|"
    "disable|refresh|wait|cancel|instrument|load|unload|unlock|replicas|jemalloc|clear|fetch|reset"
)
_OF_SQL = r"(?:[=<>!,.()|]|(?:in|like|is|not|and|or|between|as|where|from)\b)"

begins = re.compile(
    rf"""(?ix)
    \\ (?: ! | copy\b ) [^\n]*
    | \\ (?: \\ (?=\s) | (?: [?.;] | [a-z_]+\+? (?![\w/.:-]) ) (?: [^\n\\] | \\(?!\\) )* )
    | \. (?:{_DOTTED}) \b [^\n]*
    | !!? [ \t]* [\w./~"'$&|(-] [^\n]*
    | : (?: !! | (?:r|connect|setvar|out|error|on\s+error|ed|list|perftrace)\b ) [^\n]*
    | @@? [\w-]* (?: [./~\\:] [\w./~\\:-]* (?: [ \t]+ [\w./'"-]+ )* )? [ \t]* ;? [ \t]* (?=\n|\Z)
    | (?:source|sta|start) [ \t]+ (?: [\w.-]*[./~\\] [^\s;]* ) [ \t]* ;? [ \t]* (?=\n|\Z)
    | (?:prompt|rem|remark) \b [^\n]*
    | source [ \t]+ [^\s;|=]+ [ \t]* ;? [ \t]* (?=\n|\Z)
    | system [ \t]+ (?!(?:{_CLICKHOUSE})\b) (?!{_OF_SQL}) [^\n]*
    | (?:host|ho|shell|pager|dfs|tee|spool) [ \t]+ (?!{_OF_SQL}) [^\n]*
    """
)
"""Behind a backslash anywhere outside of quotes, else only where a statement may begin."""

_prompt = re.compile(
    r"\s*(?:\w[\w.@:/-]*(?:[ \t]*[\[(][^\])\n]{0,60}[\])])?[=*^!'\"(-]?[>\#]|->)(?=\s)"
)


def prompt(text: str) -> int:
    """The end of what a client asks with before the first word (`mysql> `, `shop=# `), or 0."""
    found = _prompt.match(text)
    return found.end() if found else 0
