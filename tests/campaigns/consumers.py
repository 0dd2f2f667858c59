# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import json
import os
import re
import shutil
import sys

from .common import Campaign, Failure, Refusal, UsageError, path, run, run_checker, simulate
from .export import python_with_pandas

LARGEST_PROXY = 16  # ranks
ASTRA_SIM, ASTRA_SIM_RUNS = "AstraSim_Analytical_Congestion_Unaware", 5
DIMEMAS_MACHINE = """#DIMEMAS_CONFIGURATION
"wide area network information" {{"", 1, 0, 4, 0.0, 0.0, 1}};;
"environment information" {{"", 0, "", {ranks}, 12500.0, 0, 1}};;
"multi node information" {{0, {ranks}, "", 1, 1.0, 0.0, 0.0, 1, 1, 0, 0.000001, 1, 1, 0.0}};;
"predefined mapping information" {{"1 TASKS_PER_NODE"}};;
"configuration files" {{"", "", "", ""}};;
"file system parameters" {{0.0, 0.0, 8.0, 0, 1.0}};;
"""


def equal(found, wanted, unit):
    if found != wanted:
        raise Failure(f"{found} of {wanted} {unit}")
    return f"{found:,} {unit}"


class Bench:
    """One archive, folded, and the programs that read its conversions."""

    def __init__(self, archive, programs):
        self.archive, self.programs, self.work = archive, programs, archive.work

    def said(self, program, *arguments, codes=(0,), folder=None):
        """All output of a program."""
        result = run([self.programs.get(program, program), *arguments], self.archive.options.timeout, codes,
                     cwd=folder or self.work)
        return result.stdout + result.stderr

    def convert(self, form, *arguments):
        """Writes run.FORM; its path and the report, which is in report.json, too."""
        output, report = self.archive.convert(form, *arguments)
        (self.work / "report.json").write_text(json.dumps(report), encoding="utf-8")
        return output, report

    def checked(self, name, *arguments):
        """The last line of a checker of tests/exports, which reads the trace as well."""
        options = self.archive.options
        return run_checker(name, options.bin, self.archive.file, *arguments, timeout=options.timeout,
                           python=self.programs["pandas"] or sys.executable).strip().splitlines()[-1]


def read_otf2(bench):
    folder, _ = bench.convert("otf2")
    said = bench.said("otf2-print", next(folder.glob("*.otf2")))
    # Snapshots and markers follow.
    said = said[said.index("=== Events"):].split("\n=== ")[0]
    events = len(re.findall(r"^[A-Z][A-Z0-9_]* +\d+ +\d+ ", said, re.MULTILINE))
    return equal(events, bench.archive.info["events"], "events")


def read_ti(bench):
    folder, report = bench.convert("ti", "--platform-template")
    return f"{simulate(folder, report, bench.archive.options.timeout, bench.programs['smpirun']):,} actions"


def read_goal(bench):
    _, report = bench.convert("goal")
    bench.said("txt2bin", "-i", "run.goal", "-o", "run.bin")
    said = bench.said("LogGOPSim", "-f", "run.bin")
    if "PERFORMANCE" not in said or " elements!" in said:
        raise Failure(f"LogGOPSim: {said.strip()[-200:]}")
    return f"{report['contents'].get('send', 0):,} messages"


def read_dim(bench):
    _, report = bench.convert("dim")
    (bench.work / "machine.cfg").write_text(DIMEMAS_MACHINE.format(ranks=report["ranks"]), encoding="utf-8")
    said = bench.said("Dimemas", "-S", "65536", "--dim", "run.dim", "machine.cfg")
    if "Execution time" not in said or "Deadlock" in said:
        raise Failure(f"Dimemas: {said.strip()[-200:]}")
    (bench.work / "said").write_text(said, encoding="utf-8")
    found = bench.checked("dimemas", bench.work / "report.json", bench.work / "said")
    messages, collectives = re.findall(r"\d+", found)
    return f"{int(messages):,} messages, {int(collectives):,} collectives"


def read_dumpi(bench):
    folder, report = bench.convert("dumpi")
    calls = sum(bench.said("dumpi2ascii", file).count(" entering at") for file in sorted(folder.glob("*.bin")))
    return equal(calls, report["contents"].get("calls", 0), "calls")


def read_chakra(bench):
    folder, report = bench.convert("chakra", "--platform-template")
    options = [f"--workload-configuration={folder}/rank",
               f"--comm-group-configuration={folder}/comm_groups.json",
               f"--system-configuration={folder}/system.json",
               f"--network-configuration={folder}/network.yml",
               f"--remote-memory-configuration={folder}/memory.json"]
    # With several groups of ranks it frees memory twice when ranks end, and at times crashes before the last one does.
    for _ in range(ASTRA_SIM_RUNS):
        said = bench.said(ASTRA_SIM, *options, codes=None)
        if "[critical]" in said:
            raise Failure(f"ASTRA-sim: {said[said.index('[critical]'):][:200]}")
        ended = len(re.findall(r"sys\[\d+\] finished", said))
        if ended == report["ranks"]:
            break
    equal(ended, report["ranks"], "ranks")
    nodes = sum(count for name, count in report["contents"].items() if "_NODE" in name)
    return f"{nodes:,} nodes"


def read_feeder(bench):
    for arguments in ([], ["--collective-nodes"]):
        bench.convert("chakra", *arguments)
        found = bench.checked("chakra_counts", bench.work / "report.json", bench.programs["chakra_feed"])
    return f"{int(found.split()[0]):,} nodes"


def read_csv(bench):
    folder, _ = bench.convert("csv")
    return f"{int(re.search(r'([0-9]+) calls', bench.checked('tables', folder))[1]):,} calls"


def read_cubex(bench):
    bench.archive.tool("trace_inspect", "profile", "-q", "-f", bench.archive.file, "-o", bench.work / "run.cubex")
    programs = (bench.programs[name] for name in ("cube_sanity", "cube_dump", "cube_diff"))
    return f"{int(bench.checked('cube', bench.work / 'run.cubex', *programs).split()[0]):,} values"


def read_prv(bench):
    file, report = bench.convert("prv")
    dropped = report["dropped"].get("messages that nobody receives", 0)
    return f"{int(bench.checked('paramedir', bench.programs['paramedir'], file, dropped).split()[0]):,} messages"


def read_chrome(bench):
    file, _ = bench.convert("chrome")
    return bench.checked("speedscope", bench.programs["node"], bench.programs["speedscope-importer.js"], file)


def read_c(bench):
    _, report = bench.convert("c")
    if report["ranks"] > LARGEST_PROXY:
        raise Refusal("more ranks than processes are started")
    said = bench.said("mpicc", "-std=c99", "-O1", "-Wall", "-Wextra", "-o", "proxy", "run.c")
    if said.strip():
        raise Failure(f"mpicc: {said.strip()[:200]}")
    bench.said("mpiexec", "-n", report["ranks"], bench.work / "proxy")
    return f"{report['calls']:,} calls"


# The programs that a reader needs, and the function that gives them an archive.
READERS = {
    "otf2-print": (["otf2-print"], read_otf2),
    "SimGrid": (["smpirun"], read_ti),
    "LogGOPSim": (["txt2bin", "LogGOPSim"], read_goal),
    "Dimemas": (["Dimemas"], read_dim),
    "dumpi2ascii": (["dumpi2ascii"], read_dumpi),
    "ASTRA-sim": ([ASTRA_SIM], read_chakra),
    "ETFeeder": (["chakra_feed"], read_feeder),
    "pandas": (["pandas"], read_csv),
    "Cube": (["cube_sanity", "cube_dump", "cube_diff"], read_cubex),
    "paramedir": (["paramedir"], read_prv),
    "speedscope": (["node", "speedscope-importer.js"], read_chrome),
    "mpicc": (["mpicc", "mpiexec"], read_c),
}


class Consumers(Campaign):
    """Give every export to the programs that it is for, as far as they are installed.

  otf2-print   otf2     (otf2-tools of Debian) reads every event
  SimGrid      ti       (libsimgrid-dev of Debian) executes every action to the end
  LogGOPSim    goal     (spcl/LogGOPSim, with its txt2bin) runs to the end with no message left over
  Dimemas      dim      (bsc-performance-tools/dimemas) has the trace's messages and collective operations on each task
  dumpi2ascii  dumpi    (sstsimulator/sst-dumpi) reads every call that was written
  ASTRA-sim    chakra   (astra-sim/astra-sim, AstraSim_Analytical_Congestion_Unaware) ends on every rank
  ETFeeder     chakra   (mlcommons/chakra, with tests/exports/chakra_feed.cpp) reads the trace's messages, bytes, groups
  pandas       csv      (python3-pandas of Debian) tests/exports/check_tables.py finds the trace's figures
  Cube         cubex    (cube_sanity, cube_dump, cube_diff of cubelib) read every value of `trace_inspect profile`
  paramedir    prv      (bsc-performance-tools/paraver-kernel) counts the trace's messages and bytes for each pair
  speedscope   chrome   (jlfwong/speedscope, its importer as speedscope-importer.js; node) has the profile's times
  mpicc        c        (MPICH of Debian) compiles the proxy without a warning; mpiexec runs it to its end

speedscope-importer.js is src/import/trace-event.ts of its sources bundled as a CommonJS module, which exports
importTraceEvents(). Programs are searched in DIR/bin and DIR of --prefix, and in PATH; missing ones are listed and left
out. A cell has the amount that the program read; "-" is a trace that the format refuses.
"""

    name = "consumers"

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--prefix", type=path, metavar="DIR", help="of programs that PATH does not have")
        parser.add_argument("--only", metavar="NAME,...", help="these readers")

    def __init__(self, options):
        super().__init__(options)
        wanted = options.only.split(",") if options.only else list(READERS)
        for name in wanted:
            if name not in READERS:
                raise UsageError(f"there is no reader {name}; there are {', '.join(READERS)}")
        self.found_programs = {program: self.find(program) for needed, _ in READERS.values() for program in needed}
        self.found_programs["pandas"] = python_with_pandas()
        self.readers = [name for name in wanted if all(self.found_programs[program] for program in READERS[name][0])]
        missing = [name for name in wanted if name not in self.readers]
        if missing:
            print(f"not found: {', '.join(missing)}", file=sys.stderr)

    def find(self, program):
        prefix = self.options.prefix
        places = [str(prefix / "bin"), str(prefix)] if prefix else []
        # Modules are no executables.
        mode = os.R_OK if program.endswith(".js") else os.F_OK | os.X_OK
        return shutil.which(program, mode, path=os.pathsep.join([*places, os.environ.get("PATH", "")]))

    def head(self):
        return ["archive", *self.readers]

    def check(self, archive):
        archive.fold()
        return [self.cell(name, Bench(archive, self.found_programs)) for name in self.readers]

    @staticmethod
    def cell(name, bench):
        try:
            return READERS[name][1](bench)
        except Refusal:
            return "-"
        except Failure as failure:
            return f"FAILED: {' '.join(str(failure).split())}"
