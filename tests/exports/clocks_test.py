#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""With --sync-clocks no message of an archive arrives before it was sent, by what otf2-print says.

Usage: clocks_test.py BIN SAMPLES
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_clocks  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
TRACES = ("micro-anysrc-4", "micro-omphyb-4", "micro-user-4", "micro-stencil2d9p-isend-4",
          "npb-lu.S-4")


class ClocksTest(unittest.TestCase):
    def convert(self, archive, work):
        output = pathlib.Path(work) / "synced"
        subprocess.run([BIN / "trace_convert", "-q", archive, "--sync-clocks", "--to", "otf2", "-o",
                        output], check=True)
        return output / "traces.otf2"

    def test_samples_are_in_order(self):
        early = 0
        for name in TRACES:
            with self.subTest(name), tempfile.TemporaryDirectory() as work:
                before = check_clocks.check(SAMPLES / name / "traces.otf2")
                after = check_clocks.check(self.convert(SAMPLES / name, work))
                early += before["early messages"]
                self.assertEqual(after["messages"], before["messages"])
                self.assertEqual(after["early messages"], 0)
                self.assertEqual(after["early collectives"], 0)
        self.assertGreater(early, 0)


if __name__ == "__main__":
    if shutil.which("otf2-print") is None:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
