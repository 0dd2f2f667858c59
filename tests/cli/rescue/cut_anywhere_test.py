#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Cuts a file of an archive at one byte after the other and rescues what is left.

Every time no tool may crash, the file that is restored must begin with the very bytes of all
records before the cut, and otf2-print must read the restored archive without complaint.

usage: cut_anywhere_test.py --bin FOLDER --archive FOLDER --file PATH [--step N]
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import limits  # noqa: E402
from raw_records import HEADER, kept, record_ends

OK, DIFFERENCE = 0, 3


class Failure(Exception):
    pass


def run(*command, allowed=(OK,), quiet=False):
    result = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                            capture_output=True, timeout=limits.seconds(100), check=False)
    if result.returncode not in allowed or (quiet and result.stderr):
        raise Failure(f"{command[0]}: exit code {result.returncode}: {result.stderr[:300]}")
    return result


class Cuts:
    def __init__(self, options, work):
        self.bin, self.archive, self.file = options.bin, options.archive, options.file
        self.work = work
        self.content = (self.archive / self.file).read_bytes()
        self.events = self.file.suffix == ".evt"
        self.ends = record_ends(self.content, self.events)

    def sizes(self, step):
        whole = len(self.content) - 1  # the last byte is an end mark that nobody needs
        return sorted(set(range(0, whole, step)) | {0, 1, HEADER, whole - 1})

    def check(self, size):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        try:
            self.rescue(folder, size)
            return None
        except Failure as failure:
            return f"{self.file} cut to {size} bytes: {failure}"
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def rescue(self, folder, size):
        damaged, packed, restored = folder / "cut", folder / "cut.tfold", folder / "back"
        shutil.copytree(self.archive, damaged)
        (damaged / self.file).write_bytes(self.content[:size])
        result = run(self.bin / "trace_compress", "--rescue", damaged, "-o", packed)
        if b"warning" not in result.stderr:
            raise Failure("there is no warning")
        for command in ("info", "stats", "structure"):
            run(self.bin / "trace_inspect", command, packed)
        run(self.bin / "trace_inspect", "check", packed, allowed=(OK, DIFFERENCE))
        run(self.bin / "trace_convert", packed, "--to", "otf2", "-o", restored)
        self.compare((restored / self.file).read_bytes(), size)
        if not list(restored.glob("traces/*.evt")):
            raise Failure("the events are gone")
        print_all = run("otf2-print", restored / "traces.otf2", quiet=True)
        run("otf2-print", "-G", restored / "traces.otf2", quiet=True)
        if b"ENTER" not in print_all.stdout:
            raise Failure("otf2-print finds no events")

    def compare(self, restored, size):
        records, end = kept(self.ends, size)
        start = HEADER if self.events else 0  # the header has the number of events
        if end and restored[start:end] != self.content[start:end]:
            raise Failure(f"not all of the {records} records before the cut came back")
        inferred = self.file.name == "traces.def" and len(restored) > max(end, HEADER) + 2
        if not inferred and len(restored) != max(end, HEADER) + 2:
            raise Failure(f"{len(restored)} bytes came back, but {records} records end at {end}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--archive", type=pathlib.Path, required=True)
    parser.add_argument("--file", type=pathlib.Path, required=True)
    parser.add_argument("--step", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tracefold-cut-") as work:
        cuts = Cuts(options, work)
        sizes = cuts.sizes(options.step)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            failures = [text for text in pool.map(cuts.check, sizes) if text]
    for text in failures[:20]:
        print(text, file=sys.stderr)
    print(f"{len(sizes)} cuts, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
