"""The grammar of tools that nobody listed: a noun, a verb, options; what the verb takes away."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import asks_for_help
from holdpoint.core.risk.shell.model import HOLE, Command, Danger
from holdpoint.messages.risk import RiskLevel

DESTROYS = word_set(
    "delete del destroy purge terminate drop wipe erase nuke revoke deregister decommission "
    "unpublish yank rm remove rmi uninstall undeploy undefine flush truncate reset prune format "
    "deprovision obliterate expunge shred unlink discard deleteall removeall dropdb dropall "
    "deluser forget zap teardown nukeall empty rb deletebatch factoryreset des rmr cleanup "
    "deleteuser destroyall wipeout clear clean rollback drain unset disable failover "
    "deactivate detach disassociate suspend evict leave unregister delte delgroup seal d uninit"
)
_TIDY = word_set("clear clean cleanup reset prune empty disable suspend leave discard rollback")
"""Verbs that tidy up when they stand alone behind a tool that nobody knows."""

_UNSAID = word_set("format d seal clean clear")
"""Verbs that a tool that nobody knows may mean otherwise."""

READS = word_set(
    "list ls get describe show status info view search find inspect diff log logs history version "
    "help check validate verify lint fmt plan preview print read cat tail top ps events explain "
    "whoami config-get lookup query count export head stat usage doctor outdated why audit test "
    "dump watch wait tree options choices completion completions ping which env"
)
_MAKES = word_set(
    "create add new init install put set update edit apply upload push pull clone build run start "
    "open enable attach register import copy cp mv sync deploy commit tag login use exec send "
    "post publish generate make connect scan man say"
)
_CHEAP = word_set(
    "plugin plugins extension extensions cache caches package packages pkg module theme themes tag "
    "tags label labels alias aliases bookmark bookmarks todo task history template completion "
    "dependency dep toolchain component repo-cache cache-keys annotation note comment comments"
)
"""Nouns that are made again in a minute."""

_SWITCHES = word_set("feature features flag flags workflow plugin plugins addon addons debug beta")
"""What is switched off and on again every day."""

_OPTIONS = re.compile(
    r"--(?:delete|remove|erase|destroy|purge|wipe|drop|factory-?reset|unregister|revoke|autonuke"
    r"|reset-offsets|nuke|obliterate|shred|uninstall|del)(?:-[a-z-]+|[A-Z]\w*)?(?:=.*)?|--(?:force-reset|(?:accept|allow|ignore)-data-loss)|-(?:delete|remove|erase)[A-Z]\w*|-(?:deleteduplicates|rad)"
)
_MILD_OPTIONS = re.compile(
    r"--(?:reset|clear|prune|clean|force-delete|expire|empty|flush)(?:-\w+)*"
)
_KEEPS = re.compile(
    r"--(?:delete|remove)-(?:source|original|orphans|branch|nodes|comments|tags|duplicates-dry)"
)
_BOOLEAN = word_set(
    "--yes --force --debug --quiet --verbose --all --json --confirm --assume-yes --no-input "
    "--non-interactive --recursive --auto-approve --interactive --dry-run --insecure --no-color "
    "--delete --remove --cascade --purge --wait --raw --global --system --user-install --wipe"
)
_VALUED = word_set(
    "-n -g -o -p -r -s -t -u -z -a -h -H -c -P -U -m -i -b -k -e -f -d -N -R -S -C -A -T -O -l"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_:.@-]*")
_PARTS = re.compile(r"[-_:.]")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
MAX_PATH = 5
"""Words of a command line in which its verb may stand."""


def subcommands(args: tuple[str, ...]) -> list[str]:
    """The words that may name what is done, without options and the values of some."""
    words: list[str] = []
    at = 0
    while at < len(args) and len(words) < MAX_PATH:
        arg = args[at]
        if arg == "--":
            break
        if arg.startswith("--"):
            at += 1 if "=" in arg or arg in _BOOLEAN or words[1:] else 2
        elif arg.startswith("-"):
            at += 2 if arg in _VALUED and not words[1:] else 1
        else:
            words.append(arg)
            at += 1
    return words


def verb_of(word: str) -> str:
    """The verb that takes something away in `terminate-instances`, `apps:destroy`, `doDelete`."""
    if len(word) > MAX_VERB or not _WORD.fullmatch(word) or word.startswith("un-"):
        return ""
    parts = [part.lower() for part in _PARTS.split(_HUMP.sub("-", word)) if part]
    if ":" in word:
        last = _PARTS.split(word.rpartition(":")[2].lower())
        return next((part for part in last if part in DESTROYS), "")
    if not parts or parts[0] in READS:
        return ""
    return next((part for part in parts[:3] if part in DESTROYS), "")


MAX_VERB = 48
SHORTEST_FUSED = len("rmvol")
_FUSED = re.compile(
    r"(delete|remove|destroy|drop(?!let)|purge|erase|wipe|terminate|undeploy)[a-z]{3,}"
    r"|(del|rm)(?:node|zone|user|group|key|all|pool|snap|vol|obj|db|bucket)"
    r"|[a-z]{2,}(delete|remove|destroy|purge|erase)"
)


def _fused(word: str) -> str:
    """The verb in a word that holds its object too: `removenode`, `delzone`, `rrdelete`."""
    match = _FUSED.fullmatch(word.lower()) if len(word) >= SHORTEST_FUSED else None
    return next((one for one in match.groups() if one), "") if match else ""


_ASKS = word_set("get list describe show batch-get search lookup head")
"""What begins the name of a question: `get-role`, `list-tags`."""

_NOUNS = word_set(
    "log logs history events search test env config plan version watch audit query index"
)
_NOUN_ENDS = word_set("service services index environment")
"""What reads as a verb, and is a noun where one that deletes follows."""


def by_verb(command: Command, *, service: bool) -> list[Danger]:
    """What its verb takes away; `service`: the tool manages things that others depend on."""
    if asks_for_help(command):
        return []
    named = _in_name(command, service=service)
    if named or not command.args:
        return named
    word, verb = _verb_among(subcommands(command.args), service=service)
    if verb:
        return _danger(command, verb, word, service=service)
    if word:
        return []
    if service and _JSON_DELETES.search(" ".join(command.args)):
        return [_json_delete()]
    return _by_option(command, service=service)


def _verb_among(words: list[str], *, service: bool) -> tuple[str, str]:
    """The first word that decides, and the verb in it when it takes something away."""
    for place, word in enumerate(words):
        if HOLE in word or not _WORD.fullmatch(word):
            break
        verb = verb_of(word) or (_fused(word) if service else "")
        following = words[place + 1].lower() if place + 1 < len(words) else ""
        if verb and (verb != "d" or (place and following not in READS)):
            return word, verb
        head = word.lower()
        if service and head.partition("-")[0] in _ASKS:
            return word, ""
        noun = service and head in _NOUNS and following.partition("-")[0] in DESTROYS | _NOUN_ENDS
        if not noun and (head in READS or (head in _MAKES and not service)):
            return word, ""
    return "", ""


_JSON_DELETES = re.compile(r'"[Aa]ction"\s*:\s*"DELETE"|Action=DELETE')


def _json_delete() -> Danger:
    return Danger("shell.json-delete", RiskLevel.HIGH, "deletes what its JSON names", "delete")


def _in_name(command: Command, *, service: bool) -> list[Danger]:
    """`kafka-delete-records`, and calls such as `gateway.customer.delete(…)`."""
    name = command.name
    verb = ""
    if service and command.args:
        verb = next((part for part in name.split("-")[1:] if part in _PLAINLY), "")
    if "." in name and "/" not in command.path and "." in command.path.strip("."):
        last = _HUMP.sub("-", command.path.rpartition(".")[2]).partition("-")[0].lower()
        verb = last if last in _PLAINLY else verb
    reason = f"takes something away: `{verb}`"
    return [Danger(f"shell.verb-{verb}", RiskLevel.HIGH, reason, verb)] if verb else []


_PLAINLY = word_set("cancel delete drop destroy purge truncate flush wipe erase terminate")


def _danger(command: Command, verb: str, word: str, *, service: bool) -> list[Danger]:
    if not service and (verb in _UNSAID or command.name in KNOWN_HARMLESS):
        return []
    level = RiskLevel.HIGH
    nouns = {part.lower() for part in subcommands(command.args)[:4]} - {word}
    switched = verb == "disable" and nouns & _SWITCHES
    if switched or nouns & _CHEAP or (not service and len(command.args) == 1 and verb in _TIDY):
        level = RiskLevel.MEDIUM
    reason = f"takes something away: `{verb}`"
    return [Danger(f"shell.verb-{verb}", level, reason, verb)]


def _by_option(command: Command, *, service: bool) -> list[Danger]:
    """`kafka-topics --delete`, `timeshift --delete`: an option is the verb."""
    for at, arg in enumerate(command.args):
        if arg[:1] != "-":
            continue
        name, _, value = arg.partition("=")
        if name in _ACTS:
            verb = (value or "".join(command.args[at + 1 : at + 2])).lower()
            if verb in _PLAINLY:
                return [Danger(f"shell.verb-{verb}", RiskLevel.HIGH, f"is to {verb}", verb)]
        mild = service and _MILD_OPTIONS.fullmatch(arg)
        if not _KEEPS.match(arg) and (mild or _OPTIONS.fullmatch(arg)):
            verb = arg.lstrip("-").partition("-")[0].partition("=")[0]
            reason = f"takes something away: `{arg.partition('=')[0]}`"
            return [Danger(f"shell.option-{verb}", RiskLevel.HIGH, reason, verb)]
    return []


_ACTS = word_set("-o --op --operation --action --command --cmd")
"""Options whose value says what is done: `-o delete`."""

KNOWN_HARMLESS = word_set(
    "echo printf cat grep egrep fgrep rg ag ack ls dir head tail wc sort uniq cut paste diff cmp "
    "file stat which type whereis man tldr info apropos less more tree du df ps pgrep top htop pwd "
    "date whoami id uname hostname printenv jq yq column nl od strings md5sum sha1sum sha256sum "
    "sha512sum cksum tac rev tr seq test [ true false sleep expr basename dirname readlink "
    "realpath "
    "dig host nslookup ping traceroute tracepath mtr whois finger w who last uptime free vmstat "
    "iostat lsof lsblk lscpu lspci lsusb blkid mount findmnt groups locale cal bc dc factor nproc "
    "getent getconf fold fmt pr expand unexpand comm join tsort look spell cowsay say figlet "
    "banner "
    "clear reset tput stty hash help cd pushd popd dirs set unset export declare local typeset "
    "readonly alias unalias shift return break continue exit wait jobs bg fg disown let read "
    "mapfile readarray getopts umask ulimit times colordiff bat batcat exa eza fd fdfind fzf zcat "
    "bzcat xzcat zgrep zless gzcat ffprobe identify exiftool iconv xmllint xmlstarlet xml htmlq "
    "pup "
    "tidy csvcut csvgrep csvclean mlr gron dasel hexdump hexyl b64 mkdir touch xdg-open open "
    "pygmentize nkf sips pastel tokei cloc scc bfs hash logger notify-send dmesg arp ss netstat "
    "apt-cache rpm-query apt-file pkg-config ldd nm objdump readelf size addr2line strace-log "
    "kill-list biff tldr-lint cheat rubocop eslint prettier black mypy ruff pytest tox jest vitest "
    "mocha tsc go-test gofmt shellcheck ctags cscope make cmake ninja gcc g++ clang cc javac java "
    "rustc scalac kotlinc ld as ar nasm gdb lldb valgrind perf"
)
"""Programs that print, compute or build: a word behind them is never their verb."""

SERVICES = word_set(
    "pulumi terraform tofu terragrunt ansible aws gcloud az gsutil bq azcopy doctl linode-cli "
    "linode hcloud vultr scw exo ibmcloud oci "
    "aliyun "
    "civo ovh yc tccli hcloud eksctl aks eb sam cdk copilot amplify serverless sls heroku fly "
    "flyctl vercel vc now netlify wrangler railway render supabase firebase neonctl turso pscale "
    "planetscale upstash cloudflared cf ntl gh glab hub bitbucket tea jira acli linear vault op "
    "doppler bw lpass pass keybase infisical chamber auth0 okta kcadm kcadm.sh pd opsgenie "
    "newrelic "
    "datadog datadog-ci sentry-cli splunk grafana-cli kubectl k oc helm argocd flux istioctl "
    "linkerd k9s kops kubeadm kind k3d minikube talosctl velero rancher nomad consul "
    "consul-template "
    "boundary packer vagrant multipass virsh qm pct pvesm pveum pvecm lxc incus govc xe prlctl "
    "vboxmanage vmrun ceph rados rbd gluster zfs zpool btrfs mdadm lvm kafka-topics kafka-configs "
    "kafka-acls kafka-consumer-groups kafka-delete-records kafka-streams-application-reset "
    "kafka-topics.sh kafka-consumer-groups.sh kafka-configs.sh kafka-acls.sh "
    "kafka-delete-records.sh "
    "rpk kcat confluent ccloud rabbitmqctl rabbitmqadmin rabbitmq-streams rabbitmq-queues nats "
    "pulsar-admin activemq redis-cli mongosh mongo influx influxd cqlsh nodetool cockroach etcdctl "
    "zookeeper-shell zkcli elasticsearch-plugin es_rally algolia meilisearch mc b2 rclone s3cmd "
    "s5cmd "
    "swift restic borg duplicity kopia duplicacy tarsnap rdiff-backup timeshift snapper bacula "
    "pgbackrest barman wal-g stripe twilio sendgrid fastly akamai cloudflare deck kong unleash "
    "flipt ldcli launchdarkly split apigeecli circleci travis buildkite-agent drone gitlab-runner "
    "gitlab-rails gitlab-ctl jenkins-cli npm pnpm yarn vsce ovsx twine gem cargo pio ykman "
    "samba-tool ipa ldapdelete dsrm kadmin kadmin.local net smbpasswd prosodyctl ejabberdctl "
    "synadm cephadm crm pcs corosync-cfgtool drbdadm rndc nsupdate pdnsutil dnsimple namecheap "
    "certbot acme.sh step cfssl tctl tsh tailscale headscale zerotier-cli wg nmcli ipcrm "
    "systemd-firstboot systemd-cryptenroll homectl machinectl portablectl efibootmgr nvram "
    "minipro st-flash esptool esptool.py dfu-util openocd flashrom picotool ia transmission-remote "
    "atlas mongocli snowsql bq dbt airflow prefect dagster mlflow wandb huggingface-cli databricks "
    "dbx spark hdfs hadoop hbase yarn-hadoop sqoop ambari dropbox rdfind fdupes jdupes rmlint "
    "czkawka_cli bfg tlmgr trash toolbox dotnet ef sequelize prisma knex typeorm flyway liquibase "
    "alembic rails rake artisan php-artisan drush wp magento bin/magento symfony pg_recvlogical "
    "neo4j-admin tye tuckr koji vsan faas-cli func dapr pipx-registry apigee gcloud-beta "
    "confluentcli crictl openstack nova cinder glance knife puppet cli53 rndc doveadm patronictl "
    "splunk ldcli okteto tilt skaffold devspace lando ddev dokku cf limactl colima microk8s k0s "
    "rke tkn kn kapp calicoctl cilium argo woodpecker-cli jenkins-cli.jar amtool wp ipfs hdfs "
    "hadoop pvecm jenkins proxmox-backup-client oras crane regctl dog stack surge eas sst encore "
    "nhost appwrite pocketbase xata tinybird temporal tctl-temporal prefect-cloud"
)
"""Tools that manage what others depend on: here the mild verbs count too."""
