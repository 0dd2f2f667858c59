#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the golden files of every released format. Nothing here may be changed to make it pass.

usage: golden_test.py --bin BIN [--under "EMULATOR ARGUMENT..."] [--other-byte-order]
                      [--learnt trained_states.cpp] [--all] [TEST...]

--under is put before every command: with an emulator the programs may be those of another processor.
With --other-byte-order that one writes numbers the other way round, and so archives with other bytes.
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import golden

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "tests/data/golden"
DECODER = ROOT / "tests/decoder"
OPTIONS = argparse.Namespace()
KINDS = {1, 2, 3, 4, 5, 6, 7, 8}
# Of section 2.2 of docs/reference/format.md.
SECTION_CODINGS = {"plain": 0, "zstd": 2, "context mixing": 4}

WHAT_TO_DO = """
Files of format 1.0 can no longer be read as they were written. Put lib/model/dictionary/ and what is in
lib/context_mixing/ back as they were. A better dictionary or model gets a number of its own beside the old
one (docs/reference/format.md, 2.2; HACKING.md, "Change the dictionary")."""


def manifest():
    return json.loads((FOLDER / golden.MANIFEST).read_text(encoding="utf-8"))


def files():
    return manifest()["files"]


NOT_REPLAYABLE = 3  # of check: sound, but some calls have left too little to issue them again


def run(*command, codes=(0,)):
    """Standard output of one of the tools."""
    tool = OPTIONS.bin / command[0]
    result = subprocess.run([*OPTIONS.under, tool, *command[1:]], capture_output=True, check=False,
                            env={**os.environ, "LC_ALL": "C"})
    if result.returncode not in codes:
        raise AssertionError(f"{command[0]} ends with {result.returncode}: {result.stderr.decode()}")
    return result.stdout


class GoldenFiles(unittest.TestCase):
    def test_nobody_has_changed_them(self):
        known = {entry["file"]: entry["sha256"] for entry in files()}
        self.assertTrue(known)
        self.assertEqual(known, {path.name: golden.file_checksum(path)
                                 for path in FOLDER.glob("*.tfold")})

    def test_give_back_what_was_in_them(self):
        if not (OPTIONS.bin / "list_records").exists():
            self.skipTest("list_records is a part of the tests, which were not built")
        for entry in files():
            with self.subTest(entry["file"]):
                listed = run("list_records", FOLDER / entry["file"], "all")
                self.assertEqual(hashlib.sha256(listed).hexdigest(), entry["content_sha256"])

    def test_are_sound(self):
        for entry in files():
            with self.subTest(entry["file"]):
                told = run("trace_inspect", "check", FOLDER / entry["file"], codes=(0, NOT_REPLAYABLE))
                self.assertRegex(told.decode(), r"(?m)^can(not)? be replayed")

    def test_give_back_their_archives_byte_by_byte(self):
        with_archive = [entry for entry in files() if "restored" in entry]
        self.assertTrue(with_archive)
        for entry in with_archive:
            with self.subTest(entry["file"]), tempfile.TemporaryDirectory() as folder:
                back = pathlib.Path(folder) / "back"
                restore = ["trace_convert", FOLDER / entry["file"], "--to", "otf2", "-o", back]
                if OPTIONS.other_byte_order:
                    run(*restore, codes=(1,))
                    self.assertFalse(back.exists())
                    run(*restore, "--no-exact-bytes")
                    self.assertTrue(back.exists())
                else:
                    run(*restore)
                    self.assertEqual(golden.tree_checksum(back), entry["restored"])


class WhatFilesBuildOn(unittest.TestCase):
    def test_dictionary(self):
        self.assertEqual(golden.dictionary_checksums(ROOT), manifest()["dictionary"], WHAT_TO_DO)

    def test_what_the_models_have_learnt(self):
        if OPTIONS.learnt is None or sys.byteorder != "little":
            self.skipTest("--learnt is not given; the files that models have coded tell, too")
        self.assertEqual(golden.learnt_checksums(OPTIONS.learnt), manifest()["learnt"], WHAT_TO_DO)


class SecondDecoder(unittest.TestCase):
    """tests/decoder/decode.py, which was written from docs/reference/format.md, reads the same."""

    def setUp(self):
        try:
            import zstandard  # noqa: F401
            import xxhash  # noqa: F401
        except ImportError as error:
            self.skipTest(f"{error}; install python3-zstandard and python3-xxhash")

    def listing(self, path, folder=DECODER):
        result = subprocess.run([sys.executable, folder / "decode.py", path, "--all"],
                                capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return hashlib.sha256(result.stdout).hexdigest()

    def test_all_codings_are_there(self):
        sys.path.insert(0, str(DECODER))
        import decode
        kinds, codings, dictionaries, timings = set(), set(), set(), set()
        for entry in files():
            container = decode.Container(FOLDER / entry["file"])
            kinds |= {section[0] for section in container.sections}
            codings |= {(section[0], section[1] & 6) for section in container.sections}
            dictionaries.add(container.portable)
            timings.add(decode.Trace(FOLDER / entry["file"]).timing if container.portable else
                        next((word for word in decode.TIMINGS if word in entry["file"]), None))
        self.assertEqual(kinds, KINDS)
        self.assertEqual(dictionaries, {True, False})
        self.assertLessEqual(set(decode.TIMINGS), timings)
        for kind in (2, 3, 4, 7):
            for coding in SECTION_CODINGS.values():
                self.assertIn((kind, coding), codings, "a coding is in no file")

    def test_portable_files_need_nothing_else(self):
        """Neither the dictionary nor anything that was learnt: two scripts in an empty folder."""
        portable = [entry for entry in files() if "portable" in entry["file"]]
        self.assertGreaterEqual(len(portable), 4)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "decoder"
            folder.mkdir()
            for script in ("decode.py", "section_model.py"):
                (folder / script).write_bytes((DECODER / script).read_bytes())
            for entry in portable:
                with self.subTest(entry["file"]):
                    self.assertEqual(self.listing(FOLDER / entry["file"], folder),
                                     entry["content_sha256"])

    def test_other_files(self):
        for entry in files():
            if "portable" in entry["file"] or not OPTIONS.all:
                continue
            with self.subTest(entry["file"]):
                self.assertEqual(self.listing(FOLDER / entry["file"]), entry["content_sha256"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--under", type=str.split, default=[])
    parser.add_argument("--other-byte-order", action="store_true")
    parser.add_argument("--learnt", type=pathlib.Path)
    parser.add_argument("--all", action="store_true",
                        help="the second decoder reads files with models, too, which is slow")
    _, rest = parser.parse_known_args(namespace=OPTIONS)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
