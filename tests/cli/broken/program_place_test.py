#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parts of the programs are found from where these are, and nowhere where the system does not tell that.

The last argument is the library that lets calls fail (tests/support/fail_call.c).
"""

import os
import pathlib
import sys

from tool_case import ToolCase, main

FAIL_CALL = pathlib.Path()


class ProgramPlace(ToolCase):
    def test_nothing_is_found_from_the_current_folder(self):
        archive = self.samples / "micro-user-4"
        plugins = list(self.bin.parent.glob("lib*/**/tracefold_world-*.so"))
        commands = [["trace_compress", archive, "-o", "a.tfold"], ["trace_inspect", "profile", archive]]
        if not plugins:
            self.skipTest("built without MPI")
        # A folder below which relative places would be those of the program.
        for name in ("bin", "share/tracefold"):
            (self.work / name).mkdir(parents=True)
        (self.work / "share/tracefold/replay-kit.tar.gz").write_bytes(b"foreign")
        for plugin in plugins:
            place = self.work / plugin.relative_to(self.bin.parent)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(b"foreign")
        self.succeeds(["trace_compress", "-q", archive, "-o", "run.tfold"])
        top = self.work
        self.work = top / "bin"
        os.environ.update(LD_PRELOAD=str(FAIL_CALL), FAIL_CALL="readlink", FAIL_NUMBER="0", FAIL_NOTE=str(top / "note"),
                          PMI_RANK="0", PMI_SIZE="1")
        for name in ("LD_PRELOAD", "FAIL_CALL", "FAIL_NUMBER", "FAIL_NOTE", "PMI_RANK", "PMI_SIZE"):
            self.addCleanup(os.environ.pop, name, None)
        for command in commands:
            self.fails(command, "the system does not tell where this program is")
        if (self.bin / "trace_replay").exists():
            for name in ("PMI_RANK", "PMI_SIZE"):
                del os.environ[name]
            self.fails(["trace_replay", "../run.tfold", "--kit", "kit.tar.gz"],
                       "the system does not tell where this program is")


if __name__ == "__main__":
    FAIL_CALL = pathlib.Path(sys.argv.pop()).resolve()
    main()
