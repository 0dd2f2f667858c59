#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""No name has two meanings in a program. Usage: check_names.py [ROOT]

The sources of a folder of lib/ stand in an inline namespace of its name. Users of the library, and other modules,
write `tracefold::Layout`, so that a name must not be in two modules either. Two types of one name in a module, or two
functions of one name and the same parameters, are undefined behaviour that neither the compiler nor the linker
reports when their headers never meet; of two modules they are ambiguous as soon as the headers do. This looks for
such pairs in lib/, tools/ and python/src, and for sources in the namespace of another folder; names of anonymous
namespaces are left out, as each source has its own.
"""

import collections
import pathlib
import re
import sys

PROGRAMS = ("compress", "convert", "inspect", "replay", "scale")
OPENS = re.compile(r"^(?:inline )?namespace(?: ([\w:]+(?:::inline \w+[\w:]*)?))? \{(.*)$")
MODULE = re.compile(r"::inline (\w+)")
TYPE = re.compile(r"^(?:class|struct|union|enum(?: class)?) (\w+)(?: final)?(?: : [^;{]*)?\s*\{")
FUNCTION = re.compile(r"^(?!using|namespace|class|struct|enum|union|return|extern|typedef|#|//|static_assert)"
                      r"[\w:<>,&*\[\] ]*?[ &*](\w+)\(((?:[^()]|\([^()]*\))*)\)(?: noexcept)? \{")
VARIABLE = re.compile(r"^inline (?:constexpr|const) [\w:<>, ]+ (\w+)(?:\[\])? ?[={;]")
# Sources of which the build chooses one.
ALTERNATIVES = (
    ("lib/comm/world_mpi.cpp", "lib/comm/world_serial.cpp"),
    ("tools/replay/run.cpp", "tools/replay/run_without_mpi.cpp"),
)


def folders(root):
    """For every program the folders whose sources it may have."""
    common = [root / "lib", root / "tools/common"]
    for program in PROGRAMS:
        yield [*common, root / "tools" / program]
    yield [*common, root / "python/src"]


def parameters(text):
    """Types of parameters, as far as text tells: without names, default values and white space."""
    kinds = []
    for parameter in re.split(r",(?![^<]*>)", text):
        words = re.sub(r" = .*", "", " ".join(parameter.split()))
        named = re.match(r"(.*[\w>&*]) *\b\w+$", words)
        kinds.append(named[1].strip() if named and " " in words else words)
    return ", ".join(kinds)


def is_declared_only(lines, number):
    """A namespace that is opened to declare a class of another module, and closed at once."""
    return lines[number + 2:number + 3] == ["}"]


def misplaced(root):
    """Sources of lib/ that do not stand in the namespace of their folder."""
    for path in sorted((root / "lib").rglob("*.[ch]pp")):
        module = path.relative_to(root / "lib").parts[0]
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            opened = OPENS.match(line)
            if not opened or not (opened[1] or "").startswith("tracefold") or is_declared_only(lines, number):
                continue
            if MODULE.findall(opened[1]) != [module]:
                yield f"{path.relative_to(root)}:{number + 1}: is in {opened[1]}, not in tracefold::inline {module}"


def definitions(path):
    """What a file defines outside of anonymous namespaces: names with their namespaces, less the module's."""
    spaces = []
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        opened = OPENS.match(line)
        if opened:
            if not opened[2].rstrip().endswith("}") and not is_declared_only(lines, number):
                spaces.append(MODULE.sub("", opened[1] or ""))
            continue
        if re.match(r"^\}  // namespace", line):
            spaces.pop()
            continue
        if "" in spaces or not line or line[0] in " }#/":
            continue
        before = lines[number - 1] if number else ""
        if before.startswith("template <>"):
            continue  # has the name of what it specialises
        statement = line
        for more in lines[number + 1:number + 12]:
            if statement.rstrip().endswith(("{", ";", "}")):
                break
            statement += " " + more.strip()
        kind = TYPE.match(statement)
        function = FUNCTION.match(statement)
        variable = VARIABLE.match(statement)
        if kind or variable:
            yield "::".join([*spaces, (kind or variable)[1]])
        elif function and function[1] != "main" and not before.startswith("template"):
            yield "::".join([*spaces, f"{function[1]}({parameters(function[2])})"])


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = {}
    clashes = set()
    for program in folders(root):
        places = collections.defaultdict(set)
        for path in sorted(path for folder in program for path in folder.rglob("*.[ch]pp")):
            if path not in found:
                found[path] = set(definitions(path))
            for name in found[path]:
                places[name].add(str(path.relative_to(root)))
        clashes |= {(name, tuple(sorted(files))) for name, files in places.items()
                    if len(files) > 1 and tuple(sorted(files)) not in ALTERNATIVES}
    for name, files in sorted(clashes):
        print(f"{name} is defined in {' and '.join(files)}")
    elsewhere = list(misplaced(root))
    for place in elsewhere:
        print(place)
    return 1 if clashes or elsewhere else 0


if __name__ == "__main__":
    sys.exit(main())
