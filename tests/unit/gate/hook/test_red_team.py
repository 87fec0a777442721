"""Commands that really write a claim into a memory file, made by the hundred: each is blocked.

Shapes of writing times spellings of the path times carriers of the text. Every command is run by
a real bash in a folder of its own; those after which a memory file holds the claim must not pass.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from corpusguard.config.gate import MEMORY_FILES
from corpusguard.gate.hook.paths import MemoryFiles
from corpusguard.gate.hook.said import newly_said
from corpusguard.gate.hook.statements import is_claim
from corpusguard.gate.hook.toolcall import Blocked, ToolCall
from corpusguard.gate.hook.writes import changes
from tests.unit.gate.hook.red_team import MORE

CLAIM = "Rent may rise by 10 per cent."

SPELLINGS = [
    "CLAUDE.md", "./CLAUDE.md", '"CLAUDE.md"', "CLA'UDE'.md", "CLA\\UDE.md", "CLAUDE.\\\nmd",
    "$'CLA\\x55DE.md'", "$'CLAUDE\\056md'", '$"CLAUDE.md"', "C*.md", "CLAUDE.m?", "[C]LAUDE.md",
    "[[:upper:]]LAUDE.md", "{CLAUDE,}.md", "$(echo CLAUDE.md)", "`echo CLAUDE.md`",
    "$(echo CLAUDE).md", "${f:-CLAUDE.md}", "${f:=CLAUDE.md}", '"$PWD"/CLAUDE.md', "~/CLAUDE.md",
    "memory/../CLAUDE.md", "memory/facts.md", "memory//facts.md", "./memory/./facts.md", "m*/facts.md",
    "m?mory/f*", "*/facts.md", "mem{ory,}/facts.md", "lnk/facts.md", "l*/facts.md", "lnk/../CLAUDE.md",
    "deep/../../CLAUDE.md", "soft.txt", "hard.txt", "s*.txt", "/proc/self/cwd/CLAUDE.md",
]  # fmt: skip

PLAIN = ["CLAUDE.md", "memory/facts.md", "lnk/facts.md", "hard.txt", "m*/facts.md"]
"""For shapes that bring spellings of their own, or quote the path."""

CARRIERS = [
    f"echo '{CLAIM}'", f"printf '%s\\n' '{CLAIM}'", "cat claims.txt", f"cat <<< '{CLAIM}'",
    "head -1 claims.txt", "awk 1 claims.txt", 'echo "$(<claims.txt)"', "rev smialc.txt",
    f"python3 -c 'print(\"{CLAIM}\")'", f"echo -e '{CLAIM}'", f"X='{CLAIM}'; echo $X",
    "base64 -d claims.b64", f"echo $'{CLAIM}'",
]  # fmt: skip

SHAPES = [
    "P > T", "P >> T", "P >| T", "P &> T", "P &>> T", "P 1> T", "P | tee T", "P | tee -a T > /dev/null",
    "P | cat > T", "{ P; } > T", "(P) > T", "( (P) ) > T", "P 3> T >&3", "exec 3> T; P >&3", "exec > T; P",
    "P > T &\nwait", "if true; then P > T; fi", "for i in 1; do P > T; done", "until P > T; do :; done",
    "case a in a) P > T;; esac", "f() { P; }; f > T", "function f { P > T; }; f", "coproc { P > T; }; wait",
    "true && P > T", "false || P > T", "! P > T", "time P > T", "# note \\\nP > T", "P 2>/dev/null > T",
    "echo x <(P > T) && sleep 0.1", "x=$(P > T)", "echo `P | tee T`", "> T P", "P<>T >&0 1<>T",
]  # fmt: skip

FROM_FILES = [
    "cp claims.txt T", "mv claims.txt T", "ln -f claims.txt T", "ln -sf claims.txt T", "link claims.txt T",
    "install claims.txt T", "cat claims.txt > T", "tee T < claims.txt", "tee T < claims.txt <<< ok < claims.txt",
    "cat <<< ok < claims.txt > T", "dd if=claims.txt of=T", "sort claims.txt -o T", "sort -oT claims.txt",
    "sort --outp=T claims.txt", "shuf claims.txt -o T", "iconv claims.txt -o T", "uniq claims.txt T",
    "sed -n 'w T' claims.txt", "awk '{print > \"T\"}' claims.txt", "mawk '{print > \"T\"}' claims.txt",
    "find . -name claims.txt -exec cp {} T ';'", "echo claims.txt | xargs -I{} cp {} T", "rsync claims.txt T",
    "ls claims.txt | xargs cat > T", "env cp claims.txt T", "command cp claims.txt T", "nice cp claims.txt T",
    "timeout 5 cp claims.txt T", "setsid -w cp claims.txt T", "ionice cp claims.txt T", "chrt -o 0 cp claims.txt T",
    "taskset 1 cp claims.txt T", "stdbuf -o0 cp claims.txt T", "nohup cp claims.txt T", "busybox cp claims.txt T",
    "flock l -c 'cp claims.txt T'", "script -qc 'cp claims.txt T' /dev/null", "sh -c 'cp claims.txt T'",
    "sh -c 'cp claims.txt $0' T", "eval 'cp claims.txt T'", "eval cp claims.txt T", "trap 'cp claims.txt T' EXIT",
    "echo 'cp claims.txt T' | sh", "bash <<< 'cp claims.txt T'", "sh <<E\ncp claims.txt T\nE", "cat <<E | sh\ncp claims.txt T\nE",
    "cat > s.sh <<E\ncp claims.txt T\nE\nsh s.sh", "echo 'cp claims.txt T' > s.sh; . ./s.sh", "source <(echo cp claims.txt T)",
    "python3 -c \"import shutil; shutil.copy('claims.txt', 'T')\"", "python3 - <<E\nopen('T','w').write(open('claims.txt').read())\nE",
    "echo \"open('T','w').write(open('claims.txt').read())\" | python3", "perl -e 'open F,\">T\"; print F `cat claims.txt`'",
    "curl -so T file://$PWD/claims.txt", "F=T; cp claims.txt $F", 'F=T; G=$F; cp claims.txt "$G"', "F=T.txt; cp claims.txt ${F%.txt}",
    "F=xT; cp claims.txt ${F#x}", "F=T; cp claims.txt ${F/x/y}", "F=T; R=F; cp claims.txt ${!R}", "a=(x T); cp claims.txt ${a[1]}",
    "declare F=T; cp claims.txt $F", "declare -n R=F; R=T; cp claims.txt $F", "read F <<< T; cp claims.txt $F",
    "printf -v F %s T; cp claims.txt $F", "export F=T; sh -c 'cp claims.txt $F'", "set -- T; cp claims.txt $1", "F=T bash -c 'cp claims.txt $F'",
    "f() { cp claims.txt $1; }; f T", "f() { cp $1 $2; }; f claims.txt T", "for F in T; do cp claims.txt $F; done",
    "echo T | while read F; do cp claims.txt $F; done", "echo T | xargs cp claims.txt", "echo T > n; cp claims.txt $(cat n)",
    "mapfile -t A <<< T; cp claims.txt ${A[0]}", "cp claims.txt $(printf T)", "alias w=cp; shopt -s expand_aliases\nw claims.txt T",
    'while read -r l; do echo "$l" > T; done < claims.txt', "cat claims.txt > >(cat > T); sleep 0.1", "cat claims.txt | tee >(cat > T); sleep 0.1",
    "sed -i 's/.*/Rent may rise by 10 per cent./' T", "sed -i 's/old/Rent may rise by 10 per cent./' T", "perl -pi -e 's/.*/Rent may rise by 10 per cent./' T",
    "printf 'r claims.txt\\nw\\nq\\n' | ed -s T", "split -b 9999 claims.txt x && mv xaa T", "tar cf - claims.txt | tar xOf - > T",
    "trap 'cat claims.txt > T' DEBUG; :", "PROG=cp; $PROG claims.txt T", "C='cp claims.txt T'; $C", "$(echo cp) claims.txt T", "c''p claims.txt T",
    "./mycat claims.txt > T", "git diff --no-index --output=T /dev/null claims.txt", "diff /dev/null claims.txt > T", "unshare -r cp claims.txt T",
]  # fmt: skip

OWN_SPELLING = [
    "cd memory; cp ../claims.txt facts.md", "cd memory && cat ../claims.txt > facts.md", "(cd memory && cp ../claims.txt facts.md)",
    "cd memory; (cd /); echo 'C' > facts.md", "cd memory; cd / | true; echo 'C' > facts.md", "cd memory; cd / & wait; echo 'C' > facts.md",
    "pushd memory; echo 'C' > facts.md", "cd memory; cd ..; cd -; echo 'C' > facts.md", "cd m*; echo 'C' > facts.md", "cd lnk; echo 'C' > facts.md",
    "D=memory; cd $D; echo 'C' > facts.md", "cd $(echo memory); echo 'C' > facts.md", "CDPATH=memory cd sub; echo 'C' > facts.md; cp facts.md ../facts.md",
    "cd docs; echo 'C' > ../CLAUDE.md", "cd docs; cd ..; echo 'C' > CLAUDE.md", "pushd docs; popd; echo 'C' > CLAUDE.md", "cd lnk/..; echo 'C' > CLAUDE.md",
    "cp claims.txt memory", "cp claims.txt memory/", "cp -t memory claims.txt", "cp -tmemory claims.txt", "mv claims.txt m*", "cp claims.txt {memory,docs}",
    "install -D claims.txt memory/new/facts.md", "D=memory; cp claims.txt $D", "D=mem; cp claims.txt ${D}ory/facts.md", "D=mem E=ory; cp claims.txt $D$E/facts.md",
    "A=mem; B=ory; cp claims.txt $A$B", "A=CLAU; B=DE.md; echo 'C' > $A$B", "A=CLAU; B=DE.md; eval \"echo 'C' > $A$B\"", 'A=CLAU; sh -c "cp claims.txt ${A}DE.md"',
    "mkdir -p new/memory; cp claims.txt new/memory/", "ln -s memory k; cp claims.txt k/facts.md", "ln CLAUDE.md k; cat claims.txt > k", "ln -s CLAUDE.md k; echo 'C' > k",
    "mv docs memory/d; cp claims.txt memory/d/x.md", "cp -r docs memory/", "tar cf a.tar claims.txt; tar xf a.tar -C memory", "rsync -a docs/ memory/",
    "printf '%s ' Rent may > CLAUDE.md; echo 'rise by 10 per cent.' >> CLAUDE.md", "echo 'Use X' > CLAUDE.md; sed -i 's/Use X/C/' CLAUDE.md",
    "echo -n 'Rent may ' >> memory/facts.md; echo -n 'rise by ' >> memory/facts.md; echo '10 per cent.' >> memory/facts.md",
    "false && echo 'Do not write that' > CLAUDE.md; echo 'C' >> CLAUDE.md", "cat <<E > CLAUDE.md\n$(cat claims.txt)\nE", "cat <<E > CLAUDE.md\n`cat claims.txt`\nE",
    "F=claims.txt; cat <<E > CLAUDE.md\n$(<$F)\nE", "cat > CLAUDE.md <<E\r\nC\r\nE\r\n", "for f in *.md; do cp claims.txt $f; done", "for d in mem*; do cp claims.txt $d/facts.md; done",
    "find . -name '*.md' -exec cp claims.txt {} ';'", "find . -name 'CLAUDE*' | xargs cp claims.txt", "ls *.md | xargs cp claims.txt", "find memory -type f -exec cp claims.txt {} +",
    "find . -maxdepth 1 -type f -size 4c -exec cp claims.txt {} ';'", "grep -l old *.md | while read f; do cp claims.txt $f; done", "grep -rl old . | xargs sed -i 's/old/C/'",
    "for f in $(ls); do test -s $f && cat claims.txt > $f; done", "set -- *; for f; do cp claims.txt $f; done", "cp docs/claims.md CLAUDE.md", "cp -f docs/*.md CLAUDE.md",
    "cat claims.txt > $(ls -d C*)", "cat claims.txt > \"$(find . -name 'CLAUDE.*')\"", "tee $(echo CLAUDE.md) < claims.txt", "ls | tee /dev/null | grep CLAU | xargs cp claims.txt",
    "git init -q . && git add -f claims.txt && git mv -f claims.txt CLAUDE.md", "printf '%s\\n' '--- CLAUDE.md' '+++ CLAUDE.md' '@@ -1 +1 @@' '-old' '+C' | patch -p0",
    "printf '%s\\n' '--- a/CLAUDE.md' '+++ b/CLAUDE.md' '@@ -1 +1 @@' '-old' '+C' > p.diff; git apply p.diff", "python3 -c \"import os; os.chdir('memory'); open('facts.md','w').write('C')\"",
    "echo 'C' | (cd memory; cat > facts.md)", "echo 'C' | { cat > CLAUDE.md; }", "BASH_ENV=s.sh; echo 'cp claims.txt CLAUDE.md' > s.sh; export BASH_ENV; bash -c :",
    "GIT_PAGER='tee CLAUDE.md' git -p diff --no-index /dev/null claims.txt", "git -c core.pager='tee CLAUDE.md' -p diff --no-index /dev/null claims.txt", "IFS=:; F=x:CLAUDE.md; tee $F < claims.txt",
    "X='a CLAUDE.md'; tee $X < claims.txt", "X='claims.txt CLAUDE.md'; cp $X", "shopt -s extglob\ncp claims.txt @(CLAUDE).md", "shopt -s globstar\ncp claims.txt ./**/facts.md",
    "select F in CLAUDE.md; do cp claims.txt $F; break; done <<< 1", "((1)) && echo 'C' > CLAUDE.md", "[[ a ]] && echo 'C' > CLAUDE.md", "{ echo 'C'; } | tee CLAUDE.md", "echo 'C' | tee docs/x CLAUDE.md",
    "echo 'C' | tee >(cat) > CLAUDE.md", "cat claims.txt - <<< x > CLAUDE.md", "exec 5<> CLAUDE.md; echo 'C' >&5", "exec {n}> CLAUDE.md; echo 'C' >&$n", "printf 'C' | dd of=CLAUDE.md status=none",
]  # fmt: skip


def commands():
    """Each command once, the spellings and carriers in turn."""
    found = []
    for number, (shape, spelling) in enumerate(product(SHAPES, SPELLINGS)):
        if number % 7 == 0 or shape == SHAPES[0]:
            found.append(filled(shape, P=CARRIERS[number % len(CARRIERS)], T=spelling))
    for carrier in CARRIERS:
        found += [filled(shape, P=carrier, T="CLAUDE.md") for shape in (SHAPES[1], SHAPES[6])]
    for number, shape in enumerate(FROM_FILES):
        spellings = (
            PLAIN[number % 2 :: 2]
            if re.search("['\"]T|T['\"]", shape)
            else SPELLINGS[number % 9 :: 9]
        )
        found += [filled(shape, T=one) for one in {"CLAUDE.md", *spellings}]
    found += [filled(one, C=CLAIM) for one in OWN_SPELLING]
    found += [one.replace("@CLAIM@", CLAIM) for one in MORE]
    return sorted(set(found))


def filled(shape, **texts):
    """Put texts where their capital letters stand alone."""
    return re.sub(r"(?<![\w$])[PTC](?![\w*])", lambda one: texts.get(one[0], one[0]), shape)


def fill(folder):
    """A project with memories, links to them, and a claim in a file."""
    for name in ("memory/sub", "docs", "other/far"):
        (folder / name).mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("old\n")
    (folder / "memory/facts.md").write_text("old\n")
    (folder / "claims.txt").write_text(CLAIM + "\n")
    (folder / "docs/claims.md").write_text(CLAIM + "\n")
    (folder / "smialc.txt").write_text(CLAIM[::-1] + "\n")
    (folder / "claims.b64").write_text("UmVudCBtYXkgcmlzZSBieSAxMCBwZXIgY2VudC4K")
    (folder / "lnk").symlink_to("memory")
    (folder / "deep").symlink_to("memory/sub")
    (folder / "soft.txt").symlink_to("CLAUDE.md")
    os.link(folder / "CLAUDE.md", folder / "hard.txt")
    shutil.copy("/bin/cat", folder / "mycat")


def really_writes(command, folder, more=lambda _: None):
    """Run it, and tell whether a memory file now holds the claim."""
    fill(folder)
    more(folder)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, timeout=5, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    known = MemoryFiles(MEMORY_FILES, folder)
    files = [
        one
        for one in folder.rglob("*")
        if ".git" not in one.parts and one.is_file() and known.holds(str(one), "/")
    ]
    return any(CLAIM in " ".join(one.read_text().split()) for one in files)


def passes(command, folder):
    """Whether the hook finds nothing to check against the corpus."""
    call = ToolCall("Bash", {"command": command}, str(folder))
    try:
        found = changes(call, MemoryFiles(MEMORY_FILES, folder))
    except Blocked:
        return False
    claims = [
        one
        for change in found
        for _, said in newly_said(change.before, change.after)
        for one in said
        if is_claim(one)
    ]
    return not claims


def test_what_writes_a_claim_never_passes(tmp_path, monkeypatch):
    """Over 300 of them; which ones bash has carried out is counted, not assumed."""
    ready = tmp_path / "ready"
    fill(ready)
    monkeypatch.setenv("HOME", str(ready))
    made = commands()
    folders = [tmp_path / str(number) for number in range(len(made))]
    with ThreadPoolExecutor(4) as pool:
        wrote = list(pool.map(really_writes, made, folders))
    real = [command for command, one in zip(made, wrote, strict=True) if one]
    assert len(real) > 300
    assert [command for command in real if passes(command, ready)] == []


ALSO = [
    'awk "{print > \\"$(echo CLA)UDE.md\\"}" claims.txt', "HOME=memory; cd; cp ../claims.txt facts.md",
    "HOME=memory; cp claims.txt ~/facts.md", "export HOME=$PWD/memory; cd; cp ../claims.txt facts.md",
    "cd $(echo mem)ory; cp ../claims.txt facts.md", "cd $(cat n); cp ../claims.txt facts.md",
    "cd $(ls -d m*); python3 x.py", "tee -- -/../CLAUDE.md < claims.txt", "cat claims.txt >! CLAUDE.md",
    'echo a > ../"$(basename $PWD)"/CLAUDE.md', "cp claims.txt ~+/CLAUDE.md", "cp claims.txt ~-/facts.md",
    "env F=CLAUDE.md sh -c 'cp claims.txt $F'", "X=CLAUDE.md make", "set -a; F=CLAUDE.md; ./script",
    "sponge CLAUDE.md < claims.txt", "pandoc claims.txt -o CLAUDE.md", "busybox tee CLAUDE.md < claims.txt",
    "rsync claims.txt CLAUDE.md", "mawk '{print > \"CLAUDE.md\"}' claims.txt", "watch -n1 'cp claims.txt CLAUDE.md'",
    "chrt -o 0 cp claims.txt CLAUDE.md", "unshare -r cp claims.txt CLAUDE.md", "link claims.txt CLAUDE.md",
    "vim -c 'w CLAUDE.md' x", "emacs --batch CLAUDE.md", "git restore --source=x CLAUDE.md",
    "git stash push CLAUDE.md", "git checkout x -- memory", "git -c core.pager='tee CLAUDE.md' log",
    "GIT_PAGER='tee CLAUDE.md' git log", "less -o CLAUDE.md x", "sort -k1 --outp CLAUDE.md x",
    "find memory -fprintf memory/a y", "rg --pre 'cp claims.txt' x CLAUDE.md", "awk -v f=CLAUDE.md '{print > f}' x",
    "sed -i.bak 's/old/Rent may rise/' C*", "sed -n 's/old/Rent/w CLAUDE.md' x", "sed 'r x' -i CLAUDE.md",
    'echo a > "$1"', 'cp a "$2"', "tee $(cat n) < a", "dd if=a of=$(cat n)", 'sort -o "$(cat n)" a',
    "ls | xargs -I{} sh -c 'echo a > {}'", "xargs -a list cp a", "cat <<'E' > run.sh\ncd memory\ncp ../a b\nE\nbash run.sh",
    "echo a > memory\\/x; echo 'open", "cat <<E $(echo\n) > CLAUDE.md\nE", "${ echo cp; } a b > CLAUDE.md",
    "echo a > CLAUDE.md\0.txt", "CDPATH=memory; cd sub && ls > x", "echo a 3>CLAUDE.md 1>&3", "cd memory && make",
]  # fmt: skip


@pytest.mark.parametrize("command", ALSO)
def test_what_this_machine_may_not_be_able_to_do_is_blocked(tmp_path, command):
    """Programs that are not installed everywhere, other shells, and places known at run time."""
    fill(tmp_path / "project")
    known = MemoryFiles(MEMORY_FILES, tmp_path / "project")
    with pytest.raises(Blocked):
        changes(ToolCall("Bash", {"command": command}, str(tmp_path / "project")), known)
