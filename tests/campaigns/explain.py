# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import json
import os
import pathlib
import re
import shlex
import statistics
import sys
import tempfile

from .common import FAILED, ROOT, Campaign, need, path, run, with_preloaded

SOURCES = ROOT / "tests/explain"
NO_EFFECT = 0.05
# A recording that takes longer than other runs was disturbed: it is made again.
RECORDINGS, DISTURBED = 5, 1.03


class Explain(Campaign):
    """Record the programs of tests/explain with their faults and without, and explain the runs.

Programs whose twin is less than 5 % faster are left out. The folder gets the runs and bench.json, as tests/explain has them;
--reruns runs without the recorder tell what removing the fault wins; recordings that other programs disturb are made again. Exit code 3 if the goals of explain_test.py are missed.
"""

    name = "explain"
    archives = False
    launcher = True

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--recorder", type=path, required=True, metavar="LIBRARY",
                            help="is preloaded and writes an archive into the folder OTF2_RECORDER_DIR")
        parser.add_argument("--folder", type=pathlib.Path, required=True, help="of results")
        parser.add_argument("--ranks", type=int, default=4, metavar="N")
        parser.add_argument("--reruns", type=int, default=5, metavar="N")
        parser.add_argument("--only", nargs="+", metavar="NAME", help="programs (default: all)")

    def run(self):
        need("mpicc")
        (self.options.folder / "runs").mkdir(parents=True, exist_ok=True)
        bench = json.loads((SOURCES / "bench.json").read_text(encoding="utf-8"))
        measured = {}
        with tempfile.TemporaryDirectory(prefix="tracefold-explain-") as work:
            self.work = pathlib.Path(work)
            for program in sorted({truth["program"] for truth in bench.values()}):
                run(["mpicc", "-std=c11", "-O2", SOURCES / f"{program}.c", "-o", self.work / program, "-lm"])
            for name in self.options.only or bench:
                faulty, clean = (self.record(name, bench[name], twin) for twin in ("faulty", "clean"))
                won = 1 - clean / faulty
                print(f"{name}: {100 * won:.1f} %", flush=True)
                if won >= NO_EFFECT:
                    measured[name] = {**bench[name], "won": round(won, 3)}
        (self.options.folder / "bench.json").write_text(json.dumps(measured, indent=1), encoding="utf-8")
        test = [sys.executable, SOURCES / "explain_test.py", self.options.bin, self.options.folder, "--table"]
        result = run(test, codes=(0, 1))
        print(result.stdout, end="")
        return FAILED if result.returncode else 0

    def record(self, name, truth, twin):
        command = [*shlex.split(self.options.launcher), self.options.ranks, self.work / truth["program"], name,
                   *truth["options"].split(), *(["--clean"] if twin == "clean" else [])]
        def seconds(environment):
            return float(re.search(r"seconds=([0-9.]+)", run(command, env=environment).stdout).group(1))

        usual = statistics.median(seconds(with_preloaded()) for _ in range(self.options.reruns))
        recorded = []
        while len(recorded) < RECORDINGS and min(recorded, default=usual * 2) > DISTURBED * usual:
            archive = self.work / f"{name}.{twin}.{len(recorded)}"
            environment = {**with_preloaded(self.options.recorder), "OTF2_RECORDER_DIR": os.fspath(archive)}
            recorded.append(seconds(environment))
            if recorded[-1] == min(recorded):
                run([self.options.bin / "trace_compress", "-q", "-f", archive / "traces.otf2",
                     "-o", self.options.folder / "runs" / f"{name}.{twin}.tfold"])
        return usual
