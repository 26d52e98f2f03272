"""What was moved among temporary files is no temporary file; and data does not belong there."""

from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.state import MAX_MOVED
from holdpoint.messages.risk import RiskLevel

LOST = (
    "mv /home/a/data /tmp/ && rm -rf /tmp/data", "mv ~/photos /tmp/x; rm -rf /tmp/x",
    "mv data /tmp/x\nrm -rf /tmp/x", "mv data /tmp/\nls\nrm -rf /tmp/data/2024",
    "mv -t /tmp data notes; rm -rf /tmp/notes", 'd=$(mktemp -d); mv data "$d"; rm -rf "$d"',
    "mv data /tmp/a; mv /tmp/a /tmp/b; rm -rf /tmp/b", "mv data /tmp/a && find /tmp/a -delete",
    "mv data /tmp/a && rm -rf /tmp/*", "mv data /tmp/a && cd /tmp && rm -rf a",
    "cd /home/a && mv data /tmp/a && rm -rf /tmp/a", "sh -c 'mv data /tmp/a'; rm -rf /tmp/a",
    "if true; then mv data /tmp/a; fi; rm -rf /tmp/a", "mv -- data $TMPDIR/a; rm -rf $TMPDIR/a",
    "mv data /tmp/a/b/ && rm -rf /tmp/a", "mv data /tmp/a; f() { rm -rf /tmp/a; }; f",
    "mv /tmp/x /tmp/y; mv data /tmp/x; mv /tmp/x /tmp/z; rm -rf /tmp/z",
    "".join(f"mv a{at} /tmp/b{at};" for at in range(MAX_MOVED)) + "mv data /tmp/c; rm -rf /tmp/c",
)  # fmt: skip
TIDIED = (
    "mv node_modules /tmp/old && rm -rf /tmp/old", "mv dist /tmp/old; rm -rf /tmp/old",
    "mv notes.txt /tmp/ && rm /tmp/notes.txt", "mv a.txt /tmp/ && rm -rf /tmp/build-cache",
    "mv /tmp/a /tmp/b && rm -rf /tmp/b", "mv data /tmp/a; mv /tmp/a data; rm -rf /tmp/a",
    "mv /tmp/out.tar.gz . && rm -rf /tmp/work", "mv a b && rm -rf /tmp/x",
    "cp -r data /tmp/a && rm -rf /tmp/a",
)  # fmt: skip


def test_what_was_moved_among_temporary_files_is_deleted_as_what_it_was() -> None:
    for text in LOST:
        assert level(text) >= RiskLevel.HIGH, text[-80:]


def test_what_is_worth_nothing_or_was_moved_back_is_no_loss() -> None:
    for text in TIDIED:
        assert level(text) < RiskLevel.HIGH, text


def test_the_data_of_services_is_not_moved_among_temporary_files() -> None:
    for text in ("mv /var/lib/mysql /tmp/x", "mv /srv/data /tmp/", "mv -t /tmp /var/www/shop/"):
        assert level(text) >= RiskLevel.HIGH, text
    for text in ("mv /srv/data/export.csv /tmp/", "mv /var/lib/mysql /var/lib/mysql.bak",
                 "mv /opt/app/old.tar.gz /tmp", "mv /tmp/a /srv/data/"):  # fmt: skip
        assert level(text) < RiskLevel.HIGH, text


MOUNTED = (
    't=$(mktemp -d); mount --bind /srv "$t"; rm -rf "$t"',
    "mount /dev/sdb1 /tmp/m && rm -rf /tmp/m/*",
    "mount -o bind /srv/data /tmp/m; find /tmp/m -delete",
    "mount --rbind / /tmp/m\nrm -rf /tmp/m/srv",
    'trap \'rm -rf "$t"\' EXIT; t=$(mktemp -d); mount -B /srv "$t"',
)
BARE = (
    "mount -t tmpfs tmpfs /tmp/m && rm -rf /tmp/m/a",
    "mount -o loop a.iso /tmp/m && ls /tmp/m",
    "mount --bind /tmp/a /tmp/m && rm -rf /tmp/m",
    "mount /dev/sdb1 /mnt && rm -rf /tmp/m",
    "mount",
)


def test_what_is_mounted_among_temporary_files_is_deleted_as_what_it_is() -> None:
    for text in MOUNTED:
        assert level(text) >= RiskLevel.HIGH, text
    for text in BARE:
        assert level(text) < RiskLevel.HIGH, text
