"""Links of the repository's pages, as the site has them.

In the repository a page links to files that are there, so that its links lead somewhere on a code host too: a reference
that only the site has is linked as the source that it is made from.
"""

from __future__ import annotations

import re
from posixpath import dirname, normpath, relpath

SITE_OF = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "README.md": "index.md",
    "README.zh-CN.md": "zh/index.md",
    "deploy/RUNBOOK.md": "runbook.md",
    "deploy/RUNBOOK.zh-CN.md": "zh/runbook.md",
    "mjsettle/cli": "reference/commands.md",
    "mjsettle/columns.py": "reference/columns.md",
    "mjsettle/hookspecs.py": "reference/hooks.md",
    "mjsettle/rounds.py": "schema/round.json",
    "mjsettle/schema.py": "schema/result.json",
    "mjsettle/wildcards.py": "reference/hooks.md#wildpolicy",
    "plugins": "rules/index.md",
    "workers/mjsettle_workers/metrics.py": "reference/metrics.md",
    "workers/mjsettle_workers/scripts/submit.lua": "submit.lua",
    "workers/mjsettle_workers/settings.py": "reference/settings.md",
}
"""Files of the repository outside docs/, and what the site has for them."""
IN_BOTH_LANGUAGES = ("rules/",)
"""What the site has a Chinese twin of under the same name."""
_LINK = re.compile(r"(^```.*?^```$)|\[([^]]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)", re.MULTILINE | re.DOTALL)
_OTHER_LANGUAGE = re.compile(r"^\[[^]]*\]\(RUNBOOK.*\)\n\n", re.MULTILINE)


def relinked(text: str, source: str, page: str) -> str:
    """The text of the repository's file `source` with its links as they are on the site's page `page`.

    What the site does not have is only named. Fenced blocks stay as they are. The link to the other language goes: the
    site has a switch of its own.
    """

    def link(found: re.Match[str]) -> str:
        fenced, words, path, anchor = found.groups()
        if fenced is not None:
            return fenced
        target = site_page(normpath(f"{dirname(source)}/{path}".lstrip("/")), page.startswith("zh/"))
        return words if target is None else f"[{words}]({relpath(target, dirname(page) or '.')}{anchor or ''})"

    return _LINK.sub(link, _OTHER_LANGUAGE.sub("", text))


def site_page(path: str, chinese: bool = False) -> str | None:
    """What the site has for a file of the repository; None where it has nothing."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    page = SITE_OF.get(path)
    return f"zh/{page}" if page is not None and chinese and page.startswith(IN_BOTH_LANGUAGES) else page
