"""A real Chromium without a network, and reports of real runs to show in it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser import hostile
from tests.unit.cli.conftest import call, sample, verified

__all__ = ["sample", "verified"]

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
SIZES = {"desktop": (1200, 1400), "phone": (390, 844)}


# Not for the session: while it runs, playwright holds the thread's event loop, and a test of
# another module that starts one of its own would fail.
@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    with sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@dataclass
class Shown:
    """A page, and all that it did besides being shown."""

    page: object
    requests: list[str] = field(default_factory=list)
    noise: list[str] = field(default_factory=list)


@pytest.fixture
def show(browser):
    """Open a file: ``show(path, scheme="dark", size="phone")``."""
    contexts = []

    def opened(path, *, scheme="light", size="desktop", fragment=""):
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        contexts.append(context)
        shown = Shown(context.new_page())
        shown.page.on("request", lambda request: shown.requests.append(request.url))
        shown.page.on("console", lambda message: shown.noise.append(message.text))
        shown.page.on("pageerror", lambda error: shown.noise.append(str(error)))
        shown.page.on("dialog", lambda dialog: (shown.noise.append("dialog"), dialog.dismiss()))
        shown.page.goto(f"{Path(path).as_uri()}{fragment}", wait_until="load")
        return shown

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def report(verified, tmp_path_factory):
    """The report of the bundled sample's second run."""
    folder = tmp_path_factory.mktemp("shown") / "sample"
    shutil.copytree(verified.parent, folder)
    config = folder / "corpusguard.toml"
    assert call("verify", "--offline", "-q", "-c", config).exit_code == 1
    file = folder / "report.html"
    assert call("report", "-o", file, "-c", config).exit_code == 0
    return file


@pytest.fixture(scope="session")
def hostile_project(tmp_path_factory):
    return hostile.project(tmp_path_factory.mktemp("hostile"))
