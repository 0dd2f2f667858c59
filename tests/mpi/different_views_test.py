#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Processes that find different traces under one name, as with old copies of a shared folder or copies of each node,
are refused and named; equal copies are taken.

Each process works in a folder of its own and is given a relative path.
usage: different_views_test.py BIN SAMPLES RANKS MPIEXEC...   (with its options)
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(60)
ENTER = ["sh", "-c", 'cd "${PMI_RANK:-${PMIX_RANK:-$OMPI_COMM_WORLD_RANK}}" && exec "$@"', "sh"]
READERS = [
    ["trace_inspect", "stats", "run.tfold"],
    ["trace_inspect", "profile", "run.tfold"],
    ["trace_inspect", "structure", "run.tfold", "--times"],
    ["trace_inspect", "efficiency", "run.tfold"],
    ["trace_inspect", "predict", "run.tfold"],
    ["trace_inspect", "report", "run.tfold", "-o", "OUT/page.html"],
]
CHUNK_HEADER = 18
TIMESTAMP = 5


class Views:
    def __init__(self, work, ranks, tools, launcher):
        self.work, self.ranks, self.tools, self.launcher = work, ranks, tools, launcher
        self.out = work / "out"

    def make(self, name, source, other, different):
        """The source for all processes, but `other` for those that are different."""
        for rank in range(self.ranks):
            folder = self.work / str(rank)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            chosen = other if rank in different else source
            (shutil.copytree if chosen.is_dir() else shutil.copyfile)(chosen, folder / name)

    def run(self, command):
        """Exit code, errors, and what was left."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        words = [str(self.tools / command[0]), *(word.replace("OUT", str(self.out)) for word in command[1:])]
        done = subprocess.run([*self.launcher, *ENTER, *words], cwd=self.work, capture_output=True, text=True,
                              timeout=TIMEOUT_SECONDS, check=False)
        told = [line for line in done.stderr.splitlines() if ": error: " in line]
        return done.returncode, told, sorted(path.name for path in self.out.iterdir())

    def refused(self, command, code, *parts):
        found = self.run(command)
        if found[0] == code and not found[2] and len(found[1]) == 1 and all(part in found[1][0] for part in parts):
            return
        yield f"{' '.join(command)}: {found}, not exit code {code} with {parts}"

    def taken(self, command):
        found = self.run(command)
        if found[0] != 0 or found[1]:
            yield f"{' '.join(command)}: {found}"


def changed_time(archive, to, location):
    """A copy whose first event of a location happened a tick before or after."""
    shutil.copytree(archive, to)
    events = to / "traces" / f"{location}.evt"
    content = bytearray(events.read_bytes())
    assert content[CHUNK_HEADER] == TIMESTAMP, content[:32]
    content[CHUNK_HEADER + 1] += -1 if content[CHUNK_HEADER + 1] == 255 else 1
    events.write_bytes(content)
    return to


def problems_of_archives(views, archive, another):
    compress = ["trace_compress", "a", "-o", "OUT/a.tfold"]
    last = views.ranks - 1
    views.make("a", archive, archive, [])
    yield from views.taken(compress)
    views.make("a", archive, another, [last])
    for command in (compress, [*compress, "--no-verify"], ["trace_inspect", "stats", "a"]):
        yield from views.refused(command, 1, "a is not the same for all processes", f"process {last} is not")
    # Anchor and definitions are the same; a process reads what another one has folded.
    locations = sorted(int(path.stem) for path in (archive / "traces").glob("*.evt"))
    others = [changed_time(archive, views.work / f"changed-{location}", location) for location in locations]
    everywhere = changed_time(archive, views.work / "changed", locations[0])
    for location in locations[1:]:
        again = views.work / "again"
        changed_time(everywhere, again, location)
        shutil.rmtree(everywhere)
        again.rename(everywhere)
    views.make("a", archive, everywhere, [last])
    yield from views.refused(compress, 3, f"process {last}", "they may see different files")
    for different in others:
        # Whatever is written is the archive that one of the processes sees.
        views.make("a", archive, different, [last])
        code, told, left = views.run(compress)
        if code == 0:
            yield from differences(views, [archive, different])
        elif code != 3 or left or len(told) != 1:
            yield f"{different.name}: {code} {told} {left}"


def differences(views, archives):
    back = views.out / "back"
    subprocess.run([views.tools / "trace_convert", "-q", views.out / "a.tfold", "--to", "otf2", "-o", back],
                   check=True, timeout=TIMEOUT_SECONDS)
    restored = contents(back)
    if all(contents(archive) != restored for archive in archives):
        yield f"{archives[-1].name}: the archive of no process was written"


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def problems_of_folded(views, archive, different):
    for source, to in ((archive, "one.tfold"), (different, "two.tfold")):
        subprocess.run([views.tools / "trace_compress", "-q", source, "-o", views.work / to], check=True,
                       timeout=TIMEOUT_SECONDS)
    last = views.ranks - 1
    readers = list(READERS)
    if views.ranks == 4:
        readers.append(["trace_replay", "run.tfold", "--report", "OUT/report.json"])
    views.make("run.tfold", views.work / "one.tfold", views.work / "one.tfold", [])
    for command in readers[:1] + readers[-1:]:
        yield from views.taken(command)
    views.make("run.tfold", views.work / "one.tfold", views.work / "two.tfold", [last])
    for command in readers:
        yield from views.refused(command, 1, "is not the same for all processes", f"process {last} is not")
    if views.ranks > 2:
        views.make("run.tfold", views.work / "one.tfold", views.work / "two.tfold", range(1, views.ranks))
        yield from views.refused(readers[0], 1, f"processes 1-{last} is not")


def main(tools, samples, ranks, *launcher):
    with tempfile.TemporaryDirectory(prefix="tracefold-mpi-") as folder:
        views = Views(pathlib.Path(folder), int(ranks), pathlib.Path(tools).resolve(), launcher)
        archive = pathlib.Path(samples).resolve() / "micro-anysrc-4"
        another = pathlib.Path(samples).resolve() / "micro-user-4"
        found = list(problems_of_archives(views, archive, another))
        found += problems_of_folded(views, archive, views.work / "changed")
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
