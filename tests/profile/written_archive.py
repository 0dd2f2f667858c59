# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes OTF2 archives through libotf2, without code of tracefold."""

import collections
import contextlib
import ctypes
import ctypes.util
import os
import tempfile

USER, OPENMP, MPI, CUDA, SHMEM, HIP = 1, 3, 4, 5, 13, 23  # OTF2_PARADIGM_
THREAD, STREAM = 1, 2  # OTF2_LOCATION_TYPE_
PROCESS, ACCELERATOR = 1, 2  # OTF2_LOCATION_GROUP_TYPE_
FUNCTION, TASK = 1, 20  # OTF2_REGION_ROLE_
NONE = 2**32 - 1

# Arguments after the writer, of events without attributes and time. B, I, Q: unsigned of 8, 32, 64 bits; s, p: pointer.
DEFINITIONS = {
    "ClockProperties": "QQQQ", "String": "Is", "SystemTreeNode": "IIII", "LocationGroup": "IIBII", "Location": "QIBQI",
    "Region": "IIIIBBIIII", "Group": "IIBBIIp", "Comm": "IIIII", "RmaWin": "IIII", "IoParadigm": "BIIBIBppp",
    "IoRegularFile": "III", "IoHandle": "IIIBIII", "IoPreCreatedHandleState": "IBI",
}
EVENTS = {
    "Enter": "I", "Leave": "I", "BufferFlush": "Q", "MeasurementOnOff": "B", "ThreadTaskCreate": "III",
    "ThreadTaskSwitch": "III", "ThreadTaskComplete": "III", "MpiSend": "IIIQ", "MpiRecv": "IIIQ",
    "MpiCollectiveBegin": "", "MpiCollectiveEnd": "BIIQQ", "RmaWinCreate": "I", "RmaGet": "IIQQ", "RmaPut": "IIQQ",
    "RmaOpCompleteBlocking": "IQ", "IoOperationBegin": "IBIQQ", "IoOperationComplete": "IQQ",
}
TYPES = {"B": ctypes.c_uint8, "I": ctypes.c_uint32, "Q": ctypes.c_uint64, "s": ctypes.c_char_p,
         "p": ctypes.c_void_p}
PRE_FLUSH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint64, ctypes.c_void_p,
                             ctypes.c_bool)


class FlushCallbacks(ctypes.Structure):
    _fields_ = [("before", PRE_FLUSH), ("after", ctypes.c_void_p)]


def library():
    """None without libotf2."""
    name = ctypes.util.find_library("open-trace-format2") or ctypes.util.find_library("otf2")
    return name and ctypes.CDLL(name)


class WrittenArchive:
    """Definitions are written as they are added, events when the archive ends. Strings are numbered by themselves."""

    def __init__(self, folder, ticks=10**9, offset=0, length=2**40):
        self.library = library()
        self.callbacks = FlushCallbacks(PRE_FLUSH(lambda *_: 1), None)  # OTF2_FLUSH
        self.strings, self.points = {}, collections.defaultdict(list)
        self.events = collections.defaultdict(list)
        self.locations, self.regions = [], {}
        self.archive = self.call("Archive_Open", "ssBQQBB", os.fsencode(folder), b"traces", 0, 2**18, 2**18, 1, 1,
                                 pointer=True)  # to be written, plain files
        self.call("Archive_SetFlushCallbacks", "ppp", self.archive, ctypes.addressof(self.callbacks), None)
        self.call("Archive_SetSerialCollectiveCallbacks", "p", self.archive)
        self.call("Archive_OpenEvtFiles", "p", self.archive)
        self.call("Archive_OpenDefFiles", "p", self.archive)
        self.global_writer = self.call("Archive_GetGlobalDefWriter", "p", self.archive, pointer=True)
        self.define("ClockProperties", ticks, offset, length, 2**64 - 1)
        self.string("")

    def call(self, name, types, *arguments, pointer=False):
        function = getattr(self.library, "OTF2_" + name)
        function.argtypes = [TYPES[kind] for kind in types]
        function.restype = ctypes.c_void_p if pointer else ctypes.c_int
        result = function(*arguments)
        if (result is None) if pointer else result != 0:
            raise OSError(f"OTF2_{name}{arguments} fails: {result}")
        return result

    def define(self, kind, *fields):
        self.call(f"GlobalDefWriter_Write{kind}", "p" + DEFINITIONS[kind], self.global_writer, *fields)

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = len(self.strings)
            self.define("String", self.strings[text], text.encode())
        return self.strings[text]

    def node(self, number, name):
        self.define("SystemTreeNode", number, self.string(name), self.string("node"), NONE)

    def process(self, number, node, kind=PROCESS, creator=NONE):
        self.define("LocationGroup", number, self.string(f"process {number}"), kind, node, creator)

    def location(self, number, process, kind=THREAD):
        self.locations.append((number, self.string(f"location {number}"), kind, process))
        return number

    def region(self, name, role=FUNCTION, paradigm=USER):
        """Its number; one for each name."""
        if name not in self.regions:
            self.regions[name] = len(self.regions)
            text = self.string(name)
            self.define("Region", self.regions[name], text, text, 0, role, paradigm, 0, 0, 0, 0)
        return self.regions[name]

    def group(self, number, kind, paradigm, members):
        values = (ctypes.c_uint64 * len(members))(*members)
        self.define("Group", number, 0, kind, paradigm, 0, len(members), ctypes.addressof(values))

    def communicator(self, number, paradigm, locations):
        """Of all of these, with the groups that it needs."""
        self.group(2 * number, 4, paradigm, locations)  # OTF2_GROUP_TYPE_COMM_LOCATIONS
        self.group(2 * number + 1, 5, paradigm, range(len(locations)))  # OTF2_GROUP_TYPE_COMM_GROUP
        self.define("Comm", number, self.string(f"communicator {number}"), 2 * number + 1, NONE, 0)

    def clock(self, location, *points):
        """(ticks, offset) of a location."""
        self.points[location] += points

    def event(self, location, time, kind, *fields):
        self.events[location].append((time, kind, fields))

    def close(self):
        for number, name, kind, process in self.locations:
            self.define("Location", number, name, kind, len(self.events[number]), process)
            for what, write in (("Evt", self.write_events), ("Def", self.write_points)):
                writer = self.call(f"Archive_Get{what}Writer", "pQ", self.archive, number, pointer=True)
                write(writer, number)
                self.call(f"Archive_Close{what}Writer", "pp", self.archive, writer)
        self.call("Archive_CloseDefFiles", "p", self.archive)
        self.call("Archive_CloseEvtFiles", "p", self.archive)
        self.call("Archive_Close", "p", self.archive)

    def write_events(self, writer, number):
        for time, kind, fields in self.events[number]:
            self.call(f"EvtWriter_{kind}", "ppQ" + EVENTS[kind], writer, None, time, *fields)

    def write_points(self, writer, number):
        function = self.library.OTF2_DefWriter_WriteClockOffset
        function.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64, ctypes.c_double]
        for time, offset in self.points[number]:
            function(writer, time, offset, 0.0)


@contextlib.contextmanager
def made(fill, **shape):
    """The folder of an archive that `fill` writes."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = f"{scratch}/made"
        archive = WrittenArchive(folder, **shape)
        fill(archive)
        archive.close()
        yield folder
