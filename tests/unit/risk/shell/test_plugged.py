"""What a program runs because an option, a variable or a setting of its own says so."""

from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

OPTIONS = (
    'rg --"pre" shred x /srv/data', "rg -''-pre shred x /srv/data", "x=--pre; rg $x=shred a /srv",
    "rg --pre shred x /srv/data", "rg --pre=shred x /srv/data", "rg -n --pre 'rm' -e a /srv/data",
    "sudo rg --pre shred x /srv/data", "git ls-files | xargs rg --pre shred x /srv/data",
    "man -H'rm -rf /srv/data' ls", "man --html='rm -rf /srv/data' ls",
    "tcpdump -i eth0 -G 1 -z shred -w /srv/data/db",
    "autossh -M 0 -o ProxyCommand='rm -rf /srv/data' h", "git grep -O'rm -rf /srv/data' x",
    "git grep --open-files-in-pager='rm -rf /srv/data' x",
    "git archive --remote=h --exec='rm -rf /srv/data' HEAD",
    "java -XX:OnError='rm -rf /srv/data' X", "java -XX:OnOutOfMemoryError='rm -rf /srv/data' X",
    "apt-get -o APT::Update::Pre-Invoke::='rm -rf /srv/data' update",
    "apt -o=Dpkg::Post-Invoke='rm -rf /srv/data' install x",
    "restic -o sftp.command='rm -rf /srv/data' backup .",
    "vault agent -exec='rm -rf /srv/data'", "mutt -e 'set editor=\"rm -rf /srv/data\"'",
    "lynx -editor='rm -rf /srv/data' x", "w3m -o extbrowser='rm -rf /srv/data' x",
    "ansible all -m ping --ssh-common-args='-o ProxyCommand=\"rm -rf /srv/data\"'",
    "ansible-playbook a.yml --ssh-extra-args '-o ProxyCommand=\"rm -rf /srv/data\"'",
    "fzf --bind 'start:execute(rm -rf /srv/data)'", "fzf --bind='enter:become(rm -rf /srv/data)'",
    "echo '~!rm -rf /srv/data' | mail -s x a@b.example",
    "bpftrace --unsafe -e 'BEGIN { system(\"rm -rf /srv/data\"); }'",
    "pdflatex --shell-escape '\\immediate\\write18{rm -rf /srv/data}'",
    "exiftool -if 'system(\"rm -rf /srv/data\")' x.jpg",
)  # fmt: skip
CALM_OPTIONS = (
    "rg --pre pdftotext x docs", "rg --pre cat x /srv/data", "rg --pretty x docs",
    "rg -n 'a b' src",
    "rg --pre-glob '*.pdf' --pre pdftotext x", "rg 'rm -rf /srv/data' docs",
    "rg -e --pre -e shred docs",
    "rg -n --hidden --glob '!node_modules' 'shred' src", "man -Hfirefox ls", "man -P cat rm",
    "tcpdump -G 60 -z gzip -w cap.pcap", "autossh -M 0 -o ServerAliveInterval=30 h",
    "git grep -O'less -R' x", "git archive --format=tar HEAD", "gcc -Wall -o a a.c",
    "java -XX:OnError='gcore %p' X", "apt-get -o Dpkg::Options::=--force-confold install nginx",
    "restic -o sftp.command='ssh -p 22 h -s sftp' snapshots", "fzf --preview 'cat {}'",
    "fzf --bind 'ctrl-o:execute(less {})'",
    "ansible all -m ping --ssh-common-args='-o ForwardAgent=yes'",
    "bpftrace -e 'BEGIN { printf(\"rm -rf /srv/data\"); }'", "pdflatex paper.tex",
    "exiftool -if '$ISO > 800' x.jpg", "git log --grep='rm -rf /srv/data'",
    "git commit --message='rm -rf /srv/data is gone'",
    "gh pr create --title='rm -rf /srv/data no more' --body=x",
)  # fmt: skip


def test_an_option_that_names_a_program_runs_it() -> None:
    for text in OPTIONS:
        assert level(text) >= RiskLevel.HIGH, text


def test_an_option_that_names_a_harmless_program_is_harmless() -> None:
    for text in CALM_OPTIONS:
        assert level(text) < RiskLevel.HIGH, text


VARIABLES = (
    "TF_CLI_ARGS=-destroy terraform apply",
    "TF_CLI_ARGS_apply='-destroy -auto-approve' terraform apply",
    "export TF_CLI_ARGS=-destroy; terraform apply",
    "env TF_CLI_ARGS_apply=-auto-approve tofu apply",
    "export TF_CLI_ARGS_apply=-auto-approve\nterraform init\nterraform apply",
    "export TF_CLI_ARGS_apply=-destroy; terraform -chdir=prod apply",
    "terraform plan -destroy -out=p && terraform apply p",
    "tofu plan -destroy -out p; terraform apply p",
    "terraform plan --destroy -out=p\nterraform show p\nterraform apply -input=false p",
    "TF_CLI_ARGS_plan=-destroy terraform plan -out=p && terraform apply p",
    "terraform plan -destroy -out=p && mv p q && terraform apply q",
    "terraform plan -out=p && terraform apply p",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm -rf /srv/data' git log",
    "export GIT_CONFIG_VALUE_0='rm -rf /srv/data' GIT_CONFIG_KEY_0=core.editor\ngit log",
    "GIT_CONFIG_PARAMETERS=\"'core.pager=rm -rf /srv/data'\" git log",
    "X='rm -rf /srv/data' git --config-env=core.pager=X log",
    "MANOPT='-P \"rm -rf /srv/data\"' man ls",
    "TAR_OPTIONS='--to-command=\"rm -rf /srv/data\"' tar xf a.tar",
    "KUBECTL_EXTERNAL_DIFF='rm -rf /srv/data' kubectl diff -f x",
    "BORG_PASSCOMMAND='rm -rf /srv/data' borg list", "CC='rm -rf /srv/data' make",
    "RUSTC_WRAPPER='rm -rf /srv/data' cargo build", "DELTA_PAGER='rm -rf /srv/data' git diff",
    "LESS='+!rm -rf /srv/data' less x", "FZF_DEFAULT_OPTS=\"--preview 'rm -rf /srv/data'\" fzf",
    "JAVA_TOOL_OPTIONS='-javaagent:/tmp/a.jar' mvn test",
    "JAVA_TOOL_OPTIONS='-XX:OnError=\"rm -rf /srv/data\"' java X",
)  # fmt: skip
CALM_VARIABLES = (
    "TF_CLI_ARGS_plan='-parallelism=30' terraform plan", "TF_CLI_ARGS=-no-color terraform apply",
    "TF_CLI_ARGS_destroy=-auto-approve terraform plan", "terraform plan -destroy -out=p",
    "terraform plan -destroy -out=p && terraform show p", "terraform apply plan.out",
    "terraform plan -out=p && terraform show -json p", "terraform plan && terraform apply",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=cat git log",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' git status",
    "MANOPT='-P cat' man rm", "TAR_OPTIONS=--no-same-owner tar xf a.tar",
    "CC='ccache gcc' make -j8",
    "CC=clang CXX=clang++ cmake ..", "RUSTC_WRAPPER=sccache cargo build", "LESS=-FRX less x",
    "FZF_DEFAULT_OPTS='--height 40%' fzf",
    "JAVA_TOOL_OPTIONS='-javaagent:/otel/agent.jar' mvn test",
    "JAVA_TOOL_OPTIONS=-Xmx2g mvn test", "GIT_SEQUENCE_EDITOR=true git log",
    "GH_BROWSER=firefox gh browse",
)  # fmt: skip


def test_a_variable_that_adds_words_or_programs_is_minded() -> None:
    for text in VARIABLES:
        assert level(text) >= RiskLevel.HIGH, text


def test_a_variable_that_adds_harmless_words_is_harmless() -> None:
    for text in CALM_VARIABLES:
        assert level(text) < RiskLevel.HIGH, text


SETTINGS = (
    "git config remote.origin.mirror true && git push origin",
    "git config --local remote.origin.mirror yes; git push",
    "git config remote.origin.push '+refs/heads/*:refs/heads/*' && git push",
    "git config --add remote.origin.push '+refs/heads/*:refs/heads/*'; git push origin",
    "git config set remote.origin.push :main\ngit push",
    "git -C push -c remote.origin.mirror push", "git -C push -c remote.a.push=+main push",
    "git -c remote.origin.mirror=true push", "git -c remote.origin.push=+main push origin",
    "git -C x -c a.b=c -c Remote.origin.Mirror=true push",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.mirror GIT_CONFIG_VALUE_0=true git push",
    "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.a.push GIT_CONFIG_VALUE_0=+main\ngit push",
    "GIT_CONFIG_PARAMETERS=\"'remote.origin.mirror'='true'\" git push",
    "git remote add --mirror=push backup git@h:x.git && git push backup",
    "git config core.pager 'rm -rf /srv/data'; git log",
    "git config --global core.editor 'rm -rf /srv/data'",
    "git config --global core.hooksPath /tmp/evil && git commit -m x",
    "git config include.path /tmp/evil",
)  # fmt: skip
CALM_SETTINGS = (
    "git config remote.origin.mirror false && git push origin",
    "git -c remote.origin.mirror=false push",
    "git config remote.origin.push HEAD && git push",
    "git config remote.origin.push HEAD; git push origin",
    "git config --get remote.origin.mirror; git push",
    "git config remote.origin.mirror true && git fetch",
    "git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*' && git fetch",
    "git config push.default simple && git push",
    "git config --unset remote.origin.mirror; git push",
    "git config core.pager 'less -R'", "git config core.hooksPath .githooks",
    "git config --global core.editor vim",
    "git config alias.st status && git st", "git -c core.pager=cat log",
    "git remote add backup git@h:x.git && git push backup",
    "git remote add --mirror=fetch up git@h:x.git && git fetch up",
    "git -c remote.origin.mirror=true fetch",
    "git config core.pager", "git config remote.backup.mirror true && git push origin main",
)  # fmt: skip


def test_a_setting_of_git_counts_for_what_comes_behind_it() -> None:
    for text in SETTINGS:
        assert level(text) >= RiskLevel.HIGH, text


def test_a_harmless_setting_of_git_stays_harmless() -> None:
    for text in CALM_SETTINGS:
        assert level(text) < RiskLevel.HIGH, text


LIBRARIES = (
    "NODE_OPTIONS='--require /tmp/a.js' npm test", "NODE_OPTIONS='--require=./a.js' node b.js",
    "NODE_OPTIONS='-r ../a.js' node b.js",
    "NODE_OPTIONS='--import data:text/javascript,x' node b.js",
    "NODE_OPTIONS='--import=file:///tmp/a.mjs' node b.js", 'NODE_OPTIONS="--require $X" node b.js',
    "NODE_PATH=/tmp/lib NODE_OPTIONS='--require a' node b.js", "RUBYOPT=-r/tmp/a.rb ruby b.rb",
    "RUBYOPT='-I/tmp -ra' ruby b.rb", "RUBYOPT=-r./a ruby b.rb", "PERL5OPT='-I/tmp -Ma' perl b.pl",
    "PERL5OPT='-Mlib=/tmp -Ma' perl b.pl", "PERL5OPT='-MPOSIX;unlink(1)' perl b.pl",
)  # fmt: skip
PACKAGES = (
    "NODE_OPTIONS='--require ts-node/register' mocha", "NODE_OPTIONS='--import tsx' node b.ts",
    "NODE_OPTIONS='-r dd-trace/init' node b.js", "NODE_OPTIONS=--loader=ts-node/esm node b.ts",
    "NODE_OPTIONS='--require @sentry/node/preload' npm start", "RUBYOPT=-rbundler/setup rake test",
    "RUBYOPT='-W0 -rlogger' rails s",
)  # fmt: skip


def test_a_library_by_its_path_is_a_hook_and_an_installed_one_is_none() -> None:
    for text in LIBRARIES:
        assert level(text) >= RiskLevel.HIGH, text
    for text in PACKAGES:
        assert level(text) < RiskLevel.HIGH, text
