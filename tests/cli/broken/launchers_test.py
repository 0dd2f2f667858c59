#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Processes that the launcher of another MPI library started must not each do the whole work."""

import os
import shutil

from tool_case import ToolCase, main

LAUNCHERS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
)


class Launchers(ToolCase):
    def run_as(self, names, rank, size, command):
        for name, value in zip(names, (rank, size)):
            os.environ[name] = str(value)
            self.addCleanup(os.environ.pop, name, None)
        return self.run_tool(command)

    def commands(self):
        archive = self.samples / "micro-user-4"
        return (["trace_compress", archive, "-o", "a.tfold"], ["trace_inspect", "profile", archive])

    def commands_of_one(self):
        archive = self.samples / "micro-user-4"
        yield ["trace_convert", archive, "--to", "text"]
        yield ["trace_convert", archive, "-f", "-o", "back.jsonl"]
        yield ["trace_convert", archive, "--anonymize", "-o", "public.tfold"]
        if (self.bin / "trace_scale").exists():
            yield ["trace_scale", "compare", archive, archive]

    def check_both_refused(self, names, command, reason):
        """The first one says why, the second one nothing, and neither leaves anything."""
        first = self.run_as(names, 0, 2, command)
        self.check_refused(command, first, 2, "started 2 processes", reason)
        second = self.run_as(names, 1, 2, command)
        self.assertEqual((second.returncode, second.stdout, second.stderr), (2, "", ""))
        self.assertEqual(self.entries(), [])

    def test_several_processes_alone_are_refused(self):
        for names in LAUNCHERS:
            for command in self.commands():
                self.check_both_refused(names, command, "another MPI library")
            for name in names:
                del os.environ[name]

    def test_tools_of_one_process_are_refused(self):
        for names in (*LAUNCHERS, ("PMI_RANK", "PMI_SIZE"), ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS")):
            for command in self.commands_of_one():
                self.check_both_refused(names, command, "works in one")
            for name in names:
                del os.environ[name]

    def test_one_process_is_none_too_many(self):
        for command in (*self.commands(), *self.commands_of_one()):
            self.assertEqual(self.run_as(LAUNCHERS[0], 0, 1, command).returncode, 0, command)

    def test_mpi_that_cannot_be_loaded_is_told(self):
        """Programs look for it in a place seen from theirs, so a copy of one finds what is put there."""
        found = list(self.bin.parent.glob("lib*/**/tracefold_world-*.so"))
        if not found:
            self.skipTest("built without MPI")
        tree = self.work / "tree"
        plugin = tree / found[0].relative_to(self.bin.parent)
        plugin.parent.mkdir(parents=True)
        plugin.write_text("no shared object")
        (tree / "bin").mkdir()
        for command in self.commands():
            shutil.copy(self.bin / command[0], tree / "bin")
            command[0] = tree / "bin" / command[0]
            first = self.run_as(LAUNCHERS[0], 0, 2, command)
            self.assertEqual((first.returncode, first.stdout), (1, ""))
            self.assertRegex(first.stderr, "^[^\n]*cannot load [^\n]*tracefold_world-[^\n]*; install [^\n]*\n$")
            second = self.run_as(LAUNCHERS[0], 1, 2, command)
            self.assertEqual((second.returncode, second.stdout, second.stderr), (1, "", ""))


if __name__ == "__main__":
    main()
