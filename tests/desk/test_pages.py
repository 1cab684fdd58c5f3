"""The desk's pages as a browser without scripts gets them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mjsettle import examples
from mjsettle.cli import main
from mjsettle.settle import Engine
from mjsettle_workers.client import Client
from mjsettle_workers.desk import FileSource, StoreSource
from mjsettle_workers.desk.words import _TEXT
from mjsettle_workers.settings import Settings, load_settings
from mjsettle_workers.testing import quick_environment, running_worker
from tests.desk.serving import Pages, serving


@pytest.fixture(scope="module")
def pages(engine: Engine, recorded: FileSource) -> Iterator[Pages]:
    with serving(engine, [recorded]) as client:
        yield client


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def shown_tiles(html: str) -> list[str]:
    return re.findall(r'data-tile="([^"]+)"', html)


def faults_of(html: str) -> dict[str, str]:
    """The faults by the name of the field that they stand beside."""
    found = re.findall(r'id="fault-([^"]+)">(.*?)</div>', html, re.S)
    return {name: text_of(inner) for name, inner in found if inner.strip()}


def get(pages: Pages, path: str, status: Any = 200, **query: str) -> str:
    answer = pages.get(path, params=query)
    assert answer.status_code == status
    return str(answer.text)


def test_a_settlement_tells_its_round_fans_payments_and_rules(pages: Pages, engine: Engine) -> None:
    html = get(pages, "/settlement", id="demo/2-kongs", lang="en")
    told = text_of(html)
    record = next(json.loads(line) for line in examples.rounds().splitlines() if b"demo/2-kongs" in line)
    result = engine.settle([record])[0]
    for fan in result["wins"][0]["fans"]:
        cite = next(one.cite for one in engine.rule_set("guangdong", record["options"]).fans if one.id == fan["id"])
        assert cite in told
    for transfer in result["transfers"]:
        assert f"Seat {transfer['from']} pays {transfer['points']} to Seat {transfer['to']}" in told
    for seat, delta in enumerate(result["deltas"]):
        assert f"Seat {seat} {delta:+}" in told
    assert result["edition"] in told
    assert result["fingerprint"] in told
    assert '<tr class="named"><td>horses</td>' in html
    assert "No result is recorded" not in told
    assert "The installed rules differ" not in told
    assert {"2m", "8m", "9s"} <= set(shown_tiles(html))


def test_other_readings_say_why_they_lost_and_other_waits_what_they_would_have_paid(pages: Pages) -> None:
    html = get(pages, "/settlement", id="readings/1", lang="en")
    told = text_of(html)
    assert "No result is recorded for this round; it was judged now" in told
    readings = html[html.index('class="readings"') : html.index('class="better"')]
    assert "worth less" in text_of(readings)
    assert shown_tiles(readings)[:9] == ["1m", "2m", "3m"] * 3
    better = html[html.index('class="better"') :]
    assert re.search(r'class="taken">.*?data-tile="4p"', better, re.S)
    assert 'data-tile="7z"' in better


def test_a_round_that_other_rules_judged_says_so(pages: Pages) -> None:
    told = text_of(get(pages, "/settlement", id="demo/1-wild-self-draw"))
    assert "2019.2" in told
    assert "The installed rules differ" in told


def test_a_refused_round_lists_its_faults(pages: Pages) -> None:
    told = text_of(get(pages, "/settlement", id="refused/1"))
    assert "The round was not settled" in told
    assert "not_a_win" in told


def test_error_states(pages: Pages, engine: Engine, tmp_path: Path) -> None:
    assert "No settlement under this id: nobody/7" in text_of(get(pages, "/settlement", 404, id="nobody/7"))
    assert "There is no such page" in text_of(get(pages, "/nowhere", 404))
    assert get(pages, "/settlement.svg", 404, id="nobody/7")
    assert "Look up a settlement" in get(pages, "/settlement")
    dead = StoreSource(load_settings({}, redis_url=f"unix://{tmp_path / 'no.sock'}"))
    with serving(engine, [dead]) as alone:
        assert "cannot be reached" in text_of(get(alone, "/settlement", 503, id="a"))
        assert "cannot be reached" in text_of(get(alone, "/"))
        assert get(alone, "/hand", rule="guobiao", hand="1112345678999m", view="waits")
    with serving(engine) as bare:
        assert "No result store and no file is open" in text_of(get(bare, "/"))


def test_strangers_markup_stays_text(pages: Pages) -> None:
    html = get(pages, "/settlement", id="hostile/1") + get(pages, "/settlement", 404, id="<script>alert(2)</script>")
    html += get(pages, "/hand", hand='"><script>alert(3)</script>', rule="<img src=x>")
    assert "<script>alert" not in html
    assert "<img" not in html
    assert "<b>&lt;" not in html or "&lt;b&gt;" in html


def test_pages_load_nothing_from_elsewhere(pages: Pages) -> None:
    for path in ("/", "/hand", "/settlement?id=demo/2-kongs"):
        answer = pages.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', answer.text.replace(pages.url, ""))
        assert "style=" not in answer.text
        assert not re.findall(r"\son[a-z]+=", answer.text)


def test_both_languages_by_query_cookie_and_browser(engine: Engine, recorded: FileSource) -> None:
    with serving(engine, [recorded]) as client:
        assert "Settlement desk" in client.get("/").text
        assert "结算查询台" in client.get("/", headers={"accept-language": "zh-CN,zh;q=0.9"}).text
        assert "结算查询台" in client.get("/?lang=zh").text
        assert "自摸" in text_of(client.get("/settlement?id=demo/1-wild-self-draw").text)  # by the cookie
        assert 'lang="zh-Hans"' in client.get("/").text
    assert all(len(pair) == 2 and all(pair) for pair in _TEXT.values())


def test_a_hand_is_judged(pages: Pages) -> None:
    html = get(pages, "/hand", rule="guangdong", hand="12345m567p1s5z", melds="222s@3", wild="5z", tile="6m", lang="en")
    assert faults_of(html) == {}
    told = text_of(html)
    assert "self-draw 2 1" in told
    assert "Brings the winner 6 points" in told
    assert "Wild tiles stand for" in told
    assert "spends fewest wild tiles" in told
    switched = get(
        pages, "/hand", rule="guangdong", hand="12345m567p1s5z", melds="222s", wild="5z", tile="6m", **{"o.base": "3"}
    )
    assert "Brings the winner 18 points" in text_of(switched)


def test_every_fault_stands_beside_its_field(pages: Pages) -> None:
    html = get(
        pages,
        "/hand",
        rule="guangdong",
        hand="12345m567p1",
        melds="22s",
        tile="6q",
        wild="9z",
        flowers="9f",
        seat="7",
        **{"o.horses": "99", "o.base": "many"},
    )
    found = faults_of(html)
    assert set(found) == {"hand", "melds", "tile", "wild", "flowers", "seat", "o.horses", "o.base"}
    assert "have no suit letter" in found["hand"]
    assert "expected one of 0, 1, 2" in found["o.horses"]


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ({"hand": "123456789m1122z", "tile": "3z"}, "hand", "does not win"),
        ({"hand": "123m", "tile": "3z"}, "hand", "expected 13"),
        ({"hand": "123456m789p34s55z", "tile": "2s", "by": "1"}, "hand", "below the minimum"),
        ({"hand": "1111m222333m44p1z", "tile": "1m"}, "tile", "copy 5"),
        ({"hand": "123456789m1122z", "tile": "12z"}, "tile", "expected one tile"),
        ({"hand": "123456789m1122z", "tile": "1z", "how": "rob_kong"}, "how", "name it in"),
        ({"hand": "123456789m1122z", "tile": "1z", "rule": "nobody"}, "rule", "no rule set"),
        ({"hand": "123456789m1122z", "tile": "1z", "preset": "nobody"}, "preset", "found"),
        ({"hand": "1m", "view": "discards"}, "hand", "3n+2"),
        ({"hand": "12345m", "view": "waits"}, "hand", "expected 13"),
    ],
)
def test_faults_of_judging(pages: Pages, query: dict[str, str], field: str, says: str) -> None:
    found = faults_of(get(pages, "/hand", **{"rule": "guobiao", "lang": "en", **query}))
    assert says in found[field]


def test_waits_tell_what_each_tile_would_pay(pages: Pages, engine: Engine) -> None:
    html = get(pages, "/hand", view="waits", rule="guobiao", hand="1112345678999m", lang="en")
    assert re.findall(r'data-wait="(\w+)"', html) == [f"{rank}m" for rank in range(1, 10)]
    record = {"id": "x", "rule": "guobiao", "players": [{"hand": "1112345678999m"}, {}, {}, {}]}
    for source in ({}, {"from": 3}):
        event = {"type": "win", "seat": 0, "tile": "1m", **source}
        points = engine.settle([{**record, "events": [event]}])[0]["wins"][0]["points"]
        assert f"{points} Nine Gates" in text_of(html)
    assert "No tile completes" in get(pages, "/hand", view="waits", rule="guobiao", hand="1357m2468p1359s1z")


def test_discards_are_advised(pages: Pages) -> None:
    html = get(pages, "/hand", view="discards", rule="riichi", hand="123406m2345p579s7z", seen="777z", lang="en")
    assert re.findall(r'data-discard="(\w+)"', html)[0] == "7z"
    assert "1 shanten" in text_of(html)


def test_an_empty_form_asks_for_a_hand(pages: Pages) -> None:
    assert "Enter a hand" in text_of(get(pages, "/hand", lang="en"))
    assert faults_of(get(pages, "/hand")) == {}


def test_a_settlement_of_the_result_store(engine: Engine, settings: Settings, client: Client, worker_log: Path) -> None:
    environ = quick_environment(
        settings.redis_url, prefix=settings.prefix, queue=settings.queue, judge="mjsettle:load", judge_limit_s="1.5"
    )
    now = int(client.connection.time()[0])
    records = [{**json.loads(line), "ended_at": now} for line in examples.rounds().splitlines()[:2]]
    with running_worker(environ, worker_log):
        answers = dict(client.settle(records, timeout_s=60))
    with serving(engine, [StoreSource(settings)]) as pages:
        told = text_of(get(pages, "/settlement", id=records[1]["id"], lang="en"))
        assert json.loads(answers[1])["fingerprint"] in told
        assert "No result is recorded" not in told
        assert records[0]["id"] in get(pages, "/")
        assert get(pages, "/settlement.svg", id=records[0]["id"]).startswith("<svg")


def test_the_command_says_what_it_lacks() -> None:
    run = CliRunner().invoke(main, ["desk", "--results", __file__])
    assert run.exit_code == 2
    assert "name these too" in run.output
