# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tarfile

from .common import FAILED, ROOT, Campaign, path, print_head, print_row

FOLDER = ROOT / "tests/fuzz"
SMALL_BYTES, SMALL_INPUT = 120_000, 4096  # of a target's inputs in the tree, and of one of them
# libotf2 asks for as much memory as a damaged file claims, and copes without it.
OPTIONS = ("detect_leaks=0", "detect_leaks=0:allocator_may_return_null=1")
TARGETS = sorted(source.stem.removeprefix("fuzz_") for source in FOLDER.glob("fuzz_*.cpp"))


class Fuzz(Campaign):
    """Drive the fuzz targets by libFuzzer, and count what they execute.

The build is that of the preset `fuzz`. A target begins with seeds made of sample_traces, with tests/fuzz/corpus.tar.gz and what
earlier runs have kept in --corpus; new inputs that reach new code are kept there. An input that ends a target is kept in
the same folder, and is a failure. --pack writes the smallest inputs that reach most of the code back to corpus.tar.gz.
"""

    name = "fuzz"
    archives = False

    @classmethod
    def add_options(cls, parser):
        parser.set_defaults(bin=ROOT / "build/fuzz/bin")
        parser.add_argument("--targets", nargs="+", choices=TARGETS, default=TARGETS, metavar="TARGET", help=", ".join(TARGETS))
        parser.add_argument("--seconds", type=int, default=60, help="of a target (default: %(default)s)")
        parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="targets at a time")
        parser.add_argument("--corpus", type=path, required=True, metavar="FOLDER", help="inputs that are kept")
        parser.add_argument("--pack", action="store_true", help="write corpus.tar.gz")

    def run(self):
        self.corpus = self.options.corpus
        seeds = self.corpus / "seeds"
        samples = [ROOT / "sample_traces" / name for name in ("micro-anysrc-4", "micro-user-4", "micro-rma-4")]
        subprocess.run([self.options.bin / "fuzz_seeds", seeds, *samples], check=True)
        with tarfile.open(FOLDER / "corpus.tar.gz") as packed:
            packed.extractall(self.corpus)
        failures = 0
        print_head(["target", "executions", "a second", "edges", "inputs kept", "failures"])
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for cells in pool.map(self.drive, self.options.targets):
                failures += cells[-1]
                print_row(cells)
        if self.options.pack:
            self.pack()
        return FAILED if failures else 0

    def drive(self, target):
        kept = self.corpus / "corpus" / target
        kept.mkdir(parents=True, exist_ok=True)
        seeds = self.corpus / "seeds" / ("trace_file" if target == "analyses" else target)
        words = FOLDER / f"{target}.dict"
        with open(self.corpus / f"{target}.log", "w", encoding="utf-8") as log:
            done = subprocess.run(
                [self.options.bin / f"fuzz_{target}", f"-max_total_time={self.options.seconds}", "-print_final_stats=1",
                 "-timeout=20", "-rss_limit_mb=4096", f"-malloc_limit_mb={1 << 24 if target == 'readers' else 4096}",
                 f"-artifact_prefix={self.corpus}/{target}-", *([f"-dict={words}"] if words.exists() else []), kept, *([seeds] if seeds.exists() else [])],
                stdout=log, stderr=subprocess.STDOUT, check=False,
                env={**os.environ, "ASAN_OPTIONS": OPTIONS[target == "readers"], "TMPDIR": "/dev/shm"})
        text = log_text(self.corpus / f"{target}.log")
        executed = number(text, r"number_of_executed_units: (\d+)")
        if done.returncode:
            print(f"{target}: exit code {done.returncode}: {text[-1500:]}", file=sys.stderr, flush=True)
        return [target, executed, executed // max(1, self.options.seconds), number(text, r"cov: (\d+)"),
                len(os.listdir(kept)), int(done.returncode != 0)]

    def pack(self):
        """Of each target the inputs that libFuzzer's merge chooses, the small ones first, up to a size."""
        with tarfile.open(FOLDER / "corpus.tar.gz", "w:gz") as packed:
            for target in TARGETS:
                kept, small = self.corpus / "corpus" / target, self.corpus / "small" / target
                shutil.rmtree(small, ignore_errors=True)
                small.mkdir(parents=True)
                if not kept.exists():
                    continue
                subprocess.run([self.options.bin / f"fuzz_{target}", "-merge=1", f"-max_len={SMALL_INPUT}", small, kept],
                               check=True, capture_output=True, env={**os.environ, "ASAN_OPTIONS": OPTIONS[target == "readers"]})
                room = SMALL_BYTES
                for source in sorted(small.iterdir(), key=lambda one: (one.stat().st_size, one.name)):
                    room -= source.stat().st_size
                    if room < 0:
                        break
                    packed.add(source, f"corpus/{target}/{source.name[:12]}", filter=without_owner)


def without_owner(info):
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = ""
    return info


def log_text(log):
    return log.read_text(encoding="utf-8", errors="replace")


def number(text, pattern):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0
