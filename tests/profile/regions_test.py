#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Regions of sample archives and of archives made here are those of check_regions.py; figures that are off are found.

Usage: regions_test.py BIN SAMPLES
"""

import functools
import os
import pathlib
import random
import stat
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check_regions  # noqa: E402
import written_archive  # noqa: E402
from printed_archive import Archive, printed  # noqa: E402
from region_times import Recording  # noqa: E402
from written_archive import ACCELERATOR, CUDA, MPI, OPENMP, STREAM, TASK, made  # noqa: E402

BIN, SAMPLES = map(pathlib.Path, sys.argv[1:3])


def one_process(archive, threads=1, streams=0):
    archive.node(0, "node")
    archive.process(0, 0)
    for thread in range(threads):
        archive.location(thread, 0)
    for stream in range(threads, threads + streams):
        archive.location(stream, 0, STREAM)


def spans(archive, location, *entries):
    """(time, name) enters, (time, "-" + name) leaves."""
    for time, name in entries:
        archive.event(location, time, "Leave" if name[0] == "-" else "Enter", archive.region(name.lstrip("-")))


def recorded(folder):
    """By name: visits, exclusive and inclusive ticks of all locations, elapsed ticks of all visits."""
    recording = Recording(Archive(folder))
    return {name: [*map(sum, zip(*figures.rows.values())), sum(map(sum, figures.elapsed.values()))]
            for name, figures in recording.regions.items()}


def renamed(archive):
    one_process(archive)
    spans(archive, 0, (10, "boot"), (20, "-solve"), (30, "main"), (40, "a"), (50, "-b"), (55, "b"), (57, "-b"),
          (60, "-a"), (70, "solve"), (100, "-boot"))


def crossed(archive):
    one_process(archive)
    spans(archive, 0, (0, "a"), (10, "b"), (30, "-a"), (60, "-b"))


def unbalanced(archive):
    one_process(archive, 2)
    for thread in range(2):
        spans(archive, thread, (0, "main"), (10, "a"), (20, "b"), *[(30, "-b")] * thread, (40, "-a"), (50, "-main"))


def overlapping(archive):
    one_process(archive, streams=1)
    spans(archive, 0, (0, "launch"), (1, "-launch"))
    spans(archive, 1, (0, "a"), (10, "b"), (20, "a"), (30, "-a"), (50, "-b"), (50, "z"), (50, "-z"), (70, "-a"),
          (80, "a"), (82, "b"), (84, "-b"), (90, "-a"))


def task(archive, location, time, kind, thread, generation):
    archive.event(location, time, f"ThreadTask{kind}", 0, thread, generation)


def team(archive, threads):
    one_process(archive, threads)
    archive.communicator(0, OPENMP, range(threads))
    archive.region("task", TASK, OPENMP)


def migrating(archive):
    """Two tasks of one thread's numbers; the first, with a region in it, goes on on the other thread."""
    team(archive, 2)
    spans(archive, 0, (0, "main"))
    spans(archive, 1, (0, "main"))
    task(archive, 0, 10, "Create", 0, 1)
    task(archive, 0, 12, "Create", 0, 2)
    task(archive, 1, 20, "Switch", 0, 1)
    spans(archive, 1, (22, "task"), (25, "inner"))
    task(archive, 1, 30, "Switch", 0, 2)
    spans(archive, 1, (33, "task"))
    task(archive, 0, 40, "Switch", 0, 1)
    spans(archive, 0, (44, "-inner"), (45, "-task"))
    task(archive, 0, 45, "Complete", 0, 1)
    spans(archive, 1, (50, "-task"))
    task(archive, 1, 50, "Complete", 0, 2)
    task(archive, 0, 60, "Switch", 0, 0)
    spans(archive, 0, (100, "-main"))
    spans(archive, 1, (90, "-main"))


def nodes_apart(archive):
    """Clocks of two nodes 1000 s apart, and drifting; a stream has the offsets of its process."""
    for rank in range(2):
        archive.node(rank, f"node {rank}")
        archive.process(rank, rank)
        archive.process(2 + rank, rank, ACCELERATOR, rank)
    for rank in range(2):
        archive.location(10 * rank, rank)
        archive.location(10 * rank + 1, 2 + rank, STREAM)
        apart = 1000 * rank * 2 * 10**9
        for location in (10 * rank, 10 * rank + 1):
            archive.clock(location, (apart, -apart), (apart + 10**9, -apart + 10**3 * rank))
        archive.region("kernel", paradigm=CUDA)
        spans(archive, 10 * rank, (apart + 1000, "main"), (apart + 500 * 10**6, "-main"))
        spans(archive, 10 * rank + 1, (apart + 1500, "kernel"), (apart + 90 * 10**6 + rank, "-kernel"))
    archive.communicator(0, MPI, [0, 10])


class Program:
    """A process of three threads and two streams that does whatever a recorder may write. `habits`: renames (Leaves
    name other regions), tasks, overlap (of kernels)."""

    THREADS, STREAMS = 3, 2

    def __init__(self, archive, seed, habits):
        self.archive, self.random, self.habits = archive, random.Random(seed), habits
        team(archive, self.THREADS)
        for stream in range(self.THREADS, self.THREADS + self.STREAMS):
            archive.location(stream, 0, STREAM)
        for location in range(self.THREADS + self.STREAMS):
            archive.clock(location, (0, -100), (10**4, 37))
        for name in "abcd":
            archive.region(name)
        self.open = {(thread, 0): [] for thread in range(self.THREADS)}  # by task
        self.running = [(thread, 0) for thread in range(self.THREADS)]
        self.kernels = [[] for _ in range(self.STREAMS)]
        self.time, self.generation = 1000, 0
        for thread in range(self.THREADS):
            self.enter(thread, "main")
        for _ in range(400):
            self.time += self.random.choice((0, 1, 1, 7, 100))
            self.step(self.random.randrange(self.THREADS))
            self.kernel(self.random.randrange(self.STREAMS))
        self.finish()

    def name(self):
        return self.random.choice("abcd")

    def enter(self, thread, name):
        self.open[self.running[thread]].append(name)
        spans(self.archive, thread, (self.time, name))

    def leave(self, thread):
        name = self.open[self.running[thread]].pop()
        is_other = "renames" in self.habits and self.random.random() < 0.1
        spans(self.archive, thread, (self.time, "-" + (self.name() if is_other else name)))

    def step(self, thread):
        here = self.running[thread]
        choice = self.random.randrange(10 if "tasks" in self.habits else 7)
        if choice < 4:
            self.enter(thread, self.name())
        elif choice < 7:
            if len(self.open[here]) > 1:
                self.leave(thread)
        elif choice < 8:
            self.generation += 1
            task(self.archive, thread, self.time, "Create", thread, self.generation)
            self.start(thread, (thread, self.generation))
        elif choice < 9 and here[1]:
            while self.open[here]:
                self.leave(thread)
            task(self.archive, thread, self.time, "Complete", *here)
            del self.open[here]
            self.switch(thread, (thread, 0))
        else:
            waiting = [key for key in self.open if key[1] and key not in self.running]
            self.switch(thread, self.random.choice(waiting + [(thread, 0)]))

    def start(self, thread, key):
        self.open[key] = []
        self.switch(thread, key)
        self.enter(thread, "task")

    def switch(self, thread, key):
        if self.running[thread] != key:
            task(self.archive, thread, self.time, "Switch", *key)
            self.running[thread] = key

    def kernel(self, stream):
        begun = self.kernels[stream]
        if begun and ("overlap" not in self.habits or self.random.random() < 0.5):
            name = begun.pop(self.random.randrange(len(begun)))
            spans(self.archive, self.THREADS + stream, (self.time, "-" + name))
        else:
            begun.append("kernel " + self.name())
            spans(self.archive, self.THREADS + stream, (self.time, begun[-1]))

    def finish(self):
        for key in [key for key in self.open if key[1]]:
            thread = next((thread for thread, running in enumerate(self.running) if running == key), 0)
            self.time += 5
            self.switch(thread, key)
            while self.open[key]:
                self.leave(thread)
            task(self.archive, thread, self.time, "Complete", *key)
            self.running[thread] = None
            self.switch(thread, (thread, 0))
        for thread in range(self.THREADS):
            while self.open[thread, 0]:
                self.time += 3
                self.leave(thread)
        for stream, begun in enumerate(self.kernels):
            while begun:
                spans(self.archive, self.THREADS + stream, (self.time, "-" + begun.pop()))


class RegionsTest(unittest.TestCase):
    def agree(self, folder):
        comparison = check_regions.Comparison(BIN, folder)
        self.assertEqual(comparison.problems, [])
        self.assertEqual(comparison.undefined, set())
        self.assertGreater(comparison.compared, 10)
        return comparison

    def test_samples(self):
        for archive in sorted(SAMPLES.glob("*/traces.otf2")):
            with self.subTest(archive.parent.name):
                self.agree(archive.parent)

    def test_renamed_while_open(self):
        with made(renamed) as folder:
            self.assertEqual(recorded(folder), {"boot": [1, 10, 10, 10], "main": [1, 18, 30, 30], "a": [1, 10, 10, 10],
                                                "b": [1, 2, 2, 2], "solve": [1, 30, 30, 30]})
            self.assertEqual(sum(place.renamed for place in self.agree(folder).recording.places.values()), 4)

    def test_crossed_leaves(self):
        with made(crossed) as folder:
            self.assertEqual(recorded(folder), {"a": [1, 40, 60, 60], "b": [1, 20, 20, 20]})
            self.agree(folder)

    def test_lost_leaves(self):
        """Times depend on what a Leave of another region means, numbers do not."""
        with made(unbalanced) as folder:
            comparison = check_regions.Comparison(BIN, folder)
            self.assertEqual(comparison.problems, [])
            self.assertEqual(len(comparison.undefined), 1)

    def test_overlapping_kernels(self):
        with made(overlapping) as folder:
            wanted = {"launch": [1] + 3 * [1], "a": [3] + 3 * [90], "b": [2] + 3 * [42], "z": [1, 0, 0, 0]}
            self.assertEqual(recorded(folder), wanted)
            self.agree(folder)

    def test_migrating_tasks(self):
        with made(migrating) as folder:
            # The first task runs for 8 and 5 ticks in its regions, the second one for 17.
            self.assertEqual(recorded(folder), {"main": [2, 155, 155, 190], "task": [2, 21, 30, 30],
                                                "inner": [1, 9, 9, 9]})
            self.assertEqual(self.agree(folder).recording.migrations, 1)

    def test_clocks_of_nodes(self):
        with made(nodes_apart, ticks=2 * 10**9) as folder:
            self.agree(folder)

    def test_whatever_a_recorder_may_write(self):
        for seed, habits in enumerate(((), ("renames",), ("overlap",), ("tasks",), ("renames", "tasks", "overlap"))):
            fill = functools.partial(Program, seed=seed, habits=habits)
            with self.subTest(habits=habits), made(fill, ticks=10**6) as folder:
                recording = self.agree(folder).recording
                self.assertEqual(recording.migrations > 0, "tasks" in habits)
                self.assertEqual(any(place.renamed for place in recording.places.values()), "renames" in habits)

    def test_clock_is_that_of_otf2_readers(self):
        for name in ("micro-omphyb-4", "micro-user-4"):
            archive = Archive(SAMPLES / name)
            ours, theirs = ({number: [] for number in archive.locations} for _ in range(2))
            for _, number, time, _ in archive.events():
                ours[number].append(archive.locations[number].clock.common(time))
            for line in printed(archive.anchor):
                words = line.split(None, 3)
                if line[0] not in " =\n" and len(words) > 2 and words[1].isdigit():
                    theirs[words[1]].append(int(words[2]))
            for number, times in ours.items():
                self.assertEqual(len(times), len(theirs[number]))
                self.assertLessEqual(max(abs(a - b) for a, b in zip(times, theirs[number])), 1)

    def test_mistakes_are_found(self):
        """One tick, one visit or one row that is off, told by a program in front of the tool."""
        with made(migrating) as folder, tempfile.TemporaryDirectory() as scratch:
            for tool, command, change in (
                    ("trace_inspect", "profile", "told['nodes'][0]['metrics'][0]['exclusive_groups'][0] += 1"),
                    ("trace_inspect", "profile", "told['nodes'][0]['metrics'][1]['exclusive_groups'][0] += 1e-9"),
                    ("trace_inspect", "profile", "told['nodes'][0]['metrics'][1]['inclusive_groups'][1] -= 1e-9"),
                    ("trace_inspect", "stats", "told['rows'][0]['calls'] += 1"),
                    ("trace_inspect", "stats", "told['rows'][0]['figures'][1]['max'] += 1e-9"),
                    ("trace_inspect", "stats", "told['backwards'] = 1"),
                    ("trace_convert", "csv", "lines[1] = lines[1].replace(',0,', ',2,', 1)"),
                    ("trace_convert", "csv", "del lines[2]")):
                with self.subTest(change):
                    before = check_regions.Comparison(BIN, folder).problems
                    after = check_regions.Comparison(self.changed(scratch, tool, command, change), folder).problems
                    self.assertNotEqual(before, after)

    @staticmethod
    def changed(scratch, tool, command, change):
        """A folder of tools, one of which changes what it tells."""
        for name in ("trace_inspect", "trace_convert"):
            path = pathlib.Path(scratch) / name
            if path.exists() or path.is_symlink():
                path.unlink()
            if name != tool:
                os.symlink(BIN.resolve() / name, path)
        edit = (f"told = json.loads(out)\n    {change}\n    out = json.dumps(told)" if tool == "trace_inspect" else
                f"path = sys.argv[-1] + '/regions.csv'\n    lines = open(path).readlines()\n    {change}\n"
                "    open(path, 'w').writelines(lines)")
        path = pathlib.Path(scratch) / tool
        path.write_text(f"#!{sys.executable}\nimport json, subprocess, sys\n"
                        f"out = subprocess.run([{str(BIN.resolve() / tool)!r}] + sys.argv[1:], check=True, "
                        "capture_output=True, text=True).stdout\n"
                        f"if {command!r} in sys.argv:\n    {edit}\nprint(out)\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return scratch


if __name__ == "__main__":
    if written_archive.library() is None:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
