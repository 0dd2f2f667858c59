#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a document is named that does not exist, or when a document breaks a rule of the house.

- Every docs/... path that a file of the tree names, and every link of a document, exists; so does its #heading.
- Every path of a source or script that a document names in backquotes exists.
- docs/README.md lists every page exactly once, and each page lies in the folder of its group.
- docs/results/performance.md is a page, not a diary.
- Some phrases that English has simpler words for do not occur in documents.

Usage: check_documents.py [ROOT]
"""

import pathlib
import re
import sys

GROUPS = ("tutorial", "howto", "reference", "internals", "results")
MOST_LINES = {"docs/results/performance.md": 250}
PLACES = ("lib", "tools", "tests", "python", "scripts", "man", "docs", "bench", "cmake", "completions", "packaging")
DATA = {".otf2", ".def", ".evt", ".png", ".svg", ".tfold", ".pyc", ".marker"}
NAMED = re.compile(r"(?<![\w./-])docs/[\w./-]*\w")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`([a-z_]+/[\w./-]*\w)`")
PHRASES = re.compile(
    r"(?i:what is left of|what becomes of|what stands|whoever|so that nobody|in parts of the|goes round)"
    r"|(?:^|[.;:] )(?:The same, as|The same as those|As those)\b"
)


def headings(text):
    """The anchors that GitHub makes of headings."""
    titles = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def text_files(root):
    for name in PLACES:
        for path in sorted((root / name).rglob("*")):
            made_up = path.name == "checkers_test.py"  # names files of trees that it makes
            if path.is_file() and path.suffix not in DATA and "__pycache__" not in path.parts and not made_up:
                yield path
    yield from sorted(path for path in root.iterdir() if path.is_file() and path.name != ".git")


def documents(root):
    return [*sorted((root / "docs").rglob("*.md")), *sorted((root / "man").glob("*.md")), *sorted(root.glob("*.md"))]


def lines_of(path):
    try:
        return list(enumerate(path.read_text(encoding="utf-8").splitlines(), start=1))
    except UnicodeDecodeError:
        return []


def unknown_paths(root):
    for path in text_files(root):
        for number, line in lines_of(path):
            for name in NAMED.findall(line):
                if not (root / name).exists():
                    yield f"{path.relative_to(root)}:{number}: there is no {name}"


def is_there(base):
    """A file, a folder, or the name of a source without its suffix."""
    return base.exists() or any(base.parent.glob(f"{base.name}.*"))


def broken_links(root):
    modules = {path.name for path in (root / "lib").iterdir()}
    for path in documents(root):
        for number, line in lines_of(path):
            place = f"{path.relative_to(root)}:{number}"
            for target in LINK.findall(line):
                name, _, anchor = target.partition("#")
                if re.match(r"[a-z]+:", name):
                    continue
                page = path.parent / name if name else path
                if not page.exists():
                    yield f"{place}: there is no {name}"
                elif anchor and anchor not in headings(page.read_text(encoding="utf-8")):
                    yield f"{place}: {name or path.name} has no heading #{anchor}"
            # Of the past: the change log names what was there.
            for name in () if path.name == "CHANGELOG.md" else SOURCE.findall(line):
                first = name.split("/")[0]
                bases = [root] * (first in PLACES) + [root / "lib", root / "tools"] * (first in modules)
                if "NAME" in name:  # a placeholder
                    continue
                if bases and not any(is_there(base / name) for base in bases):
                    yield f"{place}: there is no {name}"


def index_problems(root):
    folder = root / "docs"
    index = (folder / "README.md").read_text(encoding="utf-8")
    listed = [target for target in LINK.findall(index) if ":" not in target]
    for page in sorted(folder.rglob("*.md")):
        name = page.relative_to(folder).as_posix()
        if name == "README.md":
            continue
        if name.split("/")[0] not in GROUPS or name.count("/") != 1:
            yield f"docs/{name} lies in the folder of no group ({', '.join(GROUPS)})"
        if listed.count(name) != 1:
            yield f"docs/README.md lists {name} {listed.count(name)} times"


def wording_problems(root):
    for path in documents(root):
        name = path.relative_to(root).as_posix()
        lines = lines_of(path)
        if len(lines) > MOST_LINES.get(name, len(lines)):
            yield f"{name} has {len(lines)} lines, more than {MOST_LINES[name]}"
        for number, line in lines:
            for phrase in PHRASES.findall(line):
                yield f"{name}:{number}: \"{phrase}\": write it in simpler words"


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2]).resolve()
    problems = [*unknown_paths(root), *broken_links(root), *index_problems(root), *wording_problems(root)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
