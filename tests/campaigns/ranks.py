# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import os
import pathlib
import resource
import subprocess
import tempfile

from .common import FAILED, ROOT, Campaign, path, print_head, print_row, series_in

# With the dimensions of their process grids.
SERIES = {"made-grid1d-s20": 1, "stencil2d9p-n16-s20": 2, "lulesh-s3-i4": 3}
EXTRAPOLATE = "trace_scale extrapolate -q -f RUNS --ranks N -o FILE"
COMMANDS = [*(f"trace_inspect {words} FILE" for words in (
    "info", "structure", "structure --json", "matrix", "sizes", "classes --threads 1", "graph --format json --threads 1",
    "stats --threads 1", "system", "diff FILE", "check --threads 1")),
    "trace_convert -q --to tfold --ranks 0-9 -o FILE.cut -f FILE"]


class Ranks(Campaign):
    """Measure commands on runs that are extrapolated to many ranks.

Each number of ranks stands for the largest line, square or cube that it has room for. Cells have the processor seconds and
the peak memory of one thread, or the exit code of a command that fails: the campaign then has exit code 3.
"""

    name = "ranks"
    archives = False

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--ranks", type=int, nargs="+", default=[4096, 65536], metavar="N")
        parser.add_argument("--series", nargs="+", choices=SERIES, default=list(SERIES), metavar="NAME")
        parser.add_argument("--folder", type=path, default=ROOT / "sample_traces/scaling", help="of files NAME-RANKS.tfold")
        parser.add_argument("--only", nargs="+", metavar="WORD", help="commands with one of these words")
        parser.add_argument("--gigabytes", type=int, default=12, metavar="N", help="of a command at most (default: %(default)s)")

    def run(self):
        self.failed = False
        runs = series_in(self.options.folder.glob("*.tfold"))
        with tempfile.TemporaryDirectory(prefix="tracefold-ranks-") as work:
            for name in self.options.series:
                sizes = [int(size ** (1 / SERIES[name]) + 1e-6) ** SERIES[name] for size in self.options.ranks]
                print_head([name, *(f"{size:,}" for size in sizes)])
                training = [str(run) for _, run in runs[name]]
                for command in [EXTRAPOLATE, *COMMANDS]:
                    if command == EXTRAPOLATE or not self.options.only or set(self.options.only) & set(command.split()):
                        print_row([f"`{' '.join(command.split()[:-1])}`", *(
                            self.cost(command, pathlib.Path(work) / f"{name}-{size}.tfold", training, size) for size in sizes)])
        return FAILED if self.failed else 0

    def cost(self, command, file, training, size):
        words = command.replace("RUNS", " ".join(training)).replace("FILE", str(file)).replace(" N ", f" {size} ").split()
        words[0] = str(self.options.bin / words[0])
        # pylint: disable-next=consider-using-with,subprocess-popen-preexec-fn
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=self.limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            self.failed = True
            return f"exit code {child.returncode}"
        return f"{usage.ru_utime + usage.ru_stime:.2f} s, {usage.ru_maxrss / 1000:.0f} MB"

    def limit(self):
        resource.setrlimit(resource.RLIMIT_AS, (self.options.gigabytes << 30,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(self.options.timeout),) * 2)
