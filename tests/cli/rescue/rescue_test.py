#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Damages archives in the ways that killed programs and full disks do, and rescues them."""

import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "broken"))
from tool_case import ToolCase, main  # noqa: E402

NOT_REPLAYABLE = 3
SECOND_CHUNK = 1 << 20  # the recorder's size of chunks of events


class Rescue(ToolCase):
    def setUp(self):
        super().setUp()
        self.archive = self.work / "a"
        self.copy("micro-pcoll-4")

    def copy(self, sample):
        shutil.rmtree(self.archive, ignore_errors=True)
        shutil.copytree(self.samples / sample, self.archive)

    def path(self, name):
        return self.archive / name

    def rescue(self, *warnings, archive=None, options=()):
        """Folds with --rescue, which must warn of these and nothing else. Returns what info says."""
        command = ["trace_compress", "--rescue", archive or self.archive, "-o", "out.tfold", "-f"]
        result = self.run_tool(command + list(options))
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stderr.splitlines()
        told = [line.split("warning: ")[1] for line in lines if "warning: " in line]
        self.assertEqual(told, list(warnings), result.stderr)
        self.assertFalse(list(self.work.glob("tracefold-*")), "a scratch folder is left")
        return json.loads(self.run_tool(["trace_inspect", "info", "--json", "out.tfold"]).stdout)

    def restore(self):
        self.succeeds(["trace_convert", "out.tfold", "--to", "otf2", "-o", "back", "-f"])
        return self.work / "back"

    def otf2_print(self, archive):
        if not shutil.which("otf2-print"):
            return
        for option in ([], ["-G"]):
            result = subprocess.run(["otf2-print", *option, archive / "traces.otf2"],
                                    capture_output=True, timeout=100, check=False)
            self.assertEqual((result.returncode, result.stderr), (0, b""))

    def cut(self, name, size):
        path = self.path(name)
        path.write_bytes(path.read_bytes()[:size])

    def test_sound(self):
        self.succeeds(["trace_compress", self.archive, "-o", "whole.tfold"])
        self.assertNotIn("damaged_files", self.rescue())
        self.assertEqual((self.work / "out.tfold").read_bytes(),
                         (self.work / "whole.tfold").read_bytes())

    def test_the_option_is_named(self):
        self.cut("traces/2.evt", 1000)
        self.fails(["trace_compress", self.archive, "-o", "out.tfold"], "2.evt", "--rescue")
        self.path("traces/2.evt").unlink()
        self.fails(["trace_compress", self.archive, "-o", "out.tfold"], "2.evt", "--rescue")

    def test_two_of_four_event_files_are_missing(self):
        for name in ("traces/1.evt", "traces/3.evt"):
            self.path(name).unlink()
        info = self.rescue("events of location 1: missing, with 182 records",
                           "events of location 3: missing, with 182 records")
        self.assertEqual(info["events"], 364)
        self.assertEqual(info["damaged_files"][1],
                         {"file": "events", "damage": "missing", "location": 3, "records": 0,
                          "expected_records": 182, "lost_bytes": 0,
                          "text": "missing, with 182 records"})
        self.succeeds(["trace_inspect", "stats", "out.tfold"])
        check = self.run_tool(["trace_inspect", "check", "out.tfold"])
        self.assertEqual(check.returncode, NOT_REPLAYABLE, check.stderr)
        self.assertIn("damaged when it was rescued", check.stdout)
        self.assertIn("events of location 3  missing, with 182 records", check.stdout)
        back = self.restore()
        for name in ("0", "2"):
            self.assertEqual((back / f"traces/{name}.evt").read_bytes(),
                             self.path(f"traces/{name}.evt").read_bytes())
        self.otf2_print(back)

    def test_it_is_told_everywhere(self):
        self.cut("traces/2.evt", 1000)
        text = "81 of 182 records kept, 3 unusable bytes left out"
        self.rescue(f"events of location 2: {text}")
        self.assertIn(text, self.run_tool(["trace_inspect", "info", "--all", "out.tfold"]).stdout)
        check = json.loads(self.run_tool(["trace_inspect", "check", "--json", "out.tfold"]).stdout)
        self.assertEqual(check["damaged_files"][0]["records"], 81)
        self.succeeds(["trace_inspect", "report", "out.tfold", "-o", "out.html"])
        self.assertIn(text, (self.work / "out.html").read_text())

    def test_every_level_of_timing(self):
        self.cut("traces/2.evt", 1000)
        for timing in ("none", "histogram", "quantized"):
            self.rescue("events of location 2: 81 of 182 records kept, 3 unusable bytes left out",
                        options=["--timing", timing])

    def test_no_anchor(self):
        self.path("traces.otf2").unlink()
        missing = "anchor: missing; inferred from the other files"
        for name in ("a", "a/traces.otf2", "a/traces.def", "a/traces"):
            info = self.rescue(missing, archive=name)
            self.assertEqual(info["archive"]["name"], "traces")
        self.otf2_print(self.restore())

    def test_cut_anchor(self):
        content = self.path("traces.otf2").read_bytes()
        for size in (0, 1, 45, 46, 60, 200, len(content) - 4):
            self.cut("traces.otf2", size)
            info = self.rescue("anchor: damaged; missing properties are inferred")
            self.assertEqual(info["archive"]["creator"], "Score-P 8.4" if size >= 60 else "")
            self.assertEqual(info["events"], 728)
            self.path("traces.otf2").write_bytes(content)

    def test_no_global_definitions(self):
        self.path("traces.def").unlink()
        self.fails(["trace_compress", "--rescue", self.archive, "-o", "out.tfold"], "traces.def")
        self.path("traces.otf2").unlink()
        self.fails(["trace_compress", "--rescue", self.archive, "-o", "out.tfold"], "traces.def")

    def test_locations_without_definitions(self):
        self.cut("traces.def", 5000)
        inferred = "the definition of the location is lost; inferred without name and group"
        records = len(self.definitions_before(5000))
        info = self.rescue(
            f"global definitions: {records} of 626 records kept, 7 unusable bytes left out",
            *[f"events of location {i}: {inferred}" for i in range(4)])
        self.assertEqual((info["locations"], info["events"]), (4, 728))
        self.otf2_print(self.restore())

    def definitions_before(self, size):
        from raw_records import record_ends
        ends = record_ends((self.samples / "micro-pcoll-4/traces.def").read_bytes(), events=False)
        return [end for end in ends[1:] if end <= size]

    def test_local_definitions(self):
        self.path("traces/1.def").unlink()
        self.cut("traces/2.def", 30)
        self.rescue("local definitions of location 1: missing; ids in its events are taken as "
                    "global ones",
                    "local definitions of location 2: 0 records kept, 12 unusable bytes left out")
        self.otf2_print(self.restore())

    def test_events_end_with_a_whole_chunk(self):
        # As a recorder leaves them that had to flush its buffer before it was killed.
        content = self.path("traces/2.evt").read_bytes()[:-2]
        self.path("traces/2.evt").write_bytes(content.ljust(SECOND_CHUNK, b"\0"))
        self.rescue("events of location 2: 182 records kept")
        back = self.restore() / "traces" / "2.evt"
        self.assertEqual(back.read_bytes(), content + b"\2\1")

    def test_a_newline_behind_every_file(self):
        self.succeeds(["trace_compress", self.archive, "-o", "whole.tfold"])
        for path in self.archive.rglob("*.*"):
            path.write_bytes(path.read_bytes() + b"\n")
        self.succeeds(["trace_compress", self.archive, "-o", "out.tfold"])
        self.assertNotIn("damaged_files", self.rescue())

    def test_more_damage_than_is_listed(self):
        self.copy("micro-omphyb-4")
        for path in self.archive.glob("traces/*"):
            path.write_bytes(path.read_bytes()[:-20])
        command = ["trace_compress", "--rescue", self.archive, "-o", "out.tfold"]
        result = self.run_tool(command)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("more files are damaged", result.stderr)
        listed = self.run_tool(["trace_inspect", "info", "--all", "out.tfold"]).stdout
        self.assertEqual(listed.count("definitions of location"), 12)

    def test_the_archive_is_not_replaced(self):
        content = self.path("traces.otf2").read_bytes()
        self.cut("traces/2.evt", 1000)
        self.run_refused(["trace_compress", "--rescue", self.archive, "-f", "-o", "a/traces.otf2"],
                         2, "is the input")
        self.assertEqual(self.path("traces.otf2").read_bytes(), content)

    def test_extra_files_are_carried(self):
        self.path("scorep.cfg").write_text("hello")
        self.cut("traces/2.evt", 1000)
        info = self.rescue(
            "events of location 2: 81 of 182 records kept, 3 unusable bytes left out",
            options=["--with-extra-files"])
        self.assertEqual([file["path"] for file in info["files"]], ["scorep.cfg"])


if __name__ == "__main__":
    main()
