"""The verbs that people use for doing things, with those that take two words."""

from types import MappingProxyType

from holdpoint.core.risk.wording import VERBS, Form, Kind, Verb, forms
from holdpoint.core.risk.words import word_set

_SPOKEN = {
    Kind.READ: (
        "ask browse compare compute convert cross-check determine diff display estimate "
        "evaluate examine explore grep identify inquire interpret investigate locate measure "
        "monitor navigate observe plot poll print probe recheck recommend refetch reload reread "
        "rerun research retry review sample select skim study summarise tally trace track "
        "translate visualise visualize"
    ),
    Kind.CREATE: (
        "accept announce bind co-sign commit cosign countersign deliver deploy dispatch e-sign "
        "attest enrol enroll execute forward give install issue launch paste plead ratify reserve "
        "run ship sign "
        "start sue testify text tweet vote"
    ),
    Kind.UPDATE: (
        "adjust approve ban chmod chown cover cut double expand extend halt halve put "
        "fire dismiss configure quadruple reconfigure redeploy relabel relocate resize scale sync "
        "synchronise synchronize "
        "triple bump hike slash repartition unfollow block bypass disarm disconnect freeze "
        "force-push force-unlock lock "
        "mark merge mute pause power push raise rebase reboot recreate reinstall reimage rebuild "
        "promote reject reschedule revert rewrite rotate invalidate retire expire sunset redirect "
        "consolidate reassign power-off combine flash reflash "
        "rollback switch unlock lower reduce increase factory-reset hard-reset shut"
    ),
    Kind.DELETE: (
        "abandon annihilate torch yank scuttle wreck burn chuck cull decommission delist "
        "demolish deregister detach "
        "dismantle dissolve ditch eliminate empty eradicate evict gut junk liquidate lose "
        "zeroise zeroize "
        "obliterate offboard prune reformat rm rmdir scrub toss unbind unenroll unfriend unlink "
        "unregister unsubscribe vaporise vaporize zap "
        "deactivate hard-delete strip scrap void trash annul axe disband discontinue euthanise "
        "euthanize expel exterminate forfeit forgive incinerate jettison nullify oust raze "
        "detonate end relinquish repeal rescind resign sack slaughter waive"
    ),
    Kind.PAYMENT: (
        "bet bid compensate credit debit deduct disburse fund gamble lend order prepay "
        "remit rent hire pledge contribute bankroll underwrite "
        "release repay settle spend stake trade wager"
    ),
}
_SPOKEN_PAST = {
    "bet": "bet",
    "cut": "cut",
    "forgive": "forgiven",
    "give": "given",
    "lend": "lent",
    "lose": "lost",
    "put": "put",
    "repay": "repaid",
    "run": "run",
    "spend": "spent",
}

SPOKEN: MappingProxyType[str, Verb] = MappingProxyType(
    dict(VERBS)
    | {
        word: verb
        for kind, words in _SPOKEN.items()
        for base in words.split()
        for word, verb in forms(base, kind, _SPOKEN_PAST.get(base)).items()
    }
    | {
        "gone": Verb(base="remove", kind=Kind.DELETE, form=Form.PAST),
        "bin": Verb(base="bin", kind=Kind.DELETE, form=Form.BASE),
        **{
            word: Verb(base="pay", kind=Kind.PAYMENT, form=Form.BASE)
            for word in word_set(
                "überweise überweisen überweist bezahle bezahlen zahle virer virez payer payez "
                "verser versez transférer transférez pagar paga pague transferir transfiere "
                "transfira bonifica pagare betaal betalen overmaken"
            )
        },
        "taken": Verb(base="withdraw", kind=Kind.PAYMENT, form=Form.PAST),
    }
)
"""Every form of every verb that a sentence may announce."""

PRECIOUS = word_set(
    "account accounts repository repositories repo repos database databases table tables "
    "schema server servers instance instances cluster clusters volume volumes disk disks "
    "drive partition bucket buckets backup backups environment environments workspace "
    "workspaces tenant tenants organisation organization subscription subscriptions "
    "reservation reservations booking bookings venue certificate certificates key keys "
    "credential credentials directory directories folder folders history log logs trail "
    "inventory mailbox inbox production prod namespace namespaces dataset datasets vm vms "
    "node nodes queue queues index indices domain domains website site app application "
    "pipeline branch branches commits codebase records rows data everything all profile "
    "ledger configuration config integration contract policy project projects membership "
    "access system filesystem machine device devices wallet savings permission permissions "
    "tablet tablets laptop laptops computer computers ipad console camera "
    "stack deployment cancellation flight flights appointment appointments card cards "
    "portfolio registry snapshot deletion removal termination closure snapshots archive "
    "archives contents usb stick drives phone collection collections "
    "recorder catalog catalogue migration migrations users"
)
"""What is missed when it is gone, even when it is one."""

GUARDS = word_set(
    "alarm alarms lock locks door doors gate firewall firewalls authentication 2fa mfa "
    "antivirus monitoring encryption backup backups logging safety guard guards guardrails "
    "audit alerts alert alerting fire-alarm fire-alarms protection protections security two-factor "
    "verification validation "
    "checks sandbox log logs limits limit smoke camera cameras detector integration device devices "
    "limiting throttling captcha interlock two-person four-eyes dual-control watchdog "
    "killswitch kill-switch "
    "waf tls ssl rls suppression sprinkler sprinklers extinguisher interlock interlocks failsafe"
)
"""What protects somebody as long as it is on."""

NOMINALS = MappingProxyType(
    {
        noun: Verb(base=base, kind=kind, form=Form.ING)
        for noun, base, kind in (
            ("cancellation", "cancel", Kind.DELETE),
            ("deletion", "delete", Kind.DELETE),
            ("removal", "remove", Kind.DELETE),
            ("termination", "terminate", Kind.DELETE),
            ("closure", "close", Kind.DELETE),
            ("purge", "purge", Kind.DELETE),
            ("wipe", "wipe", Kind.DELETE),
            ("reformat", "reformat", Kind.DELETE),
            ("overwrite", "overwrite", Kind.DELETE),
            ("withdrawal", "withdraw", Kind.PAYMENT),
            ("transfer", "transfer", Kind.PAYMENT),
            ("payment", "pay", Kind.PAYMENT),
            ("refund", "refund", Kind.PAYMENT),
            ("purchase", "buy", Kind.PAYMENT),
            ("restore", "restore", Kind.UPDATE),
            ("migration", "migrate", Kind.UPDATE),
            ("rollback", "rollback", Kind.UPDATE),
            ("trade", "trade", Kind.PAYMENT),
            ("donation", "donate", Kind.PAYMENT),
            ("deposit", "deposit", Kind.PAYMENT),
            ("shutdown", "stop", Kind.UPDATE),
            ("teardown", "destroy", Kind.DELETE),
            ("erasure", "erase", Kind.DELETE),
            ("payout", "pay", Kind.PAYMENT),
            ("sale", "sell", Kind.PAYMENT),
            ("rollout", "deploy", Kind.UPDATE),
            ("deployment", "deploy", Kind.UPDATE),
            ("wire", "wire", Kind.PAYMENT),
            ("booking", "book", Kind.CREATE),
            ("overwriting", "overwrite", Kind.UPDATE),
            ("eviction", "evict", Kind.DELETE),
            ("expulsion", "expel", Kind.DELETE),
            ("layoff", "dismiss", Kind.DELETE),
            ("layoffs", "dismiss", Kind.DELETE),
            ("exit", "dismiss", Kind.DELETE),
            ("exits", "dismiss", Kind.DELETE),
            ("departure", "dismiss", Kind.DELETE),
            ("departures", "dismiss", Kind.DELETE),
            ("redundancies", "dismiss", Kind.DELETE),
            ("offboarding", "offboard", Kind.DELETE),
            ("demolition", "demolish", Kind.DELETE),
            ("liquidation", "liquidate", Kind.DELETE),
            ("failover", "switch", Kind.UPDATE),
            ("cutover", "switch", Kind.UPDATE),
            ("cut-over", "switch", Kind.UPDATE),
            ("switchover", "switch", Kind.UPDATE),
            ("decommissioning", "decommission", Kind.DELETE),
            ("swap", "swap", Kind.UPDATE),
            ("dismissal", "dismiss", Kind.DELETE),
            ("reset", "reset", Kind.UPDATE),
            ("buy-back", "buy", Kind.PAYMENT),
            ("buyback", "buy", Kind.PAYMENT),
        )
    }
)
"""Deeds said as nouns: `I will proceed with the cancellation`."""

OTHERWISE = MappingProxyType(
    {
        "close": word_set(
            "variants match matches to enough by friends friend attention look family"
        ),
        "clear": word_set("that why how picture idea about instructions explanation"),
        "set": word_set("of"),
        "open": word_set("source issues"),
        "bet": word_set("is that"),
        "commit": word_set("message messages hash hashes history id ids log"),
        "credit": word_set("card cards score scores report limit history line lines union"),
        "cut": word_set("is"),
        "exit": word_set("code codes status poll interview survey sign ramp"),
        "departure": word_set("time times date dates lounge gate hall board"),
        "departures": word_set("board hall"),
        "double": word_set("quotes quote check spaces space"),
        "drop": word_set("by"),
        "exchange": word_set("rate rates"),
        "fund": word_set("manager is has"),
        "issue": word_set("number tracker id ids is was with"),
        "log": word_set("out"),
        "pay": word_set("attention heed tribute homage respects"),
        "paying": word_set("attention heed tribute homage respects"),
        "order": word_set("id ids number details history status"),
        "prune": word_set("juice"),
        "sample": word_set("size"),
        "sign": word_set("in of up"),
        "study": word_set("group"),
        "text": word_set("file files editor message messages mode"),
        "share": word_set("of price prices"),
        "trade": word_set("history"),
        "cancel": word_set("button"),
        "delete": word_set("button key"),
        "fire": word_set("up alarm event events drill department request requests extinguisher"),
        "end": word_set("of user users to result results date dates time times point points"),
        "stop": word_set("sign"),
        "lock": word_set("screen"),
        "kill": word_set("switch switches"),
    }
)
"""Words that look like a verb, and what behind them shows that they are none."""

NEUTRAL = word_set(
    "be have need take get see know wait go do try help work use want keep continue proceed "
    "look like provide offer present return receive say tell talk speak answer respond "
    "explain assume consider discuss walk guide follow focus ensure come stay remain rely "
    "require save store collect gather cover mention refer note need never not also then now "
    "first only just always soon finally cost be repeat address verify double-check handle "
    "require visit watch learn study rank sort group number name cite quote match reach meet "
    "give scroll export render generate train simulate build compile parse split chunk index "
    "crawl scrape load preload stream play draw paint sketch sing cook bake walk drive wait "
    "think wonder guess spell recite practise practice time average total expect hope plan use "
    "spend print sum highlight zoom type click press tap swipe jump bring share sit stand aim"
)
"""After `I will` they do nothing to anything, even with a number behind them."""
