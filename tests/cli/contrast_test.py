#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures in a browser whether all text of a report can be read, on a light and on a dark screen.

Every text, those in pictures included, must have a contrast of 4.5 to what is painted below it
(contrast.js measures). Without Chromium the test is skipped: exit code 77.
Usage: contrast_test.py FOLDER_OF_TOOLS ARCHIVE...
"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LEAST_TEXTS = 50
SKIPPED = 77


def measure(browser, page, scheme, scratch):
    """What contrast.js says about a page."""
    script = pathlib.Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
    copy = scratch / f"{scheme}.html"
    copy.write_text(page.read_text(encoding="utf-8").replace("</body>", f"<script>{script}</script></body>"),
                    encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1000,1400",
             f"--user-data-dir={scratch}/profile"]
    if scheme == "dark":
        flags.append("--blink-settings=preferredColorScheme=0")
    dom = subprocess.run([browser, *flags, "--dump-dom", f"file://{copy}"], check=True, capture_output=True,
                         text=True, timeout=200).stdout
    found = re.search(r'<pre id="contrast">(.*?)</pre>', dom, flags=re.S)
    return json.loads(html.unescape(found.group(1))) if found else {"texts": 0, "poor": []}


def problems_of(browser, tools, archive, scratch):
    name = pathlib.Path(archive).name
    page = scratch / f"{name}.html"
    subprocess.run([f"{tools}/trace_inspect", "report", archive, "-o", str(page), "-q"], check=True)
    for scheme in ("light", "dark"):
        result = measure(browser, page, scheme, scratch)
        print(f"{name}, {scheme}: {result['texts']} texts, {len(result['poor'])} of poor contrast")
        if result["texts"] < LEAST_TEXTS:
            yield f"{name}, {scheme}: {result['texts']} texts were found"
        for ratio, tag, text in result["poor"]:
            yield f"{name}, {scheme}: {ratio} <{tag}> {text}"


def main(arguments):
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print("skipped: Chromium is not installed")
        return SKIPPED
    tools, *archives = arguments
    problems = []
    for archive in archives:
        with tempfile.TemporaryDirectory() as scratch:
            problems += problems_of(browser, tools, archive, pathlib.Path(scratch))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
