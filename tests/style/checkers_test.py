#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""The checks of the sources find faults of every kind that they are written for."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
LICENCE = "// SPDX-License-" + "Identifier: BSD-3-Clause\n"


class CheckerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for header in (
            "lib/base/error.hpp",
            "lib/model/event.hpp",
            "lib/fold/folder.hpp",
            "lib/fold/detail/loops.hpp",
            "lib/file/reader.hpp",
            "lib/questions/stats/sums.hpp",
            "lib/questions/stats/detail/bins.hpp",
            "tools/common/console.hpp",
            "tools/inspect/info/info.hpp",
        ):
            self.write(header, "")
        shutil.copy(FOLDER.parents[1] / "lib/modules.txt", self.root / "lib")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(LICENCE + text, encoding="utf-8")

    def check(self, script):
        command = [sys.executable, str(FOLDER / script), str(self.root)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(result.stderr, "")
        return result

    def assert_clean(self, script):
        result = self.check(script)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 0)

    def assert_found(self, script, text):
        result = self.check(script)
        self.assertIn(text, result.stdout)
        self.assertEqual(result.returncode, 1)


class LayersTest(CheckerTest):
    def include(self, path, *targets):
        self.write(path, "".join(f"#include {target}\n" for target in targets))

    def test_allowed_edges_pass(self):
        self.include("lib/file/writer.cpp", '"file/reader.hpp"', '"model/event.hpp"', "<vector>", "<sys/stat.h>")
        self.include("lib/fold/x.cpp", '"fold/detail/loops.hpp"')
        self.include("lib/archives/all.cpp", '"file/reader.hpp"', '"fold/folder.hpp"')
        self.include("lib/export/csv.cpp", '"questions/stats/sums.hpp"')
        self.include("lib/otf2/reader.cpp", "<otf2/otf2.h>", '"model/event.hpp"')
        self.include("lib/base/zstd_frame.cpp", "<zstd.h>")
        self.include("lib/questions/graph/dot.cpp", "<boost/graph/graphviz.hpp>")
        self.include("tools/inspect/main.cpp", '"common/console.hpp"', '"fold/folder.hpp"')
        self.include("tools/common/options.hpp", "<CLI/CLI.hpp>")
        self.assert_clean("check_layers.py")

    def test_forbidden_edges_fail(self):
        for path, target in (
            ("lib/fold/x.cpp", '"file/reader.hpp"'),
            ("lib/base/x.cpp", '"model/event.hpp"'),
            ("lib/model/x.cpp", '"common/console.hpp"'),
            ("tools/common/x.cpp", '"inspect/info/info.hpp"'),
            ("lib/fold/x.cpp", '"folder.hpp"'),
            ("lib/fold/x.cpp", '"base/missing.hpp"'),
        ):
            with self.subTest(path=path, target=target):
                self.include(path, target)
                self.assert_found("check_layers.py", f"{path}:2: ")
                (self.root / path).unlink()

    def test_insides_of_other_modules_fail(self):
        for path, target in (
            ("lib/file/x.cpp", '"fold/detail/loops.hpp"'),
            ("tools/inspect/x.cpp", '"fold/detail/loops.hpp"'),
            ("lib/export/x.cpp", '"questions/stats/detail/bins.hpp"'),
        ):
            with self.subTest(path=path, target=target):
                self.include(path, target)
                self.assert_found("check_layers.py", f"is inside of lib/{target[1:-1].split('/')[0]}")
                (self.root / path).unlink()

    def test_third_parties_have_a_home(self):
        for path, target in (
            ("lib/file/x.cpp", "<zstd.h>"),
            ("lib/model/x.cpp", "<otf2/otf2.h>"),
            ("lib/archives/x.cpp", "<mpi.h>"),
            ("tools/common/x.cpp", "<mpi.h>"),
            ("lib/fold/x.cpp", "<xxhash.h>"),
            ("lib/base/x.cpp", "<CLI/CLI.hpp>"),
            ("lib/questions/stats/x.cpp", "<boost/graph/graphviz.hpp>"),
            ("lib/base/x.cpp", "<fmt/format.h>"),
        ):
            with self.subTest(path=path, target=target):
                self.include(path, target)
                self.assert_found("check_layers.py", f"{path}:2: ")
                (self.root / path).unlink()

    def test_unknown_module_fails(self):
        self.write("lib/misc/x.cpp", "")
        self.assert_found("check_layers.py", "lib/misc is unknown")


class FilesTest(CheckerTest):
    def test_plain_files_pass(self):
        self.write("lib/base/x.cpp", "int x;\n")
        self.assert_clean("check_files.py")

    def test_machine_paths_fail(self):
        self.write("tools/common/x.cpp", 'auto p = "/' + 'home/me/x";\n')
        self.assert_found("check_files.py", "tools/common/x.cpp:2: a path of one machine")

    def test_open_ends_fail(self):
        self.write("lib/base/x.cpp", "// TO" + "DO: finish\n")
        self.assert_found("check_files.py", "lib/base/x.cpp:2: an open end")

    def test_missing_licence_fails(self):
        (self.root / "lib/base/error.hpp").write_text("", encoding="utf-8")
        self.assert_found("check_files.py", "lib/base/error.hpp: the licence header is missing")

    def test_empty_tree_fails(self):
        with tempfile.TemporaryDirectory() as empty:
            self.root = pathlib.Path(empty)
            self.assert_found("check_files.py", "holds no sources")


class TicksTest(CheckerTest):
    PLACE = "lib/questions/stats/x.cpp"

    def test_the_rate_converts(self):
        self.write("lib/model/tick_rate.hpp", "double s = ticks / ticks_per_second;\n")
        self.write(self.PLACE, "double s = rate.seconds(ticks);\nClockMap map = clock.map(location);\n")
        self.assert_clean("check_ticks.py")

    def test_divisions_by_the_rate_fail(self):
        for line in (
            "double s = ticks / view.ticks_per_second;",
            "double s = ticks / static_cast<double>(rate.ticks_per_second());",
            "double t = s * trace.ticks_per_second;",
            "u64 n = ticks_per_second_ * 5;",
        ):
            with self.subTest(line=line):
                self.write(self.PLACE, line + "\n")
                self.assert_found("check_ticks.py", f"{self.PLACE}:2: computes with ticks per second")

    def test_other_rates_fail(self):
        self.write(self.PLACE, "auto rate = definitions.timer_resolution();\n")
        self.assert_found("check_ticks.py", "reads the rate of the clock")
        self.write(self.PLACE, "double ticks_per_second = 1;\n")
        self.assert_found("check_ticks.py", "keeps a rate as a number")

    def test_offsets_of_one_location_fail(self):
        self.write(self.PLACE, "const ClockMap clock(file, location);\n")
        self.assert_found("check_ticks.py", "reads the clock offsets of one location")


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class CommitsTest(CheckerTest):
    def git(self, *arguments):
        who = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")
        subprocess.run(["git", "-C", str(self.root), *who, *arguments], check=True, capture_output=True)

    def commit(self, *subjects):
        for subject in subjects:
            self.git("commit", "--allow-empty", "-m", subject)

    def check_from_here(self):
        self.git("init")
        self.commit("Let a commit from before the check be")
        self.write("tests/style/check_commits.py", "")
        self.git("add", "tests/style/check_commits.py")
        self.commit("Add a check of subjects")

    def test_subjects_with_verbs_of_engineering_pass(self):
        self.check_from_here()
        self.commit("Fix the name of a file", "Merge branch 'names'", "Remove " + 73 * "x", "Takeover")
        self.assert_clean("check_commits.py")

    def test_vague_and_long_subjects_fail(self):
        for subject in ("Take numbers of records in one way", "Say what it costs", "Fix " + 77 * "x"):
            self.check_from_here()
            self.commit(subject, "Add something afterwards")
            self.assert_found("check_commits.py", subject)
            shutil.rmtree(self.root / ".git")

    def test_without_history_nothing_is_said(self):
        self.assertEqual(self.check("check_commits.py").returncode, 77)


@unittest.skipUnless(shutil.which("ctags") and shutil.which("clang++"), "ctags or clang++ is not installed")
class TagsTest(CheckerTest):
    def check_tags(self, text):
        commands = self.root / "commands.json"
        commands.write_text("[]", encoding="utf-8")
        self.write("sample.hpp", text)
        command = [sys.executable, str(FOLDER / "check_tags.py"), str(commands), str(self.root / "sample.hpp")]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_classes_and_functions_are_compared(self):
        result = self.check_tags(
            "namespace tracefold {\nclass A {\n  public:\n    A() {}\n    bool operator==(const A&) const = default;\n"
            "    int one() const { return 1; }\n};\nstruct B;\nint two();\ntemplate <class T>\nT three(T x) { return x; }\n"
            "inline int four() { return three(4); }\n}\n"
        )
        self.assertEqual(result.stdout, "4 names in 1 files, of which ctags misses 0\n")
        self.assertEqual(result.returncode, 0)

    def test_a_function_that_ctags_misses_is_found(self):
        result = self.check_tags("#define BEGIN {\nnamespace tracefold {\nint one() BEGIN return 1; }\n}\n")
        self.assertIn("ctags does not find one\n", result.stdout)
        self.assertEqual(result.returncode, 1)


class SkipsTest(unittest.TestCase):
    def check(self, cases, exceptions):
        with tempfile.TemporaryDirectory() as folder:
            results, allowed = (pathlib.Path(folder) / name for name in ("tests.xml", "skips.txt"))
            results.write_text(f"<testsuite>{cases}</testsuite>", encoding="utf-8")
            allowed.write_text(exceptions, encoding="utf-8")
            command = [sys.executable, FOLDER / "check_skips.py", results, allowed]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
        return result.returncode, result.stderr

    def test_skipped_and_missing_tests_are_found(self):
        cases = '<testcase name="a.b"/><testcase name="c.d"><skipped/></testcase>'
        self.assertEqual(self.check(cases, "skip c.*  # a reason\nneed a.*\n")[0], 0)
        for exceptions, problem in (("need a.*", "c.d was skipped"), ("skip c.d\nneed c.*", "c.* did not run"),
                                    ("skip c.d\nneed e", "e did not run")):
            code, text = self.check(cases, exceptions)
            self.assertEqual(code, 3)
            self.assertIn(problem, text)


class DocumentsTest(CheckerTest):
    def setUp(self):
        super().setUp()
        self.write("docs/reference/steps.md", "# Steps of a run\n\nSee `fold/folder.hpp` and [the page](../howto/cut.md).\n")
        self.write("docs/howto/cut.md", "# Cut\n\nOf [steps](../reference/steps.md#steps-of-a-run).\n")
        self.write("docs/README.md", "[cut](howto/cut.md), [steps](reference/steps.md),\n[architecture](internals/architecture.md)\n")
        self.write("docs/internals/architecture.md", "")

    def test_links_that_lead_somewhere_pass(self):
        self.write("lib/fold/x.cpp", "// docs/reference/steps.md explains this.\n")
        self.assert_clean("check_documents.py")

    def test_what_is_missing_is_found(self):
        for path, text, problem in (
            ("lib/fold/x.cpp", "// docs/" + "gone.md\n", "lib/fold/x.cpp:2: there is no docs/" + "gone.md"),
            ("man/tool.md", "[page](gone.md)\n", "man/tool.md:2: there is no gone.md"),
            ("man/tool.md", "[page](../docs/howto/cut.md#gone)\n", "has no heading #gone"),
            ("man/tool.md", "`fold/gone.hpp`\n", "there is no fold/gone.hpp"),
        ):
            with self.subTest(problem=problem):
                self.write(path, text)
                self.assert_found("check_documents.py", problem)
                (self.root / path).unlink()

    def test_pages_are_listed_once_in_a_group(self):
        self.write("docs/howto/lost.md", "")
        self.assert_found("check_documents.py", "docs/README.md lists howto/lost.md 0 times")
        self.write("docs/lost.md", "")
        self.assert_found("check_documents.py", "docs/lost.md lies in the folder of no group")

    def test_diaries_and_riddles_fail(self):
        self.write("docs/results/performance.md", "\n" * 250)
        self.assert_found("check_documents.py", "docs/results/performance.md has 251 lines, more than 250")
        self.write("docs/howto/cut.md", "Taken by " + "whoever is free.\n")
        self.assert_found("check_documents.py", "docs/howto/cut.md:2: ")


if __name__ == "__main__":
    unittest.main()
