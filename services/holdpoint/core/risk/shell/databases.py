"""Databases and their keepers: what drops, overwrites, stops, promotes, or runs an order."""

import re2

from holdpoint.core.risk.shell.effects import CRITICAL, HIGH, MEDIUM, Tool, each, on, tool
from holdpoint.core.risk.shell.model import Command, Danger

_OVER = "overwrites data that is there"
_STOPS = "stops a database, or makes another one its master"
_SCHEMA = "takes a schema back, with its data"
_BACKUPS = "deletes backups"
_WAITS = tool(on("", "--kill --kill-query", HIGH, "database-stop", "ends other people's queries"))

DATABASES: dict[str, Tool] = {
    "pt-kill": _WAITS,
    "pt-table-sync": tool(on("", "--execute", HIGH, "restore-over", _OVER)),
    "pt-archiver": tool(on("", "--purge --delete", HIGH, "database-purge", "deletes rows"),
                        dry="--dry-run"),
    "pg_rewind": tool(on("", "-D --target-pgdata", HIGH, "restore-over", _OVER),
                      dry="-n --dry-run"),
    "pg_archivecleanup": tool(on("*", "", HIGH, "backup-delete", _BACKUPS), dry="-n --dry-run"),
    "repmgr": tool(*each("standby promote,standby switchover,node rejoin,primary unregister", "",
                         HIGH, "database-stop", _STOPS), dry="--dry-run", verbs=True),
    "pg_autoctl": tool(*each("perform failover,perform switchover,drop node,drop monitor", "", HIGH,
                             "database-stop", _STOPS), verbs=True),
    "srvctl": tool(*each("stop,remove,disable", "", HIGH, "database-stop", _STOPS)),
    "crsctl": tool(*each("stop,delete", "", HIGH, "database-stop", _STOPS)),
    "xtrabackup": tool(on("", "--move-back --force-non-empty-directories", HIGH, "restore-over",
                          _OVER)),
    "mariabackup": tool(on("", "--move-back --force-non-empty-directories", HIGH, "restore-over",
                           _OVER)),
    "wal-g": tool(*each("delete,backup-push --delete", "", HIGH, "backup-delete", _BACKUPS),
                  on("backup-fetch", "", MEDIUM, "restore-over", _OVER), verbs=True),
    "barman": tool(on("recover", "", MEDIUM, "restore-over", _OVER), verbs=True),
    "tiup": tool(*each("cluster clean,cluster destroy,cluster scale-in,cluster prune,dm destroy",
                       "", CRITICAL, "database-drop", "takes a cluster away"), verbs=True),
    "couchbase-cli": tool(on("rebalance", "--server-remove", HIGH, "node-remove",
                             "takes a node away"), verbs=True),
    "cockroach": tool(*each("quit,node decommission,node drain", "", HIGH, "database-stop", _STOPS),
                      verbs=True),
    "flyway": tool(*each("clean,undo", "", HIGH, "database-reset", _SCHEMA),
                   dry="-dryRunOutput -help"),
    "sqitch": tool(*each("revert,rebase", "", HIGH, "database-reset", _SCHEMA), dry="--log-only"),
    "sea-orm-cli": tool(*each("migrate fresh,migrate reset,migrate refresh,migrate down", "", HIGH,
                              "database-reset", _SCHEMA)),
    "mikro-orm": tool(*each("schema:drop,schema:fresh,migration:down,migration:fresh", "", HIGH,
                            "database-reset", _SCHEMA)),
    "dbt": tool(*each("run,build,seed,snapshot", "--full-refresh -f", HIGH, "database-reset",
                      "drops tables and makes them again"), verbs=True),
    "atlas": tool(*each("migrate down,schema clean", "", HIGH, "database-reset", _SCHEMA),
                  verbs=True),
    "kong": tool(*each("migrations reset,migrations down", "", CRITICAL, "database-reset",
                       _SCHEMA), verbs=True),
    "celery": tool(*each("control shutdown,purge,* purge,* control shutdown", "", HIGH,
                         "queue-reset", "ends workers, or empties their queues"),
                   values="-A -b --app --broker"),
    "kcat": tool(on("", "-Z", HIGH, "queue-reset", "marks messages as deleted", "-C -L -Q"),
                 values="-b -t -p -G -F -X -K -D -f -o", verbs=True),
    "memcflush": tool(on("", "", HIGH, "cache-flush", "empties a cache")),
    "memcrm": tool(on("*", "", MEDIUM, "cache-flush", "deletes keys of a cache")),
    "kafka-streams-application-reset": tool(
        on("", "", HIGH, "queue-reset", "resets an application's place in its queues"),
        dry="--dry-run"),
    "kafka-streams-application-reset.sh": tool(
        on("", "", HIGH, "queue-reset", "resets an application's place in its queues"),
        dry="--dry-run"),
    "spark-submit": tool(on("", "--kill", HIGH, "jobs-cancel", "ends a job")),
    "mlflow": tool(on("gc", "", HIGH, "storage-delete", "deletes what was marked as deleted"),
                   verbs=True),
}  # fmt: skip
"""By name."""

_orders = re2.compile(
    r"(?im)(?:^|[;'\"])\s*(?:delete|delprinc|delpol|delete_principal|purge|prune|drop(?:_all)?|truncate(?:_preserve)?|disable|shutdown|remove"
    r"|destroy|failover|switchover|undeploy|crosscheck.*delete)\b|\bdb\._(?:drop|truncate|remove)\w*\("
    r"|\._?(?:truncate|drop)\(|\bload\b.{1,200}\breplace\s+into\b"
)


def console(command: Command) -> list[Danger]:
    """Orders on the input of a database's own console, or as a word of its command line."""
    said = (command.stdin.text or "") if command.stdin else ""
    words = "\n".join(arg for arg in command.args if " " in arg or "(" in arg)
    if _orders.search(f"{said}\n{words}"):
        return [Danger("shell.console-order", HIGH, "orders a database to lose something", "drop")]
    return []


CONSOLES = (
    "bconsole", "hbase", "rman", "surreal", "arangosh", "dgmgrl", "asadmin", "jboss-cli",
    "jboss-cli.sh", "ksql", "orientdb", "zkcli.sh", "zookeeper-shell", "zookeeper-shell.sh",
    "mysqlsh", "nuodbmgr", "ttisql", "db2", "qmgr", "kadmin", "kadmin.local",
)  # fmt: skip
"""Programs that read orders which are no SQL, line by line."""


def dot_orders(command: Command) -> list[Danger]:
    """Orders of sqlite3 that begin with a dot."""
    said = (command.stdin.text or "") if command.stdin else ""
    for line in (*command.args, *said.splitlines()[:64]):
        if line.startswith((".restore", ".drop", ".recover --")):
            return [Danger("shell.restore-over", HIGH, _OVER, "restore")]
    return []
