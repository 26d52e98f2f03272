"""Programs that start another one: in containers, on many machines, for builds and measures."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.inner_commands import Wrapper, dashed, shell, wrap

_HOSTS = (
    "-h -H -w -x -X -g -G -l -p -o -e -t -O -A -f -u -R -m -n -r -F --hosts --host --hostfile "
    "--user --par --outdir --errdir --timeout --option --machine --group --file --nodes --exclude"
)
_IMAGE = (
    "-B -H -W --bind --home --env --env-file --pwd --workdir --overlay --app --mount --security "
    "--network --hostname --net --scratch"
)
_TASK = "--exec-id -n --namespace -a --address --cwd --user --log-uri --fifo-dir --timeout"
_MEASURED = (
    "-e -o -p -t -r -C -F -c -G -x -I -D -m -u --event --output --pid --tid --repeat --cpu --freq "
    "--count --cgroup --field-separator --delay --mmap-pages --uid --call-graph"
)
_LIMITS = "-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -r -t -a -s"
_JUJU = (
    "-m -a -u -o --model --application --app --unit --machine --timeout --format --proxy "
    "--operator --execution-group"
)
_CARGO_WATCH = "-w -i -x -C -d -E --watch --ignore --exec --workdir --delay --env-file --features"

_PLAIN = {
    **dict.fromkeys(["tini", "tini-static", "docker-init"], "-p -e"),
    **dict.fromkeys(["dumb-init", "catatonit"], "-r --rewrite"),
    **dict.fromkeys(
        word_set(
            "eatmydata run-one keep-one-running ifne heaptrack rlwrap ccache sccache distcc icecc "
            "torify tsocks lima cross-env with-contenv valgrind uftrace"
        ),
        "",
    ),
    **dict.fromkeys(["chpst", "softlimit"], _LIMITS),
    "tsp": "-L -N -S -D -W -E", "aa-exec": "-p -n --profile", "sem": "-j --id --jobs --timeout",
    "dotenvx": "-f -e",
}  # fmt: skip
"""Their command follows their options; with the options that take a word."""

_AFAR = {
    **dict.fromkeys(["pssh", "parallel-ssh", "clush", "dsh", "prsync", "rust-parallel-ssh"], 0),
    **dict.fromkeys(["xdsh", "psh", "gsh"], 1),
}
"""They have a shell on each of many machines read the words; with how many name the machines."""

LAUNCHERS: dict[str, tuple[Wrapper, ...]] = {
    **{name: (wrap(values),) for name, values in _PLAIN.items()},
    **{name: (shell(_HOSTS, skip),) for name, skip in _AFAR.items()},
    **dict.fromkeys(
        ["envdir", "setuidgid", "envuidgid", "s6-setuidgid", "setuser"], (wrap("", 1),)
    ),
    **dict.fromkeys(["apptainer", "singularity"], (wrap(_IMAGE, 1, "exec"),)),
    **dict.fromkeys(["bwrap", "faketime", "nix"], ()),
    **dict.fromkeys(["cpulimit", "nsjail"], (dashed("", "-l -p -e -P -C -R -B -c -u -g -D"),)),
    "distrobox": (dashed("enter", "-n --name"), wrap("-n --name -a", 1, "enter")),
    "distrobox-enter": (dashed("", "-n --name"), wrap("-n --name -a", 1)),
    "toolbox": (wrap("-c -d -r --container --distro --release", 0, "run"),),
    "ctr": (
        *(wrap(_TASK, 1, f"{name} exec") for name in ("tasks", "task", "t")),
        wrap(_TASK, 2, "run"),
    ),
    "micromamba": (wrap("-n -p -a -e --name --prefix --cwd --env", 0, "run"),),
    "pdm": (wrap("-p -v --project --venv", 0, "run"),),
    "foreman": (wrap("-e -f -d -p --env --procfile --root", 0, "run"),),
    "perf": tuple(
        wrap(_MEASURED, 0, name) for name in ("stat", "record", "trace", "mem record", "c2c record")
    ),
    "sops": (shell("", 1, "exec-env"), shell("", 1, "exec-file")),
    "scl": (shell("", 1, "enable"),),
    "mussh": (shell(_HOSTS, 0, script="-c"),),
    "fab": (Wrapper(dashed=True, joined=True, values=word_set("-H -i -u -f -c -r --hosts")),),
    "juju": tuple(shell(_JUJU, skip, name) for name, skip in (("ssh", 1), ("run", 0), ("exec", 0))),
    "knife": (shell("-x -i -a -P -C -p -m --ssh-user", 1, "ssh"),),
    "mco": (shell("-W -F -C -I -S -T --with-fact --wc -A", 0, "shell run"),),
    "dokku": (shell("", 1, "run"), shell("", 1, "enter")),
    "lando": (shell("-s -u --service --user", 0, "ssh", "-c --command"),),
    "balena": (shell("-p --port", 1, "ssh"),),
    "colima": (dashed("ssh", "-p --profile"), wrap("-p --profile", 0, "ssh")),
    "gh": tuple(
        Wrapper(path=tuple(path.split()), values=word_set("-c -R -p -m"), dashed=True, joined=True)
        for path in ("codespace ssh", "cs ssh")
    ),
    "doctl": (shell("--ssh-user --ssh-port", 1, "compute ssh", "--ssh-command"),),
    "flatpak": (wrap("--command --branch --arch", 1, "run"),),
    "nomad": (wrap("-task -job -namespace -region", 1, "alloc exec"),),
    "tsh": (shell("-l -p -i --login --proxy --cluster --user", 1, "ssh"),),
    "cf": tuple(
        shell("-i -L -k -m --name", 1, name, "-c --command") for name in ("ssh", "run-task")
    ),
    "eb": (shell("-n -e --number", 1, "ssh", "-c --command"),),
    "copilot": tuple(
        shell("-a -e -n --app --env --name --container --task-id", 1, name, "-c --command")
        for name in ("svc exec", "task exec")
    ),
    "cargo": (shell(_CARGO_WATCH, 1, "watch", "-s --shell"),),
    "cargo-watch": (shell(_CARGO_WATCH, 1, script="-s --shell"),),
    "lerna": (
        dashed("exec"), wrap("--scope --ignore --concurrency --since --stream", 0, "exec"),
    ),
    "nx": (dashed("exec"), wrap("", 0, "exec")),
}  # fmt: skip
"""By name."""

MANAGERS = word_set(
    "juju distrobox apptainer singularity micromamba pdm foreman mco nx fab dotenvx ctr lando "
    "balena colima flatpak"
)
"""Those of them whose other words are orders of their own: `juju destroy-model`."""
