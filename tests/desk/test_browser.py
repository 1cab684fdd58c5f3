"""The two journeys of the desk, and its error states, in a real browser: support, and a rule author.

Screenshots of every step are kept in build/screenshots.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mjsettle.settle import Engine
from mjsettle_workers.desk import FileSource
from tests.desk.serving import Pages, serving

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium on PATH: install the package chromium, or name one in CHROMIUM"
)
SHOTS = Path(__file__).parents[2] / "build" / "screenshots"
WIDTHS = {"phone": 390, "desktop": 1100}


@pytest.fixture(scope="module")
def desk(engine: Engine, recorded: FileSource) -> Iterator[Pages]:
    with serving(engine, [recorded]) as pages:
        yield pages


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield running
        running.close()


class Visitor:
    """A page of a browser window; what its console and scripts complain of is kept."""

    def __init__(self, browser: Any, desk: Pages, width: int, lang: str) -> None:
        locale = "zh-CN" if lang == "zh" else "en-GB"
        self.context = browser.new_context(viewport={"width": width, "height": 840}, locale=locale)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.desk = desk
        self.name = f"{lang}-{width}"
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        self.page.on("requestfailed", self.failed)

    def failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left before it came
            self.complaints.append(f"request: {request.url}: {request.failure}")

    def open(self, path: str) -> Any:
        return self.page.goto(self.desk.url + path)

    def shot(self, what: str) -> None:
        """Keep a picture, and see that nothing is wider than the window."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{what}-{self.name}.png", full_page=True)
        wider = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{what} is {wider} px wider than the window"

    def asked(self) -> None:
        """Wait until the form has been answered."""
        self.page.wait_for_timeout(250)
        self.page.wait_for_selector("body:not([data-asking])")


@pytest.fixture(params=[("phone", "zh"), ("desktop", "en")], ids="-".join)
def visitor(request: pytest.FixtureRequest, browser: Any, desk: Pages) -> Iterator[Visitor]:
    size, lang = request.param
    found = Visitor(browser, desk, WIDTHS[size], lang)
    yield found
    found.context.close()


def test_support_finds_out_why(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/")
    visitor.shot("home")
    page.fill("#id", "demo/2-kongs")
    page.press("#id", "Enter")
    page.wait_for_url("**/settlement?id=*")
    assert page.locator(".seat").count() == 4
    assert page.locator(".seat.winner .delta").inner_text() == "+50"
    assert page.locator(".steps > li").count() == 4
    fans = page.locator("table.fans tbody tr")
    assert fans.first.inner_text().split()[0] == ("自摸" if "zh" in visitor.name else "self-draw")
    # Every tile is drawn: its symbol has shapes, hence a size on the page.
    tile = page.locator("svg.tile").first
    assert tile.evaluate("tile => tile.querySelector('use').getBBox().width") > 0
    visitor.shot("settlement")
    page.locator("summary", has_text="玩法选项" if "zh" in visitor.name else "Switches").click()
    assert page.locator("tr.named").count() == 3
    page.get_by_role("link", name="中文" if "en" in visitor.name else "English").click()
    assert page.locator(".badge.win").first.inner_text() == ("已结算" if "en" in visitor.name else "settled")
    assert visitor.complaints == []


def test_a_rule_author_tries_a_hand(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/hand")
    page.select_option("#rule", "guangdong")
    visitor.asked()
    page.fill("#wild", "5z")
    page.fill("#melds", "222s@3")
    page.fill("#tile", "6m")
    page.locator("#hand").press_sequentially("12345m567p1s5", delay=15)
    visitor.asked()
    # The hand is unfinished: its fault stands beside it, and nothing is judged.
    assert page.locator("#fault-hand .fault").count() == 1
    assert page.locator(".win").count() == 0
    visitor.shot("hand-unfinished")
    page.locator("#hand").press_sequentially("z")
    page.wait_for_selector("[data-total]")
    assert page.locator("#fault-hand .fault").count() == 0
    assert page.locator("[data-total]").inner_text() == "2"
    assert page.evaluate("document.activeElement.id") == "hand"
    visitor.shot("hand")
    # A switch changes the judgement at once.
    page.locator("summary", has_text="玩法选项" if "zh" in visitor.name else "Switches").click()
    page.fill('[id="o.base"]', "3")
    playwright.expect(page.locator(".transfer b").first).to_have_text("6")
    # The address holds the hand.
    page.reload()
    assert page.locator(".transfer b").first.inner_text() == "6"
    page.fill('[id="o.base"]', "many")
    page.wait_for_selector('[id="fault-o.base"] .fault')
    visitor.shot("hand-faults")
    assert visitor.complaints == []


def test_waits_and_discards(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/hand?view=waits&rule=guobiao&hand=1112345678999m")
    assert page.locator("tr[data-wait]").count() == 9
    visitor.shot("waits")
    page.locator(".tabs label").nth(2).click()
    page.wait_for_selector("#fault-hand .fault")
    page.fill("#hand", "1112345678999m1p")
    page.wait_for_selector("tr[data-discard]")
    assert page.locator("tr[data-discard]").first.get_attribute("data-discard") == "1p"
    page.fill("#seen", "1113456m")
    visitor.asked()
    visitor.shot("discards")
    assert visitor.complaints == []


def test_error_states(visitor: Visitor) -> None:
    page = visitor.page
    assert visitor.open("/settlement?id=nobody/7").status == 404
    assert "nobody/7" in page.locator("[role=alert]").inner_text()
    visitor.shot("not-found")
    assert visitor.open("/nowhere").status == 404
    page.locator("main a").click()
    assert visitor.open("/settlement?id=refused/1").status == 200
    assert page.locator(".refused li").count() == 1
    visitor.shot("refused")
    # Chromium itself tells of pages that are not found, and of nothing else.
    assert [complaint for complaint in visitor.complaints if "404" not in complaint] == []


def test_without_scripts_the_button_does_it(browser: Any, desk: Pages) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(f"{desk.url}/hand?rule=guobiao")
    page.fill("#hand", "111222333m44p77z")
    page.fill("#tile", "4p")
    page.get_by_role("button", name="Judge").click()
    assert page.locator(".win").first.inner_text().startswith("Seat 0")
    context.close()
