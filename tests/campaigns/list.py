# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import json
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time

from .common import FAILED, Archive, Campaign, Failure, print_head, print_row, run

INDEX = ".tracefold-index"
QUERIES = (("a condition", ("--where", "ranks>=16 and program~lu")), ("an order", ("--sort", "duration", "--reverse")),
           ("a structure", ("--like", None)), ("damaged files", ("--where", "state!=ok")))


def clocks():
    """Wall time, and processor time of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), used.ru_utime + used.ru_stime


def since(start):
    return [f"{now - before:.2f}" for now, before in zip(clocks(), start)]


class List(Campaign):
    """Index folders of many files, and measure queries.

The archives are folded and copied to --files names, of which every 100th is damaged: cut in half, or with a wrong byte. Each damaged file
must be a line with a reason, and the others as without index. Of several writers of one index that are started together, one is killed;
the index must then be complete, and without rests. A damaged index must be read as none.
"""

    name = "list"
    jobs = 0

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--files", type=int, default=10_000, metavar="N", help="(default: %(default)s)")
        parser.add_argument("--writers", type=int, default=4, metavar="N", help="of one index (default: %(default)s)")

    def run(self):
        print_head(["step", "files", "read", "seconds", "of a core"])
        with tempfile.TemporaryDirectory(prefix="campaign-", dir=self.options.work) as work:
            self.work = pathlib.Path(work)
            try:
                self.steps()
            except Failure as failure:
                print_row(["FAILED: " + str(failure), "", "", "", ""])
                return FAILED
        return 0

    def steps(self):
        sources = [path if path.is_file() else self.folded(path) for path in self.found()]
        many = self.work / "many"
        damaged = self.fill(many, sources, self.options.files)
        first = self.timed("index", many, "--threads", 1)
        self.expect(first["read"] == self.options.files, f"{first['read']} files were read")
        unreadable = {trace["file"] for trace in first["traces"] if trace["state"] != "ok"}
        self.expect(unreadable == damaged, f"not the damaged files: {sorted(unreadable ^ damaged)[:3]}")
        for name, query in QUERIES:
            words = [first["traces"][0]["file"] if word is None else word for word in query]
            self.expect(self.timed(f"query: {name}", many, *words)["read"] == 0, "the index was not used")
        some = many / "0"
        self.expect(self.listed(some, "--no-index")["traces"] == self.listed(some)["traces"], "the index has other fields")
        few = self.work / "few"
        self.fill(few, sources, max(self.options.files // 20, 100))
        self.write_together(few)
        self.damage(few / INDEX)
        self.expect(self.timed("damaged index", few)["traces"] == self.complete, "a damaged index changes fields")

    def folded(self, path):
        folder = self.work / path.name
        folder.mkdir()
        return Archive(path, self.options, folder).fold()

    def fill(self, folder, sources, files):
        """The paths of the damaged ones."""
        damaged = set()
        for number in range(files):
            path = folder / str(number % 100) / f"{number}.tfold"
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(sources[number % len(sources)], path)
            if number % 100 == 7:
                self.damage(path, cut=number % 200 == 7)
                damaged.add(str(path))
        return damaged

    @staticmethod
    def damage(path, cut=False):
        content = bytearray(path.read_bytes())
        # The last bytes of a file are the table of its sections.
        content[-random.Random(len(content)).randrange(2, 12)] ^= 0x55
        path.write_bytes(content[: len(content) // 2] if cut else content)

    def command(self, folder, *words):
        return [self.options.bin / "trace_inspect", "list", folder, "--json", *words]

    def listed(self, folder, *words):
        return json.loads(run(self.command(folder, *words), self.options.timeout).stdout)

    def timed(self, step, folder, *words):
        start = clocks()
        result = self.listed(folder, *words)
        print_row([step, len(result["traces"]), result["read"], *since(start)])
        return result

    def write_together(self, folder):
        start = clocks()
        with tempfile.TemporaryFile(dir=self.work) as unread:
            writers = [subprocess.Popen(self.command(folder), stdout=unread) for _ in range(self.options.writers)]
            time.sleep(0.05)
            writers[0].send_signal(signal.SIGKILL)
            codes = [writer.wait() for writer in writers]
        seconds = since(start)
        self.expect(not any(codes[1:]), f"exit codes {codes}")
        result = self.listed(folder)
        print_row([f"{len(writers)} writers, one killed", len(result["traces"]), result["read"], *seconds])
        self.expect(result["read"] == 0, "the index is not complete")
        rests = [path.name for path in folder.iterdir() if path.is_file() and path.name != INDEX]
        self.expect(not rests, f"left {rests}")
        self.complete = self.listed(folder, "--no-index")["traces"]
        self.expect(result["traces"] == self.complete, "the index has other fields")

    @staticmethod
    def expect(holds, problem):
        if not holds:
            raise Failure(problem)
