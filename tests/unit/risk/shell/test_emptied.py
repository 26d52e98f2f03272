"""Code that leaves nothing of a file deletes it; what writes something does not."""

from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

PYTHON = (
    "import os; [os.replace(f, '/dev/null') for f in os.listdir('/srv/data')]",
    "import shutil; shutil.move('/srv/data/a', '/dev/null')",
    "from pathlib import Path; Path('/srv/data/a').rename('/dev/null')",
    "open('/srv/data/a.sqlite','w').close()", "open('/srv/data/orders','wb').close()",
    "f=open('orders.db','w'); f.close()", "f=open('orders.db','w'); f.write('')",
    "with open('orders.csv', mode='w'): pass", "with open('orders.csv', 'w') as f: pass",
    "open('orders.sqlite','w')", "from pathlib import Path; Path('a.sqlite').write_text('')",
    "from pathlib import Path; p='a.db'; Path(p).write_bytes(b'')",
    "f=open('orders.sqlite','r+'); f.truncate(0)",
    "import glob; [open(f,'w').close() for f in glob.glob('/home/a/b/*')]",
    "from pathlib import Path; [p.write_text('') for p in Path('/home/a/b').iterdir()]",
)  # fmt: skip
OTHERS = (
    "node -e \"require('fs').writeFileSync('orders.sqlite','')\"",
    "node -e \"require('fs').renameSync('/srv/data/a','/dev/null')\"",
    "node -e \"const fs=require('fs'); fs.closeSync(fs.openSync('orders.db','w'))\"",
    "ruby -e \"File.write('orders.sqlite','')\"", "ruby -e \"File.open('orders.db','w'){}\"",
    "ruby -e \"File.open('orders.db','w').close\"", "ruby -e \"File.rename('a','/dev/null')\"",
    "perl -e \"open(F,'>','orders.db'); close F\"", "perl -e \"open F, '>orders.db'\"",
    "perl -e \"rename 'orders.db', '/dev/null'\"", "php -r \"fclose(fopen('orders.db','w'));\"",
    "php -r \"file_put_contents('orders.sqlite','');\"",
    "jshell - <<< 'new java.io.File(\"/srv/data/db\").delete();'",
    "echo 'java.nio.file.Files.delete(java.nio.file.Path.of(\"/srv/a\"));' | jshell",
)  # fmt: skip
MILD = (
    "open('app/__init__.py','w').close()", "open('/tmp/x.db','w').close()",
    "open('.lock','w').close()", "open('/run/app.pid','w').close()",
    "from pathlib import Path; Path('pkg/__init__.py').write_text('')",
    "import json; json.dump({}, open('out.json','w'))", "f=open('out.csv','w'); f.write('a,b')",
    "with open('out.csv','w') as f: f.write(open('in.csv').read())",
    "print('a'.replace('x', '/dev/null'))", "import os; os.rename('a.txt','b.txt')",
    "import csv; w=csv.writer(open('out.csv','w')); w.writerow([1])",
    "import os,glob; [open(os.path.join(d,'__init__.py'),'w').close() for d in glob.glob('t/*/')]",
    "import pandas as pd; pd.read_csv('a.csv').to_csv('b.csv')",
)  # fmt: skip
OTHERS_MILD = (
    "node -e \"require('fs').writeFileSync('.gitkeep','')\"",
    "node -e \"require('fs').writeFileSync('out.json', JSON.stringify({}))\"",
    "ruby -e \"File.write('a.txt','hello')\"", "php -r \"file_put_contents('a.csv', '1,2');\"",
    "ruby -e \"File.open('out.csv','w'){|f| f.puts 1}\"",
    "perl -e \"open(F,'>','out.csv'); print F 1; close F\"",
    "perl -e \"open(F,'<','orders.db'); print <F>\"",
    "jshell - <<< 'System.out.println(new java.io.File(\"/srv/data/db\").length());'",
)  # fmt: skip


def test_code_that_leaves_nothing_of_a_file_deletes_it() -> None:
    for text in (*(f'python3 -c "{code}"' for code in PYTHON), *OTHERS):
        assert level(text) >= RiskLevel.HIGH, text


def test_code_that_writes_or_marks_something_deletes_nothing() -> None:
    for text in (*(f'python3 -c "{code}"' for code in MILD), *OTHERS_MILD):
        assert level(text) < RiskLevel.HIGH, text
