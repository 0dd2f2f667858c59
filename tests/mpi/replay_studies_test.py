#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Replays on more processes than ranks, in other orders of ranks, and with buffers of devices.

usage: replay_studies_test.py BIN SAMPLES RUNTIMES MPIEXEC -n
(RUNTIMES: the folder with libcudart.so and libamdhip64.so of tests/support/device_runtime.c)
"""

import collections
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

RANKS = 4


class Studies:
    def __init__(self, tools, samples, runtimes, launcher, work):
        self.replayer, self.runtimes, self.launcher, self.work = tools / "trace_replay", runtimes, launcher, work
        self.trace, self.files = work / "run.tfold", work / "files.tfold"
        self.found = []
        for archive, trace in (("micro-stencil2d9p-isend-4", self.trace), ("micro-mpiio-4", self.files)):
            subprocess.run([tools / "trace_compress", "-q", samples / archive, "-o", trace], check=True)
        self.fingerprint = subprocess.run([self.replayer, self.trace, "--fingerprint"], capture_output=True, text=True,
                                          check=True).stdout.strip()

    def run(self, *options, processes=RANKS, trace=None, **environment):
        report = self.work / "report.json"
        report.unlink(missing_ok=True)
        result = subprocess.run(
            [*self.launcher, str(processes), self.replayer, trace or self.trace, "--verify", "--report", report,
             "--timeout", f"{limits.seconds(20)}s", *options],
            capture_output=True, text=True, check=False, timeout=limits.seconds(60), env={**os.environ, **environment})
        return result, json.loads(report.read_text()) if report.exists() else None

    def expect_replay(self, what, mapping, idle, *options, **more):
        result, report = self.run(*options, **more)
        if result.returncode != 0 or report is None:
            self.found.append(f"{what}: exit code {result.returncode}: {result.stderr}")
            return None
        environment = report["environment"]
        if (environment["rank_mapping"], environment["idle_processes"]) != (mapping, idle):
            self.found.append(f"{what}: {environment}")
        if report["verified"]["fingerprint"] != self.fingerprint or report["ranks"] != RANKS:
            self.found.append(f"{what}: {report['verified']}, {report['ranks']} ranks")
        if (mapping, idle) != ("given", 0) and f"rank mapping: {mapping}; idle processes: {idle}" not in result.stdout:
            self.found.append(f"{what}: the text does not tell the mapping: {result.stdout}")
        if "issued: " not in result.stdout:
            self.found.append(f"{what}: nothing printed: {result.stdout}")
        return report

    def expect_refusal(self, what, words, *options, **more):
        result, _ = self.run(*options, **more)
        told = [line for line in result.stderr.splitlines() if "trace_replay: error: " in line]
        if result.returncode == 0 or len(told) != 1 or words not in told[0]:
            self.found.append(f"{what}: exit code {result.returncode}, not one sentence with {words}:\n{result.stderr}")

    def check_mappings(self):
        nodes = self.work / "nodes"
        nodes.write_text(f"{platform.node()}\n" * RANKS)
        self.expect_replay("as many", "given", 0)
        self.expect_replay("too many", "given", 3, processes=RANKS + 3)
        self.expect_replay("blocks", "blocks", 1, "--rank-mapping", "blocks", processes=RANKS + 1)
        self.expect_replay("in turn", "round-robin", 0, "--rank-mapping", "round-robin")
        self.expect_replay("nodes", "file", 2, "--nodes-file", nodes, processes=RANKS + 2)
        nodes.write_text(f"{platform.node()}\nnowhere\n" * 2)
        self.expect_refusal("no such node", "rank 1 on nowhere, where no process is left", "--nodes-file", nodes)
        nodes.write_text("one two")
        self.expect_refusal("wrong number", "names 2 nodes, but the trace has 4 MPI ranks", "--nodes-file", nodes)
        self.expect_refusal("no file", "missing", "--nodes-file", "missing")
        self.expect_refusal("excluding", "--rank-mapping", "--nodes-file", nodes, "--rank-mapping", "blocks")

    def check_buffers(self):
        found = {"LD_LIBRARY_PATH": f"{self.runtimes}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
        for place, prefix, allocate in (("cuda", "cuda", "Malloc"), ("hip", "hip", "Malloc"),
                                        ("managed", "cuda", "MallocManaged")):
            log = self.work / f"{place}.log"
            report = self.expect_replay(place, "given", 0, "--buffers", place, DEVICE_LOG=str(log), **found)
            if report is None:
                continue
            if report["options"]["buffers"] != place:
                self.found.append(f"{place}: {report['options']}")
            calls = [line.split() for line in log.read_text().splitlines()]
            counts = collections.Counter(name for name, _, _ in calls)
            wanted = {f"{prefix}SetDevice": RANKS, f"{prefix}{allocate}": 2 * RANKS, f"{prefix}Memcpy": 2 * RANKS,
                      f"{prefix}Free": 2 * RANKS}
            if counts != wanted:
                self.found.append(f"{place}: {counts}, not {wanted}")
            devices = collections.Counter(device for name, _, device in calls if name.endswith("SetDevice"))
            if devices != {"0": 2, "1": 2}:
                self.found.append(f"{place}: devices {devices}")
        # A machine may have a runtime, but no device, or (then these cases say nothing) both.
        for place in ("cuda", "hip", "managed"):
            result, _ = self.run("--buffers", place)
            if result.returncode != 0:
                self.expect_refusal(f"no {place}", "device buffers need ", "--buffers", place)
        self.expect_refusal("no device", "libcudart.so finds none", "--buffers", "cuda", DEVICES="0", **found)
        self.expect_refusal("files", "the trace uses files", "--buffers", "hip", trace=self.files, **found)
        result, report = self.run("--buffers", "managed", trace=self.files, **found)
        if result.returncode != 0 or report["verified"]["differences"]:
            self.found.append(f"files in managed memory: {result.returncode} {result.stderr}")


def main(tools, samples, runtimes, *launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-studies-") as folder:
        studies = Studies(pathlib.Path(tools), pathlib.Path(samples), runtimes, launcher, pathlib.Path(folder))
        studies.check_mappings()
        studies.check_buffers()
    print("\n".join(studies.found))
    return 1 if studies.found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
