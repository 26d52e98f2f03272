"""Programs that run another program: how to find it among their own options and words."""

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.options import NONE


class Wrapper(msgspec.Struct, frozen=True, kw_only=True):
    """Where a wrapper keeps the command that it runs."""

    path: tuple[str, ...] = ()
    """Words that must come first: `exec` in `docker exec`."""

    values: frozenset[str] = NONE
    """Options that take the next word."""

    skip: int = 0
    """Its own words before the command: a duration, a host, a container."""

    joined: bool = False
    """Whether a shell reads the words again, joined by blanks."""

    script: frozenset[str] = NONE
    """Options whose value is a shell text."""

    dashed: bool = False
    """Whether the command stands behind `--` only."""


def _wrap(values: str = "", skip: int = 0, path: str = "", script: str = "") -> Wrapper:
    return Wrapper(
        path=tuple(path.split()), values=word_set(f"{values} {script}"), skip=skip,
        script=word_set(script),
    )  # fmt: skip


def _shell(values: str = "", skip: int = 0, path: str = "", script: str = "") -> Wrapper:
    return Wrapper(
        path=tuple(path.split()), values=word_set(f"{values} {script}"), skip=skip, joined=True,
        script=word_set(script),
    )  # fmt: skip


def _dashed(path: str, values: str = "") -> Wrapper:
    return Wrapper(path=tuple(path.split()), values=word_set(values), dashed=True)


_CONTAINER = (
    "-a -e -l -m -p -u -v -w -h -c --add-host --annotation --attach --cap-add --cap-drop "
    "--cgroupns "
    "--cidfile --cpus --cpuset-cpus --device --dns --detach-keys --entrypoint --env --env-file "
    "--expose --gpus --group-add --hostname --index --ip --ipc --label --log-driver --log-opt "
    "--memory --mount --name --net --network --pid --platform --publish --pull --restart "
    "--runtime --security-opt --shm-size --stop-signal --storage-opt --sysctl --tmpfs --ulimit "
    "--user --userns --uts --volume --volumes-from --workdir"
)
_COMPOSE = (
    "-f -p --file --project-name --profile --env-file --project-directory --ansi --parallel "
    + _CONTAINER
)
_POD = (
    "-n -c -f --namespace --container --context --cluster --kubeconfig --user --as --image "
    "--filename --pod-running-timeout --request-timeout --server --token"
)
_SSH = "-b -B -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"
_SUDO = (
    "-u -g -h -p -C -r -t -T -U -D -R -a -c --user --group --host --prompt --chdir --chroot "
    "--role --type --other-user --command-timeout --close-from --auth-type --login-class"
)
_SCREEN = "-S -c -p -h -T -t"
_DOCKER = (
    _wrap(_CONTAINER, 1, "exec"), _wrap(_CONTAINER, 1, "run"), _wrap(_CONTAINER, 1, "create"),
    _wrap("", 0, "unshare"), _wrap(_CONTAINER, 1, "container exec"),
    _wrap(_CONTAINER, 1, "container run"),
    _wrap(_COMPOSE, 1, "compose exec"), _wrap(_COMPOSE, 1, "compose run"),
)  # fmt: skip
_KUBECTL = (_dashed("exec", _POD), _wrap(_POD, 1, "exec"), _dashed("run", _POD),
            _dashed("debug", _POD))  # fmt: skip
_GCLOUD = "--zone --project --account --configuration --ssh-key-file --ssh-flag --container"
_LOADERS = (
    "ld.so", "ld-linux.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
    "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1",
)  # fmt: skip
"""What loads a program, and may be told which."""

_NODE_VALUES = "-p --package -w --workspace"
_NODE = (_wrap(_NODE_VALUES, script="-c --call"),)
_PACKAGE_RUN = (
    _dashed("exec"),
    _wrap(_NODE_VALUES, 0, "exec", script="-c --call"),
    _wrap("", 0, "dlx"),
    _wrap("", 0, "x"),
)

_PLAIN = {
    "sudo": _SUDO,
    "doas": "-u -C",
    "env": "-u -C -P -a --unset --chdir --argv0 --block-signal --default-signal --ignore-signal",
    "nice": "-n --adjustment",
    "ionice": "-c -n -p -P -u --class --classdata",
    "nohup": "",
    "time": "-f -o --format --output",
    "gtime": "-f -o",
    "stdbuf": "-i -o -e --input --output --error",
    "setsid": "",
    "builtin": "",
    "command": "",
    "exec": "-a",
    "busybox": "",
    "coproc": "",
    "noglob": "",
    "nocorrect": "",
    "unshare": "-S -G -R -w --setuid --setgid --root --wd --propagation --map-user --map-group",
    "nsenter": "-t -S -G -r -w --target --setuid --setgid",
    "strace": "-a -b -E -e -I -O -o -P -p -s -S -u -U -X",
    "ltrace": "-a -A -D -e -F -l -n -o -p -s -u -w -x",
    "gdb": "-ex -x -p",
    "fakeroot": "-l -s -i -b -u --lib --faked",
    "fakechroot": "",
    "proot": "-r -b -w -q -k --rootfs --bind",
    "caffeinate": "-t -w",
    "arch": "-e -d",
    "rtk": "",
    "unbuffer": "",
    "setpriv": "--reuid --regid --groups --securebits --rlimit --apparmor-profile",
    "cgexec": "-g",
    "numactl": "-C -m -N -i -p --cpunodebind --membind --physcpubind --interleave --preferred",
    "systemd-run": "-p -u -H -M -E -d --property --unit --slice --description --on-calendar "
    "--on-active --uid --gid --nice --working-directory --setenv --service-type",
    "systemd-inhibit": "--what --who --why --mode",
    "firejail": "",
    "bwrap": "",
    "xvfb-run": "-n -s -e -f -p -w --server-num --server-args --error-file",
    "dbus-run-session": "--config-file",
    "proxychains": "-f",
    "proxychains4": "-f",
    "torsocks": "",
    "catchsegv": "",
    "pkexec": "--user",
    "run0": "-u -g -D --user --group --chdir",
    "sshpass": "-p -f -d -P",
    "setarch": "-R",
    "linux32": "",
    "linux64": "",
    "uvx": "--from --with -p --python",
    "pipx": "--spec --python",
    "dotenv": "-f -e -c",
    "watchexec": "-w -e -f -i -d -s --watch --exts --filter --ignore --debounce --signal",
    "chronic": "",
    "ts-node": "",
    "faketime": "-f",
    "entr": "",
    "runcon": "-t -u -r -l",
    "trickle": "-d -u -L -t",
    "thefuck": "",
    "please": "-u",
    "dzdo": "-u -g",
    "winpty": "",
    "wsl": "-d -u --distribution --user --exec --unregister",
}
"""Wrappers whose command follows their options, and the options that take a word."""

WRAPPERS: dict[str, tuple[Wrapper, ...]] = {
    **{name: (_wrap(values),) for name, values in _PLAIN.items()},
    "timeout": (_wrap("-s -k --signal --kill-after", 1),),
    "gtimeout": (_wrap("-s -k", 1),),
    "chroot": (_wrap("--userspec --groups", 1),),
    "arch-chroot": (_wrap("-u", 1),),
    "systemd-nspawn": (_wrap("-D -M -i -u --directory --machine --image --user --bind"),),
    "taskset": (_wrap("", 1),),
    "chrt": (_wrap("-T -P -D", 1),),
    "setlock": (_wrap("", 1),),
    "faketime": (_wrap("-f", 1),),
    "gosu": (_wrap("", 1),),
    "su-exec": (_wrap("", 1),),
    "capsh": (_wrap("", 0, "--"),),
    "toybox": (_wrap(),),
    **dict.fromkeys(_LOADERS, (_wrap("--library-path --preload --argv0 --audit"),)),
    "flock": (_wrap("-w -E --timeout --conflict-exit-code", 1, script="-c --command"),),
    "script": (_wrap("-O -I -B -T -E -o -t", 1, script="-c --command"),),
    "su": (_shell("-g -G -s -w --shell --group", 2, script="-c --command --session-command"),),
    "newgrp": (_wrap("", 1),),
    "sg": (_shell("", 1, script="-c --command"),),
    "runuser": (_wrap("-l -u -g -G -s -w --user --group", script="-c --command"),),
    "watch": (_shell("-n -q --interval"),),
    "hyperfine": (_shell("-w -r -m -M --warmup --runs --export-json --export-markdown"),),
    "salt": (_shell("-b -t -T --batch-size --timeout --out", 2),),
    "ssh": (_shell(_SSH, 1),),
    "autossh": (_shell(_SSH + " -M", 1),),
    "mosh": (_shell("-p --ssh", 1),),
    "dbclient": (_shell("-p -i -l", 1),),
    "rsh": (_shell("-l", 1),),
    "pdsh": (_shell("-w -x -l"),),
    "docker": _DOCKER,
    "podman": _DOCKER,
    "nerdctl": _DOCKER,
    "docker-compose": (_wrap(_COMPOSE, 1, "exec"), _wrap(_COMPOSE, 1, "run")),
    "podman-compose": (_wrap(_COMPOSE, 1, "exec"), _wrap(_COMPOSE, 1, "run")),
    "crictl": (_wrap("", 1, "exec"),),
    "machinectl": (_wrap("--uid -E --setenv", 1, "shell"),),
    "ctr": (_wrap("--exec-id", 1, "tasks exec"),),
    "lxc": (_dashed("exec"), _wrap("", 1, "exec")),
    "incus": (_dashed("exec"), _wrap("", 1, "exec")),
    "lxc-attach": (_dashed("", "-n --name"),),
    "pct": (_wrap("", 1, "exec"),),
    "multipass": (_dashed("exec"), _wrap("-d", 1, "exec")),
    "vagrant": (_shell("", 0, "ssh", "-c --command"),),
    "kubectl": _KUBECTL,
    "oc": (*_KUBECTL, _wrap(_POD, 1, "rsh")),
    "k": _KUBECTL,
    "microk8s": (_wrap("", 0, "kubectl"),),
    "fly": (_shell("-a --app -r", 0, "ssh console", "-C --command"),),
    "flyctl": (_shell("-a --app -r", 0, "ssh console", "-C --command"),),
    "heroku": (_shell("-a --app -r -s", 0, "run"), _shell("-a --app", 0, "run:detached")),
    "gcloud": tuple(
        _shell(_GCLOUD, 1, f"{track}compute ssh", "--command") for track in ("", "beta ", "alpha ")
    ),
    "az": (Wrapper(path=("ssh", "vm"), dashed=True, joined=True),),
    "railway": (_wrap("", 0, "run"),),
    "doppler": (_dashed("run"),),
    "op": (_dashed("run"),),
    "infisical": (_dashed("run"),),
    "vault": (),
    "chamber": (_dashed("exec"),),
    "aws-vault": (_dashed("exec"), _wrap("-d", 1, "exec")),
    "mirrord": (_dashed("exec"),),
    "nix-shell": (_shell("-p -I", script="--run --command"),),
    "nix": (_wrap("", 0, "run"), _shell("", 0, "develop", "-c --command")),
    "npx": _NODE,
    "bunx": _NODE,
    "npm": (*_PACKAGE_RUN,),
    "pnpm": _PACKAGE_RUN,
    "yarn": _PACKAGE_RUN,
    "bun": (_wrap("", 0, "x"),),
    "poetry": (_wrap("", 0, "run"),),
    "pipenv": (_wrap("", 0, "run"),),
    "hatch": (_wrap("-e", 0, "run"),),
    "rye": (_wrap("", 0, "run"),),
    "uv": (_wrap("--with -p --python --env-file --extra --group", 0, "run"),),
    "conda": (_wrap("-n -p --name --prefix", 0, "run"),),
    "mamba": (_wrap("-n -p --name --prefix", 0, "run"),),
    "bundle": (_wrap("", 0, "exec"),),
    "rbenv": (_wrap("", 0, "exec"),),
    "pyenv": (_wrap("", 0, "exec"),),
    "direnv": (_wrap("", 1, "exec"),),
    "mise": (_dashed("exec"), _dashed("x")),
    "asdf": (_wrap("", 0, "exec"),),
    "lerna": (_dashed("exec"),),
    "tmux": (
        _shell("-c -e -F -n -s -t -x -y", 0, "new-session"),
        _shell("-c -e -F -n -s -t -x -y", 0, "new"),
        _shell("-c -e -F -n -t", 0, "new-window"),
        _shell("-c -e -F -l -t", 0, "split-window"),
        *(_shell("-N -t", 0, name) for name in ("send-keys", "send")),
        *(_shell("-c -t", 0, name) for name in ("run-shell", "run")),
    ),
    "screen": (_shell(_SCREEN, 0, "stuff"), _wrap(_SCREEN)),
    "just": (_wrap("-f -d --justfile --working-directory", 0, "--command"),),
    "nodemon": (_shell("-w -e --watch --ext", script="-x --exec"),),
    "ssh-agent": (_wrap("-a -t"),),
    "at": (),
    "parallel": (),
    "xargs": (),
}
"""By name; the first whose path fits and which leaves a command is taken."""

HEADS = {
    name: frozenset(wrapper.path[0] for wrapper in wrappers)
    for name, wrappers in WRAPPERS.items()
    if all(wrapper.path and not wrapper.script for wrapper in wrappers)
}
"""The first words of those that run something only behind one."""
