#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""On a disk that gets full, an output is whole or not there, and one sentence says why.

The disk is a tmpfs in a mount namespace of the test's own; without the right to mount one the test is skipped.
"""

import os
import subprocess
import sys

from outputs_test import OutputCommands
from tool_case import main

NAMESPACES = (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"])
IN_NAMESPACE = "TRACEFOLD_TEST_MAY_MOUNT"
SKIPPED = 77
DISK_KIBIBYTES = 4096
FREE_KIBIBYTES = (0, 4, 16, 64, 256)
# Files and folders that the disk has room for; its root is one of them.
MOST_FILES = (1, 2, 3, 4, 6, 8)


def enter_namespace():
    for words in NAMESPACES:
        probe = subprocess.run([*words, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
        if probe.returncode == 0:
            os.environ[IN_NAMESPACE] = "1"
            os.execvp(words[0], [*words, sys.executable, *sys.argv])
    print("no file system may be mounted here")
    sys.exit(SKIPPED)


class FullDiskTest(OutputCommands):
    def setUp(self):
        super().setUp()
        self.disk = self.work / "disk"
        self.disk.mkdir()

    def mount(self, options):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", self.disk], check=True)
        self.addCleanup(subprocess.run, ["umount", self.disk], check=True)

    def leave(self, kibibytes):
        """Fills the disk up to so much."""
        ballast = self.disk / "ballast"
        ballast.unlink(missing_ok=True)
        free = os.statvfs(self.disk)
        ballast.write_bytes(bytes(free.f_bavail * free.f_frsize - kibibytes * 1024))

    def write(self, command):
        """True if there was room. Otherwise nothing may be left."""
        before = self.entries()
        code, words = self.run_with(command, stdout=subprocess.DEVNULL)
        if code == 0:
            for path in set(self.entries()) - set(before):
                subprocess.run(["rm", "-rf", path], check=True)
            return True
        self.assertEqual((code, words.count("\n")), (1, 1), f"{command} {words}")
        self.assertEqual(self.entries(), before, command)
        return False

    def test_every_writer(self):
        self.mount(f"size={DISK_KIBIBYTES}k")
        for command in self.commands("disk/"):
            room = []
            for free in FREE_KIBIBYTES:
                self.leave(free)
                room.append(self.write(command))
            self.assertFalse(room[0], command)
            (self.disk / "ballast").unlink()
            self.assertTrue(self.write(command), command)

    def test_no_more_files(self):
        for most in MOST_FILES:
            self.mount(f"nr_inodes={most}")
            room = [self.write(command) for command in self.commands("disk/")]
            self.assertEqual(any(room), most > 1)
        self.assertFalse(all(room), "some outputs are many files")


if __name__ == "__main__":
    if IN_NAMESPACE not in os.environ:
        enter_namespace()
    main()
