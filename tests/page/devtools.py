# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium that is told what to do through the DevTools protocol, with the standard library alone."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def find_browser():
    """Path of a browser; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


class WebSocket:
    """A client that sends and receives text, as RFC 6455 has it."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=limits.seconds(180))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.socket.recv(1)
        assert b" 101 " in head.split(b"\r\n")[0], head

    def send(self, text):
        data = text.encode()
        mask = os.urandom(4)
        if len(data) < 126:
            head = struct.pack("!BB", 0x81, 0x80 | len(data))
        elif len(data) < 65536:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, len(data))
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, len(data))
        body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.socket.sendall(head + mask + body)

    def _read(self, size):
        data = bytearray()
        while len(data) < size:
            piece = self.socket.recv(min(1 << 16, size - len(data)))
            if not piece:
                raise ConnectionError("the browser has gone")
            data += piece
        return bytes(data)

    def receive(self):
        """The next message."""
        text = b""
        while True:
            first, second = self._read(2)
            size = second & 0x7F
            if size == 126:
                size, = struct.unpack("!H", self._read(2))
            elif size == 127:
                size, = struct.unpack("!Q", self._read(8))
            piece = self._read(size)
            if first & 0x0F in (0, 1):
                text += piece
                if first & 0x80:
                    return text.decode()


class Browser:
    """A page, what it says on its console, and which addresses it asks for."""

    def __init__(self, scheme="light", width=1400, height=900):
        self.scratch = tempfile.TemporaryDirectory()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
                 "--disable-background-networking", "--force-color-profile=srgb", "--hide-scrollbars",
                 f"--window-size={width},{height}", f"--user-data-dir={self.scratch.name}/profile"]
        self.process = subprocess.Popen([find_browser(), *flags, "about:blank"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.number = 0
        self.errors = []
        self.requests = []
        port_file = pathlib.Path(self.scratch.name, "profile", "DevToolsActivePort")
        deadline = time.monotonic() + limits.seconds(60)
        while not port_file.exists() or len(port_file.read_text().splitlines()) < 2:
            if time.monotonic() > deadline:
                raise RuntimeError("the browser did not start")
            time.sleep(0.05)
        port, path = port_file.read_text().splitlines()[:2]
        self.socket = WebSocket(int(port), path)
        self.session = None
        targets = self.command("Target.getTargets")["targetInfos"]
        target = next(item["targetId"] for item in targets if item["type"] == "page")
        self.session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.command(f"{domain}.enable")
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=False)
        self.set_scheme(scheme)

    def set_scheme(self, scheme):
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])

    def command(self, method, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(item.get("value", item)) for item in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def evaluate(self, expression):
        """The value of an expression; promises are waited for."""
        answer = self.command("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression, seconds=30):
        """Waits until an expression is true."""
        deadline = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{expression} did not come true; console: {self.errors}")
            time.sleep(0.03)

    def open(self, address):
        self.command("Page.navigate", url=address)
        self.wait("location.href !== 'about:blank' && document.readyState === 'complete'"
                  " && document.documentElement.dataset.ready !== undefined")

    def settle(self):
        """Waits until the timeline has what it asked for."""
        self.evaluate("new Promise((done) => setTimeout(done, 60))")
        self.wait("app.timeline.timelines.every((line) => line.pending === 0)")
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, modifiers=0):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, modifiers=modifiers)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1, modifiers=modifiers)

    def drag(self, x, y, x2, y2, modifiers=0):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, modifiers=modifiers)
        for i in range(1, 6):
            self.mouse("mouseMoved", x + (x2 - x) * i / 5, y + (y2 - y) * i / 5, button="left", buttons=1,
                       modifiers=modifiers)
        self.mouse("mouseReleased", x2, y2, button="left", clickCount=1, modifiers=modifiers)

    def key(self, key, text=None):
        code = {"key": key}
        if text is not None:
            code["text"] = text
        elif len(key) == 1:
            code["text"] = key
        elif key == "Enter":
            code.update(text="\r", windowsVirtualKeyCode=13)
        self.command("Input.dispatchKeyEvent", type="keyDown", **code)
        self.command("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self, path):
        data = self.command("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        try:
            self.command("Browser.close")
        except (ConnectionError, OSError, RuntimeError):
            pass
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        try:
            self.scratch.cleanup()
        except OSError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Server:
    """trace_inspect serve, and its address."""

    def __init__(self, tools, *arguments):
        self.process = subprocess.Popen([f"{tools}/trace_inspect", "serve", *map(str, arguments), "--json"],
                                        stdout=subprocess.PIPE, text=True)
        told = json.loads(self.process.stdout.readline())
        self.address, self.port = told["address"], told["port"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        if limits.THREAD_SANITIZER:
            # It delivers the signal when accept() returns.
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=10).close()
        self.process.wait(timeout=limits.seconds(30))
        self.process.stdout.close()
