#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""A second decoder of .tfold files, written from docs/reference/format.md alone.

It keeps the document honest and is short enough to be read along with it; it is not fast.

usage: decode.py FILE                        sections, archive, counts
       decode.py FILE --definitions          global definitions, one line each
       decode.py FILE --local-definitions N  local definitions of location N
       decode.py FILE --records [--location N]   events: location, tick, record, fields, attributes
       decode.py FILE --all                  all of this, the anchor and the files that are carried along

Needs python3-zstandard and python3-xxhash.
"""

import argparse
import os
import pathlib
import pickle
import re
import struct
import sys
from bisect import bisect_right
from collections import defaultdict, namedtuple
from functools import cache
from itertools import accumulate, count, cycle, islice, repeat
from math import prod

import xxhash
import zstandard

import section_model

MASK = (1 << 64) - 1
EVENT_STREAM, LOCAL_STREAM, GLOBAL_STREAM = 0, 1, 2
(ARCHIVE, DEFINITIONS_SECTION, LOCAL_DEFINITIONS, STRUCTURE, FILE, TICKS,
 DURATIONS) = range(1, 8)
SECTION_NAMES = {1: "archive", 2: "definitions", 3: "local definitions", 4: "structure",
                 5: "file", 6: "ticks", 7: "durations", 8: "kept bytes"}
TIMINGS = ("none", "exact", "histogram", "quantized")
LOST_FILES = ("anchor", "global-definitions", "local-definitions", "events")
DAMAGES = ("cut", "missing", "undefined")
NO_DICTIONARY, DICTIONARY_NUMBER = 0, 1
DICTIONARY_FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "lib/model/dictionary"
COMPLETIONS = 0x7F
SCRIPTS_PART, COUNTS_PART, SLOT_PARTS = 1, 2, 3
# Kinds of fields, in the order that numbers the parts of slots.
KINDS = """value signed_value real enumeration ticks type tag bytes count text peer root op
request_new request_done request_used matching_id string attribute location region group metric comm
parameter rma_win source_code_location calling_context interrupt_generator io_file io_handle
location_group system_tree_node metric_member callpath callsite cart_dimension cart_topology
io_paradigm paradigm message_new message_used""".split()
MAX_MODELLED = 1 << 22
MAX_MODELLED_FREE, MAX_MODELLED_PER_BYTE = 1 << 18, 64
MEAN_PLACES = 64 * 57 + 128  # rounded means there are
DYNAMIC = -1  # array length of records whose length is a value
NEVER_COMPLETED = 1 << 32
SPECIAL = 1 << 33
MAX_REPEAT = 1 << 26
HAS_RESTARTS = 6  # number of a fact
MAX_REACH = 4096

# Record types by number, each with its fields as name:kind; "[]" marks arrays (appendix A).
EVENTS = """
BufferFlush stop_time:ticks
MeasurementOnOff measurement_mode:enumeration
Enter region:region
Leave region:region
MpiSend receiver:peer communicator:comm msg_tag:tag msg_length:bytes
MpiIsend receiver:peer communicator:comm msg_tag:tag msg_length:bytes request_id:request_new
MpiIsendComplete request_id:request_done
MpiIrecvRequest request_id:request_new
MpiRecv sender:peer communicator:comm msg_tag:tag msg_length:bytes
MpiIrecv sender:peer communicator:comm msg_tag:tag msg_length:bytes request_id:request_done
MpiRequestTest request_id:request_used
MpiRequestCancelled request_id:request_done
MpiCollectiveBegin
MpiCollectiveEnd collective_op:op communicator:comm root:root size_sent:bytes size_received:bytes
OmpFork number_of_requested_threads:value
OmpJoin
OmpAcquireLock lock_id:value acquisition_order:value
OmpReleaseLock lock_id:value acquisition_order:value
OmpTaskCreate task_id:value
OmpTaskSwitch task_id:value
OmpTaskComplete task_id:value
Metric metric:metric number_of_metrics:count type_ids[]:type metric_values[]:value
ParameterString parameter:parameter string:string
ParameterInt parameter:parameter value:signed_value
ParameterUnsignedInt parameter:parameter value:value
RmaWinCreate win:rma_win
RmaWinDestroy win:rma_win
RmaCollectiveBegin
RmaCollectiveEnd collective_op:op sync_level:enumeration win:rma_win root:root bytes_sent:bytes bytes_received:bytes
RmaGroupSync sync_level:enumeration win:rma_win group:group
RmaRequestLock win:rma_win remote:peer lock_id:value lock_type:enumeration
RmaAcquireLock win:rma_win remote:peer lock_id:value lock_type:enumeration
RmaTryLock win:rma_win remote:peer lock_id:value lock_type:enumeration
RmaReleaseLock win:rma_win remote:peer lock_id:value
RmaSync win:rma_win remote:peer sync_type:enumeration
RmaWaitChange win:rma_win
RmaPut win:rma_win remote:peer bytes:bytes matching_id:matching_id
RmaGet win:rma_win remote:peer bytes:bytes matching_id:matching_id
RmaAtomic win:rma_win remote:peer type:enumeration bytes_sent:bytes bytes_received:bytes matching_id:matching_id
RmaOpCompleteBlocking win:rma_win matching_id:matching_id
RmaOpCompleteNonBlocking win:rma_win matching_id:matching_id
RmaOpTest win:rma_win matching_id:matching_id
RmaOpCompleteRemote win:rma_win matching_id:matching_id
ThreadFork model:paradigm number_of_requested_threads:value
ThreadJoin model:paradigm
ThreadTeamBegin thread_team:comm
ThreadTeamEnd thread_team:comm
ThreadAcquireLock model:paradigm lock_id:value acquisition_order:value
ThreadReleaseLock model:paradigm lock_id:value acquisition_order:value
ThreadTaskCreate thread_team:comm creating_thread:value generation_number:value
ThreadTaskSwitch thread_team:comm creating_thread:value generation_number:value
ThreadTaskComplete thread_team:comm creating_thread:value generation_number:value
ThreadCreate thread_contingent:comm sequence_count:value
ThreadBegin thread_contingent:comm sequence_count:value
ThreadWait thread_contingent:comm sequence_count:value
ThreadEnd thread_contingent:comm sequence_count:value
CallingContextEnter calling_context:calling_context unwind_distance:value
CallingContextLeave calling_context:calling_context
CallingContextSample calling_context:calling_context unwind_distance:value interrupt_generator:interrupt_generator
IoCreateHandle handle:io_handle mode:enumeration creation_flags:enumeration status_flags:enumeration
IoDestroyHandle handle:io_handle
IoDuplicateHandle old_handle:io_handle new_handle:io_handle status_flags:enumeration
IoSeek handle:io_handle offset_request:signed_value whence:enumeration offset_result:value
IoChangeStatusFlags handle:io_handle status_flags:enumeration
IoDeleteFile io_paradigm:io_paradigm file:io_file
IoOperationBegin handle:io_handle mode:enumeration operation_flags:enumeration bytes_request:bytes matching_id:matching_id
IoOperationTest handle:io_handle matching_id:matching_id
IoOperationIssued handle:io_handle matching_id:matching_id
IoOperationComplete handle:io_handle bytes_result:bytes matching_id:matching_id
IoOperationCancelled handle:io_handle matching_id:matching_id
IoAcquireLock handle:io_handle lock_type:enumeration
IoReleaseLock handle:io_handle lock_type:enumeration
IoTryLock handle:io_handle lock_type:enumeration
ProgramBegin program_name:string number_of_arguments:count program_arguments[]:string
ProgramEnd exit_status:signed_value
NonBlockingCollectiveRequest request_id:request_new
NonBlockingCollectiveComplete collective_op:op communicator:comm root:root size_sent:bytes size_received:bytes request_id:request_done
CommCreate communicator:comm
CommDestroy communicator:comm
MpiProbe sender:peer communicator:comm msg_tag:tag message_id:message_new
MpiMrecv message_id:message_used msg_length:bytes
MpiImrecvRequest message_id:message_used request_id:request_new
MpiImrecv request_id:request_done msg_length:bytes
"""

DEFINITIONS = """
ClockProperties timer_resolution:value global_offset:value trace_length:value realtime_timestamp:value
Paradigm paradigm:paradigm name:string paradigm_class:enumeration
ParadigmProperty paradigm:paradigm property:enumeration type:type value:value
IoParadigm self:io_paradigm identification:string name:string io_paradigm_class:enumeration io_paradigm_flags:enumeration number_of_properties:count properties[]:enumeration types[]:type values[]:value
String self:string string:text
Attribute self:attribute name:string description:string type:type
SystemTreeNode self:system_tree_node name:string class_name:string parent:system_tree_node
LocationGroup self:location_group name:string location_group_type:enumeration system_tree_parent:system_tree_node creating_location_group:location_group
Location self:location name:string location_type:enumeration number_of_events:value location_group:location_group
Region self:region name:string canonical_name:string description:string region_role:enumeration paradigm:paradigm region_flags:enumeration source_file:string begin_line_number:value end_line_number:value
Callsite self:callsite source_file:string line_number:value entered_region:region left_region:region
Callpath self:callpath parent:callpath region:region
Group self:group name:string group_type:enumeration paradigm:paradigm group_flags:enumeration number_of_members:count members[]:value
MetricMember self:metric_member name:string description:string metric_type:enumeration metric_mode:enumeration value_type:type base:enumeration exponent:signed_value unit:string
MetricClass self:metric number_of_metrics:count metric_members[]:metric_member metric_occurrence:enumeration recorder_kind:enumeration
MetricInstance self:metric metric_class:metric recorder:location metric_scope:enumeration scope:value
Comm self:comm name:string group:group parent:comm flags:enumeration
Parameter self:parameter name:string parameter_type:enumeration
RmaWin self:rma_win name:string comm:comm flags:enumeration
MetricClassRecorder metric:metric recorder:location
SystemTreeNodeProperty system_tree_node:system_tree_node name:string type:type value:value
SystemTreeNodeDomain system_tree_node:system_tree_node system_tree_domain:enumeration
LocationGroupProperty location_group:location_group name:string type:type value:value
LocationProperty location:location name:string type:type value:value
CartDimension self:cart_dimension name:string size:value cart_periodicity:enumeration
CartTopology self:cart_topology name:string communicator:comm number_of_dimensions:count cart_dimensions[]:cart_dimension
CartCoordinate cart_topology:cart_topology rank:value number_of_dimensions:count coordinates[]:value
SourceCodeLocation self:source_code_location file:string line_number:value
CallingContext self:calling_context region:region source_code_location:source_code_location parent:calling_context
CallingContextProperty calling_context:calling_context name:string type:type value:value
InterruptGenerator self:interrupt_generator name:string interrupt_generator_mode:enumeration base:enumeration exponent:signed_value period:value
IoFileProperty io_file:io_file name:string type:type value:value
IoRegularFile self:io_file name:string scope:system_tree_node
IoDirectory self:io_file name:string scope:system_tree_node
IoHandle self:io_handle name:string file:io_file io_paradigm:io_paradigm io_handle_flags:enumeration comm:comm parent:io_handle
IoPreCreatedHandleState io_handle:io_handle mode:enumeration status_flags:enumeration
CallpathParameter callpath:callpath parameter:parameter type:type value:value
InterComm self:comm name:string group_a:group group_b:group common_communicator:comm flags:enumeration
MappingTable mapping_type:enumeration mode:enumeration size:count local_ids[]:value global_ids[]:value
ClockOffset time:ticks offset:signed_value standard_deviation:real
"""

# Kinds with a mapping table, by OTF2_MappingType.
MAPPED = ("string attribute location region group metric comm parameter rma_win source_code_location "
          "calling_context interrupt_generator io_file io_handle location_group").split()
# Kinds whose columns hold reference codes.
CODED = set("string attribute region parameter source_code_location calling_context "
            "interrupt_generator".split())


Functions = namedtuple("Functions", "grid dimensions places function_count parameters lookups "
                       "lookup_of factors factor_of function_of sequence")
# Who has which number, in which order.
Sequence = namedtuple("Sequence", "leader size periodic presence group_of presences order choices")
NEXT, RISING, CHOSEN = range(3)


class Damage(Exception):
    """The file is not what the format says; the message is one sentence."""


class Record:
    """A record type: its name and its fields."""

    def __init__(self, line):
        self.name, *fields = line.split()
        self.fields = []  # (name, kind, is_array)
        for field in fields:
            name, kind = field.split(":")
            self.fields.append((name.removesuffix("[]"), kind, name.endswith("[]")))
        kinds = [kind for _, kind, _ in self.fields]
        self.place = {kind: i for i, kind in enumerate(kinds)}
        self.has_context = self.name in ("Enter", "Leave", "CallingContextEnter",
                                         "CallingContextLeave")
        self.has_arrays = any(array for _, _, array in self.fields)
        # Collectives: the place of the two sizes.
        self.sizes = kinds.index("bytes") if "op" in self.place else None


EVENT_TYPES = [Record(line) for line in EVENTS.strip().splitlines()]
DEFINITION_TYPES = [Record(line) for line in DEFINITIONS.strip().splitlines()]
EVENT_NUMBER = {record.name: i for i, record in enumerate(EVENT_TYPES)}
DEFINITION_NUMBER = {record.name: i for i, record in enumerate(DEFINITION_TYPES)}
ISEND, IRECV_REQUEST = EVENT_NUMBER["MpiIsend"], EVENT_NUMBER["MpiIrecvRequest"]
SENDS, RECV = (EVENT_NUMBER["MpiSend"], ISEND), EVENT_NUMBER["MpiRecv"]
SEND, RECEIVE = "send", "receive"
BY_TAG, IN_ORDER = 1, 2  # how receives have the sizes of sends
STRING, REGION = DEFINITION_NUMBER["String"], DEFINITION_NUMBER["Region"]
LOCATION = DEFINITION_NUMBER["Location"]
COLLECTIVE_REQUEST = EVENT_NUMBER["NonBlockingCollectiveRequest"]
REQUEST_TEST, REQUEST_CANCELLED = EVENT_NUMBER["MpiRequestTest"], EVENT_NUMBER["MpiRequestCancelled"]
IMRECV_REQUEST, IMRECV = EVENT_NUMBER["MpiImrecvRequest"], EVENT_NUMBER["MpiImrecv"]
# What completes the request of a posting record.
COMPLETION_OF = {ISEND: EVENT_NUMBER["MpiIsendComplete"],
                 IRECV_REQUEST: EVENT_NUMBER["MpiIrecv"],
                 COLLECTIVE_REQUEST: EVENT_NUMBER["NonBlockingCollectiveComplete"]}


def record_types(stream):
    return EVENT_TYPES if stream == EVENT_STREAM else DEFINITION_TYPES


# Bytes and numbers --------------------------------------------------------------------------------


def unzigzag(code):
    return (code >> 1) ^ -(code & 1)


class Bytes:
    """Reads numbers and strings from one byte string."""

    def __init__(self, data, name):
        self.data, self.name, self.at = data, name, 0

    def fail(self, what):
        raise Damage(f"{self.name} is damaged at byte {self.at}: {what}")

    def left(self):
        return len(self.data) - self.at

    def take(self, size):
        if size > self.left():
            self.fail(f"{size} bytes are missing")
        self.at += size
        return self.data[self.at - size:self.at]

    followed = False

    def need(self, role, one_byte=False, expected=section_model.NOTHING):
        """A number of this role is read next."""

    def enter(self, part, place=None):
        """This part of a structure is read next."""

    def u8(self, role=None):
        self.need(role, True)
        return self.take(1)[0]

    def u32(self):
        return struct.unpack("<I", self.take(4))[0]

    def u64(self):
        return struct.unpack("<Q", self.take(8))[0]

    def varint(self, role=None, expected=section_model.NOTHING):
        self.need(role, False, expected)
        value = 0
        for shift in range(0, 70, 7):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value > MASK:
                    self.fail("a number has more than 64 bits")
                return value
        return self.fail("a number has more than ten bytes")

    def signed(self, role=None):
        return unzigzag(self.varint(role))

    def count(self, item_size=1, role=None):
        """How many items of at least item_size bytes follow."""
        count = self.varint(role)
        if count > self.left() // item_size:
            self.fail(f"{count} items do not fit")
        return count

    def term(self, dictionary):
        code = self.varint()
        return dictionary.text(code) if code & 1 else self.take(code >> 1)

    def string(self):
        return self.take(self.varint())

    def end(self):
        if self.left():
            self.fail("nothing more was expected")


class NoDictionary:
    """That of portable files, which need nothing but this text."""

    strings, roles, compression = (), {}, None

    def text(self, code):
        """The text of an odd code."""
        if code >> 1 >= len(self.strings):
            raise Damage("a text is none of the dictionary's")
        return self.strings[code >> 1]


class Dictionary(NoDictionary):
    """Strings, roles of regions, models of numbered strings, and a dictionary of zstd."""

    @staticmethod
    @cache
    def of_number(number):
        """None if there is no such dictionary."""
        if number == NO_DICTIONARY:
            return NoDictionary()
        return Dictionary(DICTIONARY_FOLDER) if number == DICTIONARY_NUMBER else None

    def __init__(self, folder):
        self.models = {}
        lines = (folder / "strings.txt").read_bytes().split(b"\n")[:-1]
        self.listed, marks = zip(*(line.partition(b"\t")[::2] for line in lines))
        marks = [mark.split(b"\t") for mark in marks]
        self.roles = {text: int(mark[0]) for text, mark in zip(self.listed, marks)
                      if mark[0] not in (b"", b"#")}
        functions = [(text, int(mark[1]) if mark[1:] else 0) for text, mark in zip(self.listed, marks)
                     if text.startswith(b"MPI_") and text in self.roles]
        self.strings = self.listed + tuple(
            text for version in (4, 3) for text, since in functions if since < version)
        tables, samples, self.sample_sections = (
            bytes.fromhex((folder / name).read_text())
            for name in ("tables.hex", "samples.hex", "sections.hex"))
        self.compression = zstandard.ZstdCompressionDict(
            tables + b"".join(self.listed) + samples)

    def model(self, kind, size):
        """A model that has seen the samples of such sections."""
        if kind not in self.models:
            source, model = Bytes(self.sample_sections, "the dictionary"), section_model.Model()
            name = "a sample of the dictionary"
            while source.left():
                sample, content = source.varint(), source.string()
                locations = Bytes(content, name).varint()
                if sample == STRUCTURE and kind == DURATIONS:
                    events = Structure(Bytes(content, name), locations)
                if sample == kind:
                    read_section(kind, KnownNumbers(content, name, model),
                                 events if kind == DURATIONS else locations)
            self.models[kind] = pickle.dumps(model)
        model = pickle.loads(self.models[kind])
        model.shrink_to(size)
        return model


sys.setrecursionlimit(10000)  # columns whose counts are columns whose counts ...


def decompress(frame, size, name, dictionary=None):
    try:
        if zstandard.frame_content_size(frame) != size or size // (128 << 10) > len(frame) // 4:
            raise Damage(f"{name} is damaged: its zstd frame has another size")
        worker = zstandard.ZstdDecompressor(dictionary, max_window_size=1 << 27).decompressobj()
        content = worker.decompress(frame)
    except zstandard.ZstdError as error:
        raise Damage(f"{name} is damaged: {error}") from error
    if len(content) != size or worker.unused_data or not worker.eof:
        raise Damage(f"{name} is damaged: its zstd frame is not complete")
    return content


# Container ----------------------------------------------------------------------------------------


class Container:
    """Header, table and footer; sections are read by content()."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = data = file.read()
        self.path = path
        if data[:8] != b"\x89TFOLD\r\n":
            raise Damage(f"{path} is not a tracefold file")
        if len(data) < 48:
            raise Damage(f"{path} is cut off")
        self.version = struct.unpack("<HH", data[8:12])
        if self.version[0] > 1:
            raise Damage(f"{path} has the newer format version {self.version[0]}")
        self.dictionary = Dictionary.of_number(int.from_bytes(data[12:16], "little"))
        if self.dictionary is None:
            raise Damage(f"{path} needs another dictionary")
        self.portable = not self.dictionary.strings
        table_size, file_size, checksum = struct.unpack("<QQQ", data[-32:-8])
        if data[-8:] != b"TFOLDEND" or file_size != len(data) or table_size > len(data) - 48:
            raise Damage(f"{path} was cut off or extended")
        table = data[len(data) - 32 - table_size:-32]
        if xxhash.xxh64_intdigest(data[:16] + table + data[-32:-16]) != checksum:
            raise Damage(f"the section table of {path} is damaged")
        self.sections = []
        self.read_table(Bytes(table, f"the section table of {path}"))

    def read_table(self, table):
        offset = 16
        for number in range(table.count(4)):
            kind, flags = table.varint(), table.u8()
            index = table.varint()
            if flags & 8:
                distance = table.varint()
                if not 0 < distance <= number or self.sections[-distance][0] != kind:
                    table.fail("a section repeats one that is not there, or of another kind")
                first = self.sections[-distance]
                self.sections.append((kind, first[1], index, *first[3:]))
                continue
            stored = table.varint()
            size = table.varint() if flags & 6 else stored
            if kind not in SECTION_NAMES and flags & 1:
                raise Damage(f"{self.path} needs a newer reader for its section of kind {kind}")
            if self.portable and flags & 4:
                table.fail("a section needs a model, which a portable file does not have")
            self.sections.append((kind, flags, index, offset, stored, size, table.u32()))
            offset += stored
        table.end()
        if offset + len(table.data) + 32 != len(self.data):
            raise Damage(f"the sections do not fill {self.path}")

    def content(self, kind, index=0):
        """The checked content of a section, None if there is none."""
        for section in self.sections:
            if section[0] == kind and section[2] == index:
                return self.content_of(section)
        return None

    def read(self, kind, context=None):
        """What read_section() makes of a section, modelled or not."""
        for section in self.sections:
            if section[0] == kind and section[1] & 4:
                name = f"section {SECTION_NAMES[kind]} of {self.path}"
                return read_section(kind, ModelledNumbers(self.stored(section), section[5], name,
                                                          self.dictionary.model(kind, section[5])),
                                    context)
        return read_section(kind, self.reader(kind), context)

    def stored(self, section):
        """The checked bytes of a section."""
        kind, _, _, offset, stored, _, checksum = section
        name = f"section {SECTION_NAMES.get(kind, kind)} of {self.path}"
        data = self.data[offset:offset + stored]
        if xxhash.xxh64_intdigest(data) & 0xFFFFFFFF != checksum:
            raise Damage(f"{name} is damaged: its checksum does not match")
        return data

    def content_of(self, section):
        kind, flags, size = section[0], section[1], section[5]
        data = self.stored(section)
        name = f"section {SECTION_NAMES.get(kind, kind)} of {self.path}"
        if not flags & 2:
            return data
        return decompress(data, size, name, self.dictionary.compression)

    def reader(self, kind):
        content = self.content(kind)
        if content is None:
            raise Damage(f"{self.path} has no section {SECTION_NAMES[kind]}")
        return Bytes(content, f"section {SECTION_NAMES[kind]} of {self.path}")


# Structure: patterns, columns, symbols, scripts -----------------------------------------------------


class Element:
    """One record of a symbol."""

    def __init__(self, kind, raw, array_count, attributes, context):
        self.type, self.raw, self.array_count = kind, raw, array_count
        self.attributes, self.context = attributes, context


def is_numbered(stream, element):
    return stream == GLOBAL_STREAM and element.type == STRING and element.array_count != DYNAMIC


def slots_of(stream, symbol):
    """(element, field kind, shape, late) for every value column of a symbol."""
    slots = []
    for number, element in enumerate(symbol):
        if element.type == COMPLETIONS:
            slots += [(number, "count", "count", False), (number, "request_done", "each", False)]
            continue
        slots += [(number, "value", "one", False)] * len(element.attributes)
        record = record_types(stream)[element.type]
        dynamic = element.array_count == DYNAMIC
        for field, (_, kind, array) in enumerate(record.fields):
            if stream == EVENT_STREAM and record.has_context and field == 0:
                continue
            if kind == "count":
                slots += [(number, kind, "count", False)] * dynamic
            elif array and not dynamic:
                slots += [(number, kind, "one", False)] * element.array_count
            elif kind == "text" and is_numbered(stream, element):
                slots += [(number, "value", "one", False)] * element.array_count
            elif kind == "text" and stream != GLOBAL_STREAM:
                slots += [(number, kind, "count", False), (number, kind, "each", False)]
            else:
                slots.append((number, kind, "each" if array else "one", False))
        if stream == EVENT_STREAM and not element.raw and \
                element.type in (IRECV_REQUEST, COLLECTIVE_REQUEST):
            completion = EVENT_TYPES[COMPLETION_OF[element.type]]
            slots += [(number, kind, "one", True) for _, kind, _ in completion.fields[:-1]]
    return slots


def message_side(element, slot):
    """The end of the message that an element's fields tell."""
    if element.raw:
        return None
    if element.type in SENDS:
        return SEND
    late = element.type == IRECV_REQUEST
    return RECEIVE if element.type == RECV or late and slot[3] else None


def absolute_peer(value, encoding, me, size):
    if encoding in (0, 1):
        value = (value + me) & MASK
        return value - size if encoding and value >= size else value
    return value ^ me if encoding == 2 else value


class Matched:
    """What a receive has from the send, once that is known: numbers by location."""

    def __init__(self, matching):
        self.matching, self.numbers = matching, None


def slot_part(slot):
    """The part of a structure that a slot is, a number."""
    _, kind, _, late = slot
    return SLOT_PARTS + 2 * KINDS.index(kind) + late


class NumberFollower(Bytes):
    """Leads a model through the numbers of a section while they are read."""

    followed = True

    def __init__(self, data, name, model):
        super().__init__(data, name)
        self.model, self.history = model, section_model.NumberHistory()
        self.enter(0)

    def enter(self, part, place=None):
        self.part, self.place = part, part if place is None else place

    def need(self, role, one_byte=False, expected=section_model.NOTHING):
        field = section_model.NUMBER[role], self.part, self.place, one_byte
        self.model.begin_number(field, self.history.expect(field, expected))
        number = 0
        for i in range(min(len(self.data) - self.at, 1 if one_byte else 10)):
            self.model.begin_byte()
            self.follow(self.at + i)
            byte = self.model.end_byte()
            number |= (byte if one_byte else byte & 0x7F) << 7 * i
            if byte < 0x80:
                break
        self.model.end_number()
        self.history.add(field, number & MASK)


class KnownNumbers(NumberFollower):
    """Shows a model what both sides know."""

    def follow(self, position):
        for left in range(7, -1, -1):
            self.model.predict()
            self.model.update(self.data[position] >> left & 1)


class ModelledNumbers(NumberFollower):
    """Decodes numbers just before they are read."""

    def __init__(self, stored, size, name, model):
        super().__init__(bytearray(size), name, model)
        if size > min(MAX_MODELLED, MAX_MODELLED_FREE + MAX_MODELLED_PER_BYTE * len(stored)):
            self.fail("it is too large to be modelled")
        self.coder = section_model.RangeDecoder(stored)

    def follow(self, position):
        for _ in range(8):
            self.model.update(self.coder.bit(self.model.predict()))
        self.data[position] = self.model.node & 0xFF


def read_section(kind, source, context):
    """A structure of `context` locations, if the archive is right; of definitions with its text; or
    durations, those of the structure `context`."""
    if kind == DURATIONS:
        return Durations(source, context)
    if kind != DEFINITIONS_SECTION:
        return Structure(source, context)
    size = source.count(role="text_size")
    text = bytes(source.u8("text") for _ in range(size))
    structure = Structure(source, 1)
    structure.text = text
    return structure


class Columns:
    """Patterns and columns, which refer to those before them."""

    def __init__(self, source, patterns=(), columns=()):
        """Those given are known already."""
        self.source, self.forecast = source, section_model.ItemForecast()
        self.patterns, self.columns, self.depth = [*patterns], [*columns], 0
        self.budget = (1 << 22) + 64 * source.left()

    # Reading

    def read_items(self, limit, forecast, most=None):
        items, predicted, source = [], 0, self.source
        count = source.varint("item_count", (None, None, limit, None))
        if most is not None and count > most:
            source.fail("there are too many items")
        nothing = section_model.NOTHING
        forecast.begin_items()
        while len(items) < count:
            token = source.varint("item", forecast.token(predicted) if source.followed else nothing)
            first = predicted + unzigzag(token >> 1)
            run = 1
            if token & 1:
                to_end = (*forecast.run(), count - len(items) - 2) if source.followed else nothing
                run = source.varint("item_run", to_end) + 2
            self.budget -= run
            if not 0 <= first <= limit - run or run > count - len(items) or self.budget < 0:
                source.fail("an item is out of range")
            items += range(first, first + run)
            predicted = first + run
            if source.followed:
                forecast.add(first, run)
        return items

    def read_pattern(self, symbols=None):
        source, mention = self.source, self.source.varint("pattern_mention")
        if mention:
            if mention > len(self.patterns):
                source.fail("a pattern is mentioned before it is defined")
            return mention - 1
        leaves, loops = source.varint("leaf_count"), source.count(1, "loop_count")
        self.budget -= leaves
        if self.budget < 0:
            source.fail("a pattern has too many leaves")
        if symbols is not None and len(symbols) != leaves:
            source.fail("a script does not fit its pattern")
        forecast, bodies = self.forecast, []
        if symbols is None:
            forecast.begin(section_model.COLUMN, leaves)
        else:
            forecast.begin(section_model.SCRIPT, leaves, symbols)
        for i in range(loops):
            bodies.append(self.read_items(leaves + i, forecast))
            if not bodies[-1]:
                source.fail("a loop has an empty body")
            if source.followed:
                forecast.end_loop(bodies[-1])
        self.patterns.append((leaves, bodies, self.read_items(leaves + loops, forecast)))
        return len(self.patterns) - 1

    def known_column(self, number):
        if number >= len(self.columns):
            self.source.fail("a column is mentioned before it is defined")
        return number

    def newest(self, first):
        """The mention of the newest column as an expectation, that of column 0 being `first`."""
        return None, None, len(self.columns) - 1 + first, None

    def read_column(self):
        mention = self.source.varint("column_mention", self.newest(1))
        return self.known_column(mention - 1) if mention else self.read_new_column()

    def read_new_column(self):
        """Columns as (form, ...): numbers, or start, pattern, alphabet and counts."""
        source, self.depth = self.source, self.depth + 1
        if self.depth > 100:
            source.fail("columns are nested too deeply")
        form = source.u8("column_form")
        if form == 0:
            column = ("constant", source.signed("constant"))
        elif form == 1:
            column = ("progression", source.signed("progression"), source.signed("progression"))
        elif form in (2, 3, 6, 7):
            role = "step" if form in (3, 7) else "value"
            numbers = [source.signed(role) for _ in range(source.count(1, "list_size"))]
            if form in (3, 7):
                numbers = list(accumulate(numbers))
            if form > 3 and not numbers:
                source.fail("a period is empty")
            column = ("list" if form < 4 else "periodic", numbers)
        elif form == 8:
            runs = [(source.signed("run_value"), source.varint("run_length"))
                    for _ in range(source.count(2, "list_size"))]
            if not all(count for _, count in runs):
                source.fail("a run is empty")
            column = ("runs", runs, source.signed("run_value"))
        elif form in (4, 5):
            start = source.signed("start") if form == 5 else None
            pattern = self.read_pattern()
            leaves, loops, _ = self.patterns[pattern]
            alphabet = self.read_alphabet(leaves)
            counts = self.read_node_runs(leaves + len(loops))
            column = ("folded", start, pattern, alphabet, counts)
        elif form == 9:
            like = self.columns[self.known_column(source.varint("like", self.newest(0)))]
            if like[0] != "folded":
                source.fail("a column is like one that is not folded")
            start = source.signed("start")
            alphabet = self.read_alphabet(self.patterns[like[2]][0])
            column = ("folded", None if like[1] is None else start, like[2], alphabet, like[4])
        else:
            source.fail("a column has an unknown form")
        self.depth -= 1
        self.columns.append(column)
        return len(self.columns) - 1

    def read_alphabet(self, leaves):
        source, token = self.source, self.source.varint("alphabet", self.newest(3))
        if token >= 3:
            number = self.known_column(token - 3)
            form, *rest = self.columns[number]
            if form not in ("constant", "progression", "list") or \
                    (form == "list" and len(rest[0]) < leaves):
                source.fail("an alphabet does not fit its pattern")
            return number
        if token == 2:
            self.columns.append(("progression", source.signed("progression"),
                                 source.signed("progression")))
        elif leaves > source.left():
            source.fail("an alphabet has more letters than bytes are left")
        else:
            role = "letter_step" if token else "letter"
            letters = [source.signed(role) for _ in range(leaves)]
            self.columns.append(("list", list(accumulate(letters)) if token else letters))
        return len(self.columns) - 1

    def read_nodes(self, nodes, read):
        """A sparse table over the nodes of a pattern."""
        table, node = {}, 0
        for _ in range(self.source.count(2, "node_count")):
            node += self.source.varint("node_gap")
            if node >= nodes:
                self.source.fail("a count belongs to no node")
            table[node] = read()
            node += 1
        return table

    def read_node_runs(self, nodes):
        """Counts of a column: such a table in which neighbours may share a column."""
        table, node, source = {}, 0, self.source
        for _ in range(source.count(2, "node_count")):
            token = source.varint("node_gap")
            node += token >> 1
            run, whole = 1, (None, None, nodes - node - 2, None)
            if token & 1:
                run = source.varint("node_run", whole) + 2
            self.budget -= run
            if run > nodes - node or self.budget < 0:
                source.fail("a count belongs to no node")
            column = self.read_column()
            table.update((node + i, column) for i in range(run))
            node += run
        return table

    # Unwinding

    def first(self, column, size):
        """The first values of a column, which has at least so many."""
        return [take(values) for values in repeat(self.values(column), size)]

    def values(self, number):
        return self.values_of(self.columns[number])

    def values_of(self, column):
        form, *rest = column
        if form == "constant":
            yield from repeat(rest[0] & MASK)
        elif form == "progression":
            value, stride = rest
            while True:
                yield value & MASK
                value += stride
        elif form == "list":
            yield from (value & MASK for value in rest[0])
        elif form == "periodic":
            yield from (value & MASK for value in cycle(rest[0]))
        elif form == "runs":
            for value, count in rest[0]:
                yield from repeat(value & MASK, count)
            yield from repeat(rest[1] & MASK)
        else:
            start, pattern, alphabet, counts = rest
            letters = self.first(alphabet, self.patterns[pattern][0])
            runs = self.runs(pattern, {node: self.values(c) for node, c in counts.items()})
            if start is None:
                for leaf, count in runs:
                    yield from repeat(letters[leaf], count)
            else:
                value = start & MASK
                yield value
                for leaf, count in runs:
                    for _ in repeat(None, count):
                        value = (value + letters[leaf]) & MASK
                        yield value

    def runs(self, pattern, counts):
        """(leaf, count) of every run of a pattern; counts are iterators by node."""
        leaves, loops, root = self.patterns[pattern]

        def count_of(node):
            count = take(counts[node]) if node in counts else 1
            if count == 0:
                raise Damage(f"{self.source.name}: a loop or run has a count of zero")
            return count

        stack = [[root, 0, 1]]  # body, next item, iterations left
        while stack:
            frame = stack[-1]
            if frame[1] == len(frame[0]):
                frame[1], frame[2] = 0, frame[2] - 1
                if frame[2] == 0:
                    stack.pop()
                continue
            item = frame[0][frame[1]]
            frame[1] += 1
            if item < leaves:
                yield item, count_of(item)
            else:
                stack.append([loops[item - leaves], 0, count_of(item)])


class Structure(Columns):
    """The content of a structure section and look-ups in it."""

    def __init__(self, source, locations):
        super().__init__(source)
        self.symbol_forecast, self.classes = section_model.ItemForecast(), 0
        self.unpacked = {}
        self.locations = source.varint("location_count", section_model.fitting(locations))
        self.read_symbols()
        source.enter(SCRIPTS_PART)
        self.symbol_forecast.begin(section_model.SYMBOLS, len(self.symbols))
        self.scripts = [self.read_script() for _ in range(source.count(3, "script_count"))]
        self.script_of = [self.read_column() for _ in range(3)]
        facts = source.varint("fact_count")
        if facts not in (0, 6, 7):
            source.fail("there are unknown facts")
        self.facts = [self.read_column() for _ in range(facts)]
        source.enter(COUNTS_PART)
        self.counts = [self.read_counts(script) for script in self.scripts]
        self.slots = [slots_of(*symbol) for symbol in self.symbols]
        self.arguments = [self.read_arguments(*symbol, slots)
                          for symbol, slots in zip(self.symbols, self.slots)]
        source.end()
        self.find_participants()
        for matching in (BY_TAG, IN_ORDER):
            self.match_receives(matching)

    # Reading

    def read_symbols(self):
        self.symbols, context = [], 0  # (stream, elements)
        source = self.source
        for _ in range(source.count(1, "symbol_count")):
            head = source.varint("symbol_head")
            stream, size = head & 3, head >> 2
            several = size > 1 and stream != EVENT_STREAM
            if stream > GLOBAL_STREAM or not 0 < size <= source.left() or several:
                source.fail("a symbol is not possible")
            elements = []
            for _ in range(size):
                byte = source.u8("element_type")
                kind, flags = byte & 0x7F, \
                    source.u8("element_flags") if byte & 0x80 else 0
                completions = kind == COMPLETIONS and stream == EVENT_STREAM
                if not completions and kind >= len(record_types(stream)):
                    source.fail("a record has an unknown type")
                if byte & 0x80 and stream != EVENT_STREAM and \
                        (flags != 2 or not (record_types(stream)[kind].has_arrays or
                                            (stream, kind) == (GLOBAL_STREAM, STRING))):
                    source.fail("a definition has a layout of its own")
                array_count = 0 if stream == EVENT_STREAM else DYNAMIC
                if flags & 2:
                    array_count = source.varint("element_layout")
                    if array_count > source.left():
                        source.fail("a record has more items than bytes are left")
                attributes = []
                if flags & 4:
                    attributes = [(source.varint("element_layout"), source.u8("element_layout"))
                                  for _ in range(source.count(2, "element_layout"))]
                element = Element(kind, bool(flags & 1), array_count, attributes, None)
                events_context = stream == EVENT_STREAM and not completions and \
                    EVENT_TYPES[kind].has_context
                if events_context or is_numbered(stream, element):
                    context = (context + source.signed("context")) & MASK
                    element.context = context
                elements.append(element)
            self.symbols.append((stream, elements))

    def read_script(self):
        stream = self.source.u8("script_stream")
        symbols = self.read_items(len(self.symbols), self.symbol_forecast, len(self.symbols))
        pattern = self.read_pattern(symbols)
        fits = len(symbols) == self.patterns[pattern][0]
        if not fits or any(self.symbols[symbol][0] != stream for symbol in symbols):
            self.source.fail("a script does not fit its pattern or its symbols")
        return stream, pattern, symbols

    def read_counts(self, script):
        self.leader = None
        leaves, loops, _ = self.patterns[script[1]]
        return self.read_nodes(leaves + len(loops), self.read_assignment)

    def read_arguments(self, _, symbol, slots):
        self.leader = None
        arguments, in_element, element, matching = [], 0, 0, 0
        for slot in slots:
            if slot[0] != element:
                in_element, matching = 0, 0
            element = slot[0]
            place = section_model.slot_place(symbol[element].type, in_element)
            self.source.enter(slot_part(slot), place)
            encoding = 0
            if slot[1] == "peer":
                matching, encoding = divmod(self.source.varint("peer_encoding"), 4)
                receives = message_side(symbol[element], slot) == RECEIVE
                if matching > (IN_ORDER if receives else 0):
                    self.source.fail("a peer has an unknown encoding")
            matched = matching and slot[1] in ("bytes", "tag")[:matching]
            assignment = (None, Matched(matching)) if matched else self.read_assignment()
            arguments.append((encoding, assignment))
            in_element += 1
        return arguments

    def read_assignment(self):
        """(column of classes or constants, or None; columns)"""
        token = self.source.varint("assignment", self.newest(4))
        if token == 0:
            return None, [self.read_new_column()]
        if token >= 4:
            return None, [self.known_column(token - 4)]
        chosen = self.read_column()
        if token == 2:
            return chosen, []
        classes = self.source.varint("class_count", section_model.fitting(self.locations))
        if token == 1 and classes > self.source.left():
            self.source.fail("more columns than bytes")
        if token == 1 and classes == 0:
            return chosen, self.read_class_constants()
        if token == 3 and classes == 0:
            return None, self.read_functions(chosen)
        self.classes += classes if token == 3 else 0
        if classes == 0 or self.classes > 1 << 25:
            self.source.fail("an argument has no column or too many")
        sizes = self.read_families(classes) if token == 3 else {}
        columns = []
        while len(columns) < classes:
            base, size = self.read_column(), sizes.get(len(columns), 1)
            columns.append(base)
            if size > 1:
                numbers = self.read_nodes(1 << 32, self.read_column)
                columns += [(base, i, numbers) for i in range(1, size)]
        return chosen, columns

    def read_class_constants(self):
        """Columns of classes, of which constants are numbers in a row."""
        source = self.source
        base, factor = source.signed("start"), source.varint("progression")
        columns = []
        for _ in range(source.count(1, "class_count")):
            code = source.varint("value")
            value = base + (code - 1) // 2 * factor
            if code % 2:
                self.columns.append(("constant", value))
            elif code:
                runs = []
                for _ in range(source.count(2, "list_size")):
                    runs.append((value, source.varint("run_length")))
                    value += source.signed("step") * factor
                if not all(count for _, count in runs):
                    source.fail("a run is empty")
                self.columns.append(("runs", runs, value))
            columns.append(len(self.columns) - 1 if code else self.read_column())
        if not columns:
            source.fail("an argument has no column")
        return columns

    def read_functions(self, first):
        """The numbers of arguments as functions of the place in a grid."""
        source = self.source
        head = source.varint("family_count")
        leader = self.leader if head == 0 else None
        if head == 0 and leader is None or head // 2 > 32:
            source.fail("no grid, or one with too many places")
        grid = leader.grid if leader else \
            [(source.varint("family_gap"), source.varint("family_gap") if head % 2 else digit)
             for digit in range(head // 2)]
        dimensions = len({dimension for _, dimension in grid})
        places = prod(size for size, _ in grid)
        self.classes += places
        if not grid or min(grid)[0] < 2 or self.classes > 1 << 25 or dimensions > 6 or \
                max(dimension for _, dimension in grid) >= dimensions:
            source.fail("no grid, or one with too many places")
        count = source.varint("family_size")
        has_factors = count == 0
        count = source.varint("family_size") if has_factors else count
        one_each = count == 1
        count = source.varint("family_size") if one_each else count
        functions = count // 4 if one_each else count // 2
        if functions == 0 or one_each and leader and functions != leader.sequence.size:
            source.fail("an argument has no functions, or too few")
        parameters = [first] if one_each else []
        while len(parameters) < 1 + dimensions * (2 + dimensions):
            parameters.append(self.read_column())
        lookups = self.read_some() if count % 2 else []
        lookup_of = self.read_column() if lookups else None
        factors = self.read_some() if has_factors else []
        factor_of = [self.read_column() for _ in range(dimensions)] if has_factors else []
        table = Functions(grid, dimensions, places, functions, parameters, lookups, lookup_of,
                          factors, factor_of, None if one_each else first, None)
        if leader:
            sequence = leader.sequence
        elif one_each:
            sequence = Sequence(table, functions, count // 2 % 2 != 0, None, None, [], None, None)
        else:
            sequence = self.read_sequence(table)
        table = table._replace(sequence=sequence)
        self.leader = self.leader if leader else table
        return table

    def read_some(self):
        """Lookups or factors."""
        columns = [self.read_column() for _ in range(self.source.count(1, "class_count"))]
        if not columns:
            self.source.fail("functions have no lookup or no factor")
        return columns

    def read_sequence(self, leader):
        source = self.source
        size, order, choices = source.varint("family_size"), None, None
        if size < 2:
            order = self.read_column()
            choices = self.read_column() if size == 1 else None
            size = source.varint("family_size")
        if size < 4:
            source.fail("an argument has no functions")
        presence, presences, group_of = None, [], None
        if size // 2 % 2:
            known = source.count(1, "class_count")
            presence = self.read_column()
            presences = [self.read_column() for _ in range(known)]
            group_of = self.read_column() if presences else None
        return Sequence(leader, size // 4, size % 2 != 0, presence, group_of, presences, order,
                        choices)

    def read_families(self, classes):
        """Sizes of the families by first class."""
        sizes, first = {}, 0
        for _ in range(self.source.count(2, "family_count")):
            first += self.source.varint("family_gap")
            rest = section_model.fitting(classes - first - 2)
            sizes[first] = self.source.varint("family_size", rest) + 2
            first += sizes[first]
            if first > classes:
                self.source.fail("a family has more columns than there are")
        return sizes

    # Unwinding

    def find_participants(self):
        self.scripts_of = [self.first(column, self.locations) for column in self.script_of]
        self.script_positions = []
        symbol_users = [set() for _ in self.symbols]
        for number, (stream, _, symbols) in enumerate(self.scripts):
            users = [i for i, s in enumerate(self.scripts_of[stream]) if s == number + 1]
            self.script_positions.append({user: i for i, user in enumerate(users)})
            for symbol in symbols:
                symbol_users[symbol].update(users)
        self.symbol_positions = [{u: i for i, u in enumerate(sorted(s))} for s in symbol_users]
        if any(max(s, default=0) > len(self.scripts) for s in self.scripts_of):
            raise Damage(f"{self.source.name}: a location names a script that does not exist")

    def match_receives(self, matching):
        """Tags and sizes of receives from what was sent."""
        matched = [assignment[1] for arguments in self.arguments for _, assignment in arguments
                   if isinstance(assignment[1], Matched) and assignment[1].matching == matching]
        if not matched:
            return
        sent, received = defaultdict(list), []
        for location in range(self.locations):
            for symbol, values in self.calls(EVENT_STREAM, location):
                for end, message in self.messages(symbol, values, location):
                    (_, peer), (_, comm), (tags, tag), (sizes, size) = message
                    ends = (location, peer) if end == SEND else (peer, location)
                    channel = (*ends, comm, tag if matching == BY_TAG else None)
                    if end == SEND:
                        sent[channel].append((tag, size))
                    else:
                        received.append((location, channel, tags, sizes))
        for one in matched:
            one.numbers = defaultdict(list)
        next_of = defaultdict(count)
        for location, channel, *both in received:
            messages, number = sent.get(channel, ()), next(next_of[channel])
            for columns, told in zip(both, messages[number] if number < len(messages) else (0, 0)):
                if columns in matched:
                    columns.numbers[location].append(told)

    def messages(self, symbol, values, me):
        """The messages of a call: end, and columns and values of peer, communicator, tag, size."""
        at, times, found = 0, 0, []
        for slot, (encoding, assignment) in zip(self.slots[symbol], self.arguments[symbol]):
            place, shape = at, slot[2]
            times = values[at] if shape == "count" else times
            at += times if shape == "each" else 1
            end = message_side(self.symbols[symbol][1][slot[0]], slot)
            if end is None or slot[1] not in ("peer", "comm", "tag", "bytes"):
                continue
            value = values[place]
            if slot[1] == "peer":
                value = absolute_peer(value, encoding, me, self.locations)
                found.append((end, []))
            found[-1][1].append((assignment[1], value))
        return found

    def choose(self, assignment, positions, location):
        chosen, columns = assignment
        if isinstance(columns, Matched):
            return repeat(0) if columns.numbers is None else iter(columns.numbers[location])
        if isinstance(columns, Functions):
            return self.values_of(self.evaluate(columns, positions[location]))
        if chosen is None:
            return self.values(columns[0])
        value = self.first(chosen, positions[location] + 1)[-1]
        if not columns:
            return repeat(value)
        if value >= len(columns):
            raise Damage(f"{self.source.name}: a location has no column for one of its arguments")
        column = columns[value]
        return self.values(column) if isinstance(column, int) else \
            self.values_of(self.relative(*column))

    def evaluate(self, table, participant):
        """The column of a participant whose numbers are functions of its place."""
        sequence = table.sequence
        functions = self.functions(table, participant)
        of_number = self.functions_of_numbers(table, sequence)
        values = []
        for number in self.numbers_of(sequence, participant):
            if of_number[number] >= len(functions):
                raise Damage(f"{self.source.name}: a number has no function")
            value, _, lookup = functions[of_number[number]]
            values.append(self.look_up(table, lookup, value) if lookup else value)
        return "periodic" if sequence.periodic else "list", values

    def functions_of_numbers(self, table, sequence):
        if table.function_of is None:
            return range(sequence.size)
        return self.first(table.function_of, sequence.size)

    def functions(self, table, participant):
        return [self.function(table, number, participant)
                for number in range(table.function_count)]

    def stretches(self, sequence, participant):
        """The numbers that a participant has, as (what a function gives, number), in stretches."""
        functions = self.functions(sequence.leader, participant)
        of_number = self.functions_of_numbers(sequence.leader, sequence)
        present, orders = repeat(0, sequence.size), repeat(NEXT, sequence.size)
        if sequence.presence is not None:
            present = self.first(sequence.presence, sequence.size)
        if sequence.order is not None:
            orders = self.first(sequence.order, sequence.size)
        group = self.first(sequence.group_of, participant + 1)[-1] if sequence.presences else 0
        groups = [self.first(column, group + 1)[-1] for column in sequence.presences]
        found, last = [], NEXT
        for number, (presence, order) in enumerate(zip(present, orders)):
            if of_number[number] >= len(functions) or presence >= 2 + len(groups):
                raise Damage(f"{self.source.name}: a number has no function")
            if order > CHOSEN or NEXT not in (order, last) and order != last or \
                    order == CHOSEN and sequence.choices is None:
                raise Damage(f"{self.source.name}: numbers have an unknown order")
            if order == NEXT:
                found.append((NEXT, []))
            elif not found:
                found.append((order, []))
            found[-1] = max(order, found[-1][0]), found[-1][1]
            value, inside, _ = functions[of_number[number]]
            if presence == 0 or (inside if presence == 1 else groups[presence - 2]):
                found[-1][1].append((value, number))
            last = order
        return found

    def numbers_of(self, sequence, participant):
        """The numbers that a participant has, in its order."""
        digits = iter(self.choices(sequence)[participant] if sequence.choices is not None else ())
        numbers = []
        for order, stretch in self.stretches(sequence, participant):
            if order != NEXT:
                stretch.sort()
            if order == CHOSEN:
                stretch = [stretch.pop(next(digits) if len(stretch) > 1 else 0)
                           for _ in range(len(stretch))]
            numbers += (number for _, number in stretch)
        if not numbers:
            raise Damage(f"{self.source.name}: an argument has no numbers")
        return numbers

    def choices(self, sequence):
        """The digits of all participants, unpacked once."""
        if id(sequence) in self.unpacked:
            return self.unpacked[id(sequence)]
        sizes = [[left for order, stretch in self.stretches(sequence, participant)
                  if order == CHOSEN for left in range(len(stretch), 1, -1)]
                 for participant in range(sequence.leader.places)]
        groups = [[]]
        for size in (size for own in sizes for size in own):
            if prod(groups[-1]) * size > 1 << 60:
                groups.append([])
            groups[-1].append(size)
        lengths = [next(n for n in count() if 64 ** n >= prod(group)) for group in groups]
        parts, digits = iter(self.first(sequence.choices, sum(lengths))), []
        for group, length in zip(groups, lengths):
            number, own = 0, []
            for part in islice(parts, length):
                if part >= 64:
                    raise Damage(f"{self.source.name}: a choice has a part too large")
                number = number * 64 + part
            for size in reversed(group):
                number, digit = divmod(number, size)
                own.append(digit)
            if number:
                raise Damage(f"{self.source.name}: a choice is none of those that there are")
            digits += reversed(own)
        digits = iter(digits)
        self.unpacked[id(sequence)] = [list(islice(digits, len(own))) for own in sizes]
        return self.unpacked[id(sequence)]

    def function(self, table, number, participant):
        """What a function gives a participant, whether it stays within the grid, its lookup."""
        base, *rest = (self.first(column, number + 1)[-1] for column in table.parameters)
        dimensions = table.dimensions
        place, behind, strides = [0] * dimensions, table.places, []
        sizes = [1] * dimensions
        for size, dimension in table.grid:
            behind //= size
            strides.append(behind)
            place[dimension] = place[dimension] * size + participant // behind % size
            sizes[dimension] *= size
        factors = [self.first(column, number + 1)[-1] for column in table.factor_of]
        if max(factors, default=0) > len(table.factors):
            raise Damage(f"{self.source.name}: a function has no factor")
        value, inside = base, True
        for d, size in enumerate(sizes):
            stride, offset, *coefficients = rest[d * (2 + dimensions):][:2 + dimensions]
            offset = offset - 2 ** 64 if offset >= 1 << 63 else offset
            if not -size < offset < size or max(coefficients) >= size:
                raise Damage(f"{self.source.name}: a function leaves its grid")
            combination = offset + sum(c * x for c, x in zip(coefficients, place))
            inside = inside and 0 <= combination < size
            combination %= size
            if any(factors):
                if factors[d]:
                    value *= self.first(table.factors[factors[d] - 1], size)[combination]
                continue
            if stride:
                value += stride * combination
                continue
            for (digit, dimension), weight in reversed(list(zip(table.grid, strides))):
                if dimension == d:
                    value += combination % digit * weight
                    combination //= digit
        lookup = self.first(table.lookup_of, number + 1)[-1] if table.lookups else 0
        return value % 2 ** 64, inside, lookup

    def look_up(self, table, lookup, place):
        if lookup > len(table.lookups) or place >= table.places:
            raise Damage(f"{self.source.name}: a function leaves its grid")
        return self.first(table.lookups[lookup - 1], table.places)[place]

    def relative(self, base, place, numbers):
        """The column of a family's class `place`."""
        form, *rest = self.columns[base]
        changed = {at: self.first(column, place + 1)[-1] for at, column in numbers.items()}

        def change(values, first=0):
            return [changed.get(first + i, value) for i, value in enumerate(values)]

        if form in ("constant", "progression"):
            return (form, *change(rest))
        if form in ("list", "periodic"):
            return form, change(rest[0])
        if form == "runs":
            flat = change([number for run in rest[0] for number in run] + [rest[1]])
            return form, list(zip(flat[:-1:2], flat[1:-1:2])), flat[-1]
        start, pattern, alphabet, counts = rest
        form, *letters = self.columns[alphabet]
        letters = [change(letters[0], 1)] if form == "list" else change(letters, 1)
        self.columns.append((form, *letters))
        alphabet = len(self.columns) - 1
        return "folded", None if start is None else change([start])[0], pattern, alphabet, counts

    def calls(self, stream, location):
        """(symbol, values by slot) of one location in execution order."""
        number = self.scripts_of[stream][location]
        if number == 0:
            return
        _, pattern, symbols = self.scripts[number - 1]
        positions = self.script_positions[number - 1]
        counts = {node: self.choose(assignment, positions, location)
                  for node, assignment in self.counts[number - 1].items()}
        slots = [[(slot[2], self.choose(argument[1], self.symbol_positions[symbol], location))
                  for slot, argument in zip(self.slots[symbol], self.arguments[symbol])]
                 for symbol in symbols]
        for leaf, count in self.runs(pattern, counts):
            for _ in range(count):
                yield symbols[leaf], slot_values(slots[leaf])

    def fact(self, fact, location):
        if fact >= len(self.facts):
            return 0
        return self.first(self.facts[fact], location + 1)[-1]


def take(values):
    value = next(values, None)
    if value is None:
        raise Damage("a column ends before what uses it")
    return value


def slot_values(slots):
    values, times = [], 0
    for shape, column in slots:
        if shape == "one":
            values.append(take(column))
        elif shape == "count":
            times = take(column)
            if times > MAX_REPEAT:
                raise Damage("a record has an impossible number of items")
            values.append(times)
        else:
            values += [take(column) for _ in range(times)]
    return values


# Definitions --------------------------------------------------------------------------------------


def definitions(structure, stream, location, dictionary, text=b"", events=repeat(0)):
    """(type, fields) of every definition; arrays are lists, texts are bytes."""
    strings = Strings(text, dictionary)
    for symbol, values in structure.calls(stream, location):
        element = structure.symbols[symbol][1][0]
        if stream == GLOBAL_STREAM and element.type == STRING:
            yield STRING, [values[0], strings.next(values[0], element, values[1:])]
            continue
        values, fields = iter(values), []
        times = 0 if element.array_count == DYNAMIC else element.array_count
        for _, field, array in DEFINITION_TYPES[element.type].fields:
            if array:
                fields.append(list(islice(values, times)))
                continue
            value = times if field == "count" and element.array_count != DYNAMIC else next(values)
            if field == "count":
                times = value
            elif field == "text":
                value = bytes(byte & 0xFF for byte in islice(values, value))
            fields.append(value)
        if stream == GLOBAL_STREAM and element.type == REGION:
            fields[4] = (fields[4] + strings.roles.get(fields[1], 0)) & MASK
        if stream == GLOBAL_STREAM and element.type == LOCATION:
            fields[3] = (fields[3] + take(events)) & MASK
        yield element.type, fields


class Strings:
    """The texts of the global String definitions, and what they say about regions."""

    def __init__(self, text, dictionary):
        self.text, self.position, self.all, self.roles = text, 0, [], {}
        self.dictionary = dictionary

    def next(self, number, element, values):
        if is_numbered(GLOBAL_STREAM, element):
            text = self.join(element.context, values)
        elif values[0] & 1:
            text = self.dictionary.text(values[0])
        else:
            size = values[0] >> 1
            text = self.text[self.position:self.position + size]
            self.position += size
            if len(text) != size:
                raise Damage("a string is longer than the text of all")
        self.all.append(text)
        self.roles[number] = self.dictionary.roles.get(text, 0)
        return text

    def join(self, code, numbers):
        if not code & 1 and code >> 1 >= len(self.all):
            raise Damage("a string is like a later one")
        model = self.dictionary.text(code) if code & 1 else self.all[code >> 1]
        parts = re.split(rb"([0-9]+)", model)
        if not numbers or len(parts) != 2 * len(numbers) + 1:
            raise Damage("a string is not like its model")
        for i, number in enumerate(numbers):
            width = len(parts[2 * i + 1]) if parts[2 * i + 1].startswith(b"0") else 0
            parts[2 * i + 1] = b"%0*d" % (width, number)
        return b"".join(parts)


class World:
    """Who is which rank of which communicator, from the global definitions."""

    def __init__(self, records):
        self.locations, self.clock_offset = [], 0
        self.groups, self.communicators, self.windows = {}, {}, {}
        world, processes = [], []
        for kind, fields in records:
            name = DEFINITION_TYPES[kind].name
            if name == "ClockProperties":
                self.clock_offset = fields[1]
            elif name == "Location":
                self.locations.append((fields[0], fields[4]))
            elif name == "Group":
                self.groups[fields[0]] = (fields[2], fields[6])
                if fields[2] == 4 and fields[3] == 4:
                    world = fields[6]
                if fields[2] == 7 and fields[3] == 4:
                    processes = fields[6]
            elif name == "Comm":
                self.communicators[fields[0]] = (fields[2], None)
            elif name == "InterComm":
                self.communicators[fields[0]] = (fields[2], fields[3])
            elif name == "RmaWin":
                self.windows[fields[0]] = fields[2]
        process_of, self.rank_of_process = dict(self.locations), {}
        if not world:
            for rank, process in enumerate(processes):
                self.rank_of_process.setdefault(process, rank)
        for rank, location in enumerate(world):
            if location in process_of:
                self.rank_of_process.setdefault(process_of[location], rank)

    def seat(self, group, me):
        """(rank in the group or None, size of the group)"""
        if group not in self.groups:
            return None
        kind, members = self.groups[group]
        if kind == 6:
            return 0, 1
        rank = me if kind in (4, 7) else None
        if kind == 5 and me in members:
            rank = members.index(me)
        return rank, len(members)

    def view(self, communicator, location):
        """(own rank, number of peers); (0, 0) if unknown"""
        me = self.rank_of_process.get(self.locations[location][1])
        if me is None or communicator not in self.communicators:
            return 0, 0
        group, remote_group = self.communicators[communicator]
        local = self.seat(group, me)
        if local is None:
            return 0, 0
        if remote_group is None:
            return local if local[0] is not None else (0, 0)
        remote = self.seat(remote_group, me)
        if remote is None:
            return 0, 0
        if local[0] is not None:
            return local[0], remote[1]
        return (remote[0], local[1]) if remote[0] is not None else (0, 0)


# Events -------------------------------------------------------------------------------------------


def unfold_sizes(operation, root, view, payload, residual):
    """(sent, received) of a collective."""
    rank, size = view
    if operation in (1, 4):
        return residual + (size * payload if root == rank else 0), payload
    if operation in (2, 12):
        return payload, residual + (size * payload if root == rank else 0)
    if operation in (6, 8, 11, 16):
        sent_first, parts, factor = True, size, size
    elif operation == 7:
        sent_first, parts, factor = True, size, 0
    elif operation == 13:
        sent_first, parts, factor = False, size, 0
    elif operation == 14:
        sent_first, parts, factor = False, rank + 1, size - rank
    elif operation == 15 and rank + 1 < size:
        sent_first, parts, factor = True, size - rank - 1, rank
    elif operation == 15:
        sent_first, parts, factor = False, rank, 0
    else:
        return payload, residual
    half, exact = payload >> 1, payload & 1 == 0
    first = half * parts if exact else half
    second = residual + (half * factor if exact else 0)
    return (first, second) if sent_first else (second, first)


class EventDecoder:
    """Turns the calls of one location into records."""

    def __init__(self, trace, location):
        self.structure, self.world, self.location = trace.structure, trace.world, location
        self.to_global = [{} for _ in MAPPED]
        self.to_raw = [{} for _ in MAPPED]
        for kind, fields in trace.local_definitions(location):
            if DEFINITION_TYPES[kind].name == "MappingTable" and fields[0] < len(MAPPED):
                for raw, number in zip(fields[3], fields[4]):
                    self.to_global[fields[0]][raw] = number
                    known = self.to_raw[fields[0]].get(number, raw)
                    self.to_raw[fields[0]][number] = min(raw, known)
        self.last_request = self.ended_request = self.last_matching = self.last_message = 0
        self.has_restarts = self.structure.fact(HAS_RESTARTS, location) != 0
        self.outstanding = []  # (posting type, request id, late values, peer encoding)
        self.anchor = 0
        self.first_group, self.places = {}, []  # group: (symbol, element)

    def records(self):
        """(group, type, attributes, fields); fields are numbers and lists"""
        for symbol, values in self.structure.calls(EVENT_STREAM, self.location):
            elements = self.structure.symbols[symbol][1]
            if symbol not in self.first_group:
                self.first_group[symbol] = len(self.places)
                self.places += [(symbol, number) for number in range(len(elements))]
            shapes = [[0, 0, 0, 0] for _ in elements]  # values, late ones, peer encodings of both
            for (number, kind, _, late), (encoding, _) in zip(self.structure.slots[symbol],
                                                              self.structure.arguments[symbol]):
                shapes[number][late] += 1
                if kind == "peer":
                    shapes[number][2 + late] = encoding
            for number, element in enumerate(elements):
                group = self.first_group[symbol] + number
                if element.type == COMPLETIONS:
                    for distance in values[1:1 + values[0]]:
                        yield group, *self.complete(distance)
                    values = values[1 + values[0]:]
                    continue
                now, late, encoding, late_encoding = shapes[number]
                yield group, *self.record(element, values[:now], values[now:now + late], encoding,
                                          late_encoding)
                values = values[now + late:]

    def request_at(self, distance):
        """The place among the outstanding requests that a distance names."""
        distance = distance - (1 << 64) if distance >> 63 else distance
        place = self.anchor + distance
        if not -MAX_REACH <= distance < MAX_REACH or not 0 <= place < len(self.outstanding):
            raise Damage(f"location {self.location}: a completion names a request that is not "
                         "outstanding")
        return place

    def end_request(self, place):
        self.anchor = place
        ended = self.outstanding.pop(place)
        self.ended_request = ended[1]
        return ended

    def complete(self, distance):
        posting, request, late, encoding = self.end_request(self.request_at(distance))
        if posting == IMRECV_REQUEST:
            raise Damage(f"location {self.location}: a completion names a request of another kind")
        kind = COMPLETION_OF[posting]
        fields = self.decode(kind, EVENT_TYPES[kind].fields[:-1], None, late, encoding)
        return kind, [], fields + [request]

    def record(self, element, values, late, encoding, late_encoding):
        attributes = [(self.decode_reference("attribute", ref), kind, value)
                      for (ref, kind), value in zip(element.attributes, values)]
        values = values[len(attributes):]
        if element.raw:
            return element.type, attributes, values
        if element.type in (REQUEST_TEST, REQUEST_CANCELLED, IMRECV):
            place = self.request_at(values[0])
            request = self.outstanding[place][1]
            if element.type != REQUEST_TEST:
                self.end_request(place)
            return element.type, attributes, [request] + values[1:]
        fields = self.decode(element.type, EVENT_TYPES[element.type].fields, element, values,
                             encoding)
        if element.type in COMPLETION_OF or element.type == IMRECV_REQUEST:
            self.outstanding.append((element.type, fields[-1], late, late_encoding))
        return element.type, attributes, fields

    def decode_reference(self, kind, code):
        number = code >> 1
        return number if code & 1 else self.to_raw[MAPPED.index(kind)].get(number, number)

    def view(self, kind, values):
        """How the location sees the communicator or window of a record."""
        place = EVENT_TYPES[kind].place
        if "comm" in place:
            raw = values[place["comm"]]
            return self.world.view(self.to_global[MAPPED.index("comm")].get(raw, raw),
                                   self.location)
        if "rma_win" in place:
            raw = values[place["rma_win"]]
            window = self.to_global[MAPPED.index("rma_win")].get(raw, raw)
            return self.world.view(self.world.windows.get(window), self.location)
        return 0, 0

    def decode_peer(self, value, encoding, view):
        me, size = view
        if 0xFFFFFFF0 <= value - SPECIAL <= 0xFFFFFFFF:
            return value - SPECIAL
        if encoding == 1:
            return (me + value) % size if size else value
        return (me + value, None, me ^ value, value)[encoding] & MASK

    def decode(self, kind, fields, element, values, encoding):
        record, view, values = EVENT_TYPES[kind], self.view(kind, values), iter(values)
        decoded = []
        for number, (_, field, array) in enumerate(fields):
            if record.has_context and number == 0:
                decoded.append(self.decode_reference(field, element.context))
            elif field == "count":
                decoded.append(element.array_count)
            elif array:
                decoded.append([self.decode_one(field, next(values), encoding, view)
                                for _ in range(element.array_count)])
            elif number == record.sizes:
                sizes = unfold_sizes(decoded[record.place["op"]], decoded[record.place["root"]],
                                     view, next(values), next(values))
                decoded += [size & MASK for size in sizes]
            elif record.sizes is None or number != record.sizes + 1:
                decoded.append(self.decode_one(field, next(values), encoding, view))
        return decoded

    def decode_request(self, code):
        last, ended = self.last_request, self.ended_request
        if not self.has_restarts:
            self.last_request = (last + code) & MASK
            return self.last_request
        if code == 0:
            request = ended
        else:
            request = last if code == (ended - last) & MASK else (last + code) & MASK
        if request != ended:
            self.last_request = request
        self.ended_request = self.last_request
        return request

    def decode_one(self, kind, value, encoding, view):
        if kind in CODED:
            return self.decode_reference(kind, value)
        if kind == "peer":
            return self.decode_peer(value, encoding, view)
        if kind == "request_new":
            return self.decode_request(value)
        if kind == "matching_id":
            self.last_matching = (self.last_matching + value) & MASK
            return self.last_matching
        if kind == "message_used":
            return (self.last_message + value) & MASK
        if kind == "message_new" and value != MASK:
            # The code that no step has is the undefined id; the step that it took has the other.
            step = MASK if value == MASK - self.last_message else value
            self.last_message = (self.last_message + step) & MASK
            return self.last_message
        return value


class Distribution:
    """Shares of symbols that are learned."""

    TARGETS = {size: [[8 * i if i <= symbol else (1 << 15) - 8 * (size - i) for i in range(size)]
                      for symbol in range(size)] for size in (8, 16)}
    TRUST = [sum(n >= bound for bound in (1, 2, 5, 12, 30)) for n in range(61)]
    RATES = [65536 // (n + 3) for n in range(61)]

    def __init__(self, size, starts=None):
        self.starts = starts or [i * (1 << 15) // size for i in range(size)]
        self.targets, self.count = self.TARGETS[size], 0

    def share(self, symbol):
        return (*self.starts, 1 << 15)[symbol + 1] - self.starts[symbol]

    def learn(self, symbol):
        rate = self.RATES[self.count]
        self.starts = [start + ((target - start) * rate >> 16)
                       for start, target in zip(self.starts, self.targets[symbol])]
        self.count = min(self.count + 1, 60)


class Specials:
    """The distributions of a kind of symbols by what came before, and the weights of both."""

    def __init__(self, size):
        self.size, self.known, self.made, self.weights = size, {}, [], [24000] * 36

    def find(self, key, general):
        special = self.known.get(key)
        if special is None:
            if len(self.made) < 65535:
                self.made.append(Distribution(self.size, general.starts))
            special = self.known[key] = self.made[-1]
        return special

    def read(self, symbols, general, key):
        special = self.find(key, general)
        number = 6 * general.TRUST[general.count] + special.TRUST[special.count]
        weight = self.weights[number]
        mixed = [start + ((other - start) * weight >> 16)
                 for start, other in zip(special.starts, general.starts)]
        symbol, share = symbols.read(mixed)
        gain = (general.share(symbol) - special.share(symbol)) * 1024
        step = gain // share if gain >= 0 else -(-gain // share)
        self.weights[number] = max(1024, min(32767, weight + step))
        general.learn(symbol)
        special.learn(symbol)
        return symbol


class Symbols:
    """The symbols of one block."""

    def __init__(self, data):
        self.words = iter([low | high << 8 for low, high in zip(data[::2], data[1::2])])
        self.odd = len(data) % 2
        self.state, self.other = (next(self.words, 0) << 16 | next(self.words, 0)
                                  for _ in range(2))

    def read(self, starts):
        """(symbol, its share)"""
        state = self.state
        place = state & 0x7FFF
        symbol = bisect_right(starts, place) - 1
        share = (starts[symbol + 1] if symbol + 1 < len(starts) else 1 << 15) - starts[symbol]
        state = share * (state >> 15) + place - starts[symbol]
        if state < 1 << 16:
            state = state << 16 | next(self.words, 0)
        self.state, self.other = self.other, state
        return symbol, share

    def finished(self):
        return (self.state == self.other == 1 << 16 and next(self.words, None) is None
                and not self.odd)


class LowBits:
    def __init__(self, data):
        self.data, self.at, self.held, self.size = data, 0, 0, 0

    def read(self, count):
        while self.size < count:
            byte = self.data[self.at] if self.at < len(self.data) else 0
            self.at += 1
            self.held |= byte << self.size
            self.size += 8
        bits, self.held = self.held & ((1 << count) - 1), self.held >> count
        self.size -= count
        return bits

    def finished(self):
        return self.at == len(self.data) and self.held == 0


class Ticks:
    """The exact timing of one location."""

    def __init__(self, content, name, plain):
        self.source, self.left, self.plain = Bytes(content, name), 0, plain
        self.lengths, self.heads, self.long_lengths = {}, {}, Distribution(16)
        self.after_lengths, self.after_scale = Specials(16), Specials(8)
        self.before = self.second_before = self.scale = 0

    def read_block(self):
        """Returns the first difference."""
        source = self.source
        self.granularity, self.left = source.varint(), source.varint()
        if self.granularity == 0 or not 0 < self.left <= 1 << 15:
            source.fail("a timing block has an impossible head")
        records, first = self.left, source.varint()
        self.changes, record = {}, 0
        for _ in range(source.count(2)):
            gap = source.varint()
            record += gap
            if gap == 0 or record >= records:
                source.fail("a remainder belongs to no record")
            self.changes[record] = source.varint()
        if not self.plain:
            self.symbols = Symbols(source.take(source.varint()))
            self.bits = LowBits(source.take(source.varint()))
        self.record = self.remainder = 0
        return first

    def quotient(self, group):
        if self.plain:
            return self.source.varint()
        group = min(group, (1 << 14) - 1)
        general = self.lengths.get(group)
        if general is None:
            general = self.lengths[group] = Distribution(16)
        kind = self.after_lengths.read(self.symbols, general,
                                       (group, self.before, self.second_before))
        length = value = kind if kind < 15 else self.long_length()
        if length > 1:
            general = self.heads.get((group, kind))
            if general is None:
                general = self.heads[group, kind] = Distribution(8)
            head = self.after_scale.read(self.symbols, general, (group, kind, self.scale))
            low = max(0, length - 4)
            value = (1 << (length - 1 - low) | head) << low | self.bits.read(low)
        self.before, self.second_before = kind, self.before
        self.scale = length if length < 2 else min(31, 2 * length | value >> (length - 2) & 1)
        return value

    def long_length(self):
        symbol, _ = self.symbols.read(self.long_lengths.starts)
        self.long_lengths.learn(symbol)
        length = 15 + symbol if symbol < 15 else 30 + self.bits.read(6)
        if length > 64:
            self.source.fail("the timing does not fit the script")
        return length

    def next(self, group):
        """Ticks since the record before."""
        if self.left == 0:
            ticks = self.read_block()
        else:
            remainder = self.changes.get(self.record, self.remainder)
            ticks = self.quotient(group) * self.granularity + remainder - self.remainder
            self.remainder = remainder
        self.record += 1
        self.left -= 1
        if self.left == 0 and not (self.plain or self.symbols.finished() and self.bits.finished()):
            self.source.fail("the timing does not fit the script")
        return ticks

    def end(self):
        if self.left:
            self.source.fail("there are more times than records")
        self.source.end()


class QuantizedTicks:
    """The quantized timing of one location."""

    def __init__(self, content, error_ppm, name, plain):
        source = Bytes(content, name)
        step = source.varint() if content else 1
        if not 1 <= step <= 1 << 32:
            source.fail("the step of the clock is impossible")
        self.grid, value = [], 0
        while value <= 1 << 62:
            self.grid.append(value)
            gap = value * error_ppm // 1000000
            value += max(step, gap - gap % step)
        self.ticks, self.first = Ticks(source.take(source.left()), name, plain), True

    def next(self, group):
        coded = self.ticks.next(group)
        if self.first:
            self.first = False
            return coded
        if coded >= len(self.grid):
            self.ticks.source.fail("a time is off the grid")
        return self.grid[coded]

    def end(self):
        self.ticks.end()


class Durations:
    """Durations merged over iterations and locations: what stands for the times of a location."""

    NODES, EDGES, MEANS, FIRST_BUCKET = 0, 1, 2, 3  # parts, and the place of bucket 0

    def __init__(self, source, events):
        self.source, self.nodes, self.edges = source, {}, {}
        self.left = {}  # by symbol: durations that no edge to it, and none from it, has yet
        self.last_count, self.last_step = events.locations, (0, 0)
        self.enter(self.NODES)
        symbol = 0
        for _ in range(source.count(4, "list_size")):
            symbol += source.varint("duration_symbol")
            steps = [self.read_step() for _ in range(source.count(2, "step_count"))]
            executions = steps[-1][0] if len(steps) > 1 else self.last_count
            count, mean = self.read_mean(executions, executions)
            self.nodes[symbol] = mean, [total // max(count, 1) for count, total in steps]
            self.left.setdefault(symbol, [count, count])
            self.last_count = count
        self.enter(self.EDGES)
        to = 0
        for _ in range(source.count(4, "list_size")):
            to += source.varint("duration_symbol")
            edge = source.varint("edge_from"), to
            self.edges[edge] = self.read_edge(*edge)
        self.enter(self.MEANS)
        columns = Columns(source, events.patterns, events.columns)
        self.node_means, self.edge_means = (
            {one: columns.first(columns.read_column(), events.locations) for one in table}
            for table in (self.nodes, self.edges))
        source.end()

    def enter(self, part):
        self.part = part
        self.source.enter(part)

    def read_step(self):
        count = self.source.varint("step_executions", section_model.unless_zero(self.last_count))
        last_count, last_sum = self.last_step
        mean = last_sum // last_count if last_count else 0
        small = count < section_model.MASK32 and mean < section_model.MASK32
        total = self.source.varint("step_sum", section_model.unless_zero(count * mean * small))
        self.last_step = count, total
        return count, total

    def read_edge(self, start, to):
        into, out = self.left.get(to), self.left.get(start)
        if not into or not out:
            return self.read_mean(0, 0)[1]
        count, mean = self.read_mean(into[0], out[1])
        into[0] -= count
        out[1] -= count
        return mean

    @staticmethod
    def bucket_start(bucket):
        return bucket if bucket < 8 else (8 + bucket % 8) << bucket // 8 - 1

    def read_buckets(self, totals):
        """[(bucket, numbers)]"""
        source, buckets, seen = self.source, [], 0
        size = source.count(role="bucket_count")
        first = source.varint("first_bucket") if size else 0
        if size + first > 496:
            source.fail("a histogram is too wide")
        for bucket in range(first, first + size):
            source.enter(self.part, self.FIRST_BUCKET + bucket)
            rest = section_model.NOTHING
            if bucket + 1 == first + size:
                rest = section_model.unless_zero(totals[0] - seen, totals[1] - seen)
            buckets.append((bucket, source.varint("bucket", rest)))
            seen += buckets[-1][1]
        source.enter(self.part)
        return buckets

    def read_histogram(self, totals):
        """(count, sum)"""
        source, buckets = self.source, self.read_buckets(totals)
        if not buckets:
            return 0, 0
        (first, _), (last, _) = buckets[0], buckets[-1]
        above = source.varint("least")
        same = section_model.fitting(above) if first == last else section_model.NOTHING
        least = self.bucket_start(first) + above
        most = self.bucket_start(last) + source.varint("most", same)
        count = sum(numbers for _, numbers in buckets)
        if least == most:
            return count, count * least & MASK
        total = source.signed("sum_excess")
        for bucket, numbers in buckets:
            half = (1 << bucket // 8 - 1) // 2 if bucket >= 8 else 0
            total += numbers * (self.bucket_start(bucket) + half)
        return count, total & MASK

    @staticmethod
    def mean_place(mean):
        """The place among rounded means of the one next to a mean."""
        shift = max(mean.bit_length() - 7, 0)
        return 64 * shift + (mean + (1 << shift >> 1) >> shift)

    @staticmethod
    def mean_at(place):
        shift = max(place // 64 - 1, 0)
        return place - 64 * shift << shift

    def read_mean(self, *totals):
        """How many durations a histogram has, and their mean."""
        count, total = self.read_histogram(totals)
        return count, total // max(count, 1)

    def mean_of(self, mean, value):
        """What a value of a location says, beside the mean of all."""
        value -= (value >> 63) << 64
        if value == MEAN_PLACES:
            return mean
        place = self.mean_place(mean) + value
        if place not in range(MEAN_PLACES):
            self.source.fail("the mean of a location is too large")
        return self.mean_at(place)

    def node_mean(self, symbol, location):
        return self.mean_of(self.nodes[symbol][0], self.node_means[symbol][location])

    def edge_mean(self, edge, location):
        return self.mean_of(self.edges[edge], self.edge_means[edge][location])


class MeanClock:
    def __init__(self, durations, location, places):
        self.durations, self.location, self.places = durations, location, places
        self.symbol = None

    def next(self, group):
        symbol, element = self.places[group]
        durations, location = self.durations, self.location
        if element == 0:
            last, self.symbol = self.symbol, symbol
            if last is None:
                return 0
            return durations.edge_mean((last, symbol), location)
        mean, steps = durations.nodes[symbol]
        if mean == 0:
            return steps[element]
        return steps[element] * durations.node_mean(symbol, location) // mean

    def end(self):
        pass


class EvenClock:
    """One tick per record."""

    @staticmethod
    def next(_):
        return 1

    @staticmethod
    def end():
        pass


# The whole file -----------------------------------------------------------------------------------


class Trace:
    def __init__(self, path):
        self.container = Container(path)
        self.read_archive(self.container.reader(ARCHIVE))
        self.global_structure = self.container.read(DEFINITIONS_SECTION)
        self.local_structure = self.container.read(LOCAL_DEFINITIONS, self.location_count)
        self.structure = self.container.read(STRUCTURE, self.location_count)
        self.world = World(self.global_definitions())
        sizes = {len(self.world.locations), self.local_structure.locations,
                 self.structure.locations}
        if len(sizes) != 1 or not self.structure.facts:
            raise Damage(f"the sections of {path} disagree on the locations")
        if self.timing == "histogram":
            self.durations = self.container.read(DURATIONS, self.structure)

    def read_archive(self, source):
        dictionary = self.container.dictionary
        self.name = source.term(dictionary)
        self.otf2_version = tuple(source.take(3))
        self.substrate, self.compression = source.take(2)
        self.chunk_sizes = source.varint(), source.varint()
        self.machine, self.creator, self.description = (source.term(dictionary)
                                                        for _ in range(3))
        self.properties = [(source.term(dictionary), source.term(dictionary))
                           for _ in range(source.count(2))]
        self.trace_id = source.u64()
        self.definition_count, self.location_count = source.varint(), source.varint()
        self.snapshots, self.thumbnails = source.varint(), source.varint()
        form = source.u8()
        if form > 2:
            source.fail("the anchor has an unknown form")
        self.anchor = self.expected_anchor() if form != 1 else b""
        if form:
            self.anchor += source.string()
        self.producer, self.timing = source.term(dictionary), source.u8()
        self.dropped = source.varint(), source.varint()
        self.archive_bytes = source.varint()
        if self.timing == 5:  # exact, but the bytes of files may be others than the archive's
            self.timing = 1
        if self.timing >= len(TIMINGS):
            source.fail("the timing level is unknown")
        self.timing = TIMINGS[self.timing]
        self.time_error = source.varint() if self.timing == "quantized" else 0
        losses = source.count(6) if source.left() else 0
        self.losses = [self.read_loss(source) for _ in range(losses)]

    @staticmethod
    def read_loss(source):
        file, damage = source.take(2)
        if file >= len(LOST_FILES) or damage >= len(DAMAGES):
            source.fail("a damaged file is of an unknown kind")
        return (LOST_FILES[file], DAMAGES[damage], *(source.varint() for _ in range(4)))

    def expected_anchor(self):
        texts = [self.machine, self.creator, self.description]
        pairs = [text for pair in self.properties for text in pair]
        return (b"\x03BOTF2\0\x03\x02" + bytes(self.otf2_version) +
                struct.pack("<QQBBQQ", *self.chunk_sizes, self.substrate, self.compression,
                            self.location_count, self.definition_count) +
                b"".join(text + b"\0" for text in texts) +
                struct.pack("<I", len(self.properties)) +
                b"".join(text + b"\0" for text in pairs) +
                struct.pack("<QII", self.trace_id, self.snapshots, self.thumbnails) +
                b"\x02\x01\0")

    def global_definitions(self):
        if not self.structure.facts:
            raise Damage(f"the structure of {self.container.path} says nothing about its locations")
        events = self.structure.values(self.structure.facts[0])
        return definitions(self.global_structure, GLOBAL_STREAM, 0, self.container.dictionary,
                           self.global_structure.text, events)

    def local_definitions(self, location):
        return definitions(self.local_structure, LOCAL_STREAM, location, self.container.dictionary)

    def clock(self, location, decoder):
        """Where the times of a location begin, and what gives the differences"""
        name = f"section ticks (location {location}) of {self.container.path}"
        if self.timing == "exact":
            return 0, Ticks(self.container.content(TICKS, location) or b"", name,
                            self.container.portable)
        if self.timing == "quantized":
            return 0, QuantizedTicks(self.container.content(TICKS, location) or b"",
                                     self.time_error, name, self.container.portable)
        if self.timing == "histogram":
            return self.world.clock_offset, MeanClock(self.durations, location, decoder.places)
        return self.world.clock_offset, EvenClock

    def events(self, location):
        """(ticks, type, attributes, fields)"""
        decoder = EventDecoder(self, location)
        time, clock = self.clock(location, decoder)
        count = 0
        for group, *record in decoder.records():
            time = (time + clock.next(group)) & MASK
            count += 1
            yield time, *record
        clock.end()
        if count != self.structure.fact(0, location):
            raise Damage(f"location {location} of {self.container.path} has another number of "
                         "records")


def escaped(text):
    plain = set(range(0x20, 0x7F)) - set(b'"\\')
    return '"' + "".join(chr(b) if b in plain else f"\\x{b:02x}" for b in text) + '"'


def field_text(kind, value):
    if isinstance(value, bytes):
        return escaped(value)
    if isinstance(value, list):
        return "[" + ",".join(field_text(kind, one) for one in value) + "]"
    return str(value - (1 << 64) if kind == "signed_value" and value >> 63 else value)


def line_of(record, fields):
    parts = [f"{name}={field_text(kind, value)}"
             for (name, kind, _), value in zip(record.fields, fields)]
    return " ".join([record.name] + parts)


def print_definitions(records):
    for kind, fields in records:
        print(line_of(DEFINITION_TYPES[kind], fields))


def print_records(trace, location):
    for time, kind, attributes, fields in trace.events(location):
        parts = [f"@{ref}:{kind}:{value}" for ref, kind, value in attributes]
        print(" ".join([str(location), str(time), line_of(EVENT_TYPES[kind], fields)] + parts))


def print_summary(trace):
    container, structure = trace.container, trace.structure
    print("format", ".".join(map(str, container.version)))
    for section in container.sections:
        kind, flags, index, offset, stored, size, _ = section
        container.content_of(section)
        print(f"section {SECTION_NAMES.get(kind, kind)} index={index} flags={flags} "
              f"offset={offset} stored={stored} size={size}")
    print("archive", escaped(trace.name), "version", ".".join(map(str, trace.otf2_version)),
          "creator", escaped(trace.creator), f"trace_id={trace.trace_id}")
    print("producer", escaped(trace.producer), "timing", trace.timing)
    for file, damage, location, records, expected, lost in trace.losses:
        print(f"loss {file} {damage} location={location} records={records} expected={expected} "
              f"bytes={lost}")
    print(f"definitions {trace.definition_count}")
    print(f"locations {structure.locations}")
    print("events", sum(structure.fact(0, i) for i in range(structure.locations)))
    print(f"scripts {len(structure.scripts)} symbols {len(structure.symbols)} "
          f"patterns {len(structure.patterns)} columns {len(structure.columns)}")


def print_files(container):
    for section in container.sections:
        if section[0] == FILE:
            source = Bytes(container.content_of(section), f"section file of {container.path}")
            print("file", escaped(source.string()), escaped(source.take(source.left())))


def print_all(trace):
    print("anchor", escaped(trace.anchor))
    print_definitions(trace.global_definitions())
    for location in range(trace.structure.locations):
        print("location", location)
        print_definitions(trace.local_definitions(location))
    for location in range(trace.structure.locations):
        print_records(trace, location)
    print_files(trace.container)


def show(trace, arguments):
    asked = [n for n in (arguments.location, arguments.local_definitions) if n is not None]
    if any(not 0 <= n < trace.structure.locations for n in asked):
        raise Damage(f"{arguments.file} has locations 0 to {trace.structure.locations - 1}")
    if arguments.definitions:
        print_definitions(trace.global_definitions())
    elif arguments.local_definitions is not None:
        print_definitions(trace.local_definitions(arguments.local_definitions))
    elif arguments.all:
        print_all(trace)
    elif arguments.records:
        for location in asked or range(trace.structure.locations):
            print_records(trace, location)
    else:
        print_summary(trace)


def command_line():
    parser = argparse.ArgumentParser(description="Decode a .tfold file.")
    parser.add_argument("file")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--records", action="store_true", help="print events")
    what.add_argument("--definitions", action="store_true", help="print global definitions")
    what.add_argument("--all", action="store_true", help="print all that the file holds")
    what.add_argument("--local-definitions", type=int, metavar="N",
                      help="print the local definitions of location N")
    parser.add_argument("--location", type=int, metavar="N", help="of --records: this one only")
    return parser


def main():
    try:
        arguments = command_line().parse_args()
        show(Trace(arguments.file), arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (Damage, OSError) as error:
        print(f"decode.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
