"""Programs that run another program: how to find it among their own options and words."""

from holdpoint.core.risk.shell.inner_commands import Wrapper, dashed, shell, wrap
from holdpoint.core.risk.shell.launchers import LAUNCHERS

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
    wrap(_CONTAINER, 1, "exec"), wrap(_CONTAINER, 1, "run"), wrap(_CONTAINER, 1, "create"),
    wrap("", 0, "unshare"), wrap(_CONTAINER, 1, "container exec"),
    wrap(_CONTAINER, 1, "container run"),
    wrap(_COMPOSE, 1, "compose exec"), wrap(_COMPOSE, 1, "compose run"),
)  # fmt: skip
_KUBECTL = (dashed("exec", _POD), wrap(_POD, 1, "exec"), dashed("run", _POD),
            dashed("debug", _POD))  # fmt: skip
_GCLOUD = "--zone --project --account --configuration --ssh-key-file --ssh-flag --container"
_LOADERS = (
    "ld.so", "ld-linux.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
    "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1",
)  # fmt: skip
"""What loads a program, and may be told which."""

_NODE_VALUES = "-p --package -w --workspace"
_NODE = (wrap(_NODE_VALUES, script="-c --call"),)
_PACKAGE_RUN = (
    dashed("exec"),
    wrap(_NODE_VALUES, 0, "exec", script="-c --call"),
    wrap("", 0, "dlx"),
    wrap("", 0, "x"),
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
    **{name: (wrap(values),) for name, values in _PLAIN.items()},
    "timeout": (wrap("-s -k --signal --kill-after", 1),),
    "gtimeout": (wrap("-s -k", 1),),
    "chroot": (wrap("--userspec --groups", 1),),
    "arch-chroot": (wrap("-u", 1),),
    "systemd-nspawn": (wrap("-D -M -i -u --directory --machine --image --user --bind"),),
    "taskset": (wrap("", 1),),
    "chrt": (wrap("-T -P -D", 1),),
    "setlock": (wrap("", 1),),
    "gosu": (wrap("", 1),),
    "su-exec": (wrap("", 1),),
    "capsh": (wrap("", 0, "--", script="-c"),),
    "toybox": (wrap(),),
    "prlimit": (wrap("-p -o --pid --output"),),
    "ip": (wrap("-n -netns", 1, "netns exec"), wrap("-n -netns", 1, "vrf exec")),
    **dict.fromkeys(_LOADERS, (wrap("--library-path --preload --argv0 --audit"),)),
    "flock": (wrap("-w -E --timeout --conflict-exit-code", 1, script="-c --command"),),
    "script": (wrap("-O -I -B -T -E -o -t", 1, script="-c --command"),),
    "su": (shell("-g -G -s -w --shell --group", 2, script="-c --command --session-command"),),
    "newgrp": (wrap("", 1),),
    "sg": (shell("", 1, script="-c --command"),),
    "runuser": (wrap("-l -u -g -G -s -w --user --group", script="-c --command"),),
    "watch": (shell("-n -q --interval"),),
    "hyperfine": (shell("-w -r -m -M --warmup --runs --export-json --export-markdown"),),
    "salt": (shell("-b -t -T --batch-size --timeout --out", 2),),
    "ssh": (shell(_SSH, 1),),
    "autossh": (shell(_SSH + " -M", 1),),
    "mosh": (shell("-p --ssh", 1),),
    "dbclient": (shell("-p -i -l", 1),),
    "rsh": (shell("-l", 1),),
    "pdsh": (shell("-w -x -l"),),
    "docker": _DOCKER,
    "podman": _DOCKER,
    "nerdctl": _DOCKER,
    "docker-compose": (wrap(_COMPOSE, 1, "exec"), wrap(_COMPOSE, 1, "run")),
    "podman-compose": (wrap(_COMPOSE, 1, "exec"), wrap(_COMPOSE, 1, "run")),
    "crictl": (wrap("", 1, "exec"),),
    "machinectl": (wrap("--uid -E --setenv", 1, "shell"),),
    "lxc": (dashed("exec"), wrap("", 1, "exec")),
    "incus": (dashed("exec"), wrap("", 1, "exec")),
    "lxc-attach": (dashed("", "-n --name"),),
    "pct": (wrap("", 1, "exec"),),
    "multipass": (dashed("exec"), wrap("-d", 1, "exec")),
    "vagrant": (shell("", 0, "ssh", "-c --command"),),
    "kubectl": _KUBECTL,
    "oc": (*_KUBECTL, wrap(_POD, 1, "rsh")),
    "k": _KUBECTL,
    "microk8s": (wrap("", 0, "kubectl"),),
    "fly": (shell("-a --app -r", 0, "ssh console", "-C --command"),),
    "flyctl": (shell("-a --app -r", 0, "ssh console", "-C --command"),),
    "heroku": (shell("-a --app -r -s", 0, "run"), shell("-a --app", 0, "run:detached")),
    "gcloud": tuple(
        shell(_GCLOUD, 1, f"{track}compute ssh", "--command") for track in ("", "beta ", "alpha ")
    ),
    "az": (Wrapper(path=("ssh", "vm"), dashed=True, joined=True),),
    "railway": (wrap("", 0, "run"),),
    "doppler": (dashed("run"),),
    "op": (dashed("run"),),
    "infisical": (dashed("run"),),
    "vault": (),
    "chamber": (dashed("exec"),),
    "aws-vault": (dashed("exec"), wrap("-d", 1, "exec")),
    "mirrord": (dashed("exec"),),
    "nix-shell": (shell("-p -I", script="--run --command"),),
    "npx": _NODE,
    "bunx": _NODE,
    "npm": (*_PACKAGE_RUN,),
    "pnpm": _PACKAGE_RUN,
    "yarn": _PACKAGE_RUN,
    "bun": (wrap("", 0, "x"),),
    "poetry": (wrap("", 0, "run"),),
    "pipenv": (wrap("", 0, "run"),),
    "hatch": (wrap("-e", 0, "run"),),
    "rye": (wrap("", 0, "run"),),
    "uv": (wrap("--with -p --python --env-file --extra --group", 0, "run"),),
    "conda": (wrap("-n -p --name --prefix", 0, "run"),),
    "mamba": (wrap("-n -p --name --prefix", 0, "run"),),
    "bundle": (wrap("", 0, "exec"),),
    "rbenv": (wrap("", 0, "exec"),),
    "pyenv": (wrap("", 0, "exec"),),
    "direnv": (wrap("", 1, "exec"),),
    "mise": (dashed("exec"), dashed("x")),
    "asdf": (wrap("", 0, "exec"),),
    "tmux": (
        shell("-c -e -F -n -s -t -x -y", 0, "new-session"),
        shell("-c -e -F -n -s -t -x -y", 0, "new"),
        shell("-c -e -F -n -t", 0, "new-window"),
        shell("-c -e -F -l -t", 0, "split-window"),
        *(shell("-N -t", 0, name) for name in ("send-keys", "send")),
        *(shell("-c -t", 0, name) for name in ("run-shell", "run")),
    ),
    "screen": (shell(_SCREEN, 0, "stuff"), wrap(_SCREEN)),
    "just": (wrap("-f -d --justfile --working-directory", 0, "--command"),),
    "nodemon": (shell("-w -e --watch --ext", script="-x --exec"),),
    "ssh-agent": (wrap("-a -t"),),
    "at": (),
    "parallel": (),
    "xargs": (),
    **LAUNCHERS,
}
"""By name; the first whose path fits and which leaves a command is taken."""

HEADS = {
    name: frozenset(wrapper.path[0] for wrapper in wrappers)
    for name, wrappers in WRAPPERS.items()
    if all(wrapper.path and not wrapper.script for wrapper in wrappers)
}
"""The first words of those that run something only behind one."""
