#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the page that trace_inspect report writes: well-formed, complete in itself, right data.

With a browser named by --browser it is rendered on light and dark screens as well, and must not be
wider than the window. Usage: check_report.py --bin DIR --samples DIR [--browser PROGRAM]
"""

import argparse
import csv
import html.parser
import io
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

VOID = {"meta", "br", "hr", "img", "input", "link"}
SAMPLES = ["micro-stencil2d9p-isend-4", "micro-rma-4", "npb-lu.S-4", "micro-pcoll-4"]
SECTIONS = ["findings", "efficiency", "timeline", "structure", "graph", "matrix", "sizes", "calls", "profile", "classes", "glossary"]


class Page(html.parser.HTMLParser):
    """Collects what is to be checked and notices tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.open_tags = []
        self.problems = []
        self.identifiers = []
        self.links = []
        self.files = {}
        self.terms = 0
        self.feed(text)
        self.problems += [f"<{tag}> is never closed" for tag in self.open_tags]

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open_tags.append(tag)
        self.take(tag, dict(attributes))

    def handle_startendtag(self, tag, attributes):
        self.take(tag, dict(attributes))

    def take(self, tag, attributes):
        if tag in ("script", "iframe", "object", "embed", "link"):
            self.problems.append(f"<{tag}> has no place in the page")
        if tag == "dt":
            self.terms += 1
        if tag == "section" and "id" in attributes:
            self.identifiers.append(attributes["id"])
        if tag == "a" and "download" in attributes:
            header, _, data = attributes["href"].partition(",")
            if not header.startswith("data:text/csv"):
                self.problems.append(f"{attributes['download']} is no CSV")
            self.files[attributes["download"]] = urllib.parse.unquote(data)
            return
        for name in ("href", "src", "xlink:href"):
            if name in attributes:
                self.links.append(attributes[name])

    def handle_endtag(self, tag):
        if not self.open_tags or self.open_tags.pop() != tag:
            self.problems.append(f"</{tag}> closes something else")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def check_links(page):
    for link in page.links:
        if link.startswith("#") and link[1:] in page.identifiers:
            continue
        yield f"{link} leads out of the page"
    for section in SECTIONS:
        if section not in page.identifiers:
            yield f"there is no section {section}"
    if page.terms < 10:
        yield f"the glossary has {page.terms} terms only"


def check_data(page, folded, binaries):
    for name, text in page.files.items():
        lines = list(csv.reader(io.StringIO(text)))
        if len({len(line) for line in lines}) != 1:
            yield f"{name}: lines of different length"
    inspect = str(binaries / "trace_inspect")
    for name, command in [("matrix-point-to-point.csv", "matrix"), ("sizes.csv", "sizes")]:
        expected = rows_of(run(inspect, command, folded, "--csv"))
        if rows_of(page.files.get(name, "")) != expected:
            yield f"{name} is not what trace_inspect {command} says"
    info = rows_of(page.files["regions.csv"])
    if not info or any(int(row["calls"]) == 0 for row in info):
        yield "regions.csv names no calls"


def check_timeline(page):
    rows = rows_of(page.files["timeline.csv"])
    uses = list(rows[0])[3:]
    total = {use: sum(float(row[use]) for row in rows) for use in uses}
    if total["computation"] <= 0 or sum(total.values()) <= total["computation"]:
        yield f"the timeline is empty: {total}"


def check_rendering(path, browser, scratch):
    """The width of the page in a window, told by its title, and a picture that is not blank."""
    for scheme in ("light", "dark"):
        wide = scratch / "wide.html"
        wide.write_text(
            path.read_text(encoding="utf-8")
            + "<script>document.title = 'WIDTH ' + document.documentElement.scrollWidth + ' '"
            + " + getComputedStyle(document.body).backgroundColor;</script>",
            encoding="utf-8",
        )
        flags = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1000,1400"]
        if scheme == "dark":
            flags.append("--blink-settings=preferredColorScheme=0")
        dom = run(*flags, f"--user-data-dir={scratch}/profile", "--dump-dom", f"file://{wide}")
        title = dom.partition("<title>WIDTH ")[2].partition("</title>")[0]
        width, _, background = title.partition(" ")
        if not width or int(width) > 1000:
            yield f"{scheme}: the page is {width or 'of unknown'} wide in a window of 1000"
        if (background == "rgb(255, 255, 255)") != (scheme == "light"):
            yield f"{scheme}: the page is {background}"
        picture = scratch / f"{scheme}.png"
        run(*flags, f"--user-data-dir={scratch}/profile", f"--screenshot={picture}",
            f"file://{path}")
        if picture.stat().st_size < 20000:
            yield f"{scheme}: the picture is blank"


def check(sample, arguments, scratch):
    folded = scratch / f"{sample}.tfold"
    page_path = scratch / f"{sample}.html"
    run(str(arguments.bin / "trace_compress"), "-q", str(arguments.samples / sample), "-o",
        str(folded))
    run(str(arguments.bin / "trace_inspect"), "report", str(folded), "-o", str(page_path))
    page = Page(page_path.read_text(encoding="utf-8"))
    yield from page.problems
    yield from check_links(page)
    yield from check_data(page, str(folded), arguments.bin)
    yield from check_timeline(page)
    if arguments.browser:
        yield from check_rendering(page_path, arguments.browser, scratch)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    parser.add_argument("--browser")
    arguments = parser.parse_args()
    problems = 0
    samples = SAMPLES[:1] if arguments.browser else SAMPLES
    for sample in samples:
        with tempfile.TemporaryDirectory() as scratch:
            for problem in check(sample, arguments, pathlib.Path(scratch)):
                print(f"{sample}: {problem}")
                problems += 1
    print(f"{len(samples)} pages, {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
