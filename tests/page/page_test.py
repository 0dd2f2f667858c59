#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""The interactive page in a headless Chromium: zoom, pan, hover, search, sort, collapse, links between views.

Each check works on the page of `trace_inspect serve` and on that of `trace_inspect report`. Nothing may stand on the
console, and nothing may be asked of any other address. Of further archives every view is opened and its contrast
measured; the last of them, whose clock has to be another, is also shown beside the first. Without Chromium the test is
skipped: exit code 77.
Usage: page_test.py FOLDER_OF_TOOLS ARCHIVE [FURTHER]...
"""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from devtools import Browser, Server, find_browser
from server_test import calls_by_row, compare_sums

SKIPPED = 77
SHIFT = 8
LINE = "app.timeline.first"
CSV_FIELDS = pathlib.Path(__file__).resolve().parents[1] / "data" / "csv_fields.json"
NUMBERS = pathlib.Path(__file__).resolve().parents[1] / "data" / "numbers.tsv"
COLOURS = pathlib.Path(__file__).resolve().parents[2] / "lib" / "model" / "time_use.hpp"
# Notes the texts of the last painting of every canvas.
NOTES = """(() => {
  const proto = CanvasRenderingContext2D.prototype, { setTransform, fillText } = proto;
  proto.setTransform = function (...all) { this.texts = []; return setTransform.apply(this, all); };
  proto.fillText = function (text, x, y) {
    const width = this.measureText(text).width;
    (this.texts ||= []).push({ text, y, left: this.textAlign === 'right' ? x - width : x, width, size: parseFloat(this.font) });
    return fillText.apply(this, arguments);
  };
})()"""
CONTRAST = pathlib.Path(__file__).resolve().parent / "contrast.js"


def find_axe():
    """axe-core, if it is installed: the file in TRACEFOLD_AXE, or the package among those of npm install -g."""
    if "TRACEFOLD_AXE" in os.environ:
        return pathlib.Path(os.environ["TRACEFOLD_AXE"]).read_text(encoding="utf-8")
    if not shutil.which("npm"):
        return None
    folder = subprocess.run(["npm", "root", "-g"], capture_output=True, text=True, check=False).stdout.strip()
    script = pathlib.Path(folder, "axe-core", "axe.min.js")
    return script.read_text(encoding="utf-8") if script.is_file() else None


AXE = find_axe()


def window(browser):
    return browser.evaluate("[app.selection.from, app.selection.to]")


def place(browser, tick, row):
    """Where a moment of a row is on the screen."""
    return browser.evaluate(f"""(() => {{
      const line = {LINE}, box = line.canvas.getBoundingClientRect(), item = line.lines.find((i) => i.row === {row});
      return [box.left + line.xOf({tick}), box.top + AXIS + OVERVIEW + item.top - line.scroll + item.height / 2];
    }})()""")


def check_zoom_and_pan(browser):
    browser.settle()
    home = window(browser)
    x, y = place(browser, (home[0] + home[1]) / 2, 1)
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-300)
    browser.settle()
    zoomed = window(browser)
    assert zoomed[1] - zoomed[0] < (home[1] - home[0]) * 0.8, (home, zoomed)
    middle = (home[0] + home[1]) / 2
    assert abs((middle - zoomed[0]) / (zoomed[1] - zoomed[0]) - 0.5) < 0.02, "the moment under the pointer stays"
    browser.drag(x, y, x - 200, y)
    browser.settle()
    moved = window(browser)
    assert moved[0] > zoomed[0] and abs((moved[1] - moved[0]) - (zoomed[1] - zoomed[0])) < 2, (zoomed, moved)
    for key in ("w", "d", "ArrowLeft"):
        before = window(browser)
        browser.key(key)
        browser.settle()
        assert window(browser) != before, key
    browser.key("Home")
    browser.settle()
    assert window(browser) == home, (window(browser), home)
    assert browser.evaluate(f"{LINE}.overviewData() !== undefined"), "the overview is empty"


def check_first_window(browser, rows):
    """The page opens from the end of MPI_Init to the begin of MPI_Finalize, the rows use the height, the panel is closed."""
    browser.settle()
    trace = browser.evaluate("app.traces[0].trace")
    calls = [call for row in rows.values() for call in row]
    inits = [begin + ticks for name, _, begin, ticks in calls if name.startswith("MPI_Init")]
    ends = [begin for name, _, begin, _ in calls if name == "MPI_Finalize"]
    assert window(browser) == [min(inits), max(ends)], (window(browser), min(inits), max(ends))
    assert browser.evaluate("document.querySelector('.details').hidden"), "nothing is selected"
    room, total = browser.evaluate(f"[{LINE}.room(), {LINE}.total]")
    assert room - 4 <= total <= room + 1, (room, total)
    browser.evaluate("document.getElementById('program').click()")
    browser.settle()
    assert window(browser) == trace["program"] and trace["program"][0] < min(inits), (window(browser), trace["program"])
    browser.evaluate("document.getElementById('run').click()")
    browser.settle()
    assert window(browser) == [min(inits), max(ends)]


def check_row_zero(browser):
    """A part with few calls shows row 0 from its regions, with their names, whatever the overview asks for."""
    home = window(browser)
    browser.evaluate(f"{LINE}.overview = undefined")
    browser.evaluate(f"{LINE}.show({home[0]}, {home[0] + (home[1] - home[0]) / 1500})")
    browser.settle()
    browser.wait(f"{LINE}.overviewData() !== undefined")
    names, labels, shares = browser.evaluate(f"""(() => {{
      const line = {LINE}, item = line.drawn.find((one) => one.row === 0);
      line.paint();
      const texts = line.canvas.getContext('2d').texts.filter(({{ left, y }}) => left > GUTTER && y >= item.y && y < item.y + item.height);
      return [line.bestOf(0).boxes.map((box) => box.name), texts.map((one) => one.text), line.overviewData().shares.some((share) => share > 0)]; }})()""")
    assert labels and all(any(name.startswith(label.rstrip("…")) for name in names) for label in labels), (labels, names[:9])
    assert shares, "the strip above is empty"
    browser.key("Home")
    browser.settle()


def check_texts(browser):
    """No text is smaller than 11 pixels, and none on a canvas is cut; charts have axes."""
    for view in browser.evaluate("[...app.views.keys()]"):
        browser.evaluate(f"app.show('{view}')")
        browser.evaluate("new Promise((done) => setTimeout(done, 150))")
        bad = browser.evaluate("""(() => { const bad = [];
          for (const canvas of document.querySelectorAll('.view:not([hidden]) canvas')) {
            for (const { text, left, y, width, size } of canvas.getContext('2d').texts || []) {
              if (size < 11 || left < -0.5 || left + width > canvas.clientWidth + 0.5 || y < 3 || y > canvas.clientHeight - 3) bad.push([text, left, y, width, size, canvas.clientWidth, canvas.clientHeight]);
            }
          }
          for (const element of document.querySelectorAll('header *, .view:not([hidden]) *')) {
            if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || !element.getClientRects().length) continue;
            const style = getComputedStyle(element);
            const scale = element instanceof SVGElement ? Math.hypot(element.getScreenCTM().a, element.getScreenCTM().b) : 1;
            if (parseFloat(style.fontSize) * scale < 10.9) bad.push([element.textContent, style.fontSize, scale]);
            if (style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1) bad.push([element.textContent, element.scrollWidth, element.clientWidth]);
          }
          return bad; })()""")
        assert not bad, (view, bad[:6])
    browser.evaluate("app.show('efficiency')")
    charts = "[...document.querySelectorAll('#view-{} .chart canvas, #view-{} .split canvas')].map((canvas) => canvas.getContext('2d').texts.map((one) => one.text))"
    for texts in browser.evaluate(charts.format("efficiency", "efficiency")):
        assert "0" in texts and any(re.fullmatch(r"[\d.]+ [num]?s", text) for text in texts), texts
    browser.evaluate("app.show('statistics')")
    browser.evaluate("new Promise((done) => setTimeout(done, 150))")
    for texts in browser.evaluate(charts.format("statistics", "statistics")):
        assert sum(bool(re.fullmatch(r"[\d.]+ [num]?s", text)) for text in texts) >= 2, texts
        assert any(re.fullmatch(r"[\d.]+( [kM])?", text) for text in texts), texts
    browser.evaluate("app.show('timeline')")


def check_colours(browser, scheme):
    """All activities have the colours of lib/model/time_use.hpp, in every view."""
    table = re.findall(r'X\(\w+, "([^"]+)", "[^"]+", "(#\w+)", "(#\w+)"\)', COLOURS.read_text())
    assert len(table) == 12, table
    assert browser.evaluate("app.traces[0].trace.uses") == [name for name, _, _ in table]
    assert browser.evaluate("Colours.uses") == [line[2 if scheme == "dark" else 1] for line in table]
    functions = browser.evaluate("app.traces[0].trace.functions")
    assert set(functions.values()) <= set(range(1, 12)), functions
    for view in ("graph", "structure"):
        browser.evaluate(f"document.getElementById('tab-{view}').click()")
        browser.wait(f"document.querySelector('#view-{view}').dataset.ready === '1'")
    nodes = browser.evaluate("[...document.querySelectorAll('#view-graph .node')].map((node) => [node.querySelector('.name').textContent, node.querySelector('.use').style.fill])")
    lines = browser.evaluate("[...document.querySelectorAll('#view-structure .line[data-call]')].map((line) => [line.dataset.call, line.querySelector('.swatch').style.backgroundColor])")
    named = [(name, colour) for name, colour in nodes + lines if name in functions]
    assert named
    for name, colour in named:
        assert colour == f"var(--use{functions[name]})", (name, colour, functions[name])
    browser.evaluate("app.show('timeline')")
    browser.settle()
    for row, name, use in browser.evaluate(f"{LINE}.drawn.flatMap((item) => item.boxes.slice(0, 50).map((box) => [item.row, box.name, box.use]))"):
        assert use == functions.get(name, 0) or name.startswith("MPI_"), (row, name, use)


def check_messages(browser, tools, folded):
    """An arrow is pointed at and clicked; the panel says of the call what trace_inspect messages says, and leads to the send."""
    command = [f"{tools}/trace_inspect", "messages", "--json", "--top", "1", str(folded)]
    message, = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["messages"]
    rate = browser.evaluate("app.traces[0].trace.ticks_per_second")
    labels = browser.evaluate("app.traces[0].trace.rows.map((row) => row[0])")
    received, sent = message["received"], message["sent"]
    to, by = labels.index(received["location"]), labels.index(sent["location"])
    begin, end = received["begin"] * rate, (received["begin"] + received["duration"]) * rate
    browser.evaluate(f"{LINE}.show({begin - (end - begin) * 0.2}, {end + (end - begin) * 0.2})")
    browser.settle()
    browser.wait(f"{LINE}.messages.length > 0")
    browser.settle()
    x, y = browser.evaluate(f"""(() => {{ const line = {LINE}, box = line.canvas.getBoundingClientRect();
      const arrow = line.arrowLines().find(({{ message }}) => message[3] === {to} && message[4] === {received["call"]} && message[0] === {by});
      for (let at = 0.02; at < 1; at += 0.02) {{
        const [x, y] = [arrow.x + at * (arrow.x2 - arrow.x), arrow.y + at * (arrow.y2 - arrow.y)];
        if (x > GUTTER && x < GUTTER + line.width && line.arrowAt(x, y) === arrow.message) return [box.left + x, box.top + y];
      }} }})()""")
    browser.mouse("mouseMoved", x, y)
    sentence = browser.evaluate("(({{ duration }}, late, bytes) => `${{timeText(duration)}} for rank {}, ${{byteText(bytes)}}, tag {}, sent ${{timeText(late)}} late`)({}, {}, {})".format(
        message["sender"], message["tag"], json.dumps(received), message["late"], message["bytes"]))
    browser.wait("/receiver waited/.test(document.getElementById('tooltip').textContent)")
    told = browser.evaluate("document.getElementById('tooltip').textContent")
    assert sentence in told and f"from rank {message['sender']} to rank {message['receiver']}" in told, (sentence, told)
    browser.click(x, y)
    browser.wait("document.querySelector('.details .messages .waited') !== null")
    assert browser.evaluate("app.selection.box") == [to, received["call"]]
    assert not browser.evaluate("document.querySelector('.details').hidden")
    assert browser.evaluate("document.querySelector('.details h2').textContent") == received["name"]
    waited = browser.evaluate("[...document.querySelectorAll('.details .messages .waited')].map((one) => one.textContent)")
    assert waited[0] == sentence, (waited, sentence)
    browser.evaluate("document.querySelector('.details .messages button').click()")
    browser.wait(f"String(app.selection.box) === '{by},{sent['call']}'")
    browser.wait(f"document.querySelector('.details h2').textContent === '{sent['name']}'")
    assert any(f"to rank {message['receiver']}, which waited" in text for text in
               browser.evaluate("[...document.querySelectorAll('.details .messages .sent')].map((one) => one.textContent)"))
    browser.evaluate("document.querySelector('.details .close').click()")
    browser.wait("document.querySelector('.details').hidden && app.selection.box === null")
    browser.key("Home")
    browser.settle()


def check_search_and_links(browser):
    browser.key("/")
    browser.evaluate("document.getElementById('search-text').value = 'mpi_allreduce > 1 us'")
    browser.key("Enter")
    browser.wait("app.selection.box !== null")
    browser.settle()
    found = browser.evaluate("app.selection.box")
    assert browser.evaluate("app.selection.call") == "MPI_Allreduce"
    begin, end = browser.evaluate(f"""(() => {{ const kept = {LINE}.bestOf({found[0]});
      const box = kept.boxes.find((item) => item.call === {found[1]}); return [box.begin, box.end]; }})()""")
    seen = window(browser)
    assert seen[0] <= begin and end <= seen[1], (seen, begin, end)
    browser.evaluate("document.activeElement.blur()")
    browser.key("n")
    browser.wait(f"app.selection.box && String(app.selection.box) !== '{found[0]},{found[1]}'")
    browser.key("p")
    browser.wait(f"app.selection.box && String(app.selection.box) === '{found[0]},{found[1]}'")
    browser.settle()
    browser.wait("location.hash.includes('call=MPI_Allreduce') && location.hash.includes('box=')")
    browser.wait("document.querySelector('.details h2').textContent === 'MPI_Allreduce'")
    return found


def check_hover(browser, found):
    begin, end = browser.evaluate(f"""(() => {{ const box = {LINE}.bestOf({found[0]}).boxes.find((i) => i.call === {found[1]});
      return [box.begin, box.end]; }})()""")
    x, y = place(browser, (begin + end) / 2, found[0])
    depth = browser.evaluate(f"""(() => {{ const line = {LINE}; const drawn = line.drawn.find((i) => i.row === {found[0]});
      const box = drawn.boxes.find((i) => i.call === {found[1]}); return line.canvas.getBoundingClientRect().top + drawn.y + 2
        + (Math.min(box.depth, drawn.levels - 1) + 0.5) * drawn.tall; }})()""")
    browser.mouse("mouseMoved", x, depth if depth else y)
    browser.wait("!document.getElementById('tooltip').hidden")
    text = browser.evaluate("document.getElementById('tooltip').textContent")
    assert "MPI_Allreduce" in text and "duration" in text and "begin" in text, text
    browser.wait("/comm|step/.test(document.getElementById('tooltip').textContent)")


def check_number_texts(browser):
    """The page writes numbers as the terminal does."""
    functions = {"size": "byteText", "count": "countText", "time": "timeText", "share": "shareText"}
    rows = [line.split("\t") for line in NUMBERS.read_text().splitlines() if not line.startswith("#")]
    rows += [["time", "0.1418, true", "141.8 ms"], ["time", "0.02, true", "20 ms"], ["time", "5400.4, true", "5400 s"],
             ["count", "2.25", "2.2"], ["count", "1e9 / 8", "125 M"]]
    for kind, value, text in rows:
        written = browser.evaluate(f"{functions[kind]}({value})")
        assert written == text, (kind, value, written, text)


def check_foreign_text(browser):
    """CSV has the fields of --csv; elsewhere characters that a screen obeys are symbols."""
    for text, field in json.loads(CSV_FIELDS.read_text()):
        written = browser.evaluate(f"csvField({json.dumps(text)})")
        assert written == field, (text, written, field)
    evil = json.dumps("a\x1b[2J\u202eb\x7f\u009b")
    symbols = "a\u241b[2J\ufffdb\u2421\ufffd"
    for made in (f"el('p', {{ title: {evil} }}, {evil}, el('b'))", f"svgEl('text', {{}}, {evil})"):
        assert browser.evaluate(f"{made}.textContent") == symbols, made
    assert browser.evaluate(f"el('p', {{ title: {evil} }}).title") == symbols
    saved = browser.evaluate(f"""(async () => {{
      const table = new SortedTable([{{ title: '=x', value: (row) => row }}], [{evil}, '=1+1'], 0, {{ id: 'test' }});
      const blobs = [], real = URL.createObjectURL;
      URL.createObjectURL = (blob) => {{ blobs.push(blob); return 'about:blank#'; }};
      HTMLAnchorElement.prototype.click = () => {{}};
      table.save();
      URL.createObjectURL = real;
      delete HTMLAnchorElement.prototype.click;
      return blobs[0].text();
    }})()""")
    assert sorted(saved.split("\n")) == ["", "'=1+1", "'=x", "a?[2J?b??"], saved


def seconds_of(text):
    number, unit = re.fullmatch(r"(-?[\d.]+) (s|ms|us|ns)", text).groups()
    return float(number) * {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[unit]


def regions_in_sight(browser):
    """Calls that are drawn wide enough to be pointed at: row, number, and where."""
    return browser.evaluate(f"""(() => {{ const line = {LINE}, area = line.canvas.getBoundingClientRect(), found = [];
      for (const drawn of line.drawn) for (const box of drawn.boxes) {{
        const left = Math.max(line.xOf(box.begin), GUTTER), right = Math.min(line.xOf(box.end), GUTTER + line.width);
        if (right - left < 3 || box.open) continue;
        const x = (left + right) / 2, y = drawn.y + 2 + (Math.min(box.depth, drawn.levels - 1) + 0.5) * drawn.tall;
        const hit = line.arrowAt(x, y) ? null : line.boxAt(x, y);
        if (hit && hit.box.call === box.call) found.push([drawn.row, box.call, area.left + x, area.top + y]);
      }}
      return found; }})()""")


def check_numbers(browser, rows):
    """In random windows, what stands under the pointer is what `calls` lists, and so are the sums."""
    trace = browser.evaluate("app.traces[0].trace")
    home, rate = trace["window"], trace["ticks_per_second"]
    pointed = 0
    for _ in range(12):
        length = (home[1] - home[0]) * 10 ** random.uniform(-4, -1.5)
        begin = random.uniform(home[0], home[1] - length)
        browser.evaluate(f"{LINE}.show({begin}, {begin + length})")
        browser.settle()
        seen = regions_in_sight(browser)
        for row, call, x, y in random.sample(seen, min(3, len(seen))):
            name, _, at, ticks = rows[row][call]
            browser.mouse("mouseMoved", x, y)
            browser.wait("!document.getElementById('tooltip').hidden")
            told = dict(browser.evaluate("[...document.querySelectorAll('#tooltip tr')].map((row) => [...row.cells].map((i) => i.textContent))"))
            assert browser.evaluate("document.querySelector('#tooltip b').textContent") == name
            assert abs(seconds_of(told["begin"]) - at / rate) <= length / rate / 50, (told, at / rate)
            assert abs(seconds_of(told["duration"]) - ticks / rate) <= 6e-4 * ticks / rate + 1 / rate, (told, ticks / rate)
            pointed += 1
        first, last = int(begin), int(begin + length)
        for row in range(len(trace["rows"])):
            compare_sums(browser.evaluate(f"app.traces[0].source.statistics([{row}], {first}, {last})"), rows, row, first, last)
    assert pointed > 10, pointed
    browser.evaluate(f"{LINE}.showHome()")
    browser.settle()


def check_profile(browser):
    """The sums of the whole run are those of the call paths."""
    sums = browser.evaluate("app.traces[0].source.statistics(app.traces[0].trace.rows.map((_, i) => i), 0, app.traces[0].trace.end + 10)")
    nodes = browser.evaluate("app.traces[0].source.document('profile').then((found) => found.nodes)")
    visits = {}
    for node in nodes:
        for metric in node["metrics"]:
            if metric["metric"] == "visits":
                visits[node["call"]] = visits.get(node["call"], 0) + metric["exclusive"]["sum"]
    assert len(sums["names"]) >= 8, sums
    for item in sums["names"]:
        assert visits[item["name"]] == item["calls"], (item, visits)


def check_window(browser):
    seen = window(browser)
    x, y = place(browser, seen[0] + (seen[1] - seen[0]) * 0.25, 0)
    x2, _ = place(browser, seen[0] + (seen[1] - seen[0]) * 0.75, 0)
    browser.drag(x, y, x2, y, SHIFT)
    browser.wait("document.getElementById('sums') !== null")
    chosen = browser.evaluate("app.selection.window")
    assert abs((chosen[1] - chosen[0]) / (seen[1] - seen[0]) - 0.5) < 0.03, (seen, chosen)
    browser.evaluate("document.querySelector('#sums th').click()")
    assert browser.evaluate("document.querySelector('#sums th').getAttribute('aria-sort')") == "ascending"
    names = browser.evaluate("[...document.querySelectorAll('#sums tbody tr td:first-child')].map((i) => i.textContent)")
    assert names == sorted(names, key=str.casefold) and names, names


def check_views(browser):
    views = browser.evaluate("[...app.views.keys()]")
    for view in views:
        browser.evaluate(f"document.getElementById('tab-{view}').click()")
        if view != "timeline":
            browser.wait(f"document.querySelector('#view-{view}').dataset.ready === '1'")
        assert browser.evaluate(f"!document.getElementById('view-{view}').hidden")
        assert browser.evaluate(f"document.getElementById('view-{view}').textContent.length") > 20, view
    assert {"timeline", "overview", "structure", "calls", "graph", "matrix", "statistics", "efficiency"} <= set(views)


def check_causes(browser, tools, folded):
    """The overview tells what trace_inspect explain tells."""
    document = json.loads(subprocess.run([pathlib.Path(tools) / "trace_inspect", "explain", "--json", folded],
                                         check=True, capture_output=True).stdout)
    sentences = [cause["sentence"] for cause in document["causes"]] or [document["sentence"]]
    browser.evaluate("app.show('overview')")
    causes = "document.querySelector('#view-overview .causes')"
    browser.wait(f"!/^Looking/.test({causes}?.textContent || 'Looking')")
    text = browser.evaluate(f"{causes}.textContent")
    for sentence in sentences + document["cautions"]:
        assert sentence in text, (sentence, text)
    if document["causes"]:
        browser.evaluate(f"{causes}.querySelector('button').click()")
        call = document["causes"][0].get("function") or document["causes"][0]["path"].split("/")[-1]
        assert browser.evaluate("app.selection.view") == "timeline"
        assert browser.evaluate("app.selection.call") == call
    return bool(document["causes"])


def check_call_tree(browser):
    browser.evaluate("app.show('calls')")
    rows = "document.querySelectorAll('#paths tbody tr').length"
    assert browser.evaluate("document.querySelectorAll('#paths tr.chosen').length") > 0, "the selected call is marked"
    before = browser.evaluate(rows)
    browser.evaluate("document.querySelector('#paths .twist:not(.leaf)').click()")
    assert browser.evaluate(rows) < before, "a node that is closed hides what is below it"
    browser.evaluate("document.querySelector('#paths .twist:not(.leaf)').click()")
    assert browser.evaluate(rows) == before
    browser.evaluate("document.querySelector('#paths th[data-sort=visits]').click()")
    assert browser.evaluate("document.querySelector('#paths th[data-sort=visits]').getAttribute('aria-sort')") == "descending"
    browser.evaluate("""(() => { const i = document.querySelector('#view-calls input'); i.value = 'barrier';
      i.dispatchEvent(new Event('input')); })()""")
    assert 0 < browser.evaluate(rows) < before
    browser.evaluate("""[...document.querySelectorAll('#paths tr.found')][0].click()""")
    assert browser.evaluate("app.selection.call") == "MPI_Barrier"
    browser.evaluate("app.show('structure')")
    assert browser.evaluate("document.querySelectorAll('#view-structure .line.chosen').length") > 0
    browser.evaluate("document.querySelector('#view-structure .group > button').click()")
    assert browser.evaluate("app.selection.view") == "timeline" and browser.evaluate("app.selection.rows.size") > 0
    browser.evaluate("app.show('graph')")
    assert browser.evaluate("document.querySelectorAll('#view-graph .node.chosen').length") > 0


def check_graph_and_matrix(browser):
    browser.evaluate("app.show('graph')")
    browser.wait("document.querySelector('#view-graph g').hasAttribute('transform')")
    before = browser.evaluate("document.querySelector('#view-graph svg > g').getAttribute('transform')")
    browser.mouse("mouseWheel", 500, 400, deltaX=0, deltaY=-200)
    browser.wait(f"document.querySelector('#view-graph svg > g').getAttribute('transform') !== {json.dumps(before)}")
    browser.evaluate("app.show('matrix')")
    browser.wait("document.querySelector('#view-matrix canvas') !== null")
    browser.evaluate("new Promise((done) => setTimeout(done, 100))")
    x, y = browser.evaluate("""(() => { const box = document.querySelector('#view-matrix canvas').getBoundingClientRect();
      return [box.left + 46 + (box.width - 46) * 3 / 8, box.top + 46 + (box.width - 46) / 8]; })()""")
    browser.mouse("mouseMoved", x, y)
    browser.wait("/→/.test(document.getElementById('tooltip').textContent)")
    browser.click(x, y)
    browser.wait("app.selection.rows.size === 2")


def check_collapse(browser):
    browser.evaluate("app.show('timeline')")
    browser.evaluate("document.getElementById('tab-timeline').click()")
    browser.evaluate(f"{LINE}.setGrouping('class')")
    browser.settle()
    before = browser.evaluate(f"{LINE}.lines.length")
    y = browser.evaluate(f"{LINE}.canvas.getBoundingClientRect().top + AXIS + OVERVIEW + 8")
    browser.click(40, y)
    browser.settle()
    assert browser.evaluate(f"{LINE}.lines.length") < before
    browser.click(40, y)
    browser.settle()
    assert browser.evaluate(f"{LINE}.lines.length") == before
    browser.evaluate(f"{LINE}.setGrouping('none')")
    browser.settle()


def check_address(browser, address):
    """An address with a selection opens with it."""
    fragment = browser.evaluate("app.selection.text()")
    browser.command("Page.navigate", url="about:blank")
    browser.open(address + "#" + fragment)
    browser.wait(f"{LINE}.overviewData() !== undefined")
    browser.settle()
    assert browser.evaluate("app.selection.text()") == fragment, (fragment, browser.evaluate("app.selection.text()"))


def check_contrast(browser, scheme):
    script = CONTRAST.read_text(encoding="utf-8")
    # What is scrolled out of sight has nothing below it that could be measured.
    browser.command("Emulation.setDeviceMetricsOverride", width=1400, height=9000, deviceScaleFactor=1, mobile=False)
    for view in browser.evaluate("[...app.views.keys()]"):
        browser.evaluate(f"app.show('{view}')")
        browser.evaluate("new Promise((done) => setTimeout(done, 250))")
        browser.evaluate("document.querySelectorAll('.view:not([hidden]) details').forEach((i) => { i.open = true; })")
        browser.evaluate("document.querySelector('.view:not([hidden]) .whole')?.click()")
        browser.evaluate("document.getElementById('contrast')?.remove()")
        browser.evaluate(f"(() => {{ {script} }})()")
        result = json.loads(browser.evaluate("document.getElementById('contrast').textContent"))
        browser.evaluate("document.getElementById('contrast').remove()")
        assert result["texts"] > 10, (view, result)
        assert not result["poor"], (view, scheme, result["poor"][:8])
    browser.evaluate("app.show('timeline')")


def check_accessibility(browser, scheme):
    """No serious finding of axe-core in any view, where it is installed; every view is reached by the keyboard."""
    for key, view in enumerate(browser.evaluate("[...app.views.keys()]"), 1):
        if browser.evaluate(f"document.getElementById('tab-{view}').hidden"):
            continue
        if key < 10:
            browser.evaluate("document.activeElement.blur()")
            browser.key(str(key))
        else:
            browser.evaluate(f"document.getElementById('tab-{view}').focus()")
            browser.key("Enter")
        assert browser.evaluate("app.selection.view") == view, view
        if view == "statistics":
            browser.wait("document.querySelector('#stats tbody tr') !== null")
            browser.evaluate("document.querySelector('#stats tbody tr').focus()")
            browser.key("Enter")
            chosen = browser.evaluate("document.querySelector('#stats tr.chosen td')?.textContent")
            assert chosen and chosen == browser.evaluate("app.selection.call") == browser.evaluate("document.activeElement.cells?.[0].textContent"), chosen
            browser.key("Escape")
        if not AXE:
            continue
        browser.evaluate(f"{AXE}; 0")
        browser.evaluate("new Promise((done) => setTimeout(done, 300))")
        found = browser.evaluate("""axe.run().then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
          .map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ target, failureSummary }) => [target.join(' '), failureSummary])]))""")
        assert not found, (view, scheme, found)
    browser.evaluate("app.show('timeline')")


def check_overview(browser):
    """The title is there at once, every card says when it is ready, factors are a tree, and a slow card can be stopped."""
    browser.evaluate("app.show('overview')")
    browser.wait("!document.querySelector('#view-overview [aria-busy=true]')")
    summary = browser.evaluate("document.querySelector('#view-overview .summary').textContent")
    assert re.fullmatch(r"\d+ ranks? · \d+ steps? · [\d.]+ [num]?s from the end of MPI_Init to MPI_Finalize", summary), summary
    titles = browser.evaluate("[...document.querySelectorAll('#view-overview .panel')].map((card) => card.getAttribute('aria-label'))")
    assert {"What costs time", "Efficiency", "Where the time goes", "One step", "Structure", "Calls"} <= set(titles), titles
    tree = browser.evaluate("""app.traces[0].source.document('efficiency').then(({ efficiency }) => {
      const line = (factor) => [...factor.children].slice(0, 2).map((part) => part.textContent);
      const factors = [...document.querySelectorAll('#view-overview .factors .factor')];
      return [efficiency, factors.map(line), factors.map((factor) => factor.closest('ul').parentElement.closest('li')?.querySelector('b').textContent)]; })""")
    values, lines, parents = tree
    assert [line[1].rsplit(" ", 1)[0] for line in lines[:3]] == ["parallel efficiency", "load balance", "communication efficiency"], lines
    assert lines[0][0] == f"{100 * values['parallel']:.1f} %" and parents[1] == parents[2] == lines[0][0], (values, lines, parents)
    browser.wait("[...document.querySelectorAll('#view-overview .chart canvas')].every((canvas) => canvas.getContext('2d').texts?.length > 3)")
    stopped = browser.evaluate("""(async () => {
      const card = new LateCard('slow', 'Searching', 'x', (signal) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('aborted')))));
      document.body.append(card.node);
      const button = card.node.querySelector('button');
      while (button.hidden) await new Promise((done) => setTimeout(done, 50));
      const says = card.body.textContent;
      button.click();
      while (card.node.getAttribute('aria-busy') === 'true') await new Promise((done) => setTimeout(done, 20));
      card.node.remove();
      return [says, card.body.textContent]; })()""")
    assert re.search(r"Searching … \d+ s", stopped[0]) and stopped[1].startswith("Stopped: the server computes it no longer."), stopped
    browser.evaluate("document.querySelectorAll('#view-overview .chart button')[0].click()")
    assert browser.evaluate("app.selection.view") == "timeline" and browser.evaluate("app.selection.step") is not None
    browser.key("Escape")
    browser.key("Home")
    browser.settle()


def check_flow_graph(browser, tools, folded):
    """Calls of one name are one node in a loop, loops are boxes around their nodes, and a click shows the variants."""
    browser.evaluate("app.show('graph')")
    browser.wait("document.querySelector('#view-graph g[transform]') !== null")
    command = [f"{tools}/trace_inspect", "graph", "--json", "--signature", "call,path", str(folded)]
    graph = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    names = browser.evaluate("[...document.querySelectorAll('#view-graph .node .name')].map((text) => text.textContent)")
    assert sorted(names) == sorted(node["name"] for node in graph["nodes"]), names
    boxes = [loop for loop in graph["loops"] if len(loop["nodes"]) > 1]
    titles = browser.evaluate("[...document.querySelectorAll('#view-graph .loop-title')].map((text) => text.textContent)")
    assert boxes and sorted(title.split(" · ")[0] for title in titles) == sorted(loop["text"] for loop in boxes), (titles, boxes)
    overlaps = browser.evaluate("""(() => { const plates = [...document.querySelectorAll('#view-graph .plate')].map((plate) => plate.getBoundingClientRect());
      return plates.flatMap((a, i) => plates.slice(i + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length; })()""")
    assert overlaps == 0, "nodes overlap"
    inside = browser.evaluate("""(() => { const rect = (one) => one.getBoundingClientRect(), frame = rect(document.querySelector('#view-graph svg'));
      const box = [...document.querySelectorAll('#view-graph .loop-title')].map(rect);
      return box.some((one) => one.left >= frame.left && one.top >= frame.top && one.right <= frame.right && one.bottom <= frame.bottom); })()""")
    assert inside, "the loop with most time is not in view"
    node = next(node for node in graph["nodes"] if node["name"] == "MPI_Send")
    browser.evaluate("[...document.querySelectorAll('#view-graph .node')].find((node) => node.querySelector('.name').textContent === 'MPI_Send').focus()")
    browser.key("Enter")
    browser.wait("document.querySelector('#view-graph #variants tbody tr') !== null")
    visits = browser.evaluate("app.traces[0].source.document('graph-variants').then(({ nodes }) => nodes.filter(({ name }) => name === 'MPI_Send').reduce((sum, one) => sum + one.visits, 0))")
    assert visits == node["visits"], (visits, node)
    assert browser.evaluate("document.querySelectorAll('#variants tbody tr').length") > 1
    assert browser.evaluate("app.selection.call") == "MPI_Send"
    browser.key("Enter")
    assert browser.evaluate("app.selection.call") == "" and browser.evaluate("document.querySelector('#view-graph .costs') !== null")


def check_structure(browser, tools, folded):
    """The structure says of calls what trace_inspect structure prints."""
    browser.evaluate("app.show('structure')")
    browser.wait("document.querySelector('#view-structure').dataset.ready === '1'")
    command = [f"{tools}/trace_inspect", "structure", "--times", "--wide", str(folded)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = browser.evaluate("[...document.querySelectorAll('#view-structure .group[open] .line')].map((line) => [...line.querySelectorAll('.share, .swatch')].reduce((text, part) => text.replace(part.textContent, ''), line.textContent))")
    flat = " ".join(printed.split())
    assert len(lines) > 20
    for line in lines:
        assert " ".join(line.split()) in flat, (line, printed)


def check_page(address, scheme, allowed, tools, folded):
    with Browser(scheme) as browser:
        browser.command("Page.addScriptToEvaluateOnNewDocument", source=NOTES)
        browser.open(address)
        dark = browser.evaluate("document.documentElement.classList.contains('dark')")
        assert dark == (scheme == "dark")
        rows = calls_by_row(tools, str(folded), browser.evaluate("app.traces[0].trace"))
        check_first_window(browser, rows)
        check_row_zero(browser)
        check_messages(browser, tools, folded)
        check_colours(browser, scheme)
        check_zoom_and_pan(browser)
        if scheme == "light":  # numbers have no colour
            check_number_texts(browser)
            check_foreign_text(browser)
            check_numbers(browser, rows)
            check_profile(browser)
        check_hover(browser, check_search_and_links(browser))
        check_window(browser)
        check_views(browser)
        check_causes(browser, tools, folded)
        check_call_tree(browser)
        check_graph_and_matrix(browser)
        check_flow_graph(browser, tools, folded)
        check_structure(browser, tools, folded)
        check_overview(browser)
        check_collapse(browser)
        check_address(browser, address)
        check_views(browser)
        check_texts(browser)
        check_contrast(browser, scheme)
        check_accessibility(browser, scheme)
        assert not browser.errors, browser.errors
        others = [url for url in browser.requests if not url.startswith((allowed, "data:", "about:"))]
        assert not others, others
        browser.evaluate("fetch('http://127.0.0.1:9/').catch(() => 0)")
        assert any("Content Security Policy" in str(error) for error in browser.errors), browser.errors


def check_further(tools, archive, scratch):
    """Every view of another kind of trace, in both colours."""
    page = pathlib.Path(scratch, "further.html")
    subprocess.run([f"{tools}/trace_inspect", "report", "-q", archive, "--network", "slingshot", "-f", "-o", str(page)],
                   check=True)
    for scheme in ("light", "dark"):
        with Browser(scheme) as browser:
            browser.command("Page.addScriptToEvaluateOnNewDocument", source=NOTES)
            browser.open(page.as_uri())
            browser.settle()
            check_views(browser)
            check_texts(browser)
            assert browser.evaluate("document.querySelectorAll('#view-prediction canvas').length") == 2
            check_contrast(browser, scheme)
            check_accessibility(browser, scheme)
            if pathlib.Path(archive).name == "micro-mpiio-4":
                assert check_causes(browser, pathlib.Path(tools), archive), "files take most of the time"
            assert not browser.errors, browser.errors
            assert all(url.startswith((page.as_uri(), "data:", "about:")) for url in browser.requests), browser.requests
    print(f"{pathlib.Path(archive).name}: all views, light and dark")


def check_rescued(tools, archive, scratch):
    """What was damaged in an archive stands in the overview."""
    damaged = pathlib.Path(scratch, "damaged")
    shutil.copytree(archive, damaged)
    events = sorted(damaged.rglob("*.evt"))[1]
    events.write_bytes(events.read_bytes()[:900])
    folded, page = pathlib.Path(scratch, "rescued.tfold"), pathlib.Path(scratch, "rescued.html")
    subprocess.run([f"{tools}/trace_compress", "-q", "--rescue", str(damaged), "-o", str(folded)], check=True)
    subprocess.run([f"{tools}/trace_inspect", "report", "-q", str(folded), "-o", str(page)], check=True)
    with Browser("light") as browser:
        browser.open(page.as_uri())
        browser.settle()
        browser.evaluate("app.show('overview')")
        browser.wait("/records kept/.test(document.querySelector('#view-overview .warning')?.textContent)")
        assert not browser.errors, browser.errors
    print("a rescued archive: its damage is told")


def check_two_files(tools, first, second, scratch):
    """Two programs side by side, with clocks of different rates: at one scale, and selected one by one."""
    folded = [pathlib.Path(scratch, f"{name}.tfold") for name in ("first", "second")]
    for archive, path in zip((first, second), folded):
        subprocess.run([f"{tools}/trace_compress", "-q", "-f", archive, "-o", str(path)], check=True)
    lines = "app.timeline.timelines"
    seconds = f"{lines}.map((line) => (line.to - line.from) * line.seconds)"
    starts = f"{lines}.map((line) => line.xOf(line.home[0]))"
    with Server(tools, *folded) as server, Browser("light", height=1000) as browser:
        browser.open(server.address)
        browser.settle()
        rates = browser.evaluate(f"{lines}.map((line) => line.trace.ticks_per_second)")
        assert len(rates) == 2 and rates[0] != rates[1], rates
        assert [path.name in browser.evaluate("document.title") for path in folded] == [True, True]

        def check_scale():
            lengths, begins = browser.evaluate(seconds), browser.evaluate(starts)
            assert abs(lengths[0] / lengths[1] - 1) < 1e-6, lengths
            assert abs(begins[0] - begins[1]) < 1e-3 * max(1, abs(begins[0])), begins
            return lengths[0]

        whole = check_scale()
        assert browser.evaluate(f"{lines}.every((line) => line.xOf(line.home[1]) <= line.canvas.clientWidth + 1)")
        assert browser.evaluate(f"{lines}.every((line) => line.visibleRows().every((row) => line.bestOf(row)))")
        box = browser.evaluate(f"(() => {{ const box = {lines}[1].canvas.getBoundingClientRect(); return [box.left, box.top]; }})()")
        browser.evaluate(f"{lines}[1].show({lines}[1].home[0], {lines}[1].home[0] + ({lines}[1].home[1] - {lines}[1].home[0]) / 20)")
        browser.settle()
        assert check_scale() < whole
        x, y, row, call = browser.evaluate(f"""(() => {{ const line = {lines}[1], drawn = line.drawn.find((item) => item.boxes.length);
          const box = drawn.boxes.reduce((a, b) => Math.min(a.end, line.to) - Math.max(a.begin, line.from) > Math.min(b.end, line.to) - Math.max(b.begin, line.from) ? a : b);
          const middle = (Math.max(box.begin, line.from) + Math.min(box.end, line.to)) / 2;
          return [line.xOf(middle), drawn.y + 2 + (Math.min(box.depth, drawn.levels - 1) + 0.5) * drawn.tall, drawn.row, box.call]; }})()""")
        browser.click(box[0] + x, box[1] + y)
        browser.wait("app.selection.box !== null")
        assert browser.evaluate("app.selection.box") == [row, call, 1], browser.evaluate("app.selection.box")
        browser.wait("document.querySelector('.details dd')?.textContent.endsWith(' of second.tfold')")
        browser.mouse("mouseWheel", box[0] + 600, box[1] + 100, deltaX=0, deltaY=-300)
        browser.settle()
        check_scale()
        browser.key("/")
        browser.evaluate("document.getElementById('search-text').value = 'mpi_'")
        browser.key("Enter")
        browser.wait(f"app.selection.box && String(app.selection.box) !== '{row},{call},1'")
        assert browser.evaluate("app.selection.box")[2] == 1, "the file that was clicked is searched"
        browser.evaluate(f"{lines}[1].canvas.focus()")
        browser.key("Home")
        browser.settle()
        assert abs(check_scale() / whole - 1) < 1e-6
        browser.drag(box[0] + 300, box[1] + 100, box[0] + 700, box[1] + 100, SHIFT)
        browser.wait("document.querySelectorAll('.details table').length === 2")
        lengths = browser.evaluate(f"{lines}.map((line) => (line.ownWindow()[1] - line.ownWindow()[0]) * line.seconds)")
        assert abs(lengths[0] / lengths[1] - 1) < 1e-3, lengths
        check_views(browser)
        assert browser.evaluate("document.querySelectorAll('#view-statistics .part').length") == 2
        check_address(browser, server.address)
        assert not browser.errors, browser.errors
        assert all(url.startswith((server.address, "data:", "about:")) for url in browser.requests), browser.requests
    print("two files side by side: all checks hold")


def main(tools, archive, *further):
    if not find_browser():
        print("skipped: Chromium is not installed")
        return SKIPPED
    random.seed(1)
    with tempfile.TemporaryDirectory() as scratch:
        folded = pathlib.Path(scratch, "run.tfold")
        subprocess.run([f"{tools}/trace_compress", "-q", archive, "-o", str(folded)], check=True)
        page = pathlib.Path(scratch, "run.html")
        subprocess.run([f"{tools}/trace_inspect", "report", "-q", str(folded), "-o", str(page)], check=True)
        for scheme in ("light", "dark"):
            with Server(tools, folded) as server:
                check_page(server.address, scheme, server.address, tools, folded)
            print(f"served, {scheme}: all checks hold")
            check_page(page.as_uri(), scheme, page.as_uri(), tools, folded)
            print(f"report, {scheme}: all checks hold")
        if further:
            check_two_files(tools, archive, further[-1], scratch)
        check_rescued(tools, archive, scratch)
        for other in further:
            check_further(tools, other, scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
