# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import os
import pathlib
import random
import shutil
import socket
import struct
import subprocess
import tempfile

from .common import FAILED, Campaign, path, print_head, print_row
from .kill import content_of

KINDS = ("memory", "mapping", "thread")
COMMANDS = (
    ["trace_compress", "ARCHIVE", "-o", "place/out.tfold"],
    ["trace_compress", "--timing", "histogram", "--threads", "2", "ARCHIVE", "-o", "place/out.tfold"],
    ["trace_convert", "run.tfold", "--to", "otf2", "-o", "place/out"],
    ["trace_convert", "run.tfold", "--to", "prv", "-o", "place/out.prv"],
    ["trace_convert", "run.tfold", "--ranks", "0-1", "-o", "place/out.tfold"],
    ["trace_inspect", "report", "run.tfold", "-o", "place/out.html"],
    ["trace_inspect", "check", "run.tfold"],
    ["trace_inspect", "efficiency", "run.tfold", "--json"],
    ["trace_inspect", "predict", "run.tfold", "--network", "infiniband"],
    ["trace_replay", "run.tfold", "--kit", "place/out.tar.gz"],
    ["trace_inspect", "serve", "run.tfold"],  # to /dev/full: ends when it cannot print its address
)


class Server:
    """A tool that runs one command again and again, each time with another request that fails."""

    def __init__(self, command, tools, library, work):
        self.words = work / "words"
        own, other = socket.socketpair()
        self.code = 1 if "serve" in command else 0  # if nothing fails
        place = "/dev/full" if self.code else "/dev/null"
        with other, open(self.words, "w", encoding="ascii") as words, open(place, "w", encoding="ascii") as out:
            self.process = subprocess.Popen(
                [str(tools / command[0]), *map(str, command[1:])], cwd=work, stdin=subprocess.DEVNULL, stdout=out,
                stderr=words, pass_fds=[other.fileno()],
                env={**os.environ, "LD_PRELOAD": str(library), "FAIL_MEMORY": str(other.fileno()),
                     "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0:allocator_may_return_null=1"})
        self.socket = own

    def run(self, kind, number):
        """Exit code (negative: a signal), requests of the kind, whether the failing one is a library's, and the words."""
        os.truncate(self.words, 0)
        self.socket.sendall(struct.pack("=ii", KINDS.index(kind), number))
        status, requests, of_library = struct.unpack("=iii", self.socket.recv(12, socket.MSG_WAITALL))
        return os.waitstatus_to_exitcode(status), requests, of_library, self.words.read_text(errors="replace").lstrip("\0")

    def close(self):
        self.socket.close()
        self.process.wait()


class Memory(Campaign):
    """Let each request for memory, a mapping or a thread fail in turn, and check what the tools say and leave.

For each command, request number 1, 2, 3... fails, once. The command must end with exit code 0 and the right output, or with exit
code 1, one sentence and no output. Requests of libotf2 or libzstd after which they crash, or libotf2 goes on without a property
of the archive, are counted apart. --count limits the requests of a command and kind: the first and others at random are tried.
"""

    name = "memory"
    jobs = 0

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--library", type=path, required=True, help="libfail_memory.so of the build")
        parser.add_argument("--count", type=int, default=0, help="requests of a command and kind (default: all)")
        parser.add_argument("--seed", default="1")

    def run(self):
        draw = random.Random(self.options.seed)
        failures = 0
        print_head(["command", "kind", "requests", "tried", "done all the same", "in libraries", "failures"])
        with tempfile.TemporaryDirectory(prefix="tracefold-memory-", dir=self.options.work) as folder:
            self.work = pathlib.Path(folder)
            (self.work / "place").mkdir()
            archive = self.found()[0]
            subprocess.run([self.options.bin / "trace_compress", "-q", archive, "-o", self.work / "run.tfold"], check=True)
            for command in COMMANDS:
                if not (self.options.bin / command[0]).exists():
                    continue
                server = Server([archive if word == "ARCHIVE" else word for word in command], self.options.bin,
                                self.options.library, self.work)
                for kind in KINDS:
                    failures += self.try_kind(server, " ".join(command), kind, draw)
                server.close()
        return FAILED if failures else 0

    def outputs(self):
        place = self.work / "place"
        made = {path.name: content_of(path) for path in sorted(place.iterdir())}
        for path in place.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return made

    def try_kind(self, server, command, kind, draw):
        code, requests, _, words = server.run(kind, 0)
        right = self.outputs()
        if code != server.code:
            print(f"{command}: exit code {code}: {words}")
            return 1
        numbers = range(1, requests + 1)
        if self.options.count and requests > self.options.count:
            first = self.options.count // 2
            numbers = [*range(1, first + 1), *sorted(draw.sample(range(first + 1, requests + 1), self.options.count - first))]
        done = failures = foreign = 0
        for number in numbers:
            code, _, of_library, words = server.run(kind, number)
            made = self.outputs()
            if code == 0:
                done += 1
                wrong = "" if made == right else "another output"
            else:
                wrong = (f"exit code {code}" if code != 1 else f"left {', '.join(made)}" if made else
                         "" if words.count("\n") == 1 and ": error: " in words else "no single sentence")
            if wrong and of_library and not (code == 1 and made):
                foreign += 1
            elif wrong:
                failures += 1
                print(f"{command}, {kind} {number}: {wrong}: {words.strip()[-300:]}", flush=True)
        print_row([command, kind, requests, len(numbers), done, foreign, failures])
        return failures
