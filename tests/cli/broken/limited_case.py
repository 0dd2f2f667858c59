# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the built tools within limits of time and memory, whatever they are given."""

import os
import resource
import signal
import subprocess
import tempfile

from tool_case import ToolCase, limits

SECONDS = limits.seconds(10)  # of processor time, which other work on the machine does not change
WALL_SECONDS = limits.seconds(60)  # for what waits
PEAK_BYTES = 512 << 20
ADDRESS_SPACE = 4 << 30


def limit():
    if limits.MEMORY_IS_LIMITED:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


class LimitedCase(ToolCase):
    def run_tool(self, command):
        words = [str(self.bin / command[0]), *(str(word) for word in command[1:])]
        text = {"mode": "w+", "errors": "backslashreplace"}
        with tempfile.TemporaryFile(**text) as out, tempfile.TemporaryFile(**text) as err:
            # pylint: disable-next=consider-using-with,subprocess-popen-preexec-fn
            process = subprocess.Popen(
                words, cwd=self.work, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                preexec_fn=limit)
            signal.signal(signal.SIGALRM, lambda *_: process.kill())
            signal.alarm(WALL_SECONDS)
            _, status, usage = os.wait4(process.pid, 0)
            signal.alarm(0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.check_peak(usage.ru_maxrss * 1024, words)
            return subprocess.CompletedProcess(
                words, process.returncode, out.read(), err.read())

    def check_peak(self, size, words):
        if limits.MEMORY_IS_LIMITED:
            self.assertLess(size, PEAK_BYTES, " ".join(words))
