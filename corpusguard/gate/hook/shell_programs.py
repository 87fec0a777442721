"""Which programs put nothing of their own into a file, and where others put it.

A program that is not known here to only read may write anywhere, so it must not be given the name
of a memory file. Of those with options that write or run something, only options that are listed
here are trusted: a list of dangerous ones would miss an abbreviation.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.shell_text import only_edits_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_READ: Final = frozenset(
    ": [ [[ basename break cat cd chmod cmp comm continue cut df diff dirname du echo egrep exit "
    "false fgrep fold grep head jq ls md5sum mkdir nl od popd pushd pwd read readlink realpath "
    "return rm rmdir sha1sum sha256sum sleep stat strings tac tail test touch tr true type wc which"
    .split()
)  # fmt: skip
_OPTIONS: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(options)
    for name, options in {
        "curl": r"-[sSfLkiIvgG46]+|-[sSfLk]*X\w*|-[HdumA]|--(?:silent|fail|location|request|header|"
        r"data|data-raw|json|compressed|max-time|url|get|head)",
        "file": r"-[bikLz]+|--mime-type|--brief",
        "less": r"-[NSRFXi]+",
        "more": r"-\d+",
        "pytest": r"-[qvxslraEf]+|-[kmn]\d*|--cov-report=term[\w-]*"
        r"|--(?:tb|maxfail|durations|lf|ff|cov|no-cov)(?:=.*)?",
        "rg": r"(?!--pre|--hostname-bin)-.*",
        "set": r"-[euxo]+",
        "sort": r"-[bcdfghiMnrRsuVz]+|-k[\d.,bdfginrV]*|-t.?|--(?:reverse|unique)|--[\w]+-sort",
        "tree": r"-[adfhisugDpLIP]+|--gitignore|--dirsfirst|--noreport",
        "uniq": r"-[cdiu]+|-[fsw]\d+",
    }.items()
}
_FIND: Final = re.compile(
    r"-(?:[aoHLP]|and|delete|empty|group|i?name|i?path|i?regex|maxdepth|mindepth|mmin|mtime|newer|\d+\w?"
    r"|not|or|perm|print0?|prune|size|type|user|exec)"
)
_GIT: Final = frozenset(
    "add blame branch check-ignore commit describe diff grep log ls-files ls-tree push "
    "rev-list rev-parse rm shortlog show status switch tag".split()
)
_GIT_UNSTAGES: Final = (["restore", "--staged"], ["reset", "HEAD"], ["reset", "--"])
_GH: Final = {
    (what, verb)
    for what in ("issue", "pr")
    for verb in (
        "close comment checks create diff edit list merge ready reopen review status view"
    ).split()
}
_CHECKERS: Final = frozenset(
    "codespell eslint jest markdownlint markdownlint-cli2 mypy prettier vale vitest".split()
)
_CHECK_OPTION: Final = re.compile(
    r"--?(?:v|vv|q|x|s|k|m|n|p|t|run|race|short|count=\d+|lib|all|workspace|package|release|strict|noEmit"
    r"|check|bail|silent|verbose|quiet|testPathPatterns?|testNamePattern|max-warnings=?\d*|color)?"
)
_GIT_RUNS: Final = re.compile(r"-O.*|--(?:ou|op|exe|ext|rec).*|\w+::.*")
_AWK_WRITES: Final = re.compile(r">(?! *[\d=])|(?<!\|)\|(?!\|)|@|system|getline")
_NAMES_ONLY: Final = re.compile(r"-\w*l\w*|--files-with-matches")
_SED_OPTION: Final = re.compile(r"-[nErsuz]*e?")
_SED_IN_PLACE: Final = re.compile(r"-[nErsuz]*i\S*|--in-place\S*")
_XARGS: Final = re.compile(r"-[0rt]+|-[nPL]\d+|-I.*|-d.+")
_COPIERS: Final = frozenset("cp install link ln mv rsync scp uniq xxd".split())
_PLAIN_COPY: Final = re.compile(r"-[finpv]+")
_LINKS: Final = re.compile(r"-[a-zA-Z]*[ls]|--(?:link|sym)")
_WRITERS: Final = frozenset(
    "csplit dd ed ex nano patch perl split sponge tee truncate vi vim".split()
)
_OUTPUT: Final = re.compile(r"-[a-zA-Z]*[oO]|-out|--out[\w-]*|--log-file")
_RUNS_CODE: Final = re.compile(
    r"(?:python[\d.]*|perl|ruby|node|[gm]?awk) (?:.* )?-?-[a-zA-Z]*[ceip]\b.*", re.DOTALL
)
_OUTPUT_GIVEN: Final = re.compile(r"of=|--(?:out[\w-]*|log-file|target\w*)=|-[oOt].")
RUN_FROM: Final[Mapping[str, re.Pattern[str]]] = {
    "git": re.compile(r".*(?:\.git(?!ignore)|hook|husky|pre-commit).*"),
    "pytest": re.compile(r".*\.(?:py|ini|toml|cfg|pth)"),
    "curl": re.compile(r".*curlrc"),
    **dict.fromkeys(("gh", "less"), re.compile(r"(?!)")),
    **dict.fromkeys((*_CHECKERS, "cargo", "go", "npm", "npx", "poetry", "uv"), re.compile(r".*")),
}
"""Programs that only read, and the files from which they run or set something nevertheless."""
_FOLDER: Final = re.compile(r"-C|--(?:dir|ch|tr|xf)\w*")
_FOLDER_GIVEN: Final = re.compile(r"-C.|--(?:dir|ch|tr|xf)\w*=")
SHELLS: Final = frozenset(
    "ash bash busybox dash eval fish ksh script sh su trap watch zsh flock parallel".split()
)
"""They run texts that they are given."""


def program(word: str) -> str:
    """Return a program's name; of one at an unusual place, the path: it may be any program."""
    folder, _, name = word.rpartition("/")
    return name if folder in {"", "/bin", "/usr/bin"} else word


def copies_one_file(call: Sequence[str]) -> bool:
    """Tell whether ``cp`` makes a plain copy of one file, and no link."""
    options = [one for one in call[1:] if one.startswith("-")]
    return len(call) - len(options) == 3 and all(map(_PLAIN_COPY.fullmatch, options))


def only_reads(call: Sequence[str]) -> bool:
    """Tell whether a program with these arguments writes no text of its own into files."""
    name, arguments = program(call[0]), call[1:]
    if name == "printf":
        return not arguments or not arguments[0].startswith("-")
    if name in _READ:
        return True
    if special := _SPECIAL.get("python" if name.startswith("python") else name):
        return special(arguments)
    form = _OPTIONS.get(name)
    if form is None:
        return False
    operands = [one for one in arguments if not one.startswith(("-", "+"))]
    options = [one for one in arguments if one.startswith(("-", "+"))]
    if (name == "uniq" and len(operands) > 1) or (name == "set" and set(operands) - {"pipefail"}):
        return False
    return all(map(form.fullmatch, options))


def outputs(call: Sequence[str]) -> list[int]:
    """Return the numbers of the words that may name a file to write to."""
    found = [
        number
        for number, word in enumerate(call)
        if number and (_OUTPUT.fullmatch(call[number - 1]) or _OUTPUT_GIVEN.match(word))
    ]
    if program(call[0]) in {"env", "tar"}:
        found += [n for n, one in enumerate(call) if n and _FOLDER.fullmatch(call[n - 1])]
        found += [n for n, one in enumerate(call) if _FOLDER_GIVEN.match(one)]
    for number, word in enumerate(call):
        name = posixpath.basename(word)
        if name in _COPIERS:
            if name in {"ln", "link"} or any(map(_LINKS.match, call[number + 1 :])):
                return list(range(number + 1, len(call)))
            folder = [n + 1 for n, one in enumerate(call[:-1]) if re.match(r"-\w*t$|--t", one)]
            return [*found, *folder, len(call) - 1]
        if name in _WRITERS:
            return list(range(number + 1, len(call)))
    return found


def writes_to_names_it_reads(call: Sequence[str]) -> bool:
    """Tell whether ``xargs`` or the like gives names to a program that writes."""
    names = {posixpath.basename(word) for word in call}
    in_place = "sed" in names and any(map(in_place_option, call))
    return bool(names & {"xargs", "parallel"}) and (
        in_place
        or bool(names & (_COPIERS | _WRITERS | SHELLS))
        or any(map(_OUTPUT.fullmatch, call[1:]))
        or _fills_in(call)
        or any(_RUNS_CODE.match(" ".join(call[at:])) for at in range(len(call)))
    )


def _fills_in(call: Sequence[str]) -> bool:
    """Tell whether ``xargs -I %`` puts names into a word of a program that may write."""
    for at, word in enumerate(call[:-1]):
        if word.startswith("-I"):
            mark, rest = (word[2:], call[at + 1 :]) if word[2:] else (call[at + 1], call[at + 2 :])
            inside = any(mark in one and mark != one for one in rest)
            return inside and bool(rest) and not only_reads(rest)
    return False


def in_place_option(argument: str) -> bool:
    """Tell whether it makes ``sed`` write to the files that it reads."""
    return argument.startswith("--i") or bool(re.match(r"-[^-]*i", argument))


def listed(call: Sequence[str]) -> list[str] | None:
    """Return patterns for the names that a program prints; None: they are not known."""
    name, arguments = program(call[0]), list(call[1:])
    operands = [one for one in arguments if not one.startswith("-")]
    if name == "find":
        starts = _before(arguments, "-") or ["."]
        forms = [
            arguments[at + 1] for at, one in enumerate(arguments[:-1]) if one in {"-name", "-iname"}
        ]
        if {"!", "-not"} & set(arguments) or not forms:
            forms = ["*"]
        return [f"{start}/**/{form}" for start in starts for form in forms]
    if name == "git" and operands[:1] == ["ls-files"]:
        return [f"**/{one}" for one in operands[1:] or ["*"]]
    if name in {"grep", "rg"} and any(map(_NAMES_ONLY.fullmatch, arguments)):
        return [form for one in operands[1:] or ["."] for form in (one, f"{one}/**/*")]
    if name == "ls":
        return [form for one in operands or ["."] for form in (one, f"{one}/*")]
    return None


def sed_parts(call: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the scripts of ``sed``, and the numbers of the words that name files."""
    scripts: list[str] = []
    operands: list[int] = []
    given = False
    for number, word in enumerate(call):
        if given:
            scripts.append(word)
        elif number and word and (word[0] != "-" or word == "-"):
            operands.append(number)
        given = not given and re.fullmatch(r"-[nErsz]*e", word) is not None
    if not scripts and operands:
        scripts.append(call[operands.pop(0)])
    return scripts, operands


def sed_only_edits(call: Sequence[str], *, in_place: bool) -> bool:
    """Tell whether ``sed`` writes to nothing but, with ``in_place``, the files that it reads."""
    scripts, files = sed_parts(call)
    options = [
        word
        for number, word in enumerate(call)
        if number and word[:1] == "-" and word not in scripts and number not in files
    ]
    known = all(
        _SED_OPTION.fullmatch(one) or (in_place and _SED_IN_PLACE.fullmatch(one)) for one in options
    )
    return known and bool(scripts) and all(map(only_edits_lines, scripts))


def _before(arguments: list[str], prefix: str) -> list[str]:
    at = next((n for n, one in enumerate(arguments) if one.startswith((prefix, "!", "("))), None)
    return arguments[:at]


def _git(arguments: Sequence[str]) -> bool:
    rest = list(arguments)
    while rest and rest[0] in {"-C", "--no-pager", "-P"}:
        rest = rest[2:] if rest[0] == "-C" else rest[1:]
    if rest[:2] in _GIT_UNSTAGES:
        return not any(one.startswith("-") for one in rest[2:])
    return bool(rest) and rest[0] in _GIT and not any(map(_GIT_RUNS.fullmatch, rest[1:]))


def _find(arguments: Sequence[str]) -> bool:
    rest = list(arguments)
    while "-exec" in rest:
        at = rest.index("-exec")
        end = next((n for n in range(at, len(rest)) if rest[n] in {";", "+"}), len(rest))
        called = rest[at + 1 : end]
        if not called or not only_reads(called):
            return False
        rest[at : end + 1] = []
    return all(_FIND.fullmatch(one) for one in rest if one.startswith("-"))


def _awk(arguments: Sequence[str]) -> bool:
    rest = list(arguments)
    while rest and re.match(r"-[Fv]", rest[0]):
        rest = rest[1:] if len(rest[0]) > 2 else rest[2:]
    return bool(rest) and not rest[0].startswith("-") and not _AWK_WRITES.search(rest[0])


def _xargs(arguments: Sequence[str]) -> bool:
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        if not _XARGS.fullmatch(rest[0]):
            return False
        rest = rest[2:] if rest[0] == "-I" else rest[1:]
    # What it adds may be options, which these programs may be given.
    return bool(rest) and program(rest[0]) in _READ


def _gh(arguments: Sequence[str]) -> bool:
    """What it says to a host; ``checkout``, ``clone`` and ``download`` write here."""
    return tuple(arguments[:2]) in _GH or list(arguments[:1]) == ["api"]


def _checks(arguments: Sequence[str]) -> bool:
    """Runners of tests and checks: with memory for an operand, and no option that may write."""
    return all(map(_CHECK_OPTION.fullmatch, (one for one in arguments if one[:1] == "-")))


def _wrapped(arguments: Sequence[str]) -> bool:
    """``npx eslint``, ``uv run pytest``."""
    rest = list(arguments)
    if rest[:1] in (["run"], ["exec"]):
        rest = rest[1:]
    return bool(rest) and rest[0] in _CHECKERS | {"pytest"} and only_reads(rest)


def _go(arguments: Sequence[str]) -> bool:
    return list(arguments[:1]) in (["test"], ["vet"]) and _checks(arguments[1:])


def _cargo(arguments: Sequence[str]) -> bool:
    return list(arguments[:1]) in (["test"], ["check"], ["clippy"]) and _checks(arguments[1:])


def _npm(arguments: Sequence[str]) -> bool:
    return list(arguments[:1]) in (["test"], ["t"]) and _checks(arguments[1:])


_SPECIAL: Final[Mapping[str, Callable[[Sequence[str]], bool]]] = {
    "git": _git,
    "find": _find,
    "gh": _gh,
    "go": _go,
    "cargo": _cargo,
    "npm": _npm,
    **dict.fromkeys(_CHECKERS, _checks),
    **dict.fromkeys(("npx", "uv", "poetry"), _wrapped),
    "sed": lambda given: sed_only_edits(["sed", *given], in_place=False),
    "awk": _awk,
    "xargs": _xargs,
    "timeout": lambda given: len(given) > 1 and given[0][:1].isdigit() and only_reads(given[1:]),
    "python": lambda given: list(given[:2]) == ["-m", "pytest"] and only_reads(given[1:]),
}
