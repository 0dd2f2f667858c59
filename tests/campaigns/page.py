# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import sys
import time

from .common import ROOT, Campaign, Failure, Missing

sys.path.insert(0, str(ROOT / "tests/page"))
import devtools  # noqa: E402

LARGEST_REPORT = 5_000_000  # bytes


def look_at(browser, address):
    """Opens all views of a page."""
    browser.command("Page.navigate", url="about:blank")
    browser.open(address)
    browser.settle()
    for view in browser.evaluate("[...app.views.keys()]"):
        browser.evaluate(f"app.show('{view}')")
        if view != "timeline":
            browser.wait(f"document.querySelector('#view-{view}').dataset.ready === '1'", 120)
    browser.command("Page.navigate", url="about:blank")


class Page(Campaign):
    """Open all views of the interactive page, served and as a report, in a headless Chromium.

The browser's console must have no error, and a report at most 5 MB.
"""

    name = "page"
    columns = ("seconds", "seconds for the report", "bytes of the report")
    jobs = 1

    def run(self):
        if not devtools.find_browser():
            raise Missing("Chromium")
        with devtools.Browser() as self.browser:
            return super().run()

    def check(self, archive):
        self.browser.errors.clear()
        page, start = archive.work / "page.html", time.monotonic()
        try:
            with devtools.Server(self.options.bin, archive.path) as server:
                look_at(self.browser, server.address)
            begin = time.monotonic()
            archive.tool("trace_inspect", "report", "-q", archive.path, "-f", "-o", page)
            written = time.monotonic() - begin
            look_at(self.browser, page.as_uri())
        except (OSError, RuntimeError, AssertionError) as error:
            raise Failure(f"{type(error).__name__}: {error}") from error
        size = page.stat().st_size
        if size > LARGEST_REPORT:
            raise Failure(f"the report has {size} bytes")
        if self.browser.errors:
            raise Failure(f"{len(self.browser.errors)} errors on the console", map(str, self.browser.errors))
        return f"{time.monotonic() - start:.1f}", f"{written:.1f}", size
