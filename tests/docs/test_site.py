"""The documentation: the site builds without a broken link, its examples run, its references are complete."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mjsettle import columns
from mjsettle.cli import main
from mjsettle_workers.metrics import METRICS
from mjsettle_workers.settings import Settings
from tests.docs.pages import DOCS, PAGES, ROOT, blocks, has, name_of, site_module
from tests.docs.walk import walk

pytest.importorskip("mkdocs", reason="mkdocs is not installed")
TESTED_APART = {
    "rooms.md": "tests/docs/test_rooms.py",
    "desk.md": "tests/docs/test_desk_page.py",
    "install.md": "tests/packaging/test_install.py",
}
"""Pages whose examples have a test of their own."""
ENGLISH = [page for page in PAGES if page.parent == DOCS]
"""Chinese pages hold the same examples (tests/docs/test_twins.py), which are hence run once."""
WALKED = [page for page in ENGLISH if has(page, "console") and page.name not in TESTED_APART]
WITH_PYTHON = [page for page in ENGLISH if has(page, "pycon")]


SITE = site_module("site_pages")
REFERENCE = site_module("site_reference")


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return dict(SITE.generated())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder


def test_the_site_builds_without_a_broken_link(site: Path) -> None:
    for name in (
        "index.html",
        "zh/index.html",
        "rules/guangdong.html",
        "zh/rules/guangdong.html",
        "runbook.html",
        "zh/runbook.html",
        "asyncapi.yaml",
        "schema/round.json",
        "submit.lua",
    ):
        assert (site / name).exists(), name
    assert list(site.rglob("*.py")) == []


def test_pages_speak_their_language_and_lead_to_their_twins(site: Path) -> None:
    pages = {str(page.relative_to(site)): page.read_text() for page in site.rglob("*.html")}
    del pages["404.html"]  # made without a page's context
    for name, page in pages.items():
        language = "zh" if name.startswith("zh/") else "en"
        assert f'<html lang="{language}"' in page, name
        links = dict(reversed(one) for one in re.findall(r'<a href="([^"]+)" hreflang="(\w+)"', page))
        assert set(links) == {"en", "zh"}, name
        for link in links.values():
            assert (site / name / ".." / link).resolve().exists(), (name, link)
        if f"zh/{name}" in pages:
            assert (site / name / ".." / links["zh"]).resolve() == (site / "zh" / name).resolve()


def test_chinese_lines_are_joined_without_a_space(site: Path) -> None:
    split = [
        found
        for page in (site / "zh").glob("*.html")
        for found in re.findall(r"[\u4e00-\u9fff，。；：、][ ]*\n[ ]*[\u4e00-\u9fff].*", page.read_text())
    ]
    assert split == []


@pytest.mark.parametrize("page", WALKED, ids=name_of)
def test_commands_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    done = list(walk(page.read_text(), tmp_path))
    assert done
    for ran in done:
        assert ran.found == ran.expected, ran.command


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_python_examples_print_what_the_page_says(page: Path) -> None:
    text = "\n".join(block.text for block in blocks(page) if block.language == "pycon")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    failures: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=failures.append)
    assert test.examples
    assert failures == []


@pytest.mark.parametrize("page", [page for page in ENGLISH if page.name not in TESTED_APART], ids=name_of)
def test_no_example_escapes_its_test(page: Path) -> None:
    """A page's code is a file of a walk, a command or a session; anything else nobody would run."""
    loose = [
        block.language
        for block in blocks(page)
        if block.language not in ("console", "pycon", "text") and not (page in WALKED and block.title)
    ]
    assert loose == []
    assert page.read_text().count("```") == 2 * len(blocks(page)), "a block without a language"


@pytest.mark.parametrize(("page", "test"), TESTED_APART.items())
def test_pages_with_a_test_of_their_own_have_it(page: str, test: str) -> None:
    assert page in (ROOT / test).read_text()


@pytest.mark.parametrize("hook", REFERENCE.hooks())
def test_every_hook_is_documented(hook: str, made: dict[str, str]) -> None:
    doc = REFERENCE.hooks()[hook].__doc__ or ""
    assert len(doc.split()) >= 5, f"say what the hook {hook} is for, in mjsettle/hookspecs.py"
    assert f"## {hook}\n" in made["reference/hooks.md"]


def test_the_hook_page_shows_every_field_of_every_declaration(made: dict[str, str]) -> None:
    page = made["reference/hooks.md"]
    for kind in REFERENCE.DECLARED:
        assert len((kind.__doc__ or "").split()) >= 3, kind
        section = page.split(f"\n### {kind.__name__}\n")[1].split("\n### ")[0]
        for field in kind.__dataclass_fields__:
            assert f"| `{field}` |" in section


def test_what_hooks_return_is_on_the_page() -> None:
    named = {
        name
        for hook in REFERENCE.hooks().values()
        for name in re.findall(r"[A-Z]\w+", str(hook.__annotations__["return"]))
    }
    shown = {kind.__name__ for kind in REFERENCE.DECLARED}
    assert named - shown <= {"Sequence", "Callable", "None", "Any"}


@pytest.mark.parametrize("kind", [*REFERENCE.WORKED_ON, *REFERENCE.READ], ids=lambda kind: kind.__name__)
def test_the_hook_page_explains_every_attribute_that_functions_work_with(kind: type, made: dict[str, str]) -> None:
    section = made["reference/hooks.md"].split(f"\n### {kind.__name__}\n")[1].split("\n#")[0]
    names = {*inspect.get_annotations(kind), *(name for name, found in vars(kind).items() if inspect.isfunction(found))}
    names |= {name for name, found in vars(kind).items() if isinstance(found, property)}
    rows = dict(re.findall(r"^\| `(\w+)[^`]*` \|.*\| ?(.*) \|$", section, re.MULTILINE))
    assert {name for name in names if not name.startswith("_")} == set(rows)
    told_above = section.partition("\n| ")[0]
    assert [name for name, told in rows.items() if not told and f"{name}:" not in told_above] == []


def test_the_column_page_explains_every_constant_and_helper(made: dict[str, str]) -> None:
    page = made["reference/columns.md"]
    own = ast.parse(inspect.getsource(columns)).body
    constants = {
        node.target.id for node in own if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert len(constants) > 15
    helpers = {node.name for node in own if isinstance(node, ast.FunctionDef)}
    public = {name for name in constants | helpers if not name.startswith("_")} - {"INPUTS"}
    assert [name for name in sorted(public) if f"`{name}` |" not in page and f"columns.{name}(" not in page] == []
    assert all(one.__doc__ for one in REFERENCE.helpers())


def test_every_rule_set_has_a_card_with_every_fan(made: dict[str, str]) -> None:
    import mjsettle

    engine = mjsettle.load()
    for name in engine.rules():
        for folder in ("rules", "zh/rules"):
            card = made[f"{folder}/{name}.md"]
            for fan in engine.rule_set(name).fans:
                assert f"| `{fan.id}` | {fan.name} |" in card
            assert f"[{name}]({name}.md)" in made[f"{folder}/index.md"]


def test_every_metric_and_setting_is_explained(made: dict[str, str]) -> None:
    for named in METRICS:
        assert f"`{named.name}" in made["reference/metrics.md"]
    docs = REFERENCE.attribute_docs(Settings)
    assert set(docs) == set(Settings.__struct_fields__)
    assert all(len(doc.split()) >= 3 for doc in docs.values())


@pytest.mark.parametrize("page", ENGLISH, ids=name_of)
def test_commands_in_the_text_exist(page: Path) -> None:
    named = {" ".join(found.split()) for found in re.findall(r"`mjsettle ([a-z][^`]*)`", page.read_text())}
    for command in named:
        name, *rest = command.split()
        told = CliRunner().invoke(main, [name, "--help"])
        assert told.exit_code == 0, command
        assert [word for word in rest if word.startswith("--") and word not in told.output] == [], command


def test_pages_speak_of_settings_that_exist() -> None:
    settings = {f"MJSETTLE_{name.upper()}" for name in Settings.__struct_fields__}
    for page in PAGES:
        named = set(re.findall(r"MJSETTLE_[A-Z_]+", page.read_text()))
        assert named <= settings, name_of(page)


def test_tests_that_pages_name_exist() -> None:
    for page in PAGES:
        for path in re.findall(r"`((?:tests|deploy|workers)/[\w./-]+\.\w+)`", page.read_text()):
            assert (ROOT / path).exists(), f"{name_of(page)} names {path}"
