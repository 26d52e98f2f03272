"""Version control besides git: what throws work away or rewrites history."""

from holdpoint.core.risk.shell.effects import HIGH, LOW, MEDIUM, Tool, each, on, tool

_DISCARDS = "throws uncommitted work away"
_REWRITES = "rewrites history"
_JJ = tool(*each("abandon,op restore,operation restore,op abandon,util gc", "", HIGH, "vcs-rewrite",
                 _REWRITES))  # fmt: skip
_HG = tool(
    *each("strip,rollback,prune,debugstrip,uncommit,hide", "", HIGH, "vcs-rewrite", _REWRITES),
    *each("purge,clean", "", HIGH, "vcs-discard", "deletes files that nobody keeps",
          "-p --print"),
    *each("revert,rev", "", HIGH, "vcs-discard", _DISCARDS),
    *each("update,checkout,co,up,goto", "-C --clean", HIGH, "vcs-discard", _DISCARDS),
    on("push", "-f --force", HIGH, "vcs-push", "pushes past what others have"),
    on("histedit", "", MEDIUM, "vcs-rewrite", _REWRITES),
    values="-R -r --rev -m --cwd --config", dry="-n --dry-run", verbs=True,
)  # fmt: skip

VCS: dict[str, Tool] = {
    "hg": _HG, "sl": _HG, "jj": _JJ,
    "svn": tool(
        on("revert", "-R --recursive", HIGH, "vcs-discard", _DISCARDS),
        on("revert", "", MEDIUM, "vcs-discard", _DISCARDS),
        on("cleanup", "--remove-unversioned --remove-ignored", HIGH, "vcs-discard",
           "deletes files that nobody keeps"),
        verbs=True,
    ),
    "bzr": tool(*each("revert,uncommit,clean-tree", "", HIGH, "vcs-discard", _DISCARDS)),
    "brz": tool(*each("revert,uncommit,clean-tree", "", HIGH, "vcs-discard", _DISCARDS)),
    "fossil": tool(*each("clean,revert,purge,shun,scrub", "", HIGH, "vcs-discard", _DISCARDS),
                   dry="-n --dry-run", verbs=True),
    "p4": tool(*each("revert,clean", "", HIGH, "vcs-discard", _DISCARDS),
               on("obliterate", "-y", HIGH, "vcs-discard", "destroys files in every version"),
               on("obliterate", "", LOW, "vcs-discard", ""), dry="-n", verbs=True,
               values="-p -u -c -P -H -C"),
    "dvc": tool(on("gc", "", HIGH, "vcs-discard", "deletes data that no version needs"),
                verbs=True),
    "bk": tool(*each("undo,collapse", "", HIGH, "vcs-rewrite", _REWRITES)),
    "darcs": tool(*each("obliterate,unpull,unrecord,revert", "", HIGH, "vcs-rewrite", _REWRITES)),
    "pijul": tool(*each("unrecord,reset", "", HIGH, "vcs-rewrite", _REWRITES)),
}  # fmt: skip
"""By name."""
