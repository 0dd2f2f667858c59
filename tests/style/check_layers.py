#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a file includes, or a module links, what it may not use (lib/modules.txt).

The headers of a module's own folder are its door, for questions those of a question's folder; headers in folders
below are its inside, and no other module or tool includes them. All modules share one include root, so the build
alone cannot tell. Usage: check_layers.py [ROOT]
"""

import pathlib
import re
import sys

# The only places that know a third party.
THIRD_PARTIES = {
    r"otf2/.*": "lib/otf2",
    r"zstd.*\.h": "lib/base",
    r"xxhash\.h": "lib/base",
    r"(expat|zlib)\.h": "lib/questions/profile",
    r"mpi\.h": ("lib/base", "lib/replay"),
    r"CLI/.*": "tools",
    r"re2/.*": "tools",
    r"boost/.*": ("lib/questions/graph", "lib/forecast/guard"),
    r"fmt/core\.h": ("lib", "tools"),
    r"nlohmann/.*": ("lib/forecast", "tools/replay"),
}
# The standard library and POSIX: no folder, or one of these.
SYSTEM = re.compile(r"[a-z0-9_]+(\.h)?|(sys|netinet|arpa)/[a-z0-9_]+\.h")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def allowed_modules(root):
    """By module, the others that it may include, as lib/modules.txt lists them."""
    allowed = {}
    for line in (root / "lib/modules.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        name, others, _ = line.split(":", 2)
        below = set(others.split())
        unknown = below - set(allowed)
        if unknown:
            raise SystemExit(f"lib/modules.txt: {name} uses {', '.join(sorted(unknown))}, which is not above it")
        allowed[name] = below
    return allowed


def is_door(target):
    """A header that other modules may include."""
    parts = target.split("/")
    return len(parts) == (3 if parts[0] == "questions" else 2)


def quoted_problem(room, target, root, allowed):
    """What is wrong with including "target" from ROOM, or None."""
    area, name = room
    folder = target.split("/")[0]
    if "/" not in target:
        return "write the path from lib/ or tools/"
    in_library = (root / "lib" / target).is_file()
    # lib/replay and tools/replay share a name.
    if in_library or (folder in allowed and not (root / "tools" / target).is_file()):
        if not in_library:
            return "there is no such header"
        if area == "lib" and folder == name:
            return None
        if area == "lib" and folder not in allowed[name]:
            return f"lib/{name} may not use lib/{folder}"
        return None if is_door(target) else f"lib/{target} is inside of lib/{folder}"
    if not (root / "tools" / target).is_file():
        return "there is no such header"
    if area != "tools":
        return f"lib/{name} may not use tools/{folder}"
    return None if folder in ("common", name) else f"tools/{name} may not use tools/{folder}"


def angled_problem(place, target):
    """What is wrong with including <target> from the folder PLACE, or None."""
    for pattern, homes in THIRD_PARTIES.items():
        if re.fullmatch(pattern, target):
            homes = homes if isinstance(homes, tuple) else (homes,)
            at_home = any(place == home or place.startswith(home + "/") for home in homes)
            return None if at_home else f"only {' and '.join(homes)} may use <{target}>"
    if SYSTEM.fullmatch(target):
        return None
    return f"<{target}> belongs to no known third party; name its home in tests/style/check_layers.py"


def problems_in(path, root, allowed):
    relative = path.relative_to(root)
    room = relative.parts[0], relative.parts[1]
    if room[0] == "lib" and room[1] not in allowed:
        yield f"{relative}: lib/{room[1]} is unknown; name it in lib/modules.txt"
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, angled = match.groups()
        problem = (quoted_problem(room, quoted, root, allowed) if quoted
                   else angled_problem(relative.parent.as_posix(), angled))
        if problem:
            yield f"{relative}:{number}: {problem}"


def linked_modules(root):
    """By folder of lib/, the libraries that its CMakeLists.txt names, and the folder of each library."""
    linked, home = {}, {}
    for path in sorted((root / "lib").glob("*/CMakeLists.txt")):
        folder = path.parent.name
        text = path.read_text(encoding="utf-8")
        for command in re.findall(r"tracefold_module\((.*?)\)", text, re.DOTALL):
            home[command.split()[0]] = folder
            linked.setdefault(folder, set()).update(re.findall(r"tracefold::(\w+)", command))
    return {folder: {home.get(name, name) for name in names} - {folder}
            for folder, names in linked.items()}


def link_problems(root, allowed):
    for module, direct in linked_modules(root).items():
        for other in sorted(direct - allowed.get(module, set())):
            yield f"lib/{module}/CMakeLists.txt: lib/{module} may not link lib/{other}"


def sources(root):
    for area in ("lib", "tools"):
        for suffix in ("hpp", "cpp"):
            yield from sorted((root / area).rglob(f"*.{suffix}"))


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).parents[2]
    root = root.resolve()
    allowed = allowed_modules(root)
    files = list(sources(root))
    problems = [problem for path in files for problem in problems_in(path, root, allowed)]
    problems += link_problems(root, allowed)
    for problem in problems:
        print(problem)
    if not files:
        print(f"{root} holds no sources")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
