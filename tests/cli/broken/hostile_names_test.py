#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Gives names in an archive characters that a terminal obeys: none may reach what the tools print."""

import csv
import json
import pathlib
import re
import shutil

from tool_case import ToolCase, main

# A formula, ESC, a right-to-left override, CSI in one character, a line end, an isolate, DEL.
EVIL = "=\x1b\u202e\u009b\n\u2066\r\x7f".encode()
NAMES = (
    rb"/usr/local/benchmarks/bin/micro/\w+", rb"Master thread", rb"MPI Rank ", rb"Comm \$\{id\}",
    rb"MPI_COMM_WORLD", rb"MPI_Barrier", rb"MPI_File_open", rb"/tmp/fac.mpiio.dat", rb"MPI-IO",
    rb"machine", rb"platform", rb"Offset", rb"Linux", rb"Score-P 8.4", rb"ProcessId",
)
OBEYED = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")

TEXTS = (
    "info", "info --all", "structure --all", "structure --all --times", "calls", "messages", "matrix", "sizes",
    "system",
    "check", "explain", "profile", "efficiency", "io", "stats", "classes", "metrics", "graph",
    "graph --format graphml", "graph --format json", "info --json", "calls --json", "stats --json",
)
TABLES = ("calls --csv", "messages --csv", "stats --csv", "profile --csv", "io --csv", "sizes --csv")
REPORTS = pathlib.Path(__file__).resolve().parents[2] / "data" / "replay_reports"
# Strings of reports that are free text.
TOLD = ("input", "tracefold", "mpi", "mpi_standard", "command", "date", "clock", "host", "ranks", "processors", "function")
FILES = "text jsonl ti goal dim prv csv chrome c".split()


def evil_name(size):
    """So many bytes of it, and no half character."""
    name = (EVIL * size)[:size]
    return name.decode(errors="ignore").encode().ljust(size, b"x")


class HostileNames(ToolCase):
    def setUp(self):
        super().setUp()
        archive = self.work / "t"
        shutil.copytree(self.samples / "micro-mpiio-4", archive)
        for file in [archive / "traces.otf2", *archive.rglob("*.def")]:
            content = file.read_bytes()
            for name in NAMES:
                content = re.sub(name, lambda found: evil_name(len(found[0])), content)
            file.write_bytes(content)
        self.check(self.run_tool(["trace_compress", "-v", "t", "-o", "a.tfold"]))

    def check(self, result, code=0):
        self.assertEqual(result.returncode, code, result.stderr)
        self.check_text(result.stdout)
        self.check_text(result.stderr)
        return result.stdout

    def check_text(self, text):
        found = OBEYED.search(text)
        self.assertIsNone(found, found and text[max(0, found.start() - 60):found.end() + 20])

    def test_what_is_printed(self):
        for command in TEXTS:
            with self.subTest(command=command):
                self.check(self.run_tool(["trace_inspect", *command.split(), "a.tfold"]))

    def test_tables(self):
        for command in TABLES:
            with self.subTest(command=command):
                text = self.check(self.run_tool(["trace_inspect", *command.split(), "a.tfold"]))
                self.check_table(text)

    def check_table(self, text):
        rows = list(csv.reader(text.splitlines()))
        self.assertEqual({len(row) for row in rows if row}, {len(rows[0])})
        for row in rows:
            for cell in row:
                self.assertFalse(re.match("[=@]", cell), row)

    def test_what_is_written(self):
        for form in FILES:
            with self.subTest(form=form):
                target = self.work / form
                target.mkdir()
                out = target / "out"
                partial = ["--allow-left-out"] if form == "c" else []
                self.check(self.run_tool(["trace_convert", "a.tfold", "--to", form, "-o", out, *partial]))
                for file in target.rglob("*"):
                    if file.is_file():
                        self.check_file(file)

    def check_file(self, file):
        text = file.read_bytes().decode()
        self.check_text(text.replace("\r\n", "\n"))
        if pathlib.Path(file).suffix == ".csv":
            self.check_table(text)

    def test_reports(self):
        self.check(self.run_tool(["trace_inspect", "report", "a.tfold", "-o", "a.html"]))
        self.check_text((self.work / "a.html").read_text())

    def test_names_of_files(self):
        """A trace and an archive whose own names are hostile."""
        name = "a\x1b[2J\u202e\x07\u009b.tfold"
        (self.work / "a.tfold").rename(self.work / name)
        for command in TEXTS + TABLES + ("predict", "predict --network ethernet", "accelerators"):
            with self.subTest(command=command):
                self.check(self.run_tool(["trace_inspect", *command.split(), "--", name]))
        self.check(self.run_tool(["trace_inspect", "diff", "--", name, name]))
        self.check(self.run_tool(["trace_convert", "--anonymize", "--dry-run", "--to", "tfold", name]))
        for form in FILES[:1] + ["otf2", "jsonl"]:
            self.check(self.run_tool(["trace_convert", name, "--to", form, "-o", f"out.{form}"]))
        self.check(self.run_tool(["trace_inspect", "report", name]))
        self.check_text((self.work / f"{name[:-6]}.html").read_text())
        (self.work / "t").rename(self.work / f"t{name}")
        self.check(self.run_tool(["trace_compress", "-v", f"t{name}", "-o", f"b{name}"]))
        if (self.bin / "trace_replay").exists():
            self.check(self.run_tool(["trace_replay", "--check", f"b{name}"]))
            self.check(self.run_tool(["trace_replay", "--dry-run", f"b{name}"]))
        if (self.bin / "trace_scale").exists():
            shutil.copy(self.work / name, self.work / f"c{name}")
            for command in ("compare", "efficiency", "compare --csv", "efficiency --csv"):
                with self.subTest(command=command):
                    words = command.split()
                    self.check(self.run_tool(["trace_scale", *words, name, f"c{name}"]))

    def test_files_of_users(self):
        """Networks and reports of replays."""
        evil = EVIL.decode()
        network = {"name": f"n{evil}", "source": f"s{evil} t", "between_nodes": {
            "latency": 1e-6, "overhead": 1e-7, "per_byte": 1e-10}}
        (self.work / "net.json").write_text(json.dumps(network))
        for form in ([], ["--csv"], ["--json"]):
            printed = self.check(self.run_tool(["trace_inspect", "predict", "a.tfold", "--network", "net.json", *form]))
            self.assertIn("n=", json.loads(printed)["networks"][0]["name"] if form == ["--json"] else printed)
        self.check(self.run_tool(["trace_inspect", "report", "a.tfold", "--network", "net.json", "-o", "net.html"]))
        self.check_text((self.work / "net.html").read_text())
        for wrong in ({f"x{evil}": 1}, {"name": 1}, [evil]):
            (self.work / f"w{evil}".replace("/", "")).write_text(json.dumps(wrong))
            result = self.run_tool(["trace_inspect", "predict", "a.tfold", "--network", f"w{evil}"])
            self.check(result, 1)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_reports_of_replays(self):
        """All names in them, and the names of the files."""
        if not (self.bin / "trace_replay").exists():
            self.skipTest("built without MPI")
        evil = EVIL.decode()
        names = []
        for report in ("here", "there"):
            text = (REPORTS / f"{report}.json").read_text()
            values = json.loads(text)
            names.append(f"{report}\x1b[2J\u202e.json")
            (self.work / names[-1]).write_text(json.dumps(self.with_evil(values, evil)))
        result = self.run_tool(["trace_replay", "--compare", *names, "--report", "all.csv", "--report", "all.html"])
        printed = self.check(result)
        self.assertIn("4.0.2n=?", printed)
        self.check_file(self.work / "all.csv")
        self.check_text((self.work / "all.html").read_text())
        (self.work / "deep.json").write_text("[" * 1_000_000)
        self.fails(["trace_replay", "--compare", "deep.json", names[0]], "more than 100 levels")

    def with_evil(self, value, evil, key=""):
        """The value with an addition to all names, and to what is told about machines."""
        if isinstance(value, dict):
            return {name: self.with_evil(one, evil, name) for name, one in value.items()}
        if isinstance(value, list):
            return [self.with_evil(one, evil, key) for one in value]
        told = key in TOLD and isinstance(value, str)
        return f"{value}n{evil}" if told else value

    def test_messages(self):
        for name in ("\x1b]0;x\x07.tfold", "\u202ea.tfold", "a\nb.tfold"):
            result = self.run_tool(["trace_inspect", "info", name])
            self.check(result, 1)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)


if __name__ == "__main__":
    main()
