#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""A report of 200,000 functions: it leaves out only documents that exceed its limit, and lists each of them.

Usage: left_out_test.py BIN MAKE_TRACE
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOM = 2_500_000  # half of the default --max-size
COMMANDS = {"profile": ["profile"], "stats": ["stats"], "structure": ["structure"]}


def main(tools, make_trace):
    inspect = pathlib.Path(tools) / "trace_inspect"
    with tempfile.TemporaryDirectory() as folder:
        trace, page = f"{folder}/regions.tfold", f"{folder}/regions.html"
        subprocess.run([make_trace, "regions", trace], check=True)
        subprocess.run([inspect, "report", "-q", trace, "-o", page], check=True)
        text = pathlib.Path(page).read_text(encoding="utf-8")
        says = json.loads(re.search(r'"says":("(?:[^"\\]|\\.)*")', text).group(1))
        left_out = re.findall(r"([\w-]+) is too large for this page", says)
        made = set(re.findall(r'[{,]"([\w-]+)":\{"schema"', text))
        for document, command in COMMANDS.items():
            assert (document in left_out) != (document in made), f"{document}: {says}"
            if document in left_out:
                result = subprocess.run([inspect, *command, "--json", trace], check=True, capture_output=True)
                assert len(result.stdout) > ROOM, f"{document} takes {len(result.stdout)} bytes"
        assert "graph" not in made and re.search(r"flow graph of \d+ functions is not in this page", says), says
        print(f"left out: {', '.join(left_out)}; made: {', '.join(sorted(made))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
