"""The two readers share no code, no engine and no way round: see docs/independence.md."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "corpusguard"
FIRST, SECOND = "corpusguard.first_reader", "corpusguard.second_reader"
SHARED = {"corpusguard", "corpusguard.model", "corpusguard.errors"}
DOCX = ROOT.parent / "shared" / "data" / "elaws" / "06r17_e.docx"

CONTENT = (
    '<div class="WordSection1"><p class="headnote">Lighting</p>'
    '<p class="section"><b>1 </b>(1) A lamp is lit.</p>'
    '<p class="paragraph">  (a)  at dusk.</p></div>'
)

# Runs one reader in a fresh interpreter in which what it must not reach cannot be imported: not by
# a lazy import, not by importlib, and not by a library that looks for it (BeautifulSoup and lxml).
ALONE = """
import importlib, importlib.abc, json, pathlib, pkgutil, sys

reader, blocked, spared, rendition, source = json.loads(sys.argv[1])

def refused(name):
    hit = any(name == b or name.startswith(b + ".") for b in blocked)
    own = any(name == s or name.startswith(s + ".") for s in spared)
    return hit and not own and name != "corpusguard"

class Block(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if refused(name):
            raise ModuleNotFoundError(f"blocked: {name}", name=name)

for name in [n for n in sys.modules if refused(n)]:
    del sys.modules[name]
sys.meta_path.insert(0, Block())
package = importlib.import_module(reader)
for info in pkgutil.walk_packages(package.__path__, reader + "."):
    importlib.import_module(info.name)
data = pathlib.Path(source[1:]).read_bytes() if source[:1] == "@" else source.encode()
if reader.endswith("first_reader"):
    from corpusguard.model import Rendition
    said = package.read(data, Rendition(rendition)).text.split()
else:
    blocks = package.read(data, rendition)["blocks"]
    said = " ".join(text for _, _, runs in blocks for _, text in runs).split()
assert not [n for n in sys.modules if refused(n)]
print(json.dumps([len(said), said[:20]]))
"""


def alone(reader, blocked, spared=(), rendition="content", source=CONTENT):
    """(number of words, the first twenty) that a reader finds with modules blocked."""
    arguments = json.dumps([reader, list(blocked), list(spared), rendition, source])
    done = subprocess.run(
        [sys.executable, "-c", ALONE, arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return tuple(json.loads(done.stdout))


WORDS = (10, ["Lighting", "1", "(1)", "A", "lamp", "is", "lit.", "(a)", "at", "dusk."])


def reached(graph, reader):
    """Everything of corpusguard that a reader imports, however indirectly, itself left out."""
    found = graph.find_upstream_modules(reader, as_package=True)
    return {name for name in found if not name.startswith(reader)}


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph("corpusguard", cache_dir=None)


def test_readers_reach_no_common_module(graph):
    """What both readers reach is at most the package's own file, the model and the errors."""
    assert reached(graph, FIRST) & reached(graph, SECOND) <= SHARED


def test_the_first_reader_reaches_only_model_and_errors(graph):
    """Were it more, a helper could be lent to the second reader by a later change."""
    assert reached(graph, FIRST) <= SHARED


def test_the_second_reader_reaches_nothing_of_the_project(graph):
    """Not even the model: it answers in plain built-ins."""
    assert reached(graph, SECOND) <= {"corpusguard"}


def test_the_package_file_holds_no_code_to_share():
    """Importing either reader runs `corpusguard/__init__.py`: it must lend them nothing."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))

    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    assert [node for node in ast.walk(tree) if isinstance(node, kinds)] == []


def test_the_model_has_no_functions():
    """A function in model.py would be shared code that no import contract can see."""
    tree = ast.parse((PACKAGE / "model.py").read_text(encoding="utf-8"))

    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    assert [node.lineno for node in ast.walk(tree) if isinstance(node, kinds)] == []
    assert any(isinstance(node, ast.ClassDef) for node in tree.body)


@pytest.mark.parametrize("reader", ["first_reader", "second_reader"])
def test_no_way_round_the_import_graph(reader):
    """Neither reader imports by name at run time or evaluates text, which no graph would show."""
    found = []
    files = sorted((PACKAGE / reader).rglob("*.py"))
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import) and any(a.name == "importlib" for a in node.names):
                found.append((path.name, node.lineno))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("importlib"):
                found.append((path.name, node.lineno))
            if isinstance(node, ast.Name) and node.id in {"__import__", "eval", "exec"}:
                found.append((path.name, node.lineno))

    assert files != []
    assert found == []


def test_beautifulsoup_is_always_told_its_parser():
    """Left to choose, BeautifulSoup takes lxml where it is installed: the first reader's engine."""
    files = sorted((PACKAGE / "second_reader").rglob("*.py"))
    nodes = [n for path in files for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    soups = {"BeautifulSoup"} | {
        node.name
        for node in nodes
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base).endswith("BeautifulSoup") for base in node.bases)
    }
    calls = []
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in soups:
            given = [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "features")]
            calls.append([ast.unparse(argument) for argument in given])

    assert calls != []
    assert all(arguments == ["'html.parser'"] for arguments in calls)


def test_the_first_reader_works_without_the_engines_of_the_second():
    """bs4, html.parser, pdfminer, the standard XML parsers and the second reader cannot load."""
    blocked = ("bs4", "html", "pdfminer", "xml", SECOND)

    assert alone(FIRST, blocked) == WORDS


def test_the_second_reader_works_without_the_engine_of_the_first():
    """lxml and every other module of corpusguard cannot load."""
    assert alone(SECOND, ("lxml", "corpusguard"), (SECOND,)) == WORDS


@pytest.mark.real_data
def test_the_second_reader_reads_word_files_without_the_engine_of_the_first():
    """The Word file is read by zipfile and the standard XML parser alone."""
    if not DOCX.exists():
        pytest.skip("the official Word file 06r17_e.docx is not in ../shared/data/elaws")

    count, _ = alone(SECOND, ("lxml", "corpusguard"), (SECOND,), "docx", f"@{DOCX}")

    assert count > 50_000


@pytest.mark.parametrize(("reader", "engine"), [(FIRST, "lxml"), (SECOND, "bs4")])
def test_blocking_blocks(reader, engine):
    """Without its own engine a reader fails: the tests above would see a hidden import."""
    with pytest.raises(AssertionError, match=f"blocked: {engine}"):
        alone(reader, (engine,))
