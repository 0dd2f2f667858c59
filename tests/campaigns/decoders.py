# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import collections
import contextlib
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

from .common import FAILED, PATIENCE, ROOT, Campaign, print_head, print_row
from .hostile import Bases, Inputs

SECONDS, BYTES = 2, 2 << 30
UNDECIDED = "no end"


def accepted(result):
    return result is not None and result != UNDECIDED


class Decoders(Campaign):
    """Read changed folded files by the library and by tests/decoder/decode.py, which share no code.

Both accept a file, and print the same records, definitions and carried files, or both refuse it. The library may refuse more:
it checks counts, limits and relations of records before it unfolds anything, where the decoder finds nothing wrong in what
it prints. The changes are those of the campaign `hostile`, of files without compression; the seed and the number of
an input determine it. Not judged are files for which the decoder needs more than 2 s or 2 GB.
"""

    name = "decoders"
    jobs = 0

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--support", type=pathlib.Path, required=True, metavar="FOLDER",
                            help="of hostile_files in a build folder (tests/cli/broken)")
        parser.add_argument("--count", type=int, default=1000, help="inputs (default: %(default)s)")
        parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first input")
        parser.add_argument("--seed", default="1")

    def run(self):
        sys.path.insert(0, str(ROOT / "tests/decoder"))
        import decode
        self.decode = decode
        options = self.options
        counts, failures = collections.Counter(), 0
        with tempfile.TemporaryDirectory(prefix="tracefold-decoders-", dir=options.work or "/dev/shm") as folder:
            self.work = pathlib.Path(folder)
            bases = Bases(options, self.found(), self.work)
            bases.folded = bases.plain  # the models take a minute in Python
            inputs = Inputs(bases, self.work)
            kinds = [kind for kind in sorted(inputs.classes) if kind.startswith("folded") and kind != "folded, bytes"]
            for number in range(options.first, options.first + options.count):
                draw = random.Random(f"{options.seed} {number}")
                kind = draw.choice(kinds)
                inputs.classes[kind](draw)
                outcome = self.outcome()
                counts[kind, outcome] += 1
                if outcome in ("others", "decoder refuses"):
                    failures += 1
                    print(f"{number}: {kind}: {outcome}: {self.words}", flush=True)
        outcomes = ("same", "both refuse", "library refuses", "decoder refuses", "others", UNDECIDED)
        print_head(["changed", *outcomes])
        for kind in kinds:
            print_row([kind, *(counts[kind, outcome] for outcome in outcomes)])
        return FAILED if failures else 0

    def outcome(self):
        self.words = ""
        listed, decoded = self.listed(), self.decoded()
        if decoded == UNDECIDED:
            return UNDECIDED if accepted(listed) else "both refuse"
        if not accepted(listed):
            return "library refuses" if accepted(decoded) else "both refuse"
        if not accepted(decoded):
            return "decoder refuses"
        return "same" if listed == decoded else "others"

    def listed(self):
        """What the library prints; None if it refuses the file."""
        done = subprocess.run([self.options.bin / "list_records", self.work / "a.tfold", "all"], capture_output=True,
                              timeout=60 * PATIENCE, check=False)
        return done.stdout if done.returncode == 0 else None

    def decoded(self):
        """The same by the decoder, in a process with limits."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            self.print_decoded(os.fdopen(writer, "w"))
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            text = pipe.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code == 1:
            self.words = text.decode(errors="replace").rsplit("\n", 1)[-1]
        return text if code == 0 else None if code == 1 else UNDECIDED

    def print_decoded(self, out):
        """Ends the process: 0, 1 if the file is refused, something else without time or memory."""
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * PATIENCE, SECONDS * PATIENCE))
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        code = 0
        try:
            with contextlib.redirect_stdout(out):
                self.decode.print_all(self.decode.Trace(self.work / "a.tfold"))
        except (MemoryError, RecursionError):
            code = 2
        except Exception as error:  # the decoder is no product: any error is a refusal
            out.write(f"\n{type(error).__name__}: {error}")
            code = 1
        with contextlib.suppress(OSError):
            out.flush()
        os._exit(code)
