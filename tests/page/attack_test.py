#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Attacks `trace_inspect serve` as any user of the machine can, without the token: slow heads, heads without end, ranges,
garbage, and more connections than the server takes. Meanwhile the owner gets answers, and memory stays small.

usage: attack_test.py BIN ARCHIVE [CONNECTIONS]
"""

import pathlib
import resource
import socket
import sys
import time
import urllib.parse
import urllib.request

from devtools import Server, limits

MOST_MEGABYTES = 200


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=limits.seconds(20))


def peak_megabytes(server):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) / 1024


def owner_is_answered(server, attack):
    start = time.monotonic()
    with urllib.request.urlopen(server.address + "api/trace", timeout=limits.seconds(20)) as answer:
        assert answer.status == 200
    print(f"{attack}: the owner waited {time.monotonic() - start:.3f} s, peak {peak_megabytes(server):.0f} MB")


def response_to(port, request):
    """What comes back until the server closes; the request may be more than it reads."""
    with connect(port) as client:
        try:
            client.sendall(request)
        except (BrokenPipeError, ConnectionResetError):
            pass
        received = b""
        try:
            while more := client.recv(65536):
                received += more
        except ConnectionResetError:
            pass
        return received


def slow_heads(server):
    clients = [connect(server.port) for _ in range(64)]
    for client in clients:
        client.sendall(b"GET / HTTP/1.1\r\nX: ")
    owner_is_answered(server, "64 slow heads")
    deadline = time.monotonic() + limits.seconds(20)
    for client in clients:
        client.settimeout(max(deadline - time.monotonic(), 0.1))
        try:
            while client.recv(100):
                pass
        except ConnectionResetError:
            pass
        client.close()
    print("all slow clients were disconnected")


def endless(server):
    token = urllib.parse.urlsplit(server.address).path.encode()
    line = response_to(server.port, b"GET /" + b"a" * 10_000_000)
    headers = response_to(server.port, b"GET " + token + b" HTTP/1.1\r\n" + b"X: y\r\n" * 1_000_000)
    for answer in (line, headers):
        assert not answer or answer.startswith(b"HTTP/1.1 431 "), answer[:100]
    owner_is_answered(server, "heads without end")


def ranges(server):
    token = urllib.parse.urlsplit(server.address).path.encode()
    for value in (b"bytes=" + b"9" * 4000 + b"-", b"bytes=" + b"0-," * 1300):
        for path in (b"/", token):
            answer = response_to(server.port, b"GET " + path + b" HTTP/1.1\r\nConnection: close\r\nRange: " + value
                                 + b"\r\n\r\n")
            status = b"403" if path == b"/" else b"200"
            assert answer.startswith(b"HTTP/1.1 " + status), answer[:100]
            assert path == b"/" or answer.rstrip().endswith(b"</html>"), "no range is given, but the whole"
    owner_is_answered(server, "ranges")


def garbage(server):
    for request in (b"\0" * 9000, b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/2.0\r\n\r\n", b"GET x HTTP/1.1\r\n\r\n",
                    b"GET /%zz/%zz HTTP/1.1\r\n\r\n", b"\xff\xfe\r\n\r\n"):
        answer = response_to(server.port, request)
        assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 403 ", b"HTTP/1.1 431 ")), (request[:20], answer[:50])
    owner_is_answered(server, "garbage")


def flood(server, connections):
    clients = []
    for i in range(connections):
        clients.append(connect(server.port))
        if i % 500 == 499:
            owner_is_answered(server, f"{i + 1} connections")
    for client in clients:
        client.close()
    owner_is_answered(server, "after the flood")


def main(tools, archive, connections="2000"):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, int(connections) + 100), most))
    with Server(tools, archive) as server:
        for attack in (slow_heads, endless, ranges, garbage):
            attack(server)
        flood(server, int(connections))
        assert peak_megabytes(server) < MOST_MEGABYTES


if __name__ == "__main__":
    main(*sys.argv[1:])
