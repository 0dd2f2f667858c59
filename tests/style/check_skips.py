#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds tests that were skipped, or that do not exist, in the results of a run of ctest.

Usage: check_skips.py RESULTS LIST

RESULTS is what ctest --output-junit writes. LIST has a line per exception, and # comments: "skip PATTERN", a test that
may be skipped, and "need PATTERN", a test that must have run. Exit code 3 if a test is skipped or missing otherwise.
"""

import fnmatch
import pathlib
import sys
import xml.etree.ElementTree

FOUND = 3


def main(results, exceptions):
    tests = {case.get("name"): case.find("skipped") is not None
             for case in xml.etree.ElementTree.parse(results).iter("testcase")}
    lines = [line.partition("#")[0].split() for line in pathlib.Path(exceptions).read_text(encoding="utf-8").splitlines()]
    may_skip = [pattern for word, pattern in filter(None, lines) if word == "skip"]
    needed = [pattern for word, pattern in filter(None, lines) if word == "need"]
    ran = [name for name, skipped in tests.items() if not skipped]
    problems = [f"{name} was skipped" for name, skipped in tests.items()
                if skipped and not any(fnmatch.fnmatch(name, pattern) for pattern in may_skip)]
    problems += [f"{pattern} did not run" for pattern in needed if not fnmatch.filter(ran, pattern)]
    for problem in problems:
        print(f"{problem}; scripts/install-dependencies --developer installs what tests need", file=sys.stderr)
    print(f"{len(tests)} tests, {len(tests) - len(ran)} skipped")
    return FOUND if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
