# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Gives commands more and more of what is limited, until they succeed; base of the tests of scarce resources."""

import resource
import subprocess

from outputs_test import OutputCommands

# What the dynamic linker ends with when it cannot load a library.
NOT_LOADED = 127


class ScarceCase(OutputCommands):
    kind = None  # of the limit, as for setrlimit
    unit = 1

    def run_scarce(self, command, amount):
        limit = (amount * self.unit, amount * self.unit)
        return self.run_with(command, stdout=subprocess.DEVNULL,
                             preexec_fn=lambda: resource.setrlimit(self.kind, limit))

    def check_writer(self, command, amounts, reason):
        """Writes into the folder "few". Before it succeeds it must fail in one sentence that has the reason, at least
        once, and leave nothing."""
        (self.work / "few").mkdir()
        before = self.entries()
        codes = []
        for amount in amounts:
            code, words = self.run_scarce(command, amount)
            codes.append(code)
            if code == 0:
                break
            if code != NOT_LOADED:
                self.assertEqual((code, words.count("\n")), (1, 1), f"{command} {amount} {words}")
                self.assertRegex(words, reason)
                self.assertEqual(self.entries(), before, f"{command} {amount} {words}")
        self.assertEqual(codes[-1], 0, command)
        self.assertIn(1, codes, command)
        subprocess.run(["rm", "-rf", self.work / "few"], check=True)
