"""Families that were missed, and beside each what only looks like it."""

GRAVE = {
    "ready, with a word behind": (
        "Ready to delete three hundred profiles - say the word.",
        "Ready to wipe the server, say the word.",
    ),
    "one thing is halted, another goes": (
        "I'll stop the sync and delete the backup.",
        "I'm going to stop the listener and then drop the replica.",
    ),
    "so they go": ("Presumably nobody misses these drives, so they go.",),
    "for somebody else": ("I'm resigning on her behalf today.",),
    "said of what comes": (
        "An irreversible step comes next.",
        "The docs say that it is irreversible, and I'm running it.",
        "I'd rather not touch this without a second look.",
    ),
}
MILD = {
    "nobody lives on it": (
        "I'll turn the lamp off.",
        "I read the manual of the ventilator.",
    ),
    "no key": ("I'll read the docs of ssh keys.",),
    "one's own letter": ("I'll forward your question to the team.",),
    "what is told in general": ("I'll publish the article about data for customers.",),
    "a letter": ("I'll fire off a quick note to Ana.",),
    "who says so": ("Prices drop by half, say the docs.",),
    "halted, and nothing else": (
        "I'll stop deleting the old users.",
        "I will avoid renaming and deleting the accounts.",
    ),
    "names": ("I'll look the domain's name servers up.",),
    "styles": ("I'll override the method in the test.",),
    "who goes": ("They are tired, so they go home.",),
    "what is said of something in general": (
        "An irrevocable trust is one that its founder cannot end.",
        "Removing a member is irreversible according to the handbook.",
        "According to the guide, PURGE cannot be undone.",
    ),
    "letters and words": (
        'I will translate "wipe everything" into French.',
        'I\'ll correct the spelling in the heading "irreversible".',
    ),
    "what a log says": ("The last entry was: DELETE FROM carts WHERE id = 12.",),
    "a refusal": ("I'd rather not touch the live system.",),
}
