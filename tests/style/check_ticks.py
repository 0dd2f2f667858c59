#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Times are turned from ticks in one place: lib/model/tick_rate.hpp (rate and rounding) and
lib/file/common_clock.hpp (offsets). Whoever computes with the rate of a clock, or reads the clock
offsets of a location, is named.

usage: check_ticks.py [ROOT]
"""

import pathlib
import re
import sys

# Files that may: the conversion itself, the definition it comes from, and corrections of clocks.
RATE = {
    "lib/model/tick_rate.hpp",
    "lib/model/definition_index.hpp",
    "lib/model/definition_index.cpp",
    "lib/model/definition_table.hpp",
    "lib/file/file_overview.hpp",
    "lib/file/file_overview.cpp",
}
OFFSETS = {"lib/file/common_clock.hpp", "lib/file/common_clock.cpp", "lib/file/recording_gaps.cpp"}

RULES = (
    (
        re.compile(
            r"[*/%]\s*[\w.<>():-]*\bticks_per_second|\bticks_per_second\w*(?:\(\))?\)*\s*[*/%]"
        ),
        RATE,
        "computes with ticks per second; use TickRate",
    ),
    (
        re.compile(r"\btimer_resolution\b(?!\")"),
        RATE
        | {
            "tools/inspect/info/info.cpp",  # shows the recorded rate
            "python/src/facts.cpp",
        },
        "reads the rate of the clock; use DefinitionIndex::tick_rate()",
    ),
    (
        re.compile(r"(?:double|u64)\s+ticks_per_second\w*\s*=\s*[\d{]"),
        RATE,
        "keeps a rate as a number; use TickRate",
    ),
    (
        re.compile(r"\bClockMap(?:\s+\w+)?[({]\s*\*?\w*file\w*\s*,"),
        OFFSETS,
        "reads the clock offsets of one location; use common_clock()",
    ),
)


def sources(root):
    for folder in ("lib", "tools", "python"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp", ".py", ".pyi"):
                yield path


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    found = False
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code = line.split("//")[0]
            for pattern, allowed, text in RULES:
                if name not in allowed and pattern.search(code):
                    found = True
                    print(f"{name}:{number}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
