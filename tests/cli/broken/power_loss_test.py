#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""After a loss of power an output is the old one, the new one, or not there, and nothing in between.

A library reports each call that syncs a file or changes a folder (tests/support/watch_writes.c), the last argument. At each of
them the disk of a crash is computed: folders as they are, but of files only what was synced. A journal may have kept fewer
changes of folders; those disks were computed before.
"""

import os
import pathlib
import socketserver
import subprocess
import sys
import threading

from outputs_test import OutputCommands
from tool_case import main

WATCH = pathlib.Path()


class Disk:
    """What is durable of a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.durable = {}  # by device and inode
        self.images = []
        self.lock = threading.Lock()
        self.sync_all()

    def files(self):
        for path in sorted(self.folder.rglob("*")):
            try:
                status = path.lstat()
                content = path.read_bytes() if path.is_file() else None
            except FileNotFoundError:  # another thread removes it
                continue
            yield path, (status.st_dev, status.st_ino), content

    def sync_all(self):
        self.durable.update({inode: content for _, inode, content in self.files()})

    def report(self, words):
        with self.lock:
            if words[:2] == ["sync", "all"]:
                self.sync_all()
            elif words[0] == "sync":
                wanted = (int(words[1]), int(words[2]))
                self.durable.update({inode: content for _, inode, content in self.files() if inode == wanted})
            self.images.append({str(path.relative_to(self.folder)): None if content is None else self.durable.get(inode, b"")
                                for path, inode, content in self.files()})


class Watcher(socketserver.StreamRequestHandler):
    def handle(self):
        self.server.disk.report(self.rfile.readline().decode().split())
        self.wfile.write(b".")


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    disk = None


class PowerLossTest(OutputCommands):
    def setUp(self):
        super().setUp()
        self.succeeds(["trace_compress", self.samples / "micro-anysrc-4", "-o", "other.tfold", "-q"])
        self.place = self.work / "place"
        self.place.mkdir()
        address = str(self.work / "watch")
        server = Server(address, Watcher)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.server = server
        self.environment = {**os.environ, "LD_PRELOAD": str(WATCH), "WATCH_SOCKET": address}

    def outputs(self, image):
        """The outputs of a disk: each is a file, or a folder with all that it holds."""
        outputs = {}
        for path, content in image.items():
            outputs.setdefault(path.split("/")[0], {})[path] = content
        return {name: output for name, output in outputs.items() if ".part-" not in name and not name.startswith(".")}

    def watch(self, command):
        disk = Disk(self.place)
        self.server.disk = disk
        before = self.outputs({str(path.relative_to(self.place)): content for path, _, content in disk.files()})
        code, words = self.run_with(command, stdout=subprocess.DEVNULL, env=self.environment)
        self.assertEqual(code, 0, f"{command} {words}")
        after = self.outputs({str(path.relative_to(self.place)): content for path, _, content in disk.files()})
        self.assertGreater(len(disk.images), 1, command)
        for image in disk.images:
            for name, output in self.outputs(image).items():
                self.assertIn(output, [before.get(name), after.get(name)], f"{command}: {name} after a loss of power")
        self.assertEqual(self.outputs(disk.images[-1]), after, f"{command}: not durable at its end")
        return len(disk.images)

    def writers(self):
        yield from self.commands("place/")
        yield ["trace_inspect", "profile", "run.tfold", "-o", "place/out.cubex"]
        yield ["trace_inspect", "predict", "run.tfold", "--ranks-per-node", "2", "--advise-placement", "place/out.order"]
        if (self.bin / "trace_replay").exists():
            yield ["trace_replay", "run.tfold", "--kit", "place/out.tar.gz"]

    def test_every_writer(self):
        images = 0
        for command in self.writers():
            images += self.watch(command)
            if "graph" in command or "report" in command or command[0] == "trace_compress":
                other = [self.samples / "micro-anysrc-4" if word == self.sample else word for word in command]
            else:
                other = command
            other = ["other.tfold" if word == "run.tfold" else word for word in other]
            images += self.watch([*other, "-f"])
        self.assertGreater(images, 100)


if __name__ == "__main__":
    WATCH = pathlib.Path(sys.argv.pop()).resolve()
    main()
