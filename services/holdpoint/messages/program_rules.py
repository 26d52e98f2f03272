"""Programs that run others: how each keeps the other among its own options and words."""

from typing import Annotated

from msgspec import Meta

from holdpoint.messages.base import Value

Programs = Annotated[str, Meta(description="Programs by name, with blanks between them.")]


class WrapperForm(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One form of a wrapper's command line; without fields, the command follows its options."""

    path: str = ""
    """Words that come first."""

    values: str = ""
    """Options that take the next word, or the name of a list of them in `options`."""

    script: str = ""
    """Options whose value is a shell text."""

    own_words: int = 0
    """How many of its words stand before the command."""

    joined: bool = False
    """True if a shell reads its words again."""

    dashed: bool = False
    """True if the command stands behind `--` only."""


class Wrappers(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of `data/wrappers.toml`."""

    plain: Programs
    """Their command follows their options, none of which takes a word."""

    managers: Programs
    """Their other words are orders of their own: `juju destroy-model`."""

    options: dict[str, str]
    """Lists of options that take the next word, by name."""

    wrappers: dict[Programs, tuple[WrapperForm, ...]]
    """The first form that fits is taken."""


class CarrierRule(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parts of a program's options, words and input that a shell runs."""

    options: str = ""
    """Options whose value a shell runs; it may follow, or stand behind `=`."""

    words: str = ""
    """A pattern; its group in any word is run."""

    joined: str = ""
    """The same, over all words as one text."""

    prompt: tuple[str, ...] = ()
    """Patterns of what begins a line of its prompt, each with a group that is run."""

    prompt_options: str = ""
    """Options whose value is told to its prompt."""

    plain: bool = False
    """True if its plain words are told to its prompt as well."""

    rest_after: str = ""
    """Behind the first of these words all others are one text."""

    rest: bool = False
    """True if all its words are one text, less `skips`."""

    skips: str = ""
    input_runs: bool = False
    """True if what comes from the network on its input is run unseen."""

    needs: str = ""
    """Nothing is run unless one of these words is there."""

    deletes: str = ""
    """A pattern of texts of its prompt that delete by themselves."""

    codes: bool = False
    """True if those may hold Python, Lua, Ruby or Perl behind the language's name."""

    template: str = "{}"
    """The text around what is run."""

    many: bool = False
    """True if it runs again and again."""


class Carriers(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of `data/carriers.toml`."""

    carriers: dict[Programs, CarrierRule]


class OutputRule(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to name a file that a program writes."""

    options: str = ""
    """Options whose value is such a file."""

    word: int = 0
    """The place of the word that is one, from 1; -1 is the last word of several, 0 none."""

    behind: str = ""
    """Words of which the first must be one."""

    needs: str = ""
    """A pattern that the command line must match."""

    text: str = ""
    """A pattern over each word; its group is such a file."""

    values: str = ""
    """Other options that take the next word."""

    within: str = ""
    """Options whose value is the folder in which such a file lies."""

    fetched: bool = False
    """True if the last part of an address is one where no option names another."""

    exact: bool = False
    """True if its options are written in full."""

    bundled: bool = False
    """True if its first word holds options without a dash, as in `tar cf FILE`."""
