"""What a command can and cannot do: real processes under the real kernel."""
# ruff: noqa: ASYNC220, ASYNC221  # a test may block its own loop

import asyncio
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holdpoint.domains.settings import ShellSettings
from holdpoint.domains.shell import cgroup, execute, landlock
from holdpoint.domains.shell.execute import Ran

SERVICES = Path(execute.PACKAGES)


@pytest.fixture(autouse=True)
def _needs_landlock() -> None:
    if not landlock.abi():
        pytest.fail("This machine has no Landlock: the shell domain cannot be tested here.")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "key.secret"
    file.write_text("s3cret", encoding="utf-8")
    file.chmod(0o600)
    return file


def settings(root: Path, **changes: object) -> ShellSettings:
    return ShellSettings.model_validate({"root": root, **changes})


async def ran(root: Path, command: str, **changes: object) -> Ran:
    return await execute.run(command, settings(root, **changes))


def eventually(check: Callable[[], bool], within_s: float = 30) -> bool:
    until = time.monotonic() + within_s
    while not check():
        if time.monotonic() > until:
            return False
        threading.Event().wait(0.02)
    return True


def alive(marker: str) -> bool:
    """Whether any process with this word on its command line still runs."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if marker.encode() in words and state != "Z":
            return True
    return False


async def test_a_command_works_in_its_folder(root: Path) -> None:
    done = await ran(root, "mkdir a && echo hello > a/b && mv a/b a/c && cat a/c && rm -r a && pwd")
    assert (done.code, done.stdout, done.stderr) == (0, f"hello\n{root}\n", "")


async def test_a_command_cannot_read_a_private_file_of_the_same_user(
    root: Path, secret: Path
) -> None:
    done = await ran(root, f"cat {secret}; cat ../key.secret; ls {secret.parent}")
    assert "s3cret" not in done.stdout
    assert done.stderr.count("Permission denied") == 3
    assert done.code != 0


async def test_without_the_confinement_it_could(root: Path, secret: Path) -> None:
    plain = subprocess.run(
        ["bash", "-c", f"cat {secret}"], cwd=root, capture_output=True, text=True, check=False
    )
    assert plain.stdout == "s3cret"


async def test_a_link_to_a_private_file_does_not_help(root: Path, secret: Path) -> None:
    done = await ran(root, f"ln -s {secret} link; cat link; ln {secret} hard; cat hard")
    assert "s3cret" not in done.stdout + done.stderr


async def test_a_command_cannot_write_outside(root: Path, secret: Path) -> None:
    outside = secret.parent / "new"
    done = await ran(root, f"echo x > {outside}; echo x > {secret}; rm -f {secret}; rmdir {root}")
    assert done.code != 0
    assert not outside.exists()
    assert secret.read_text(encoding="utf-8") == "s3cret"
    assert root.is_dir()


async def test_a_listed_path_may_be_read_and_not_written(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").write_text("shared", encoding="utf-8")
    done = await ran(root, f"cat {other}/file; echo x > {other}/file", read_paths=(other,))
    assert done.stdout == "shared"
    assert (other / "file").read_text(encoding="utf-8") == "shared"


@pytest.fixture
def tcp_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def python(code: str) -> str:
    return f"/usr/bin/python3 -c '{code}'"


CONNECT = (
    'import socket; s = socket.create_connection(("127.0.0.1", {port}), 2); print("connected")'
)


async def test_a_command_cannot_connect(root: Path, tcp_port: int) -> None:
    done = await ran(root, f"echo x > /dev/tcp/127.0.0.1/{tcp_port} && echo connected")
    assert "connected" not in done.stdout
    assert "not permitted" in done.stderr


async def test_landlock_alone_refuses_tcp_too(root: Path, tcp_port: int) -> None:
    code = (
        "import socket, sys; from holdpoint.domains.shell import landlock\n"
        f"landlock.restrict([({str(root)!r}, landlock.WRITE)], network=False)\n"
        f"socket.create_connection(('127.0.0.1', {tcp_port}), 2)"
    )
    child = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=SERVICES
    )
    assert "PermissionError" in child.stderr


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6])
async def test_an_older_kernels_landlock_hides_files_too(
    root: Path, secret: Path, version: int
) -> None:
    code = (
        "import pathlib; from holdpoint.domains.shell import landlock\n"
        f"landlock.abi = lambda: {version}\n"
        f"landlock.restrict([({str(root)!r}, landlock.WRITE)], network=False)\n"
        f"pathlib.Path({str(root / 'new')!r}).write_text('x')\n"
        f"pathlib.Path({str(secret)!r}).read_text()"
    )
    child = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=SERVICES
    )
    assert "PermissionError" in child.stderr
    assert "key.secret" in child.stderr
    assert (root / "new").read_text() == "x"


WITHOUT_LANDLOCK = """
import asyncio, os
from holdpoint.domains.shell import execute, landlock, seccomp
from holdpoint.domains.shell.tools import ready, warnings
from holdpoint.domains.settings import ShellSettings
from holdpoint.runtime.errors import SetupError

landlock.keep_privileges_low()
architecture, _ = seccomp.NUMBERS[os.uname().machine]
seccomp.install(seccomp.compiled(architecture, [landlock.CREATE_RULESET]))
for unsafe in (False, True):
    settings = ShellSettings(root=ROOT, unsafe=unsafe)
    try:
        ready(settings)
        print("ready", len(warnings(settings)))
    except SetupError as error:
        print(error)
    done = asyncio.run(execute.run("echo it ran", settings))
    print(done.stdout.strip() or done.error)
"""


async def test_a_kernel_without_landlock_runs_nothing_unless_told(root: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", WITHOUT_LANDLOCK.replace("ROOT", repr(str(root)))],
        capture_output=True,
        text=True,
        check=True,
        cwd=SERVICES,
    )
    said = child.stdout.splitlines()
    assert said[0].startswith("This kernel has no Landlock")
    assert said[1].startswith("PermissionError")
    assert said[2:] == ["ready 1", "it ran"]


async def test_a_command_connects_where_network_is_allowed(root: Path, tcp_port: int) -> None:
    done = await ran(
        root, f"echo x > /dev/tcp/127.0.0.1/{tcp_port} && echo connected", network=True
    )
    assert done.stdout == "connected\n"


@pytest.mark.parametrize("family", ["AF_INET, socket.SOCK_DGRAM", "AF_UNIX", "AF_NETLINK, 3"])
async def test_a_command_gets_no_socket_of_any_kind(root: Path, family: str) -> None:
    if not Path("/usr/bin/python3").exists():
        pytest.skip("needs /usr/bin/python3")
    done = await ran(root, python(f"import socket; socket.socket(socket.{family}); print(1)"))
    assert done.stdout == ""
    assert "PermissionError" in done.stderr


async def test_the_environment_is_clean(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HP_SECRET", "s3cret")
    monkeypatch.setenv("BASH_ENV", "/tmp/evil")  # noqa: S108  # a name, not a file
    done = await ran(root, "/usr/bin/env | sort")
    names = {line.split("=")[0] for line in done.stdout.splitlines()}
    git = {f"GIT_CONFIG_{name}" for name in ("COUNT", "KEY_0", "VALUE_0")}
    assert names <= {"HOME", "LANG", "PATH", "PWD", "SHLVL", "_", *git}
    assert f"HOME={root}" in done.stdout


async def test_a_command_inherits_no_open_file(root: Path, secret: Path) -> None:
    with secret.open() as file:
        os.set_inheritable(file.fileno(), True)
        done = await ran(root, f"cat <&{file.fileno()}")
    assert done.code != 0
    assert "s3cret" not in done.stdout


async def test_a_command_sees_no_other_process(root: Path) -> None:
    done = await ran(root, f"cat /proc/{os.getpid()}/environ; kill -0 {os.getpid()}; kill -0 $PPID")
    assert done.code != 0
    assert done.stderr.count("ermi") == 3


async def test_a_set_uid_program_gains_nothing(root: Path) -> None:
    done = await ran(root, "cat /etc/shadow; mknod x b 1 1; mount -t tmpfs x .")
    assert done.code != 0
    assert not done.stdout


async def test_a_command_of_root_has_no_powers_of_root(root: Path) -> None:
    done = await ran(root, "touch file && chown 65534 file")
    assert done.code != 0
    assert "not permitted" in done.stderr


async def test_time_ends_a_command_and_everything_that_it_started(root: Path) -> None:
    marker = f"98{os.getpid()}.25"
    began = time.monotonic()
    done = await ran(
        root,
        f"setsid bash -c 'sleep {marker} & sleep {marker}' & (sleep {marker} &) ; sleep {marker}",
        timeout_s=1,
    )
    assert done.timed_out
    assert time.monotonic() - began < 5
    assert not alive(marker)


async def test_what_a_command_leaves_in_the_background_is_ended_with_it(root: Path) -> None:
    marker = f"97{os.getpid()}.25"
    done = await ran(root, f"setsid sleep {marker} >/dev/null 2>&1 & echo started")
    assert (done.code, done.stdout) == (0, "started\n")
    assert not alive(marker)


async def test_cancelling_the_run_ends_the_command(root: Path) -> None:
    marker = f"96{os.getpid()}.25"
    task = asyncio.create_task(ran(root, f"setsid sleep {marker} & sleep {marker}"))
    await asyncio.to_thread(eventually, lambda: alive(marker))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not alive(marker)


async def test_the_workers_death_ends_the_command(root: Path) -> None:
    marker = f"95{os.getpid()}.25"
    code = (
        "import asyncio; from holdpoint.domains.shell import execute\n"
        "from holdpoint.domains.settings import ShellSettings\n"
        f"asyncio.run(execute.run('setsid sleep {marker} & sleep {marker}', "
        f"ShellSettings(root={str(root)!r})))"
    )
    worker = subprocess.Popen([sys.executable, "-c", code], cwd=SERVICES)
    try:
        assert await asyncio.to_thread(eventually, lambda: alive(marker))
    finally:
        worker.kill()
        worker.wait()
    assert await asyncio.to_thread(eventually, lambda: not alive(marker))


@pytest.mark.slow
async def test_a_command_starts_no_more_processes_than_allowed(root: Path) -> None:
    """The kernel exempts root from the usual limit."""
    marker = f"94{os.getpid()}.25"
    command = f"for n in $(seq 200); do sleep {marker} & echo $n; done"
    done = await ran(root, command, timeout_s=3, processes=64)
    assert 10 < len(done.stdout.splitlines()) < 64 + 1
    assert "Resource temporarily unavailable" in done.stderr
    assert not alive(marker)
    assert await ran(root, "echo again") == Ran(code=0, stdout="again\n", stderr="")


SCANS = """
import os, signal, time
from holdpoint.domains.shell import landlock, launcher

landlock.prctl(launcher.PR_SET_CHILD_SUBREAPER, 1)
scans, scandir = [], os.scandir
os.scandir = lambda *path: scans.append(1) or scandir(*path)
child = os.fork()
if child == 0:
    os.setsid()
    for _ in range(60):
        if os.fork() == 0:
            time.sleep(60)
    time.sleep(60)
time.sleep(1)
print(launcher._end_all(child), len(scans))
"""


def test_ending_many_processes_takes_a_few_scans_and_not_one_each() -> None:
    child = subprocess.run(
        [sys.executable, "-c", SCANS], capture_output=True, text=True, check=True, cwd=SERVICES
    )
    code, scans = map(int, child.stdout.split())
    assert code == -9
    assert scans <= 5


WITHOUT_CGROUP = """
import asyncio, os
from holdpoint.domains.shell import cgroup, execute, landlock, seccomp
from holdpoint.domains.shell.tools import ready
from holdpoint.domains.settings import ShellSettings
from holdpoint.runtime.errors import SetupError

landlock.keep_privileges_low()
architecture, _ = seccomp.NUMBERS[os.uname().machine]
calls = {"x86_64": [83, 258], "aarch64": [34]}[os.uname().machine]
seccomp.install(seccomp.compiled(architecture, calls))
for unsafe in (False, True):
    settings = ShellSettings(root=ROOT, unsafe=unsafe)
    try:
        ready(settings)
        print("ready")
    except SetupError as error:
        print(error)
    done = asyncio.run(execute.run("echo it ran", settings))
    print(done.stdout.strip() or done.error)
"""


def test_root_without_a_cgroup_runs_nothing_unless_told(root: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", WITHOUT_CGROUP.replace("ROOT", repr(str(root)))],
        capture_output=True,
        text=True,
        check=True,
        cwd=SERVICES,
    )
    said = child.stdout.splitlines()
    if cgroup.needed():
        assert said[0].startswith("Root's commands need a pids cgroup")
        assert said[1].startswith("PermissionError")
    assert said[-2:] == ["ready", "it ran"]


@pytest.mark.parametrize("call", ["shmget(1234, 4096, 0o1666)", "semget(1234, 1, 0o1666)",
                                  "msgget(1234, 0o1666)", "shmat(0, None, 0)"])  # fmt: skip
async def test_a_command_leaves_no_memory_or_queue_of_system_v(root: Path, call: str) -> None:
    code = (
        "import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); "
        f"libc.{call}; print(os.strerror(ctypes.get_errno()))"
    )
    assert (await ran(root, python(code))).stdout == "Operation not permitted\n"


async def test_a_flood_of_output_is_bounded_and_ended(root: Path) -> None:
    done = await ran(root, "yes", output_bytes=1000, flood_bytes=1_000_000)
    assert done.flooded
    assert not done.timed_out
    assert done.truncated
    assert len(done.stdout) < 1100
    assert "more bytes not shown" in done.stdout


async def test_too_much_output_is_visibly_cut(root: Path) -> None:
    done = await ran(root, "seq 1 5000", output_bytes=1000)
    assert (done.code, done.flooded, done.truncated) == (0, False, True)
    assert "more bytes not shown" in done.stdout


async def test_the_size_of_a_file_is_limited(root: Path) -> None:
    done = await ran(root, "head -c 300000 /dev/zero > big", file_bytes=100_000)
    assert done.code != 0
    assert (root / "big").stat().st_size == 100_000


@pytest.mark.slow
async def test_memory_is_limited(root: Path) -> None:
    greedy = """x=$(printf '%*s' 300000000 ''); echo ${#x}"""
    assert (await ran(root, greedy)).stdout == "300000000\n"
    assert (await ran(root, greedy, memory_bytes=64 * 1024 * 1024)).stdout != "300000000\n"


async def test_escape_sequences_arrive_as_pictures(root: Path) -> None:
    done = await ran(root, r"printf '\033[31mred\r\0'; printf '\200' >&2")
    assert done.stdout == "␛[31mred␍␀"
    assert done.stderr == "\ufffd"


async def test_a_command_that_cannot_start_says_why(root: Path) -> None:
    root.rmdir()
    done = await ran(root, "true")
    assert "FileNotFoundError" in done.error
