"""What others share: repositories, containers, clusters, infrastructure, databases, services."""

from holdpoint.core.risk.shell.cloud import AWS, AZ, GCLOUD, GSUTIL, PULUMI, RCLONE, TERRAFORM
from holdpoint.core.risk.shell.effects import CRITICAL, HIGH, LOW, MEDIUM, Tool, each, on, tool

_VOLUMES = "deletes volumes with their data"

_CONTAINERS = (
    *each("volume rm,volume remove,volume prune", "", HIGH, "volume-delete", _VOLUMES),
    on(
        "system prune",
        "--all -a --volumes -f --force --filter",
        HIGH,
        "prune",
        "deletes images, containers or volumes",
    ),
    on("system prune", "", MEDIUM, "prune", "deletes unused containers and networks"),
    on("system reset", "", CRITICAL, "prune", "deletes every container, image and volume"),
    *each(
        "builder prune,buildx prune", "-a --all -f --force", HIGH, "prune", "deletes a build cache"
    ),
    on("builder prune", "", MEDIUM, "prune", "deletes a build cache"),
    *each(
        "image prune,container prune,network prune",
        "-f --force -a --all",
        HIGH,
        "prune",
        "deletes what is unused, unasked",
    ),
    *each(
        "image prune,container prune,network prune,buildx prune",
        "",
        MEDIUM,
        "prune",
        "deletes what is unused",
    ),
    *each(
        "rm,container rm,pod rm",
        "-a --all -f --force -v --volumes",
        HIGH,
        "container-remove",
        "removes containers, running or not",
    ),
    *each(
        "rm,container rm,container remove,rmi,image rm,image remove,network rm,network remove",
        "",
        MEDIUM,
        "container-remove",
        "removes containers or images",
    ),
    *each("rmi,image rm", "-f --force -a --all", HIGH, "image-remove", "removes images in use"),
    *each(
        "stack rm,stack remove,stack down,swarm leave,service rm,node rm,namespace rm,"
        "namespace remove",
        "",
        HIGH,
        "stack-remove",
        "takes services down",
    ),
    *each("config rm,secret rm", "", MEDIUM, "secret-remove", "removes a secret"),
    *each(
        "stop,kill,restart,container stop,container kill",
        "",
        MEDIUM,
        "container-stop",
        "stops containers",
    ),
    *each("service rollback,service update", "--force", MEDIUM, "container-stop", "starts it anew"),
    *each(
        "run,container run,create",
        "--privileged",
        MEDIUM,
        "privileged",
        "gives a container the whole machine",
    ),
    on("compose down", "-v --volumes --rmi", HIGH, "volume-delete", _VOLUMES),
    on("compose rm", "-v", HIGH, "volume-delete", _VOLUMES),
    *each(
        "compose down,compose rm,compose stop,compose kill",
        "",
        MEDIUM,
        "container-stop",
        "stops containers",
    ),
    on("pod rm", "", MEDIUM, "container-remove", "removes containers"),
    on("machine rm", "", HIGH, "machine-remove", "removes a virtual machine"),
    on("context rm", "", LOW, "context", ""),
    *each(
        "buildx rm,manifest rm,plugin rm,push,compose push,image push,commit", "", LOW, "image", ""
    ),
)

_OPTIONS = "-H -c -l --host --context --log-level --config --filter -t --time"
DOCKER = tool(*_CONTAINERS, values=_OPTIONS, dry="--dry-run")
_NERDCTL = tool(
    *_CONTAINERS, values=f"{_OPTIONS} -n --namespace --address --snapshotter", dry="--dry-run"
)

_COMPOSE = tool(
    on("down", "-v --volumes --rmi", HIGH, "volume-delete", _VOLUMES),
    on("rm", "-v -fv -fsv -sfv -svf -vf -fvs", HIGH, "volume-delete", _VOLUMES),
    *each("down,rm,stop,kill", "", MEDIUM, "container-stop", "stops containers"),
    values="-f -p --file --project-name --profile --env-file -t --timeout",
    dry="--dry-run",
)

_KUBECTL = tool(
    on("delete pod", "--force --grace-period --now --all --selector -l --field-selector", HIGH,
        "kube-delete",
       "deletes pods at once"),
    on("delete pods", "--force --grace-period --now --all --selector -l --field-selector", HIGH,
        "kube-delete",
       "deletes pods at once"),
    *each("delete pod,delete pods,delete po", "", MEDIUM, "kube-pod", "deletes a pod"),
    on("delete", "", HIGH, "kube-delete", "deletes resources of a cluster"),
    on("drain", "", HIGH, "kube-drain", "empties a node"),
    *each("cordon,taint", "--all --selector -l", HIGH, "kube-cordon",
          "takes many nodes out of service"),
    *each("cordon,taint", "", MEDIUM, "kube-cordon", "takes a node out of service"),
    on("replace", "--raw", HIGH, "kube-replace", "overwrites what the cluster itself looks after"),
    on("replace", "--force", HIGH, "kube-replace", "deletes resources and makes them anew"),
    on("apply", "--force", HIGH, "kube-replace", "deletes resources and makes them anew"),
    on("apply", "--prune", HIGH, "kube-delete", "deletes what the file does not name"),
    *each("apply,replace,patch,edit,set,annotate,label,rollout restart,create", "", LOW, "kube",
        ""),
    on("rollout undo", "", MEDIUM, "kube-undo", "goes back to an older version"),
    *each("cluster-info,auth can-i,auth whoami,config delete-context,"
          "config unset", "", LOW, "kube", ""),
    values="-n -l -f -o -c --namespace --context --cluster --kubeconfig --selector --filename "
    "--output --field-selector --server --user --token --as --replicas --timeout -k --kustomize",
    dry="--dry-run", verbs=True,
)  # fmt: skip

_HELM = tool(
    *each("uninstall,delete,del,un", "", HIGH, "helm-uninstall", "removes a release"),
    on("upgrade", "--force --reset-values", MEDIUM, "helm-upgrade", "replaces a release"),
    *each("rollback", "", MEDIUM, "helm-rollback", "goes back to an older release"),
    *each(
        "plugin uninstall,plugin remove,repo remove,push,install,upgrade,template",
        "",
        LOW,
        "helm",
        "",
    ),
    values="-n --namespace --kube-context --kubeconfig -f --values --set --version",
    dry="--dry-run",
)

_REDIS = tool(
    *each("config,CONFIG,debug,DEBUG", "", MEDIUM, "redis-config", "changes the server"),
    *each("del,DEL,unlink,UNLINK", "", MEDIUM, "redis-delete", "deletes keys"),
    values="-h -p -a -n -u -s -r -i --user --pass",
)

_HUB = tool(
    on("delete", "", HIGH, "hub-delete", "deletes what others use"),
    on("repo delete", "", HIGH, "hub-delete", "deletes what others use"),
    on("release delete", "", HIGH, "hub-delete", "deletes what others use"),
)
_GH = tool(
    *each("repo delete,release delete,secret delete,secret remove,issue delete,codespace "
    "delete,cs delete,"
          "environment delete,ruleset delete,run delete,project delete,gist delete,cache delete",
              "",
          HIGH, "hub-delete", "deletes what others use"),
    *each("repo archive,repo rename", "", MEDIUM, "hub-change", "changes what others use"),
    on("gist create", "-p --public", HIGH, "made-public", "shows it to everybody"),
    on("repo edit", "--visibility", HIGH, "hub-visibility", "changes who may see a repository"),
    on("variable delete", "-g --group -o --org", HIGH, "hub-delete", "deletes what others use"),
    *each("variable delete,label delete,gpg-key delete,ssh-key delete,extension remove,alias "
    "delete,"
          "workflow disable,ci delete,release upload", "", MEDIUM, "hub-remove",
              "removes a setting"),
    on("pr merge", "--admin", HIGH, "hub-merge", "merges past the rules"),
    *each("pr,issue,search,run,workflow,auth,browse,status,api,release create,repo clone,repo view,"
          "repo list", "", LOW, "hub", ""),
    values="-R --repo -X --method -f -F -H --jq -q -b -t --title --body", verbs=True,
)  # fmt: skip

_POSTGRES = tool(on("*", "", CRITICAL, "database-drop", "drops a database or role"),
                 values="-h -p -U --host --port --username")  # fmt: skip

REMOTE: dict[str, Tool] = {
    "docker": DOCKER, "podman": DOCKER, "nerdctl": _NERDCTL, "docker-compose": _COMPOSE,
    "podman-compose": _COMPOSE,
    "kubectl": _KUBECTL, "k": _KUBECTL, "oc": _KUBECTL, "kubecolor": _KUBECTL,
    "terraform": TERRAFORM, "tofu": TERRAFORM, "terragrunt": TERRAFORM,
    "pulumi": PULUMI, "helm": _HELM, "aws": AWS, "gcloud": GCLOUD, "az": AZ, "gsutil": GSUTIL,
    "rclone": RCLONE,
    "cdk": tool(on("destroy", "", CRITICAL, "infra-destroy", "destroys infrastructure")),
    "cdktf": tool(on("destroy", "", CRITICAL, "infra-destroy", "destroys infrastructure")),
    "sam": tool(on("delete", "", CRITICAL, "infra-destroy", "destroys infrastructure")),
    "serverless": tool(on("remove", "", CRITICAL, "infra-destroy", "destroys infrastructure")),
    "ansible": tool(),
    "redis-cli": _REDIS, "valkey-cli": _REDIS, "keydb-cli": _REDIS,
    "gh": _GH, "glab": _GH, "hub": _HUB,
    "dropdb": _POSTGRES, "dropuser": _POSTGRES,
    "mysqladmin": tool(on("drop", "", CRITICAL, "database-drop", "drops a database"),
                       on("shutdown", "", HIGH, "database-stop", "stops a database"),
                       values="-u -h -P -S --user --host --port --socket"),
    "pg_restore": tool(on("", "-c --clean", HIGH, "database-overwrite", "drops what it restores"),
                       values="-d -h -p -U -n -t -j --dbname"),
    "mongoimport": tool(on("", "--drop", HIGH, "database-overwrite", "drops what it imports")),
    "heroku": tool(*each("maintenance:on,pg:copy,pg:restore,pg:backups:restore,"
                         "pg:reset,pg:killall,apps:transfer,pg:promote", "", HIGH,
                         "platform-change", "takes an application or its data away"),
                   values="-a --app -r -s -t", verbs=True),
    "fly": tool(on("ips release", "", HIGH, "platform-change", "gives an address away"),
                on("scale count 0", "", HIGH, "platform-stop", "stops an application"),
                values="-a --app -c", verbs=True),
    "mongorestore": tool(on("", "--drop", HIGH, "database-overwrite", "drops what it restores")),
    "pg_resetwal": tool(on("", "", CRITICAL, "database-reset", "may lose committed data")),
    "pg_ctl": tool(on("stop", "-m --mode", HIGH, "database-stop", "stops a database"),
                   on("stop", "", MEDIUM, "database-stop", "stops a database")),
    "etcdctl": tool(on("del", "--prefix --from-key", CRITICAL, "store-delete", "deletes many keys"),
                    on("del", "", MEDIUM, "store-delete", "deletes a key"), verbs=True),
    "borg": tool(*each("delete,prune,recreate,compact", "", HIGH, "backup-delete",
        "deletes backups"),
                 dry="-n --dry-run", verbs=True),
    "restic": tool(*each("forget,prune,rewrite", "", HIGH, "backup-delete", "deletes backups"),
                   values="-r --repo -p --password-file --tag --host -o --option",
                       dry="-n --dry-run", verbs=True),
    "ansible-playbook": tool(dry="--check -C"),
    "bfg": tool(on("",
        "-D -b --delete-files --delete-folders --strip-blobs-bigger-than --replace-text",
                   HIGH, "git-rewrite", "rewrites history")),
    "mc": tool(*each("rm,rb,admin user disable,admin user remove,ilm remove,undo", "", HIGH,
                     "storage-delete", "deletes what is stored"),
               on("mirror", "--remove", HIGH, "storage-delete", "deletes what the source lacks")),
    "deck": tool(*each("sync,gateway sync,reset,gateway reset", "", HIGH, "gateway-sync",
                       "deletes what the file does not name")),
    "vault": tool(on("operator raft snapshot restore", "", CRITICAL, "restore-over",
                     "overwrites every secret"),
                  *each("operator seal,operator step-down,token revoke,lease revoke,secrets "
    "disable,"
                        "auth disable,kv metadata delete,kv destroy,kv delete,delete,policy delete",
                        "", HIGH, "secret-delete", "takes secrets or access away"),
                  *each("operator rekey,operator generate-root", "", HIGH, "key-change",
                        "makes other keys the keys to every secret", "-status -cancel"),
                  verbs=True),
    "packer": tool(on("build", "-force --force", HIGH, "restore-over", "overwrites what was built"),
                   verbs=True),
    "qdel": tool(on("all", "", HIGH, "jobs-cancel", "ends every job"),
                 on("", "-u", HIGH, "jobs-cancel", "ends every job of somebody"), verbs=True),
    "bkill": tool(on("0", "", HIGH, "jobs-cancel", "ends every job"), verbs=True),
    "naviseccli": tool(on("", "-destroy", HIGH, "storage-delete", "deletes a volume"), verbs=True,
                       values="-h -user -password -scope -address"),
    "rcon-cli": tool(*each("stop,ban,ban-ip,op", "", HIGH, "service-stop",
                           "stops a server, or says who may play"), values="--host --port",
                     verbs=True),
    "talosctl": tool(on("reset", "", CRITICAL, "machine-reset", "wipes a machine"), verbs=True),
    "netlify": tool(on("env:clone", "", HIGH, "env-overwrite", "overwrites settings"), verbs=True),
    "qm": tool(*each("destroy,rollback,des,disk unlink,disk u", "", CRITICAL, "machine-destroy",
                     "destroys a virtual machine or its state"),
               *each("shutdown,stop,reboot,reset,suspend,set,disk move,delsnapshot", "", MEDIUM,
                     "machine-stop", "stops a virtual machine"),
               on("", "--force", LOW, "qm", "")),
    "qmrestore": tool(on("", "--force", HIGH, "restore-over", "overwrites a virtual machine")),
    "neo4j-admin": tool(on("", "--overwrite-destination --force", CRITICAL, "database-overwrite",
                           "overwrites a database"), verbs=True),
    "rabbitmqctl": tool(*each("force_reset,reset,stop_app,stop,shutdown", "", HIGH, "queue-reset",
                              "stops or empties a message broker"), verbs=True),
    "pvesm": tool(on("free", "", CRITICAL, "storage-delete", "deletes a disk image"), verbs=True),
    "tlmgr": tool(on("backup clean", "--all", HIGH, "backup-delete", "deletes backups"),
                  *each("remove,conf", "", MEDIUM, "package-remove", "removes packages")),
    "virsh": tool(*each("destroy", "", HIGH, "machine-stop", "stops a virtual machine at once"),
                  on("snapshot-revert", "", HIGH, "machine-destroy", "loses a machine's state"),
                  *each("pool-destroy,net-destroy", "", MEDIUM, "pool-stop", "stops a pool"),
                  verbs=True),
}  # fmt: skip

"""What these tools do to what others share, by name."""
