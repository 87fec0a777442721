"""The page says what the figures are, loads and runs nothing, and shows hostile names as text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from corpusguard.measure.gate.page import html_page, markdown_page
from tests.unit.gate.model_server import ModelServer, data_of, openai
from tests.unit.measure.gate import harbour
from tests.unit.measure.gate.test_judge import CONFIG

CHROMIUM = Path("/usr/bin/chromium")
HOSTILE = '<script>document.title="owned"</script><img src=x onerror=alert(1)>|`*_[x](javascript:1)'


@pytest.fixture
def results(cli, labelled, tmp_path):
    (tmp_path / "draft.json").write_bytes(labelled.dump())
    cli("seal", "draft.json", "-o", "f.json", "--key-file", "k.txt")
    cli("run", "--fixture", "f.json", "--subject", "substring", "-o", "out")
    found = json.loads((tmp_path / "out/results.json").read_text())
    found["run"]["subject"]["subject"] = HOSTILE
    found["run"]["fixture"] = HOSTILE
    found["bars"] = [
        {"figure": HOSTILE, "bar": "upper", "at_most": 0.03, "came": 0.2, "held": False}
    ]
    return found


@pytest.mark.skipif(not CHROMIUM.exists(), reason="no Chromium at /usr/bin/chromium")
def test_the_page_in_a_browser(results, tmp_path):
    """No request, no script, no error, no accessibility violation, readable when narrow."""
    path = tmp_path / "page.html"
    path.write_text(html_page(results), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 360, "height": 800}, bypass_csp=False)
        requests, complaints = [], []
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        assert page.locator("h1").inner_text() == f"Error rates of {HOSTILE}"
        assert page.title() != "owned"
        assert page.locator("main script, main img").count() == 0
        shares = results["figures"]["shares"]["kind.dropped_condition"]
        row = page.locator("tr", has_text="dropped condition").first.inner_text()
        assert f"{shares['hits']} of {shares['total']}" in row
        assert "broken" in page.locator("tr", has_text="bound at most 3.0%").inner_text()
        # The style sheet applies: the policy's hash is that of the style that is there.
        assert page.locator(".big").evaluate("e => getComputedStyle(e).display") == "flex"
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0
        assert requests == [path.as_uri()]
        assert complaints == []
        # axe is injected, which the page's own policy would refuse.
        context = browser.new_context(bypass_csp=True)
        checked = context.new_page()
        checked.goto(path.as_uri())
        found = Axe().run(checked)
        assert found.violations_count == 0, found.generate_report()
        browser.close()


@pytest.mark.skipif(not CHROMIUM.exists(), reason="no Chromium at /usr/bin/chromium")
def test_the_page_of_a_judge_in_a_browser(cli, tmp_path):
    """What it replied, what it cost, what it got wrong; prose for a model's name is none."""

    def off(body):
        lie = "NOT_SUPPORTED" if data_of(body)["sentence"] in harbour.RIGHT else "SUPPORTED"
        said = "perhaps" if "oil" in data_of(body)["sentence"] else lie
        prose = "oil" in data_of(body)["sentence"]
        return openai(said, body=body) | {"model": HOSTILE if prose else "m-1-2026-03-01"}

    with ModelServer(off) as server:
        (tmp_path / "judges.toml").write_text(CONFIG.format(url=server.url, timeout=20))
        harbour.write(tmp_path)
        words = ("--fixture", "own.json", "-c", "judges.toml", "--judge", "reader", "-o", "out")
        assert cli("run", *words)[0] == 0
    path = tmp_path / "out/results.html"
    judge = json.loads((tmp_path / "out/results.json").read_text())["judge"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 360, "height": 800})
        requests, complaints = [], []
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(path.as_uri())
        table = page.get_by_role("region", name="The judge", exact=True).inner_text()
        assert "NOT_SUPPORTED: 2, SUPPORTED: 3, off_schema: 1" in table
        assert "m-1-2026-03-01: 5, not named by its server: 1" in table
        assert f"{judge['input_tokens']:,}, as the server counts" in table
        assert f"{judge['price']:g}" in table
        wrong = page.get_by_role("region", name="What the judge got wrong").locator("tbody tr")
        assert wrong.count() == 6
        assert wrong.last.inner_text().split("\t")[:2] == ["w2-0", "no verdict"]
        reached = page.get_by_role("region", name="What reached the judge").inner_text()
        assert "1 of 6" in reached
        assert page.title() != "owned"
        assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
        assert (requests, complaints) == ([path.as_uri()], [])
        checked = browser.new_context(bypass_csp=True).new_page()
        checked.goto(path.as_uri())
        found = Axe().run(checked)
        assert found.violations_count == 0, found.generate_report()
        browser.close()


def test_markdown_shows_hostile_names_as_text(results):
    """A table row stays a row, and no markup of a name comes through."""
    text = markdown_page(results)
    assert "<script" not in re.sub(r"\\<", "", text)
    assert "](javascript" not in text.replace("\\]", "")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for line in rows:
        cells = re.split(r"(?<!\\)\|", line)
        assert len(cells) in (4, 6, 7, 8), line
    assert any("dropped condition" in line for line in rows)


def test_figures_without_items_are_not_a_zero(results):
    """A kind that the fixture does not have is not a kind that the gate gets right."""
    share = {
        "hits": 0,
        "total": 0,
        "families": 0,
        "sections": 0,
        "rate": None,
        "wilson": [0.0, 1.0],
        "bootstrap": None,
        "rule_of_three": 1.0,
        "upper": 1.0,
    }
    results["figures"]["shares"]["kind.value_swap"] = share
    for text in (markdown_page(results), html_page(results)):
        row = next(line for line in text.splitlines() if "value swap" in line)
        assert "no items" in row
        assert "0.0%" not in row
