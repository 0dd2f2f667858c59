#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a release must have right. Usage: check_release.py [ROOT]

All files that name a version name the same one, recipes for package managers can be parsed, the bill of
materials is that of these sources, and every file says its copyright and licence (REUSE 3.0).
"""

import ast
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

LICENCE_LINE = "SPDX-License-" + "Identifier: BSD-3-Clause"
COPYRIGHT_LINE = "SPDX-File" + "CopyrightText: 2026 The tracefold authors"
# File, expression for the version in it.
VERSIONS = [
    ("CMakeLists.txt", r"project\(\s*tracefold\s+VERSION\s+([0-9.]+)"),
    ("CITATION.cff", r"(?m)^version: ([0-9.]+)$"),
    ("CHANGELOG.md", r"(?m)^## \[([0-9.]+)\]"),
    ("packaging/debian/changelog", r"^tracefold \(([0-9.]+)-"),
    ("packaging/spack/tracefold/package.py", r"version\(\"([0-9.]+)\""),
    ("packaging/easybuild/*.eb", r"(?m)^version = '([0-9.]+)'"),
    ("packaging/tracefold.spdx.json", r'"name": "tracefold",\s*"versionInfo": "([0-9.]+)"'),
]
PYTHON_RECIPES = ("packaging/spack/tracefold/package.py", "packaging/easybuild/*.eb")
CONTAINER_WORDS = {"ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL",
                   "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR"}
SKIPPED_FOLDERS = {".git", "build", "LICENSES", "__pycache__", ".pytest_cache", "tracefold.egg-info"}


def the_file(root, pattern):
    found = sorted(root.glob(pattern))
    return found[0] if len(found) == 1 else None


def version_problems(root):
    versions = {}
    for pattern, expression in VERSIONS:
        path = the_file(root, pattern)
        found = path and re.search(expression, path.read_text(encoding="utf-8"))
        if found:
            versions[pattern] = found.group(1)
        elif pattern != "CHANGELOG.md":  # its newest section has no version before the next release
            yield f"{pattern}: no version is in it"
    if len(set(versions.values())) > 1:
        yield f"different versions: {versions}"


def recipe_problems(root):
    for pattern in PYTHON_RECIPES:
        try:
            ast.parse(the_file(root, pattern).read_text(encoding="utf-8"))
        except SyntaxError as error:
            yield f"{pattern}: {error}"
    yield from container_problems(root / "packaging/container/Containerfile")


def container_problems(path):
    """Instructions with their lines joined."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines()
             if line.strip() and not line.lstrip().startswith("#")]
    instructions = re.sub(r"\\\n", " ", "\n".join(lines)).splitlines()
    words = [instruction.split()[0] for instruction in instructions]
    for word in words:
        if word not in CONTAINER_WORDS:
            yield f"{path}: {word} is no instruction"
    if words[:1] not in (["FROM"], ["ARG"]):
        yield f"{path}: it does not begin with FROM"


def material_problems(root):
    path = root / "packaging/tracefold.spdx.json"
    made = subprocess.run([sys.executable, root / "scripts/make_sbom"], check=True, capture_output=True).stdout
    if json.loads(made) != json.loads(path.read_text(encoding="utf-8")):
        yield f"{path}: it is not what scripts/make_sbom prints"


def patterns_of(dep5):
    text = dep5.read_text(encoding="utf-8")
    return [word for line in re.findall(r"(?m)^Files: (.*)$", text) for word in line.split()]


def licence_problems(root):
    patterns = patterns_of(root / ".reuse/dep5")
    if (root / "LICENSE").read_bytes() != (root / "LICENSES/BSD-3-Clause.txt").read_bytes():
        yield "LICENSES/BSD-3-Clause.txt is not LICENSE"
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
        for name in names:
            path = pathlib.Path(folder, name)
            relative = str(path.relative_to(root))
            if relative in (".git", "LICENSE") or any(fnmatch.fnmatchcase(relative, p) for p in patterns):
                continue
            head = path.read_bytes()[:600].decode(errors="replace")
            if COPYRIGHT_LINE not in head or LICENCE_LINE not in head:
                yield f"{relative}: neither a header nor .reuse/dep5 says its copyright and licence"


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent.parent).resolve()
    problems = [problem for check in (version_problems, recipe_problems, material_problems, licence_problems)
                for problem in check(root)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
