#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/tutorial/python.md and the cells of the notebooks run, one after the other.

Usage: documents_test.py BIN SAMPLES
"""

import contextlib
import io
import json
import os
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv[2]).resolve().parent
BLOCK = re.compile(r"(<!-- needs (\w+) -->\n)?```python\n(.*?)```", re.DOTALL)


def has(module):
    try:
        __import__(module)
        return True
    except ImportError:
        return False


def examples(path):
    """The pieces of a page or notebook, without those that need what is not there."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return [code for _, needs, code in BLOCK.findall(text) if not needs or has(needs)]
    cells = json.loads(text)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


class DocumentsTest(unittest.TestCase):
    def run_all(self, path):
        """What a page prints."""
        printed, names = io.StringIO(), {}
        pieces = examples(path)
        self.assertGreater(len(pieces), 2)
        with contextlib.redirect_stdout(printed):
            for number, piece in enumerate(pieces):
                exec(compile(piece, f"{path.name}, piece {number}", "exec"), names)
        return printed.getvalue()

    def setUp(self):
        os.chdir(ROOT)
        if has("matplotlib"):
            import matplotlib

            matplotlib.use("Agg")

    def test_tutorial(self):
        printed = self.run_all(ROOT / "docs/tutorial/python.md")
        self.assertIn("4 ranks", printed)
        self.assertIn("rank 4 does not exist", printed)

    @unittest.skipUnless(has("matplotlib"), "matplotlib is not installed")
    def test_notebooks(self):
        notebooks = sorted((ROOT / "python/notebooks").glob("*.ipynb"))
        self.assertEqual(len(notebooks), 3)
        for path in notebooks:
            with self.subTest(path.name):
                self.run_all(path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
