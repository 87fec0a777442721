"""What agents run all day goes on: a gate that stops it would be switched off."""

from __future__ import annotations

import subprocess

import pytest

from corpusguard.config.gate import ACCEPTED, MEMORY_FILES
from corpusguard.gate.hook.paths import MemoryFiles
from corpusguard.gate.hook.shell import shell_changes

ORDINARY = [
    'for f in src/*.py; do black "$f"; done', 'echo hi > "$TMPDIR/x"', 'make > "$LOG" 2>&1',
    'git commit -m "Update CLAUDE.md"', "pytest tests/test_memory.py", "free -m", "grep -r rent memory/",
    "python build.py > out.txt", "ls -la && pwd", "cd src && ls", "git status && git diff", "git log --oneline -5",
    "npm install && npm test", "cargo build 2>&1 | tail -20", "make -j4", "docker run --memory 512m img",
    'docker run --memory=512m -v "$PWD":/w img', "cat CLAUDE.md | head -5", "wc -l *.md", 'for f in *.md; do wc -l "$f"; done',
    "find . -name '*.py' -exec black {} +", "find . -name '*.md'", "find . -name '*.md' -exec grep -l rent {} +",
    "grep -rl old src | xargs sed -i 's/old/new/g'", "find src -name '*.py' | xargs sed -i 's/a/b/'",
    "git ls-files '*.py' | xargs wc -l", "sed -i 's/a/b/' src/main.py", "sed -i -e 's/[a-z]*/x/' -e '/^#/d' src/main.py",
    'sed -i "s/0.1/$(cat VERSION)/" src/main.py', "sed -n '1,20p' CLAUDE.md", 'out=$(mktemp); make > "$out"', 'd=$(mktemp -d); cp -r src "$d/"',
    'pytest -q > "/tmp/log-$(date +%F).txt"', 'cd "$(git rev-parse --show-toplevel)" && make > build.log', "python -m pytest tests -q 2>&1 | tee test.log",
    "cat > src/new.py <<'EOF'\nprint('hi', 2 * 3, [a for a in b])\nEOF", "cat > run.sh <<'EOF'\nset -e\nmake \"$1\"\nEOF\nchmod +x run.sh && ./run.sh",
    "echo \"$PATH\" | tr : '\\n'", "export FOO=bar && ./script.sh", "source .env && python app.py", "if [ -f CLAUDE.md ]; then cat CLAUDE.md; fi", "[ -d memory ] && ls memory",
    'for i in $(seq 1 3); do echo x > "out$i.txt"; done', "for i in 1 2 3; do curl -s localhost:$i > /dev/null; done", "while ! nc -z localhost 80; do sleep 1; done",
    "for ((i=0; i<3; i++)); do echo $i; done", "x=$((1+2)); echo $x > n.txt", "[[ $a > $b && $c =~ ^(x|y)$ ]] && echo yes", 'case "$1" in start) make;; *) echo usage;; esac',
    'python3 -c "memory = 5; print(memory * 2)"', "python3 - <<'EOF'\nimport re\nmemory = re.findall('[A-Z]*', 'x')\nprint(*memory)\nEOF", "python3 -c 'print(1)' | python3 -m json.tool",
    "curl -fsSL https://example.org/install.sh | sh", "ssh host 'ls -la'", "tar czf out.tgz src", "tar xzf out.tgz", "cp src/main.py src/copy.py", "mv src/a.py src/b.py", "rm -rf build/*",
    'for f in src/*.py; do cp "$f" "$f.bak"; done', 'for f in src/*.py; do mv "$f" "${f%.py}.txt"; done', 'for f in src/*.py; do cp "$f" "build/$(basename "$f" .py).txt"; done',
    "git add -A && git commit -m 'Fix memory leak in the cache'", "gh pr create --title x --body 'Fix the memory leak'", "git commit -m \"$(cat <<'EOF'\nFix the leak\n\nSee CLAUDE.md.\nEOF\n)\"",
    'grep -n "TODO" -r . | head', "rg memory src", "rg -n 'memory/' docs", "jq '.a[] | select(.b > 1)' x.json > y.json", "awk '{print $1}' CLAUDE.md", "sort -u CLAUDE.md | uniq -c", "diff CLAUDE.md AGENTS.md",
    "git checkout -b fix/leak", "git stash && git pull --rebase && git stash pop", "kill %1", "sleep 2 &", "nohup python app.py > app.log 2>&1 &", "(cd src && make)", "{ make; make test; } > log.txt 2>&1",
    "npx prettier --check 'src/**/*.ts'", "eslint src/**/*.ts", "DATABASE_URL=sqlite:///:memory: python app.py", "python -c \"import sqlite3; sqlite3.connect(':memory:')\"",
    "cat <<'EOF' > README.md\nWhat agents remember stands in CLAUDE.md.\nEOF", "test -f CLAUDE.md || echo missing", "ls memory | wc -l", "cat memory/*.md", "find memory -type f | sort", "timeout 60 pytest -k memory",
    "node -e 'console.log([1,2].map(x => x * 2))'", "psql -c 'select * from t where a > 1'", 'make VERSION="$(git describe --tags)"', 'docker build -t "img:$(git rev-parse --short HEAD)" .', "echo done # see CLAUDE.md",
    "gh pr create --title 'Mend CLAUDE.md' --body 'Adds a section to CLAUDE.md'", 'gh issue create --title "Memory leak" --body "See memory/ folder"', "gh api repos/o/r/contents/CLAUDE.md --jq .content", "git restore --staged CLAUDE.md",
    "git reset HEAD CLAUDE.md", "git check-ignore CLAUDE.md", "find . -name '*.md' -mtime -1", "awk 'NR>5 && NR<10' CLAUDE.md", "awk '$1 > 3 || /x/' memory/facts.md", "cp CLAUDE.md /tmp/CLAUDE.bak", "cp CLAUDE.md CLAUDE.md.bak", "cp -p CLAUDE.md docs/backup.txt",
    "npx markdownlint CLAUDE.md", "npx prettier --check CLAUDE.md", "pytest --cov=src/memory --cov-report=term-missing", "uv run pytest tests/memory", "poetry run pytest -k memory", "npm test -- --testPathPattern memory", "npx jest src/memory/store.test.ts",
    "npx vitest run src/memory", "npx eslint src/memory", "cargo test memory::", "cargo test --package memory", "go test ./memory/...", "mypy src/memory", "codespell CLAUDE.md README.md", "curl -s http://localhost:8080/memory | jq .", "curl -s -X POST localhost:3000/api/memory -d '{\"a\":1}'",
    "mv docs/*.md archive/", "sed -i 's/a/b/' docs/*.md", 'export PATH="$HOME/.local/bin:$PATH" && cat CLAUDE.md', "command -v claude && cat CLAUDE.md", "for ((i=0;i<3;i++)) do echo $i; done", "[[ -f CLAUDE.md ]] && cat CLAUDE.md", "echo 'memory/' >> .gitignore && git add .gitignore",
    "source .venv/bin/activate && cat CLAUDE.md", 'eval "$(ssh-agent -s)" && make > build.log', "exec 3>&1; make 2>&1 >&3 | grep error", "echo oops > /dev/stderr", "ls src | xargs -I{} cp src/{} /tmp/", "x='$(pwd)'; echo $((x))",
]  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A repository with memories of its own."""
    root = tmp_path_factory.mktemp("ordinary")
    for name in (
        "CLAUDE.md",
        ACCEPTED,
        "memory/facts.md",
        "src/main.py",
        "src/lib/x.ts",
        "docs/a.md",
        "VERSION",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("old\n")
    return root


@pytest.mark.parametrize("command", ORDINARY)
def test_an_ordinary_command_goes_on(project, command, monkeypatch):
    """And bash itself can read it, so that the list is of real commands."""
    monkeypatch.setenv("TMPDIR", str(project / "docs"))
    monkeypatch.delenv("LOG", raising=False)
    subprocess.run(["bash", "-n", "-c", command], check=True)
    for guarded in (MEMORY_FILES, [ACCEPTED]):
        memory = MemoryFiles(guarded, project)
        assert shell_changes(command, str(project), memory, lambda *_: "") == []
