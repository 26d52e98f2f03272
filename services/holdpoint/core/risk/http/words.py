"""What the words of an address mean by the conventions of REST: marks, deeds, things."""

import re

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.text import whole_characters

OWN_MARKS = word_set(
    "assignees reviewers invitations invitation subscription following award_emoji reactions "
    "reaction starred star stars like likes vote votes bookmark bookmarks favorite favorites "
    "favourite favourites watch watches watchers pin pins notifications seen read typing "
    "interaction-limits lock sessions session logout follow mute draft drafts preview previews "
    "presence cache cart snooze scroll _pit _async_search requested_reviewers"
)
"""Last words of a path whose DELETE only takes a mark of one's own back."""

FAR_MARKS = word_set(
    "starred following followers reactions likes favorites favourites bookmarks blocked_by "
    "public_members blocks notifications votes cart carts basket watching mutes"
)
"""Those that stand up to three words before the end: `/user/starred/OWNER/NAME`."""

MARKS_ON = word_set(
    "issue issues pull pulls pr prs message messages thread threads card cards ticket tickets "
    "conversation conversations merge_requests"
)
"""What a label, a tag or somebody who cares is taken off, and stays for everybody else."""

MARKS = word_set("label labels tag tags assignees watchers participants followers")
SENT_MARKS = word_set(
    "reaction reactions pin pins star stars bookmark bookmarks like likes favorite favorites vote "
    "votes reminder reminders draft drafts scheduled cart carts basket wishlist"
)
"""Marks of one's own that are taken back by a POST: `reactions.remove`."""

BULK = word_set("all bulk batch everything mass many")
TAKES = word_set(
    "delete destroy purge wipe erase transfer transfers terminate drop truncate expunge kill "
    "decommission flush uninstall unpublish shutdown withdraw withdrawals payout payouts seal "
    "obliterate shred remove prune quietdown safeexit saferestart eviction evictions disburse "
    "reboot poweroff halt powercycle deallocate offboard"
)
"""Deeds at the end of a path after which something is gone."""

MILD = word_set(
    "merge cancel close disable archive suspend reset clear force revoke deactivate ban evict "
    "detach pay payments payment refund refunds charge charges overwrite rollback lock stop "
    "restore rebuild rotate unlink block"
)
"""Deeds that are grave only on some things."""

_PEOPLE = word_set(
    "user users account accounts member members customer customers employee employees card cards "
    "tenant tenants org orgs organization organizations device devices"
)
_MACHINES = word_set(
    "database databases snapshot snapshots backup backups instance instances server servers vm vms "
    "volume volumes cluster clusters index indexes indices environment environments deployment "
    "deployments release releases droplet droplets admin factory disk disks node nodes"
)
_RUNNING = word_set("instance instances server servers vm vms node nodes droplet droplets")
_SIGNED = word_set(
    "envelope envelopes contract contracts agreement agreements deed lease document documents"
)
_STORES = _MACHINES | word_set(
    "queue queues topic topics collection collections bucket buckets core cores trash recyclebin "
    "recycle spreadsheet spreadsheets sheet sheets worksheet worksheets calendar calendars "
    "mailbox mailboxes folder folders table tables dataset datasets"
)
_SERVING = word_set(
    "stack stacks service services application applications cluster clusters database databases "
    "pump pumps valve valves motor motors conveyor conveyors compressor compressors turbine "
    "turbines reactor reactors boiler boilers plant elevator elevators"
)
_LOCKED = word_set("door doors gate gates garage lock locks vehicle vehicles car cars safe trunk")
_GUARDS = word_set(
    "monitor monitors monitoring alert alerts alerting alarm alarms backup backups firewall "
    "firewalls waf antivirus edr mfa 2fa encryption audit auditing protection protections"
)
_CONTRACTS = word_set(
    "subscription subscriptions reservation reservations booking bookings order orders policy "
    "policies membership memberships contract contracts payment payments transfer transfers "
    "invoice invoices"
)
_ACCESS = word_set(
    "billing members admins owners keys secrets webhooks roles permissions credentials tokens "
    "token key credential grants certificates"
)
_TALK = word_set(
    "message messages thread threads conversation conversations notification notifications email "
    "emails chat chats mail inbox"
)
_MAILINGS = word_set(
    "campaign campaigns broadcast broadcasts newsletter newsletters singlesends blasts"
)
GRAVE: tuple[tuple[frozenset[str], frozenset[str], str], ...] = (
    (word_set("deactivate suspend ban disable lock close evict merge reset"), _PEOPLE,
     "locks somebody out or makes one of two"),
    (word_set("reset"), _RUNNING, "stops it at once, whatever runs there"),
    (word_set("restore rollback rebuild reset overwrite detach"), _MACHINES,
     "loses what is there now"),
    (word_set("sign countersign"), _SIGNED, "binds somebody"),
    (word_set("cancel close terminate"), _CONTRACTS, "ends what may not come back"),
    (word_set("impersonate"), _PEOPLE, "acts in somebody else's name"),
    (word_set("reject expel"), _PEOPLE, "locks somebody out or makes one of two"),
    (word_set("clear empty unload"), _STORES, "loses what is there now"),
    (word_set("revoke disable suspend deactivate ban reset"), _ACCESS, "takes access away"),
    (word_set("send broadcast schedule"), _MAILINGS, "reaches everybody at once"),
    (word_set("rollout deploy publish push release install"), word_set("firmware ota fleet"),
     "reaches every device"),
    (word_set("finalize finalise submit approve run execute commit release process"),
     word_set("payroll payrolls payrun payruns payouts disbursements"), "pays many people at once"),
    (word_set("disable mute pause stop"), _GUARDS, "takes a protection away"),
    (word_set("unlock"), _LOCKED, "opens what is locked"),
    (word_set("stop"), _SERVING, "stops what others rely on"),
    (word_set("anonymize anonymise pseudonymize pseudonymise"),
     _PEOPLE | word_set("profile profiles contact contacts patient patients"),
     "cannot be taken back"),
    (word_set("force"), word_set("cancel push delete merge stop update leave"),
     "does it past the rules"),
)  # fmt: skip
"""Deeds, the things on which they are grave, and why."""

TOLD = word_set(
    "status list search preview estimate history quote export get count lookup validate simulate "
    "dryrun check logs log report help query queries msearch find analyze explain verify match "
    "quotes quotation quotations estimates estimations simulations previews calculations "
    "rates calculate suggest autocomplete resolve aggregate translate spellcheck compare comparison"
)
"""Last words of a path that tells, and does not do."""

ASKS_FIRST = word_set("get list search query find describe count check validate preview lookup")
"""First words of a call that only asks: `getSchedule`, `search_v2`."""

_hump = re.compile(r"([a-z0-9])([A-Z])")
_piece = re.compile(r"[a-z]+")


@remembered(4096)
def words_of(part: str) -> tuple[str, ...]:
    """`batchDelete`, `batch-delete` -> batch, delete."""
    whole = part if part.isascii() else whole_characters(part)
    return tuple(_piece.findall(_hump.sub(r"\1 \2", whole).lower()))


def works_out(path: list[str]) -> bool:
    """Whether a POST there only works out an answer from what it is handed: `/embeddings`."""
    named = [part for part in path if not _version.fullmatch(part.lower())]
    last = named[-1] if named else ""
    words = words_of(last)
    ends = words[:-1] if words[1:] and words[-1] == "text" else words
    return last == "_analyze" or not WORKS.isdisjoint(ends[-1:])


_version = re2.compile(r"v?\d[\w.]*")
WORKS = word_set(
    "embed embedding embeddings rerank classify tokenize tokenise detokenize moderations matrix "
    "markdown transcribe transcriptions summarize summarise sentiment similarity ocr translate "
    "geocode spellcheck proofread"
)


def tells(path: list[str]) -> bool:
    """Whether the end of a path asks for something rather than does it."""
    words = words_of(path[-1]) if path else ()
    if "by" in words:
        return False
    return bool(TOLD & set(words[-1:]) or ASKS_FIRST & set(words[:1]))


def grave(path: list[str], about: frozenset[str] = frozenset()) -> str:
    """Why the deed at the end of a path is grave on what stands before it; empty when it is not.

    `about`: what else says what it is done to.
    """
    last = set(words_of(path[-1])) if path else set()
    near = about.union(*(words_of(part) for part in path[-4:]))
    fits = (why for deeds, things, why in GRAVE if last & deeds and (near - deeds) & things)
    archives = "archive" in last and not near & _TALK
    return next(fits, "puts it out of use for everybody" if archives else "")
