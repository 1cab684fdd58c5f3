"""What mkdocs calls while it builds the site: generated pages join, and each language finds its twin."""

from __future__ import annotations

import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from site_links import relinked
from site_pages import CHINESE, ENGINE, ENGLISH, generated

from mjsettle.describe import describe

HAN = r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef\u201c\u201d\u2026]"
FOLDED = re.compile(rf"(^```.*?^```$)|(?<={HAN})\n[ ]*(?=\**\[?{HAN})", re.MULTILINE | re.DOTALL)
"""A fenced block, or a line break of the source between two Chinese characters."""


def is_chinese(path: str) -> bool:
    """Whether the page at ``path`` below the site's root is in Chinese."""
    return path.startswith("zh/")


def twin_of(path: str) -> str:
    """The page in the other language."""
    return path.removeprefix("zh/") if is_chinese(path) else f"zh/{path}"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Called by mkdocs: put the rule cards into the navigation, where mkdocs.yml names their folder."""
    cards = [describe(ENGINE, name) for name in ENGINE.rules()]
    for [pages] in (language.values() for language in config.nav or ()):
        for entry in pages:
            [(title, folder)] = entry.items()
            if isinstance(folder, str) and folder.endswith("rules/"):
                words = CHINESE if is_chinese(folder) else ENGLISH
                named = "title" if is_chinese(folder) else "english"
                each = [{card[named]: f"{folder}{card['name']}.md"} for card in cards]
                entry[title] = [{words["all"]: f"{folder}index.md"}, *each]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Called by mkdocs: add the generated pages."""
    for path, content in generated():
        files.append(File.generated(config, path, content=content))
    config.extra["sources"] = set(files.src_uris)
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Called by mkdocs: links lead to pages of the site, and Chinese has no space where a line of the source ends."""
    path = page.file.src_uri
    if page.file.generated_by is None:
        markdown = relinked(markdown, f"docs/{path}", path)
    return FOLDED.sub(r"\1", markdown) if is_chinese(path) else markdown


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, **_: Any) -> dict[str, Any]:
    """Called by mkdocs: the theme speaks the page's language, and its language switch leads to the page's twin."""
    path = page.file.src_uri
    twin = twin_of(path)
    if twin not in config.extra["sources"]:
        twin = "index.md" if is_chinese(path) else "zh/index.md"
    english, chinese = (twin, path) if is_chinese(path) else (path, twin)
    config.extra["alternate"] = [
        {"name": name, "lang": lang, "link": "./" + source.removesuffix(".md") + ".html"}
        for name, lang, source in (("English", "en", english), ("中文", "zh", chinese))
    ]
    config.theme["language"] = "zh" if is_chinese(path) else "en"
    return context
