#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""What `trace_inspect serve` answers: numbers as the command line has them, and 4xx for what makes no sense.

Usage: server_test.py FOLDER_OF_TOOLS ARCHIVE...
"""

import collections
import http.client
import itertools
import json
import os
import pathlib
import random
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from devtools import Server, limits

WINDOWS = 12
BAD = ("api/timeline", "api/timeline?rows=0&from=0&to=0&columns=10", "api/timeline?rows=0&from=9&to=3&columns=10",
       "api/timeline?rows=0&from=-1&to=3&columns=10", "api/timeline?rows=0&from=0&to=99999999999999999999999&columns=10",
       "api/timeline?rows=0&from=0&to=18446744073709551615&columns=10", "api/timeline?rows=0&from=0&to=9&columns=0",
       "api/timeline?rows=0&from=0&to=9&columns=100000000", "api/timeline?rows=99999999&from=0&to=9&columns=10",
       "api/timeline?rows=3-1&from=0&to=9&columns=10", "api/timeline?rows=0-4294967295&from=0&to=9&columns=10",
       "api/timeline?rows=0,,1&from=0&to=9", "api/timeline?rows=x&from=0&to=9", "api/timeline?rows=0&from=1e3&to=9e9",
       "api/timeline?rows=0&from=0%00&to=9", "api/call?row=0&call=999999999999", "api/call?row=0", "api/call?row=-1&call=0",
       "api/received?row=0&call=999999999999", "api/received?row=0", "api/find?rows=0&tick=0", "api/find?rows=0&name=" + "x" * 600, "api/statistics?rows=0", "api/steps?rows=0",
       "api/messages?rows=0&from=5&to=4", "api/document?name=../../etc/passwd", "api/document?name=", "api/document",
       "api/document?name=prediction", "api/document?name=" + "y" * 600, "api/trace?file=1", "api/trace?file=x", "api/nothing", "nothing",
       "../", "%2e%2e/%2e%2e/etc/passwd", "api/", "api/timeline/../../x")


def ask(server, question):
    with urllib.request.urlopen(server.address + question) as answer:
        return json.loads(answer.read())


def status_of(port, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=limits.seconds(60))
    try:
        connection.request(method, path, body)
        return connection.getresponse().status
    finally:
        connection.close()


def listed(tools, archive, *arguments):
    run = subprocess.run([f"{tools}/trace_inspect", *arguments, "--json", archive], check=True, capture_output=True,
                         text=True)
    return json.loads(run.stdout)


def calls_by_row(tools, archive, trace):
    """By row, the calls of the whole trace in their order: (name, kind, begin, duration) in ticks."""
    rate = trace["ticks_per_second"]
    row_of = {row[0]: number for number, row in enumerate(trace["rows"])}
    rows = collections.defaultdict(list)
    for call in listed(tools, archive, "calls")["calls"]:
        begin = round(call["begin"] * rate)
        rows[row_of.get(call["location"])].append((call["name"], call["kind"], begin,
                                                   round(call.get("duration", 0) * rate)))
    return rows


def check_window(server, rows, row, begin, end):
    """Regions that are drawn are those that `calls` lists."""
    answer = ask(server, f"api/timeline?rows={row}&from={begin}&to={end}&columns=100")["rows"][0]
    if "boxes" not in answer:
        return 0
    names = ask(server, f"api/timeline?rows={row}&from={begin}&to={end}&columns=100")["names"]
    drawn = sorted((names[box[1]], box[2], box[3]) for box in answer["boxes"]
                   if rows[row][box[0]][1] == "call")
    wanted = sorted((name, at, length) for name, kind, at, length in rows[row]
                    if kind == "call" and at < end and (at + length > begin or at >= begin))
    close = len(drawn) == len(wanted) and all(
        a[0] == b[0] and abs(a[1] - b[1]) <= 1 and abs(a[2] - b[2]) <= 1 for a, b in zip(drawn, wanted))
    assert close, (row, begin, end, len(drawn), len(wanted))
    for box in answer["boxes"]:
        name, kind, at, _ = rows[row][box[0]]
        if kind == "record" and name.startswith("ThreadTask"):  # a region goes on with its task
            same = any(other[:2] == (names[box[1]], "enter") for other in itertools.chain(*rows.values()))
        else:
            same = name == names[box[1]]
        assert same and abs(at - box[2]) <= 1, (box, rows[row][box[0]])
    return len(drawn)


def check_sums(server, rows, row, begin, end):
    compare_sums(ask(server, f"api/statistics?rows={row}&from={begin}&to={end}"), rows, row, begin, end)


def compare_sums(answer, rows, row, begin, end):
    """Sums of a window are those of the calls in it."""
    sums = {item["name"]: item for item in answer["names"]}
    wanted = collections.Counter()
    ticks = collections.Counter()
    for name, kind, at, length in rows[row]:
        if kind != "call":
            continue
        if begin <= at < end:
            wanted[name] += 1
        ticks[name] += max(0, min(at + length, end) - max(at, begin))
    for name in set(wanted) | {name for name in ticks if ticks[name]}:
        assert sums[name]["calls"] == wanted[name], (row, begin, end, name, sums.get(name), wanted[name])
        slack = 2 * (wanted[name] + 2)
        assert abs(sums[name]["ticks"] - ticks[name]) <= slack, (row, name, sums[name], ticks[name])
    assert set(sums) <= set(wanted) | set(ticks), (sums, wanted)


def check_profile(server, tools, archive, trace):
    """The sums of the whole run are those of `profile`."""
    end = trace["end"] + 10
    sums = {item["name"]: item for item in ask(
        server, f"api/statistics?rows=0-{len(trace['rows']) - 1}&from=0&to={end}")["names"]}
    visits, times = collections.Counter(), collections.Counter()
    for node in listed(tools, archive, "profile")["nodes"]:
        for metric in node["metrics"]:
            if metric["metric"] == "visits":
                visits[node["call"]] += metric["exclusive"]["sum"]
            if metric["metric"] == "time":
                times[node["call"]] += metric["inclusive"]["sum"]
    compared = 0
    for name, item in sums.items():
        if visits[name] != item["calls"]:
            continue  # some visits of it hold other calls
        seconds = item["ticks"] / trace["ticks_per_second"]
        assert abs(seconds - times[name]) <= 1e-9 * item["calls"] + 1e-6 * times[name], (name, seconds, times[name])
        compared += 1
    assert compared >= 3, (compared, sums, visits)
    return compared


def check_structure(document):
    """The times of lines: those in a loop take no more than the loop, all of them no more than their group of ranks."""
    checked = 0
    for group in document["groups"]:
        if "seconds" not in group:
            continue
        # Level, time and time of the items of what is open.
        around = [[0, group["seconds"], 0]]
        for line in [*group["lines"], {"level": 0, "seconds": 0, "name": ""}]:
            while len(around) > 1 and around[-1][0] >= line["level"]:
                _, own, inner = around.pop()
                assert inner <= own * (1 + 1e-9) + 1e-9, (line, inner, own)
                checked += 1
            around[-1][2] += line["seconds"]
            if line["name"] == "loop":
                around.append([line["level"], line["seconds"], 0])
        assert around[0][2] <= around[0][1] * (1 + 1e-9) + 1e-9, (group["participants"], around)
        checked += 1
    assert checked or not any("seconds" in group for group in document["groups"])
    return checked


def check_numbers(tools, archive):
    random.seed(archive)
    with Server(tools, archive) as server:
        trace = ask(server, "api/trace")
        rows = calls_by_row(tools, archive, trace)
        assert trace["window"][0] < trace["window"][1] <= trace["end"], trace
        drawn = 0
        for row in range(min(6, len(trace["rows"]))):
            check_sums(server, rows, row, 0, trace["end"] + 1)
            for _ in range(WINDOWS):
                length = max(2, int((trace["end"] + 1) * 10 ** random.uniform(-4, 0)))
                begin = random.randrange(0, max(1, trace["end"] - length + 1))
                drawn += check_window(server, rows, row, begin, begin + length)
                check_sums(server, rows, row, begin, begin + length)
        compared = check_profile(server, tools, archive, trace)
        check_structure(ask(server, "api/document?name=structure"))
        messages = check_messages(server, tools, archive, trace)
        print(f"{pathlib.Path(archive).name}: {drawn} calls as listed, {compared} sums as in the profile, {messages} messages")
        assert drawn > 0


def check_messages(server, tools, archive, trace):
    """What a call sends and receives is what `messages` lists."""
    row_of = {row[0]: number for number, row in enumerate(trace["rows"])}
    messages = listed(tools, archive, "messages")["messages"]
    for message in random.sample(messages, min(20, len(messages))):
        for end in (message["sent"], message["received"]):
            told = ask(server, f"api/received?row={row_of[end['location']]}&call={end['call']}")["messages"]
            assert message in told and all(end in (other["sent"], other.get("received")) for other in told), (message, told)
    return len(messages)


def check_refusals(tools, archive):
    with Server(tools, archive) as server:
        token = urllib.parse.urlsplit(server.address).path
        assert len(token) == 34, token
        for bad in BAD:
            status = status_of(server.port, "GET", token + bad)
            assert 400 <= status < 500, (bad, status)
        for path in ("/", "/api/trace", "/x/api/trace", token[:-2] + "/", token[:-1] + "0/", "/" + "a" * 32 + "/"):
            assert status_of(server.port, "GET", path) in (403, 404), path
        assert status_of(server.port, "GET", token[:-1]) == 302
        assert status_of(server.port, "HEAD", token) == 200
        assert status_of(server.port, "GET", token, b"{}") == 400, "a body"
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            assert 400 <= status_of(server.port, method, token, b"{}") < 500, method
        assert 400 <= status_of(server.port, "POST", token, b"x" * 100000) < 500
        assert 400 <= status_of(server.port, "GET", token + "a" * 9000) < 500
        for text in (b"\0\1\2\3\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain:
                plain.sendall(text)
        assert ask(server, "api/trace")["rows"], "the server has gone"
        with urllib.request.urlopen(server.address) as page:
            assert "connect-src 'self'" in page.headers["Content-Security-Policy"]
            assert page.headers["Referrer-Policy"] == "no-referrer"
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    run = subprocess.run([f"{tools}/trace_inspect", "serve", archive, "--port", str(taken.getsockname()[1])],
                         capture_output=True, text=True, timeout=limits.seconds(60))
    assert run.returncode == 1 and "cannot listen on port" in run.stderr, run
    missing = subprocess.run([f"{tools}/trace_inspect", "serve", "/does/not/exist"], capture_output=True, text=True)
    assert missing.returncode == 1 and "exist" in missing.stderr, missing
    print(f"{len(BAD)} bad questions refused")


def check_replaced(tools, folded, other):
    """The page stays that of the file that was opened, and says so."""
    names = ("info", "matrix-rank", "waits", "profile")
    with Server(tools, folded) as server:
        known = [ask(server, f"api/document?name={name}") for name in names]
    with Server(tools, folded) as server:
        before = ask(server, "api/trace")
        assert "replaced" not in before, before
        pathlib.Path(other).replace(folded)
        after = ask(server, "api/trace")
        assert after.pop("replaced") is True
        assert after == before
        assert [ask(server, f"api/document?name={name}") for name in names] == known
    with Server(tools, folded) as server:
        assert "replaced" not in ask(server, "api/trace")
        assert [ask(server, f"api/document?name={name}") for name in names] != known


class SocketConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=limits.seconds(20))
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def status_at(path, target):
    connection = SocketConnection(path)
    connection.request("GET", target)
    return connection.getresponse().status


def foreign_status(path, target):
    """What another user gets: an error, or nothing. Only root can take its place."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setuid(65534)
        try:
            told = str(status_at(path, target))
        except OSError as error:
            told = type(error).__name__
        except http.client.HTTPException:
            told = "closed"
        os.write(writer, told.encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    with os.fdopen(reader) as told:
        return told.read()


def check_socket(tools, archive, scratch):
    """Only the owner is answered at a socket, which goes with the server."""
    place = pathlib.Path(scratch, "page.socket")
    serve = [f"{tools}/trace_inspect", "serve", archive, "--socket", str(place)]
    for signal_number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):  # what the second one leaves is replaced
        with subprocess.Popen([*serve, "--json"], stdout=subprocess.PIPE, text=True) as server:
            told = json.loads(server.stdout.readline())
            token = urllib.parse.urlsplit(told["address"]).path
            assert told["socket"] == str(place) and f":{place} " in told["tunnel"], told
            assert stat.S_IMODE(place.stat().st_mode) == 0o600 and stat.S_ISSOCK(place.stat().st_mode)
            assert (status_at(place, token), status_at(place, "/x/")) == (200, 403)
            if os.geteuid() == 0:
                pathlib.Path(scratch).chmod(0o755)
                assert foreign_status(place, token) == "PermissionError", foreign_status(place, token)
                place.chmod(0o666)
                assert foreign_status(place, token) in ("closed", "ConnectionResetError", "BrokenPipeError")
                assert status_at(place, token) == 200
            again = subprocess.run(serve, capture_output=True, text=True, check=False)
            assert again.returncode == 1 and "cannot listen at" in again.stderr, again
            server.send_signal(signal_number)
            server.wait(timeout=limits.seconds(30))
        assert place.exists() == (signal_number == signal.SIGKILL), signal_number
    place.write_text("precious")
    for path, words in ((place, "cannot listen at"), (place / "x", "cannot listen at"), ("x" * 200, "too long for a socket")):
        run = subprocess.run([*serve[:-1], str(path)], capture_output=True, text=True, check=False)
        assert run.returncode in (1, 2) and words in run.stderr, run
    assert place.read_text() == "precious"
    print("sockets: only the owner is answered")


def page_of(server, question):
    with urllib.request.urlopen(server.address + question) as answer:
        return answer.read().decode()


def check_list(tools, folder):
    """A folder is a list; each trace has a page of its own, at the address of its link."""
    traces = listed(tools, folder, "list")["traces"]
    with Server(tools, folder) as server:
        links = dict(re.findall(r'<a href="(\d+)/">([^<]+)</a>', page_of(server, "")))
        assert sorted(links.values()) == sorted(trace["file"] for trace in traces), links
        for number, path in links.items():
            name = pathlib.Path(path).name
            assert ask(server, f"{number}/api/trace")["name"] == name
            assert name in page_of(server, f"{number}/")
        query = urllib.parse.urlencode({"where": "program~lu", "sort": "size"})
        assert re.findall(r'<a href="\d+/">([^<]+)</a>', page_of(server, "?" + query)) == [
            trace["file"] for trace in traces if "lu" in (trace["program"] or "")]
        # Another order keeps the condition: both are fields of one form.
        page = page_of(server, "?" + query)
        assert re.search(r'<input name="where"[^>]* value="program~lu">', page), page
        assert '<button form="query" name="sort" value="ranks">' in page, page
        token = urllib.parse.urlsplit(server.address).path
        for question, status in (("99/", 404), ("0", 404), ("x/", 400), ("?where=ranks", 400), ("?sort=x", 400),
                                 ("0/api/nothing", 404), ("0/../../x", 404)):
            assert status_of(server.port, "GET", token + question) == status, question
    print(f"lists: {len(links)} traces")


def main(tools, *archives):
    with tempfile.TemporaryDirectory() as scratch:
        for archive in archives:
            folded = str(pathlib.Path(scratch, pathlib.Path(archive).name + ".tfold"))
            subprocess.run([f"{tools}/trace_compress", "-q", archive, "-o", folded], check=True)
            check_numbers(tools, folded)
        check_list(tools, scratch)
        check_replaced(tools, *(str(pathlib.Path(scratch, pathlib.Path(archive).name + ".tfold"))
                                for archive in archives[:2]))
        check_socket(tools, archives[0], scratch)
    check_refusals(tools, archives[0])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
