#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""With too little memory, an output is whole or not there, and one sentence says why."""

import resource

from scarce_case import ScarceCase
from tool_case import main

MEGABYTES = range(10, 1000)


class LittleMemoryTest(ScarceCase):
    kind = resource.RLIMIT_AS
    unit = 1_000_000

    def least(self, tool):
        """With less, not even its libraries can be loaded and initialized."""
        return next(size for size in MEGABYTES if self.run_scarce([tool, "--version"], size)[0] == 0)

    def test_every_writer(self):
        least = {tool: self.least(tool) for tool in ["trace_compress", "trace_convert", "trace_inspect"]}
        for command in self.commands("few/"):
            sizes = range(least[command[0]], MEGABYTES.stop)
            self.check_writer(command, sizes, "memory|cannot start a thread")


if __name__ == "__main__":
    main()
