# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import collections
import copy
import ctypes
import ctypes.util
import functools
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import tempfile

from .common import FAILED, PATIENCE, Campaign, path

PEAK_BYTES = 512 << 20 if PATIENCE == 1 else 1 << 40
RUNS_PER_SERVER = 1000
HEADER, FOOTER = 16, 32
CODED, REPEATED = 6, 8  # flags of a section (docs/reference/format.md, 2)
# Of files of OTF2: sizes, marks, record types, and where the anchor has its counts of locations and definitions.
CHUNK_HEAD, END_MARKS, TIMESTAMP, ATTRIBUTES, LOCATION, ANCHOR_COUNTS = 18, b"\2\1", 5, 6, 14, 30
NUMBER_RECORDS = (12, 13, 16, 17, 20, 21, 24, 28, 29, 30)  # in event files; their length is that of a number
NUMBERS = (0, 1, 0x7F, 0x80, 0xFE, 0xFF)
TIMINGS = ("exact", "quantized", "histogram", "none")

TOOLS = ("trace_compress", "trace_convert", "trace_inspect", "trace_replay", "trace_scale")
COMPRESS = ([], [], [], ["--drop-unknown"], ["--rescue"], ["--timing", "histogram", "--drop-unknown"],
            ["--timing", "quantized"], ["--timing", "none", "--drop-unknown"])
INSPECT = ("info structure calls matrix sizes system check profile io stats classes metrics graph "
           "accelerators efficiency").split()
OTHERS = (["trace_inspect", "predict"], ["trace_convert", "-q", "--ranks", "0-1", "-o", "out.tfold"],
          ["trace_convert", "-q", "--sync-clocks", "-o", "out"], ["trace_scale", "compare", "-"])
OWN_FILES = (".otf2", ".def", ".evt", ".marker")  # of an archive; others are carried if asked for
FORMATS = "otf2 text jsonl ti goal dim dumpi chakra prv csv chrome c".split()


def xxh64(data, library=ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")):
    library.XXH64.restype = ctypes.c_uint64
    return library.XXH64(bytes(data), ctypes.c_size_t(len(data)), ctypes.c_uint64(0))


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


class Section:
    """An entry of the table of sections and its bytes, unless it repeats those of another."""

    def __init__(self, fields, content, stored):
        self.fields = fields
        self.content = b"" if content is None else varint(content)
        self.stored = stored
        self.entry = self.entry_for(stored)

    def entry_for(self, stored):
        return (self.fields + varint(len(stored)) + self.content + struct.pack("<I", xxh64(stored) & 0xFFFFFFFF))


class RepeatedSection:
    """A section that has the bytes of the one so many entries before it."""

    def __init__(self, fields, distance):
        self.stored = b""
        self.entry = fields + varint(distance)


class Folded:
    """The sections of a folded file, to be put together again with some of them changed and right checksums."""

    def __init__(self, data):
        self.data = data
        self.head = data[:HEADER]
        self.place = 0
        size = struct.unpack("<Q", data[-FOOTER:-FOOTER + 8])[0]
        self.table = data[-FOOTER - size:-FOOTER]
        self.sections = []
        at = HEADER
        for _ in range(self.number()):
            section = self.section(data[at:])
            self.sections.append(section)
            at += len(section.stored)
        self.with_bytes = [number for number, section in enumerate(self.sections) if section.stored]

    def section(self, rest):
        """The section of the next entry, whose bytes are the first of the rest."""
        kind, flags, index, stored = self.number(), self.byte(), self.number(), self.number()
        fields = varint(kind) + bytes([flags]) + varint(index)
        if flags & REPEATED:
            return RepeatedSection(fields, stored)
        content = self.number() if flags & CODED else None
        self.place += 4
        return Section(fields, content, rest[:stored])

    def byte(self):
        self.place += 1
        return self.table[self.place - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def with_section(self, number, stored):
        """The file with other bytes in one section."""
        entries = [section.entry for section in self.sections]
        bodies = [section.stored for section in self.sections]
        entries[number] = self.sections[number].entry_for(stored)
        bodies[number] = stored
        return self.made(bytearray(varint(len(entries)) + b"".join(entries)), b"".join(bodies))

    def with_table(self, change_table):
        table = change_table(bytearray(self.table))
        return self.made(table, b"".join(section.stored for section in self.sections))

    def with_order(self, order):
        """The file with its sections in another order."""
        sections = [self.sections[number] for number in order]
        table = varint(len(sections)) + b"".join(section.entry for section in sections)
        return self.made(table, b"".join(section.stored for section in sections))

    def made(self, table, body):
        sizes = struct.pack("<QQ", len(table), HEADER + len(body) + len(table) + FOOTER)
        checksum = struct.pack("<Q", xxh64(self.head + table + sizes))
        return b"".join((self.head, body, table, sizes, checksum, b"TFOLDEND"))


def change_bytes(draw, data):
    """Some bytes become others; the length stays."""
    for _ in range(draw.choice((1, 1, 2, 8))):
        if not data:
            return data
        place = draw.randrange(len(data))
        end = min(place + draw.choice((1, 1, 1, 4, 8)), len(data))
        data[place:end] = bytes([draw.choice((*NUMBERS, draw.randrange(256)))]) * (end - place)
    return data


def change_length(draw, data):
    """Something is cut off, taken out, repeated, put in or moved in from elsewhere."""
    place, other = sorted((draw.randrange(len(data) + 1), draw.randrange(len(data) + 1)))
    kind = draw.randrange(5)
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[:place] + data[other:]
    if kind == 2:
        return data[:other] + data[place:]
    if kind == 3:
        return data[:place] + bytes(draw.randrange(256) for _ in range(draw.choice((1, 8, 100)))) + data[place:]
    return data + data[place:other]


def change(draw, data):
    return change_length(draw, data) if draw.random() < 0.3 else change_bytes(draw, data)


class Records:
    """The records of a file of one chunk, to be changed as such: most of the results can be read."""

    def __init__(self, data, has_times):
        self.head, self.units, end = data[:CHUNK_HEAD], [], data.rindex(END_MARKS)
        before, place = b"", CHUNK_HEAD
        while place < end:
            size = self.size(data, place, has_times)
            element = bytes(data[place:place + size])
            place += size
            if has_times and element[0] in (TIMESTAMP, ATTRIBUTES):
                before += element
            else:
                self.units.append((before, element))
                before = b""
        self.tail = bytes(data[end:])
        self.has_times = has_times

    @staticmethod
    def size(data, place, has_times):
        if has_times and data[place] == TIMESTAMP:
            return 9
        length = data[place + 1]
        if length < 0xFF:
            return 2 + length
        if has_times and data[place] in NUMBER_RECORDS:
            return 2
        return 10 + struct.unpack("<Q", data[place + 2:place + 10])[0]

    def with_number(self, draw, element):
        """A record in which one byte of its content is another small one."""
        if len(element) < 3:
            return element
        place = draw.randrange(2, len(element))
        return element[:place] + bytes([draw.choice((*range(8), 0xFF, draw.randrange(256)))]) + element[place + 1:]

    def change(self, draw, others):
        """Changes, exchanges or copies records; those of a file of definitions are dropped and repeated, too."""
        place, other = draw.randrange(len(self.units)), draw.randrange(len(self.units))
        (before, element), (before_other, element_other) = self.units[place], self.units[other]
        kind = draw.randrange(4 if self.has_times else 6)
        if kind == 0:
            self.units[place] = (before, self.with_number(draw, element))
        elif kind == 1:
            self.units[place], self.units[other] = (before, element_other), (before_other, element)
        elif kind == 2:
            self.units[place] = (before, element_other)
        elif kind == 3:
            self.units[place] = (before, draw.choice(draw.choice(others).units)[1])
        elif kind == 4:
            del self.units[place]
        else:
            self.units.insert(other, (before, element))

    def copy(self):
        other = copy.copy(self)
        other.units = list(self.units)
        return other

    def data(self):
        return self.head + b"".join(before + element for before, element in self.units) + self.tail

    def count(self, kind):
        return sum(element[0] == kind for _, element in self.units)


class Archive:
    """A copy of an archive, in which some files at a time are others."""

    def __init__(self, source, place):
        shutil.copytree(source, place)
        self.place = place
        paths = sorted(path for path in place.rglob("*") if path.is_file())
        self.files = [(path.relative_to(place), path.read_bytes()) for path in paths]
        self.changed = {}

    def lend(self, place, changed):
        """Moves it to `place`, with other content in some files, by name."""
        os.rename(self.place, place)
        self.changed = changed
        for name, content in changed.items():
            (place / name).write_bytes(content)
        return dict(self.files) | changed

    def take_back(self, place):
        for path, content in self.files:
            if path in self.changed:
                (place / path).write_bytes(content)
        os.rename(place, self.place)

    @functools.cache
    def records(self, suffix):
        """By name, of the files with records of one kind."""
        return {path: Records(content, suffix == ".evt") for path, content in self.files
                if path.suffix == suffix}

    def with_records(self, draw):
        """Some files, by name, with other records; the anchor has the number of definitions."""
        suffix = draw.choice((".def", ".def", ".evt"))
        all_records = self.records(suffix)
        name = draw.choice(sorted(all_records))
        records = all_records[name].copy()
        others = [other for other in all_records.values() if other.units]
        for _ in range(draw.choice((1, 1, 2, 5))):
            if records.units:
                records.change(draw, others)
        changed = {name: records.data()}
        if suffix == ".def" and name.parent == pathlib.Path():
            anchor, content = next((path, data) for path, data in self.files if path.suffix == ".otf2")
            counts = struct.pack("<QQ", records.count(LOCATION), len(records.units))
            changed[anchor] = content[:ANCHOR_COUNTS] + counts + content[ANCHOR_COUNTS + len(counts):]
        return changed


class Bases:
    """Archives and their folded files."""

    def __init__(self, options, archives, folder):
        self.archives = []
        self.folded = []
        self.plain = []
        for number, source in enumerate(archives):
            self.archives.append(Archive(source, folder / f"base-{number}"))
            for timing in TIMINGS:
                coded, plain = folder / f"{number}.{timing}.tfold", folder / f"{number}.{timing}.plain.tfold"
                subprocess.run([options.bin / "trace_compress", "-q", "--timing", timing, source, "-o", coded], check=True)
                subprocess.run([options.support / "hostile_files", coded, plain], check=True)
                self.folded.append(Folded(coded.read_bytes()))
                self.plain.append(Folded(plain.read_bytes()))


class Input:
    """The input of a command: its name, and the files of an archive."""

    def __init__(self, name, archive=None, files=None):
        self.name = name
        self.archive = archive
        self.files = files


class Inputs:
    """The classes of inputs: each makes one in the folder."""

    def __init__(self, bases, work):
        self.bases = bases
        self.work = work
        self.classes = {
            "archive, bytes": lambda draw: self.changed_archive(draw, change_bytes),
            "archive, lengths": lambda draw: self.changed_archive(draw, change_length),
            "archive, records": self.changed_records,
            "folded, bytes": self.raw,
            "folded, sections": lambda draw: self.section(draw, self.bases.folded),
            "folded, numbers": lambda draw: self.section(draw, self.bases.plain),
            "folded, table": self.with_table,
        }

    def changed_archive(self, draw, how):
        archive = draw.choice(self.bases.archives)
        name, content = draw.choice(archive.files)
        changed = {name: bytes(how(draw, bytearray(content)))}
        return Input("t", archive, archive.lend(self.work / "t", changed))

    def changed_records(self, draw):
        archive = draw.choice(self.bases.archives)
        return Input("t", archive, archive.lend(self.work / "t", archive.with_records(draw)))

    def put(self, data):
        (self.work / "a.tfold").write_bytes(data)
        return Input("a.tfold")

    def any_folded(self, draw):
        return draw.choice(draw.choice((self.bases.folded, self.bases.plain)))

    def raw(self, draw):
        return self.put(change(draw, bytearray(self.any_folded(draw).data)))

    def section(self, draw, files):
        file = draw.choice(files)
        number = draw.choice(file.with_bytes)
        return self.put(file.with_section(number, bytes(change(draw, bytearray(file.sections[number].stored)))))

    def with_table(self, draw):
        file = self.any_folded(draw)
        if draw.random() < 0.3:
            order = list(range(len(file.sections)))
            draw.shuffle(order)
            return self.put(file.with_order(order))
        return self.put(file.with_table(lambda table: change(draw, table)))


def command_for(draw, name):
    if name == "t" and draw.random() < 0.7:
        return ["trace_compress", "-q", *draw.choice(COMPRESS), "t", "-o", "out.tfold"]
    kind = draw.random()
    if kind < 0.40:
        return ["trace_inspect", draw.choice(INSPECT), name, *draw.choice(([], ["--json"]))]
    if kind < 0.45:
        words = draw.choice(OTHERS)
        return [*(name if word == "-" else word for word in words), name]
    if kind < 0.50:
        return ["trace_inspect", "diff", name, name]
    if kind < 0.55:
        return ["trace_inspect", "report", name, "-o", "out.html"]
    if kind < 0.60:
        return ["trace_replay", draw.choice(("--check", "--dry-run")), name]
    if kind < 0.65:
        return ["trace_convert", "-q", name, "--anonymize", "-o", "out.tfold"]
    return ["trace_convert", "-q", name, "--to", draw.choice(FORMATS), "-o", "out"]


class Server:
    """A tool that stays loaded and gets one command line after the other, within limits."""

    def __init__(self, program, libraries, err):
        self.socket, theirs = socket.socketpair()
        environment = {**os.environ, "LD_PRELOAD": ":".join(libraries), "TOOL_SERVER": str(theirs.fileno())}
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen([program], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=err, env=environment)
        theirs.close()
        self.runs = 0

    def run(self, folder, words):
        """Exit code, or minus the signal that ended the server, and bytes of memory."""
        self.runs += 1
        text = b"".join(word.encode() + b"\0" for word in (str(folder), *words))
        self.socket.sendall(struct.pack("=I", len(text)) + text)
        answer = self.socket.recv(8, socket.MSG_WAITALL)
        if len(answer) == 8:
            code, kibibytes = struct.unpack("=iI", answer)
            return code, kibibytes << 10
        return self.process.wait(), 0

    def is_used_up(self):
        return self.process.returncode is not None or self.runs >= RUNS_PER_SERVER

    def stop(self):
        self.socket.close()
        self.process.wait()


class Runner:
    """Runs commands in a folder and checks their results."""

    def __init__(self, options, work):
        self.options = options
        self.work = work
        self.err = os.memfd_create("err")
        self.servers = {}

    def stop(self):
        for server in self.servers.values():
            server.stop()
        self.servers.clear()

    def server(self, name):
        if name in self.servers and self.servers[name].is_used_up():
            self.servers.pop(name).stop()
        if name not in self.servers:
            libraries = [*self.options.preload, str(self.options.support / "libtool_server.so")]
            self.servers[name] = Server(self.options.bin / name, libraries, self.err)
        return self.servers[name]

    def run(self, words):
        """Exit code, bytes of memory and standard error."""
        os.ftruncate(self.err, 0)
        os.lseek(self.err, 0, os.SEEK_SET)
        code, peak = self.server(words[0]).run(self.work, words)
        return code, peak, os.pread(self.err, 1 << 16, 0).decode(errors="backslashreplace")

    def problem(self, words, given):
        """The failure or None, and whether the input was accepted."""
        before = set(os.listdir(self.work))
        code, peak, text = self.run(words)
        after = set(os.listdir(self.work))
        if code in (-signal.SIGPROF, -signal.SIGALRM):
            return "hang", False
        if code not in (0, 1, 2, 3):
            return f"crash {code}: {text[:300]}", False
        if peak > PEAK_BYTES:
            return f"memory of {peak >> 20} MB", False
        if code in (1, 2) and text.count("error: ") != 1:
            return f"no sentence: {text[:300]}", False
        if "unexpected failure" in text or "internal" in text:
            return f"internal: {text[:300]}", False
        if (code in (1, 2) and after != before) or any(".part-" in name for name in after):
            return f"left {after - before}", False
        if code == 0 and words[0] == "trace_compress":
            return self.comes_back(words, given), True
        return None, code in (0, 3)

    def comes_back(self, words, given):
        if "none" in words:
            return None
        code, _, text = self.run(["trace_convert", "-q", "out.tfold", "--to", "otf2", "-o", "back"])
        if code != 0:
            return f"not restorable ({code}): {text[:300]}"
        if "--timing" in words or "--rescue" in words or "--drop-unknown" in words:
            return None
        for path, content in given.files.items():
            back = self.work / "back" / path
            if path.suffix not in OWN_FILES:
                continue
            if not back.exists():
                return f"{path} did not come back"
            if back.read_bytes() != content:
                return f"{path} came back otherwise"
        return None


class Hostile(Campaign):
    """Give the tools inputs that are changed at random.

Changed are archives, with and without damage to the lengths of their files, or whole records, and folded files: raw bytes;
bytes of a section, with its checksum corrected; numbers of a section without compression, with checksums and sizes corrected; and
the table of sections. Each input goes through one command, and an archive that trace_compress accepts is restored. The
seed and the number of an input determine it, with the same classes and archives: --first N --count 1 makes it again and
keeps it. An input is a failure if the command crashes, takes more than 10 s of processor time or 512 MB, fails with
anything but one sentence, leaves files behind, or accepts an archive that is not restored byte by byte where no option
permits a difference.

A tool stays loaded for a thousand command lines (tests/support/tool_server.c), since starting one takes longer than most
inputs do. With a sanitizer, commands have TRACEFOLD_TEST_PATIENCE times the time, and any memory.
"""

    name = "hostile"
    jobs = 0

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--support", type=path, required=True, metavar="FOLDER",
                            help="of hostile_files and libtool_server.so in a build folder (tests/cli/broken)")
        parser.add_argument("--preload", nargs="+", default=[], metavar="LIBRARY",
                            help="libraries that the tools need before the server: of a sanitizer")
        parser.add_argument("--count", type=int, default=10000, help="inputs (default: %(default)s)")
        parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first input")
        parser.add_argument("--seed", default="1")
        parser.add_argument("--only", default="", metavar="CLASS", help="classes of inputs whose name contains this")

    def run(self):
        options = self.options
        shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
        folder = pathlib.Path(tempfile.mkdtemp(prefix="tracefold-hostile-", dir=options.work or shared))
        self.work = folder / "w"
        self.work.mkdir()
        self.counts, self.failures = collections.Counter(), 0
        try:
            self.inputs = Inputs(Bases(options, self.found(), folder), self.work)
            self.classes = [kind for kind in sorted(self.inputs.classes) if options.only in kind]
            self.runner = Runner(options, self.work)
            for done in range(options.count):
                self.one(options.first + done)
                if done % 10000 == 9999:
                    self.summary(done + 1)
            self.runner.stop()
        finally:
            if options.count != 1:
                shutil.rmtree(folder, ignore_errors=True)
        if options.count % 10000:
            self.summary(options.count)
        return FAILED if self.failures else 0

    def clear(self, given):
        if given.archive:
            given.archive.take_back(self.work / "t")
        for entry in os.scandir(self.work):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)

    def one(self, number):
        draw = random.Random(f"{self.options.seed} {number}")
        kind = draw.choice(self.classes)
        given = self.inputs.classes[kind](draw)
        words = command_for(draw, given.name)
        problem, taken = self.runner.problem(words, given)
        self.counts[kind, "taken" if taken else "refused"] += 1
        if problem:
            self.failures += 1
            self.counts[kind, "failed"] += 1
            print(f"{number}: {kind}: {' '.join(words)}: {problem}", flush=True)
        if self.options.count == 1:
            print(f"kept in {self.work}: {' '.join(words)}")
        else:
            self.clear(given)

    def summary(self, done):
        print(f"{done} inputs, {self.failures} failures")
        for kind in self.classes:
            print(f"{kind}: {self.counts[kind, 'taken']} taken, {self.counts[kind, 'refused']} refused, "
                  f"{self.counts[kind, 'failed']} failed", flush=True)
