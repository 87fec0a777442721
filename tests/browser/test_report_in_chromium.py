"""The report as a reader meets it: in a real browser, on paper, on a phone, by keyboard."""

from __future__ import annotations

import io

import pytest
from axe_playwright_python.sync_playwright import Axe
from pdfminer.high_level import extract_text

from tests.browser.hostile import PAYLOADS, TITLE
from tests.unit.cli.conftest import call

OPEN_ALL = "document.querySelectorAll('details').forEach(one => one.open = true)"


def violations(page):
    """Return what axe-core finds, in words."""
    found = Axe().run(page)
    return [
        f"{one['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:200]}"
        for one in found.response["violations"]
        for node in one["nodes"][:3]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_report_is_accessible_and_asks_for_nothing(show, report, scheme, size):
    """axe-core has no complaint, closed and open; one request; no message; no sideways scrolling."""
    shown = show(report, scheme=scheme, size=size)
    assert violations(shown.page) == []
    shown.page.evaluate(OPEN_ALL)
    assert violations(shown.page) == []
    width = shown.page.evaluate("document.documentElement.scrollWidth")
    assert width <= shown.page.viewport_size["width"]
    assert shown.requests == [report.as_uri()]
    assert shown.noise == []


def test_axe_would_complain(show, report, tmp_path):
    """The check can fail: a page with pale text and an unnamed picture does not pass."""
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<!DOCTYPE html><html><title>x</title><body><p style='color:#ccc;background:#fff'>pale"
        "</p><img src='data:,'></body></html>"
    )
    found = " ".join(violations(show(bad).page))
    assert "color-contrast" in found
    assert "image-alt" in found


def test_the_style_applies_under_the_policy(show, report):
    """The policy lets our own style sheet in: the answer stands on its colour."""
    shown = show(report)
    colour = shown.page.evaluate(
        "getComputedStyle(document.querySelector('.answer.violated')).backgroundColor"
    )
    assert colour == "rgb(250, 229, 226)"


def test_the_policy_stops_what_is_not_ours(show, report, tmp_path):
    """A script, a style and a picture put into the page afterwards are refused, and it is said."""
    text = report.read_text()
    planted = (
        "<script>document.title='owned'</script><style>.answer{display:none}</style>"
        "<img src='http://127.0.0.1:9/x.png' alt='x'>"
    )
    bad = tmp_path / "planted.html"
    bad.write_text(text.replace("</main>", f"{planted}</main>"))
    shown = show(bad)
    assert "owned" not in shown.page.title()
    assert shown.page.locator(".answer").is_visible()
    assert len([line for line in shown.noise if "Content Security Policy" in line]) >= 3


def test_the_first_page_answers(show, report):
    """Verdict, what, against what, when, what is wrong and who acts stand before any document."""
    page = show(report).page
    first = page.locator("section.first").inner_text()
    for words in (
        "No: the stored corpus does not say",
        "Harbour Markets Act, 2019",
        "consolidation from 2026-01-01",
        "92 of 107",
        "What is wrong",
        "Who should act",
        "The team that builds the corpus",
        "A legal reviewer",
    ):
        assert words in first
    assert "Run 2" in page.locator("header").inner_text()


def test_a_link_to_a_finding_opens_it(show, report):
    """A section's chip leads to its first finding, also inside a closed group."""
    page = show(report).page
    finding = page.locator("#d2 ~ details.rule article").first
    assert not finding.is_visible()
    chip = page.locator("section[aria-labelledby=d2] .chips a", has_text="9").first
    target = chip.get_attribute("href")
    chip.click()
    page.wait_for_function(f"document.querySelector('{target}').checkVisibility()")
    text = page.locator(target).inner_text()
    assert "Official text" in text
    assert "Stored text" in text
    assert (
        page.locator(f"{target} mark.official").count()
        + page.locator(f"{target} mark.stored").count()
    )


def test_everything_is_reached_by_keyboard(show, report):
    """Skip link first; groups open by Enter; nothing that can be clicked is left out."""
    page = show(report).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    wanted = page.evaluate("document.querySelectorAll('a, summary, [tabindex=\"0\"]').length")
    hidden = page.evaluate(
        "[...document.querySelectorAll('a, summary, [tabindex=\"0\"]')]"
        ".filter(one => !one.checkVisibility()).length"
    )
    reached = set()
    for _ in range(wanted + 5):
        mark = page.evaluate(
            "(() => { const one = document.activeElement; if (one === document.body) return null;"
            " one.dataset.n ??= String(document.querySelectorAll('[data-n]').length + 1);"
            " return one.dataset.n })()"
        )
        if mark:
            reached.add(mark)
        page.keyboard.press("Tab")
    assert len(reached) >= wanted - hidden
    summary = page.locator("details.rule > summary").last
    summary.focus()
    before = page.evaluate("document.querySelectorAll('details[open]').length")
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelectorAll('details[open]').length") == before + 1


def test_printing_opens_what_is_folded(show, report):
    """On paper every finding is there, although its group is closed on the screen."""
    page = show(report).page
    assert page.locator("details.rule:not([open])").count() > 3
    texts = [
        " ".join(text.split()) for text in page.locator(".fault blockquote").all_text_contents()
    ]
    printed = " ".join(extract_text(io.BytesIO(page.pdf(prefer_css_page_size=True))).split())
    assert len(texts) > 20
    for text in texts:
        assert text[:25] in printed, text
    assert "1 / " in printed


def test_colour_is_never_alone(show, report):
    """Each chip, key and verdict has a sign or a word beside its colour."""
    page = show(report).page
    chips = page.locator(".chips li").all_text_contents()
    assert chips
    assert all(one.strip()[0] in "✓◐✗–" and ":" in one for one in chips)
    states = page.locator(".state").all_text_contents()
    assert all(one.strip() for one in states)
    assert page.locator("svg.strip title").count() == 2


def test_hostile_text_does_nothing(show, hostile_project):
    """Scripts, breakouts, links and controls are words on the page, in all places they appear."""
    file = hostile_project.parent / "report.html"
    assert call("report", "-o", file, "-c", hostile_project).exit_code == 0
    shown = show(file)
    page = shown.page
    page.evaluate(OPEN_ALL)
    assert shown.noise == []
    assert shown.requests == [file.as_uri()]
    assert page.evaluate("window.owned") is None
    assert (
        page.evaluate("document.querySelectorAll('script, iframe, img, object, form').length") == 0
    )
    assert page.evaluate("document.querySelectorAll('style').length") == 1
    assert page.evaluate("document.querySelectorAll('[onerror], [onload], [style]').length") == 0
    links = page.evaluate(
        "[...document.querySelectorAll('a')].map(one => one.getAttribute('href'))"
    )
    assert links
    assert all(one.startswith("#") for one in links)
    text = page.evaluate("document.body.textContent")
    for payload in (*PAYLOADS[:-1], TITLE):
        assert payload in text, payload
    assert "<U+202E>gnp.exe" in text
    assert not set("\u202e\u2066\x1b\u200b") & set(text)
    assert page.locator(".answer").is_visible()
    assert violations(page) == []


def test_the_site_of_hostile_runs_stays_a_folder(show, hostile_project, tmp_path):
    """Names of files are ours; every link leads to a file of the site; pages do nothing."""
    folder = tmp_path / "site"
    assert call("report", "--site", folder, "-c", hostile_project).exit_code == 0
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-./") for name in files)
    assert len(files) == 10
    for path in folder.rglob("*.html"):
        shown = show(path)
        assert shown.noise == []
        assert shown.requests == [path.as_uri()]
        for link in shown.page.evaluate(
            "[...document.querySelectorAll('a')].map(one => one.getAttribute('href'))"
        ):
            target = (path.parent / link.partition("#")[0]).resolve() if link[0] != "#" else path
            assert (
                target.relative_to(folder.resolve() if link[0] != "#" else folder).as_posix()
                in files
            )
        assert violations(shown.page) == []
