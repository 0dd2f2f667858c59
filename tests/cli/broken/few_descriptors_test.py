#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""With too few file descriptors, an output is whole or not there, and one sentence says why."""

import resource

from scarce_case import ScarceCase
from tool_case import main


class FewDescriptorsTest(ScarceCase):
    kind = resource.RLIMIT_NOFILE

    def test_every_writer(self):
        for command in self.commands("few/"):
            self.check_writer(command, range(3, 40), "Too many open files")


if __name__ == "__main__":
    main()
