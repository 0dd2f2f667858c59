#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Options and exit codes of a proxy program, and those of its conversion.

usage: proxy_program_test.py BIN SAMPLES MPICC MPIEXEC -n
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

RANKS = "4"


class Bench:
    def __init__(self, tools, samples, compiler, launcher, work):
        self.tools, self.samples, self.compiler = pathlib.Path(tools), pathlib.Path(samples), compiler
        self.launcher, self.work = launcher, pathlib.Path(work)
        self.failures = []

    def expect(self, what, command, code, words=()):
        """Runs a command, which must end with the code and print the words; returns its output."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                              timeout=limits.seconds(60))
        said = done.stdout + done.stderr
        if done.returncode != code or not all(word in said for word in words):
            self.failures.append(f"{what}: exit code {done.returncode}, not {code}, or without {words}:\n{said}")
        return said

    def convert(self, sample, code, *options):
        source = self.work / f"{sample}.c"
        self.expect(f"conversion of {sample} {options}", [self.tools / "trace_convert", self.samples / sample, "--to", "c",
                                                          "-f", "-o", source, *options], code)
        return source

    def build(self, source):
        program = source.with_suffix("")
        self.expect("compilation", [self.compiler, "-std=c99", "-Wall", "-Werror", source, "-o", program], 0)
        return program

    def run(self, what, program, code, *options, ranks=RANKS, words=()):
        return self.expect(what, [*self.launcher, ranks, program, *options], code, words)


def check(bench):
    source = bench.convert("micro-pcoll-4", 3)
    bench.convert("micro-pcoll-4", 0, "--allow-left-out")
    program = bench.build(source)
    said = bench.run("--help", program, 0, "--help", ranks="1", words=("--repeat", "--json", "--scratch"))
    for option in ("--repeat=2", "--repeat", "--unknown"):
        bench.run(option, program, 2, option, words=("usage:",))
    for option in (("--repeat", "0"), ("--warmup", "-1"), ("--scale", "x"), ("--repeat", "3x")):
        bench.run(" ".join(option), program, 2, *option, words=("usage:",))
    bench.run("three ranks", program, 2, ranks="3", words=("needs 4 ranks, not 3",))
    bench.run("no report", program, 1, "--json", bench.work / "none/report.json", words=("cannot write",))
    bench.run("left out", program, 3, words=("repetition 1: ", "left out: 4 MPI_Allreduce_init", "(that of the trace)"))
    report = bench.work / "report.json"
    said = bench.run("repetitions", program, 0, "--allow-left-out", "--repeat", "2", "--warmup", "1", "--json", report)
    if said.count("repetition ") != 2:
        bench.failures.append(f"two repetitions with a warm-up print: {said}")
    document = json.loads(report.read_text(encoding="utf-8"))
    if (document["repetitions"]["count"], document["warmup"], document["options"]["unsupported"]) != (2, 1, "skip"):
        bench.failures.append(f"the report has {document}")
    if len({document["fingerprint"][of] for of in ("issued", "expected", "trace")}) != 1:
        bench.failures.append(f"the report has {document['fingerprint']}")
    other = bench.work / "other.c"
    text = source.read_text(encoding="utf-8")
    other.write_text(text.replace(" Barrier(WORLD)", " Barrier(SELF)"), encoding="utf-8")
    bench.run("another call", bench.build(other), 3, "--allow-left-out", words=("(differs)",))
    files = bench.build(bench.convert("micro-mpiio-4", 0))
    bench.run("no scratch folder", files, 1, "--scratch", bench.work / "none", words=("name another folder with --scratch",))


def main():
    tools, samples, compiler, *launcher = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="tracefold-proxy-") as work:
        bench = Bench(tools, samples, compiler, launcher, work)
        check(bench)
    print("\n".join(bench.failures))
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
