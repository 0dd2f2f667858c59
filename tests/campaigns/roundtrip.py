# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import filecmp
import itertools

from .common import Campaign, Failure, run

RECORDS = ["otf2-print", "-A", "-M", "-C"]


class RoundTrip(Campaign):
    """Compress and restore archives with several numbers of processes and threads; nothing may be lost.

All folded files of an archive must be the same bytes. Each restored archive must equal the original, every file (diff -r;
archives of OTF2 3 only) and all records (otf2-print -A -M -C).
"""

    name = "roundtrip"
    programs = ("otf2-print",)
    columns = ("files compared", "archives compared")
    jobs = 1
    launcher = True

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4, 5], metavar="N")
        parser.add_argument("--threads", type=int, nargs="+", default=[1, 3], metavar="N", help="of a process by itself")

    def check(self, archive):
        first = archive.work / "first.tfold"
        compress = [self.options.bin / "trace_compress", "-q", "-f", "--with-extra-files", archive.path, "-o"]
        for count in self.options.processes:
            file = archive.file if first.exists() else first
            archive.launch(count, [*compress, file])
            if not filecmp.cmp(first, file, shallow=False):
                raise Failure(f"another file with {count} processes")
        for count in self.options.threads:
            run([*compress, archive.file, "--threads", count], self.options.timeout)
            if not filecmp.cmp(first, archive.file, shallow=False):
                raise Failure(f"another file with {count} threads")
        for count in self.options.threads:
            self.check_restored(archive, count)
        return len(self.options.processes) + len(self.options.threads), len(self.options.threads)

    def check_restored(self, archive, threads):
        back, _ = archive.convert("otf2", "--threads", threads)
        if archive.info["archive"]["otf2_version"].startswith("3."):
            run(["diff", "-r", archive.path, back], self.options.timeout)
        printed = [run([*RECORDS, next(folder.glob("*.otf2"))], self.options.timeout, None) for folder in (archive.path, back)]
        lines = [(result.stdout + result.stderr.replace(str(folder), "")).splitlines()
                 for result, folder in zip(printed, (archive.path, back))]
        for old, new in itertools.zip_longest(*lines):
            if old != new:
                raise Failure(f"otf2-print: {old} is restored as {new}")
