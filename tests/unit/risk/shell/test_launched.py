"""What starts another program is seen through, by each in its own way; and strangers by name."""

from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

GRAVE = ("dropdb shop", "git push -f", "terraform destroy", "mkfs.ext4 /dev/sdb1")
MILD = ("make test", "git status", "node app.js", "df -h /srv")
LAUNCHES = (
    "nix develop -c {}", "nix develop .#ci --command {}", "nix shell nixpkgs#jq -c {}",
    "nix run nixpkgs#busybox -- {}", "bwrap --dev-bind / / --chdir /srv {}", "bwrap {}",
    "envdir /etc/app {}", "tini -- {}", "tini -g {}", "dumb-init {}", "dumb-init -- {}",
    "faketime -1d {}", "faketime -f -2h {}", "faketime '3 days ago' {}", "perf stat -r 5 {}",
    "perf record -g -o out {}", "valgrind --tool=massif {}", "chpst -u app {}", "eatmydata {}",
    "distrobox enter dev -- {}", "distrobox enter -n dev -- {}", "toolbox run -c dev {}",
    "apptainer exec -B /srv a.sif {}", "singularity exec a.sif {}", "micromamba run -n a {}",
    "ctr -n k8s.io task exec --exec-id 1 a {}", "ctr t exec --exec-id 1 a {}", "pdm run {}",
    "foreman run -e .env {}", "lerna exec {}", "lerna exec -- {}", "nx exec -- {}",
    "juju exec --all -- {}", "pssh -h hosts -t 5 {}", "clush -w n[1-9] {}", "dsh -a {}",
    "fab -H h1,h2 -- {}", "mco shell run {}", "scl enable devtoolset -- {}", "ccache {}",
)  # fmt: skip
TEXTS = (
    "sops exec-env a.yaml '{}'", "cf ssh app -c '{}'", "juju run --all '{}'", "pssh -h a -i '{}'",
    "knife ssh 'role:db' '{}'", "eb ssh -c '{}'", "eb ssh shop --command '{}'", "tsh ssh a '{}'",
    "copilot svc exec -a shop -c '{}'", "cargo watch -s '{}'", "cargo watch -x check -s '{}'",
    "concurrently 'tsc -w' '{}'", "npm-run-all --parallel '{}'", "dc -e '!{}'",
    "gnuplot -e 'system \"{}\"'", "octave --eval 'system(\"{}\")'",
    "kotlin -e 'Runtime.getRuntime().exec(\"{}\")'", "ocaml -e 'Sys.command \"{}\"'",
    "scala -e 'import sys.process._; \"{}\".!'", "bb -e '(babashka.process/shell \"{}\")'",
    "ghc -e 'System.Process.callCommand \"{}\"'", "wmic process call create 'cmd /c {}'",
    "elixir -e 'System.shell(\"{}\")'", "awk -v c='{}' 'BEGIN{{system(c)}}'",
    "forfiles /p a /c 'cmd /c {}'", "schtasks /create /tn a /tr '{}'",
    "powershell -c \"Start-Process cmd -ArgumentList '/c {}'\"", "pm2 start '{}'",
    "rundll32 shell32.dll,ShellExec_RunDLL cmd /c {}", "gh cs ssh -c a -- {}",
    "colima ssh -- {}", "lando ssh -c '{}'", "doctl compute ssh a --ssh-command '{}'",
    "aws ssm send-command --document-name a --parameters '{{\"commands\":[\"{}\"]}}'",
    "aws ssm send-command --document-name a --parameters 'commands=[\"{}\"]'",
    "aws ssm send-command --parameters '{{\"workingDirectory\":[\"/a\"],\"commands\":[\"{}\"]}}'",
    "aws ssm send-command --cli-input-json '{{\"Parameters\":{{\"commands\":[\"{}\"],\"n\":1}}}}'",
    "aws ssm send-command --parameters '{{\"commands\":[\"{}\"'",
)  # fmt: skip
STRANGERS = ("foo dropdb shop", "foo run -- dropdb shop", "foo -q mkfs.xfs /dev/sdb1",
             "foo 3 wipefs -a /dev/sdb", "cp $(which dropdb) /tmp/a && /tmp/a shop",
             "cp /usr/bin/dropdb a; ./a shop")  # fmt: skip
NAMED = (
    "man dropdb", "which dropdb mkfs.ext4", "foo help mkfs.ext4 /dev/sdb1", "foo search dropdb x",
    "foo info shred -v", "foo install dropdb", "tldr shred", "grep -n dropdb deploy/run",
    "apt-cache search wipefs tool", "whatis shred", "foo explain dropdb shop", "rg shred src",
    "foo --name dropdb shop", "complete -F _a dropdb", "ls /usr/bin/dropdb",
    "distrobox enter dev", "perf report -i out", "cargo watch -x test", "nix run nixpkgs#hello",
    "wmic process list brief", "dc -e '3 !<a 2 + p'", "npm-run-all clean build",
    "awk -v c='dropdb shop' 'BEGIN{print c}'", "python -m unittest tests.test_destroy",
    "nix flake check", "nix build .#dropdb", "aws ssm send-command --parameters '{\"command\": 7}'",
    "aws ecs run-task --overrides '{\"a\":[{\"name\":\"b\",\"command\":[\"rake\",\"db:seed\"]}]}'",
    "python3 -m unittest discover -s tests/delete -p 'test_drop*'",
)  # fmt: skip


def test_each_launcher_is_seen_through() -> None:
    for shape in (*LAUNCHES, *TEXTS):
        for runs in GRAVE:
            assert level(shape.format(runs)) >= RiskLevel.HIGH, shape.format(runs)
        for runs in MILD:
            assert level(shape.format(runs)) < RiskLevel.HIGH, shape.format(runs)


def test_what_nobody_knows_may_run_what_cannot_be_mistaken() -> None:
    for text in STRANGERS:
        assert level(text) >= RiskLevel.HIGH, text


def test_a_program_that_is_only_named_is_not_run() -> None:
    for text in NAMED:
        assert level(text) < RiskLevel.HIGH, text


def test_a_launcher_keeps_orders_of_its_own() -> None:
    for text in ("juju destroy-model shop", "singularity delete library://a/b/c",
                 "distrobox rm dev --purge", "lerna exec -- npm unpublish a"):  # fmt: skip
        assert level(text) >= RiskLevel.HIGH, text


def test_a_module_that_only_reads_counts_as_the_program_that_it_is() -> None:
    for words in ("pytest -k 'truncate or drop'", "pytest tests -k 'drop table' 2>&1 | tail -5"):
        for text in (words, f"python3 -m {words}", f"python -I -m {words}"):
            assert level(text) < RiskLevel.HIGH, text
    for text in ("python3 -m shop --sql 'truncate orders'", "python3 -m pytest > /etc/passwd",
                 "python3 -m sqlite3 shop.db 'drop table a'", "python3 -m timeit 'os.remove(a)'",
                 "python3 -c 'import os; os.remove(\"a\")' -m pytest",
                 "python3 -m pytest && dropdb shop"):  # fmt: skip
        assert level(text) >= RiskLevel.HIGH, text
