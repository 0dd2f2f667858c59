#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a file includes, or a module links, what it may not use (docs/architecture.md).

All modules share one include root, so the build alone cannot tell. What a module links, it links
with all that stands below. Usage: check_layers.py [ROOT]
"""

import pathlib
import re
import sys

# What each module of lib/ may include besides itself.
ALLOWED = {
    "core": set(),
    "io": {"core"},
    "model": {"core"},
    "comm": {"core"},
    "otf2": {"core", "io", "model"},
    "mpi_calls": {"core", "model"},
    "fold": {"core", "model"},
    "format": {"core", "model", "io"},
    "context_mixing": {"core", "model", "io", "format"},
}
# Rooms above the format: what a folded file says, then what is done with it.
ALLOWED["trace"] = set(ALLOWED) - {"comm", "otf2"}
ALLOWED["names"] = {"core", "model"}
ALLOWED["query"] = ALLOWED["trace"] | {"trace", "names"}
ALLOWED["listing"] = ALLOWED["query"] | {"query"}
ALLOWED["steps"] = ALLOWED["query"] | {"query"}
ALLOWED["anonymize"] = ALLOWED["trace"] | {"trace", "names"}
ALLOWED["archives"] = ALLOWED["trace"] | {"trace", "otf2", "comm"}
ALLOWED["analysis"] = ALLOWED["listing"] | {"listing", "steps"}
ALLOWED["view"] = ALLOWED["analysis"] | {"analysis", "comm"}
ALLOWED["frames"] = ALLOWED["analysis"] | {"analysis"}
ALLOWED["graph"] = ALLOWED["query"] | {"query"}
ALLOWED["replay"] = ALLOWED["steps"] | {"steps", "comm"}
ALLOWED["schedules"] = ALLOWED["replay"] | {"replay"}
ALLOWED["clocks"] = ALLOWED["replay"] | ALLOWED["archives"] | {"replay", "archives"}
ALLOWED["proxy"] = ALLOWED["replay"] | {"replay", "analysis", "listing"}
ALLOWED["cut"] = ALLOWED["analysis"] | ALLOWED["archives"] | {"analysis", "anonymize", "archives"}
ALLOWED["stats"] = ALLOWED["analysis"] | {"analysis", "replay", "comm"}
ALLOWED["profile"] = ALLOWED["stats"] | {"stats"}
ALLOWED["tables"] = ALLOWED["profile"] | {"profile"}
ALLOWED["scaling"] = ALLOWED["profile"] | ALLOWED["archives"] | {"profile", "archives"}
ALLOWED["exporters"] = ALLOWED["proxy"] | {"proxy", "schedules"}
ALLOWED["prediction"] = ALLOWED["profile"] | {"profile", "schedules"}
ALLOWED["replay_mpi"] = ALLOWED["replay"] | ALLOWED["archives"] | {"replay", "archives"}
LIBRARY = set(ALLOWED)

# The only rooms that know a third party.
THIRD_PARTIES = {
    r"otf2/.*": "lib/otf2",
    r"zstd.*\.h": "lib/io",
    r"xxhash\.h": "lib/core",
    r"mpi\.h": ("lib/comm", "lib/replay_mpi"),
    r"CLI/.*": "tools",
    r"boost/.*": "lib/graph",
    r"fmt/core\.h": ("lib", "tools"),
    r"nlohmann/.*": ("lib/prediction", "tools/replay"),
    r"httplib\.h": "tools/inspect",
}
# The standard library and POSIX: no folder, or one of these.
SYSTEM = re.compile(r"[a-z0-9_]+(\.h)?|(sys|netinet|arpa)/[a-z0-9_]+\.h")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def room_of(path):
    """("lib", module) or ("tools", folder) of a path relative to the root."""
    return path.parts[0], path.parts[1]


def quoted_problem(room, target, root):
    """What is wrong with including "target" from ROOM, or None."""
    area, name = room
    folder = target.split("/")[0]
    if "/" not in target:
        return "write the path from lib/ or tools/"
    in_library = (root / "lib" / target).is_file()
    # lib/replay and tools/replay share a name.
    if in_library or (folder in LIBRARY and not (root / "tools" / target).is_file()):
        if not in_library:
            return "there is no such header"
        if area == "tools" or folder == name or folder in ALLOWED[name]:
            return None
        return f"lib/{name} may not use lib/{folder}"
    if not (root / "tools" / target).is_file():
        return "there is no such header"
    if area != "tools":
        return f"lib/{name} may not use tools/{folder}"
    return None if folder in ("common", name) else f"tools/{name} may not use tools/{folder}"


def angled_problem(room, target):
    """What is wrong with including <target> from ROOM, or None."""
    place = "/".join(room)
    for pattern, homes in THIRD_PARTIES.items():
        if re.fullmatch(pattern, target):
            homes = homes if isinstance(homes, tuple) else (homes,)
            at_home = any(place == home or place.startswith(home + "/") for home in homes)
            return None if at_home else f"only {' and '.join(homes)} may use <{target}>"
    if SYSTEM.fullmatch(target):
        return None
    return f"<{target}> belongs to no known third party; name its home in scripts/check_layers.py"


def problems_in(path, root):
    relative = path.relative_to(root)
    room = room_of(relative)
    if room[0] == "lib" and room[1] not in ALLOWED:
        yield f"{relative}: lib/{room[1]} is unknown; name its edges in scripts/check_layers.py"
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, angled = match.groups()
        problem = quoted_problem(room, quoted, root) if quoted else angled_problem(room, angled)
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


def link_problems(root):
    linked = linked_modules(root)
    for module, direct in linked.items():
        reached, ahead = set(), list(direct)
        while ahead:
            other = ahead.pop()
            if other not in reached:
                reached.add(other)
                ahead.extend(linked.get(other, ()))
        for other in sorted(reached - ALLOWED.get(module, set())):
            yield f"lib/{module}/CMakeLists.txt: lib/{module} may not link lib/{other}"


def sources(root):
    for area in ("lib", "tools"):
        for suffix in ("hpp", "cpp"):
            yield from sorted((root / area).rglob(f"*.{suffix}"))


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    root = root.resolve()
    files = list(sources(root))
    problems = [problem for path in files for problem in problems_in(path, root)]
    problems += link_problems(root)
    for problem in problems:
        print(problem)
    if not files:
        print(f"{root} holds no sources")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
