"""What is no statement of any database, and yet holds an order: nobody can tell what it does."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.blocks import BRACKETS, leading
from holdpoint.core.risk.sql.tokens import Cut, Token, cuts

_ORDERS = word_set("DROP DELETE DEL TRUNCATE ALTER REVOKE PURGE SHUTDOWN KILL DETACH")
"""Words that take something away wherever a statement may begin."""

_PROSE = word_set(
    "THE A AN WHO HOW WHAT WHICH WHY PLEASE MY OUR ME I WE YOU THAT THIS OF ABOUT CAN"
)
"""Words of people, who ask in their own language where others write a statement."""

_KNOWN = word_set(
    "SELECT WITH VALUES TABLE FROM SHOW DESCRIBE DESC EXPLAIN USE BEGIN START COMMIT ROLLBACK "
    "SAVEPOINT RELEASE END ABORT DECLARE FETCH CLOSE OPEN MOVE UPSERT ANALYZE ANALYSE CLUSTER "
    "REINDEX REFRESH LISTEN NOTIFY UNLISTEN CHECKPOINT DISCARD COMMENT SECURITY LOCK UNLOCK "
    "DEALLOCATE PRINT IF ELSE ELSIF ELSEIF WHILE LOOP REPEAT UNTIL FOR FOREACH CASE WHEN RETURN "
    "GOTO THROW RAISE RAISERROR SIGNAL RESIGNAL WAITFOR GO BACKUP IMPORT LIST LS PUT GET UNDROP "
    "CACHE UNCACHE CLEAR EXCHANGE WATCH EXISTS HANDLER FLUSH BINLOG HELP ASSERT SUMMARIZE PIVOT "
    "UNPIVOT CHECK SUBSCRIBE AUDIT ASSOCIATE PERFORM EXCEPTION LEAVE ITERATE CONTINUE EXIT QUIT "
    "GET PROMPT REM REMARK SPOOL WHENEVER DEFINE COLUMN TIMING ACCEPT VARIABLE CONNECT APPLY "
    "FORALL NULL STATISTICS RECONFIGURE REVERT SIGN CHECKSUM REPAIR RECOVER UNSET ADD LET MATCH "
    "OPTIONAL UNWIND PREFIX ASK CONSTRUCT DELIMITER SOURCE CREATE XA THEN DO TRY CATCH INTO "
    "BULK READTEXT WRITETEXT UPDATETEXT SETUSER COMPUTE TRANSACTION VALIDATE BREAK LANGUAGE AS"
)
"""What begins a statement of some database, or a part of a block, and is no order by itself."""

_OPENS = frozenset("(.:=[|,;*+-/")
"""Signs behind the first word of a call, a path, an assignment, a calculation."""


def heads() -> list[str]:
    """The words that begin a statement and are no order."""
    return sorted(_KNOWN)


def is_known(tokens: tuple[Token, ...], orders: frozenset[str]) -> bool:
    """Whether it begins as a statement does; `orders`: words with a rule of their own."""
    head = tokens[leading(tokens)]
    return head.text in orders or head.text in _KNOWN or head.kind == "client"


def is_asked(tokens: tuple[Token, ...]) -> bool:
    """Whether these are words of people, who ask or tell."""
    return not _PROSE.isdisjoint({token.text for token in tokens if token.kind == "word"})


def unread(tokens: tuple[Token, ...], orders: frozenset[str]) -> bool:
    """Whether a statement begins as none does, and an order stands in it bare."""
    at = leading(tokens)
    head, after = tokens[at], tokens[at + 1 : at + 2]
    if is_known(tokens, orders) or head.text[0] in "@:#$":
        return False
    if head.kind in {"word", "name"} and after and after[0].text[0] in _OPENS:
        return False
    places = (place for place, token in enumerate(tokens) if token.text in _ORDERS)
    bare = next((place for place in places if _is_bare(tokens, place)), 0)
    return bool(bare) and not is_asked(tokens[:bare])


def _is_bare(tokens: tuple[Token, ...], place: int) -> bool:
    """Whether it is no column that is compared or listed."""
    then = tokens[place + 1 : place + 2]
    return tokens[place].kind == "word" and not (then and then[0].text in _VALUED)


_VALUED = frozenset({"=", "<", ">", "<=", ">=", "<>", "!=", ".", ",", ")", ":"})
"""Signs behind the name of a column."""


def unclosed(tokens: tuple[Token, ...]) -> bool:
    """Whether brackets around an order are never closed."""
    texts = [token.text for token in tokens]
    if texts[0] not in BRACKETS or _ORDERS.isdisjoint(texts):
        return False
    return texts.count("(") > texts.count(")") or texts.count("{") > texts.count("}")


def left_open(text: str, most: int) -> str:
    """What a text that asks opens and never closes; empty when all is closed.

    `most`: characters that are cut; of a longer text, what is not even counted alike is open.
    """
    if "```" in text or not _seems_open(text):
        return ""  # what stands in fences is also read without them
    if len(text) > most:
        return _BRACKET
    told = [_open_in(cut) for cut in cuts(text, "")]
    return told[0] if all(told) else ""


def _seems_open(text: str) -> bool:
    """Asked first, because it is cheap."""
    if text.count("(") > text.count(")"):
        return True
    lowered = text.lower()
    return "case" in lowered and lowered.count("case") > lowered.count("end")


def _open_in(cut: Cut) -> str:
    texts = [token.text for tokens in cut.statements for token in tokens if token.kind != "client"]
    if not _SAID.isdisjoint(texts):
        return ""
    open_still = texts.count("(") > texts.count(")") or texts.count("CASE") > texts.count("END")
    return _BRACKET if open_still else ""


_SAID = _PROSE - {"A"}
"""Words of people that are no names of columns."""

_BRACKET = "a bracket is never closed"
