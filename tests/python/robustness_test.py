#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Wrong arguments, damaged files, threads, signals and memory. Usage: robustness_test.py BIN SAMPLES"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
import tracefold  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])
SMALL = SAMPLES / "scaling/prk-transpose-o1280-i2-4.tfold"
OPENS = 300


def resident():
    """Bytes of memory that the process has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class RobustnessTest(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(subprocess.run, ["rm", "-rf", self.work], check=True)

    def test_wrong_arguments(self):
        trace = tracefold.open(SMALL)
        for call, message in (
            (lambda: trace.calls(columns=["size"]), "there is no column 'size'"),
            (lambda: trace.calls(columns=["tag", "tag"]), "twice"),
            (lambda: trace.calls(ranks=99), "rank 99 does not exist"),
            (lambda: trace.calls(ranks=[]), "is empty"),
            (lambda: trace.calls(ranks="a"), "is not a rank"),
            (lambda: trace.calls(match="/(/"), "not a regular expression"),
            (lambda: trace.calls(time=(2, 1)), "empty time window"),
            (lambda: trace.matrix(kind="all"), "kind cannot be 'all'"),
            (lambda: trace.stats(by="rank"), "by cannot be 'rank'"),
            (lambda: trace.classes(by="calls=x"), "only 'regions'"),
            (lambda: trace.profile(by="thread"), "by cannot be 'thread'"),
            (lambda: tracefold.convert(trace, self.work / "x", "mp3"), "no format 'mp3'"),
            (lambda: tracefold.open(SMALL, drop_unknown=True), "already folded"),
        ):
            with self.subTest(message), self.assertRaisesRegex(tracefold.UsageError, message):
                call()
        with self.assertRaises(ValueError):
            trace.calls(ranks=99)
        with self.assertRaises(TypeError):
            trace.calls(ranks=1.5)
        with self.assertRaises(KeyError):
            trace.calls()["nothing"]
        trace.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            trace.calls()

    def test_files_that_are_not_there_or_no_traces(self):
        with self.assertRaises(tracefold.FileError) as caught:
            tracefold.open(self.work / "nothing.tfold")
        self.assertIsInstance(caught.exception, OSError)
        self.assertIn("nothing.tfold", str(caught.exception))
        (self.work / "text.tfold").write_text("no trace at all\n", encoding="ascii")
        with self.assertRaises(tracefold.Error):
            tracefold.open(self.work / "text.tfold")

    def test_damaged_files_raise(self):
        content = SMALL.read_bytes()
        damaged = self.work / "damaged.tfold"
        raised = 0
        for place in range(40, len(content), max(1, len(content) // 60)):
            broken = bytearray(content)
            broken[place] ^= 0x5A
            damaged.write_bytes(broken)
            try:
                trace = tracefold.open(damaged)
                for _ in trace.events():
                    pass
                trace.check()
            except tracefold.Error as error:
                self.assertIn(str(damaged), str(error))
                raised += 1
        damaged.write_bytes(content[: len(content) // 2])
        with self.assertRaises(tracefold.CorruptError):
            tracefold.open(damaged)
        self.assertGreater(raised, 50)

    def test_errors_of_streams(self):
        content = bytearray(SMALL.read_bytes())
        trace = tracefold.open(SMALL)
        del content
        with self.assertRaisesRegex(tracefold.UsageError, "no column"):
            trace.events(columns=["call"])

    def test_memory_stays_flat(self):
        def use():
            with tracefold.open(SMALL) as trace:
                next(iter(trace.calls()))["bytes"].sum()
                trace.matrix().bytes.sum()
                trace.calls().__arrow_c_stream__()
                try:
                    trace.calls(columns=["nothing"])
                except tracefold.UsageError:
                    pass

        for _ in range(100):
            use()
        before = resident()
        for _ in range(OPENS):
            use()
        self.assertLess(resident() - before, 4_000_000)

    @unittest.skipUnless(hasattr(sys, "gettotalrefcount"), "only a debug build of Python counts references")
    def test_references_stay_flat(self):
        def use():  # without NumPy, which is no debug build
            with tracefold.open(SMALL) as trace:
                next(iter(trace.calls())).__arrow_c_array__()
                trace.calls().__arrow_c_stream__()
                for answer in (trace.locations, trace.functions, trace.archive, trace.structure()):
                    self.assertTrue(answer)
                with self.assertRaises(tracefold.UsageError):
                    trace.calls(columns=["nothing"])

        for _ in range(10):
            use()
        before = sys.gettotalrefcount()
        for _ in range(OPENS):
            use()
        self.assertLess(sys.gettotalrefcount() - before, OPENS / 2)

    def test_threads_share_a_trace(self):
        trace = tracefold.open(SAMPLES / "npb-lu.S-4")
        expected = int(trace.calls()["bytes"].sum())
        sums = []

        def read():
            sums.append(int(trace.calls(batch_rows=500)["bytes"].sum()))
            trace.matrix()
            trace.stats()

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sums, [expected] * 4)

    def check_interrupted(self, work, *arguments, delays):
        """`work`: lines of a program that are repeated, with `trace` at hand, until a signal comes."""
        lines = ["import sys, tracefold", "trace = tracefold.open(sys.argv[1])", "print('ready', flush=True)", "try:",
                 "    while True:", *(f"        {line}" for line in work), "except KeyboardInterrupt:",
                 "    print('interrupted', flush=True)"]
        command = [sys.executable, "-c", "\n".join(lines), SAMPLES / "npb-lu.S-4", *arguments]
        for delay in delays:
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                self.assertEqual(process.stdout.readline(), "ready\n")
                time.sleep(delay)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.stdout.readline(), "interrupted\n")
                self.assertEqual(process.wait(60), 0)

    def test_a_signal_ends_long_work(self):
        work = ("trace.profile()", "trace.calls(match='nothing').to_numpy()")
        self.check_interrupted(work, delays=(0.3,))

    def test_a_signal_ends_work_of_several_steps(self):
        work = ("tracefold.open(sys.argv[2])", "trace.stats(by='path')", "trace.classes()")
        self.check_interrupted(work, SAMPLES / "npb-lu.S-4", delays=(0.1, 0.2, 0.3))

    def test_conversions(self):
        archive = SAMPLES / "micro-user-4"
        folded = self.work / "run.tfold"
        figures = tracefold.compress(archive, folded)
        self.assertEqual(figures["ranks"], 4)
        self.assertTrue(figures["exact_bytes"])
        expected = self.work / "expected.tfold"
        subprocess.run([BIN / "trace_compress", "-q", archive, "-o", expected], check=True)
        self.assertEqual(folded.read_bytes(), expected.read_bytes())
        with self.assertRaises(tracefold.Error):
            tracefold.compress(archive, folded)
        tracefold.compress(archive, folded, timing="none", force=True)
        with tracefold.open(folded) as trace:
            self.assertEqual(trace.timing, "none")
            self.assertIsNone(trace.calls()["begin"].tolist()[0])
            with self.assertRaisesRegex(tracefold.UsageError, "times"):
                trace.calls(time=(0, 1))
        tracefold.convert(expected, self.work / "back", "otf2")
        for path in sorted(p for p in archive.rglob("*") if p.is_file()):
            copy = self.work / "back" / path.relative_to(archive)
            self.assertEqual(copy.read_bytes(), path.read_bytes(), path.name)
        report = tracefold.convert(expected, self.work / "tables", "csv", pipit=True)
        self.assertEqual(report["ranks"], 4)
        self.assertTrue((self.work / "tables/events.csv").is_file())
        with self.assertRaises(tracefold.Error):
            tracefold.convert(expected, expected, "csv", force=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
