"""What is no statement of any database, and yet holds an order: nobody can tell what it does."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.blocks import BRACKETS, leading
from holdpoint.core.risk.sql.tokens import Token

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


def unread(tokens: tuple[Token, ...], orders: frozenset[str]) -> bool:
    """Whether a statement begins as none does, and an order stands in it bare.

    `orders`: the words that begin an order which is judged by its own rule.
    """
    head = tokens[leading(tokens)]
    if head.kind not in {"word", "name"} or head.text in _KNOWN or head.text in orders:
        return False
    after = tokens[leading(tokens) + 1 :][:1]
    if head.text[0] in "@:#$" or (after and after[0].text[0] in _OPENS):
        return False
    words = {token.text for token in tokens if token.kind == "word"}
    return not _ORDERS.isdisjoint(words) and _PROSE.isdisjoint(words)


def unclosed(tokens: tuple[Token, ...]) -> bool:
    """Whether brackets around an order are never closed."""
    texts = [token.text for token in tokens]
    if texts[0] not in BRACKETS or _ORDERS.isdisjoint(texts):
        return False
    return texts.count("(") > texts.count(")") or texts.count("{") > texts.count("}")
