#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares factors and waits of trace_inspect efficiency, and claims about steps, with values computed from otf2-print's output.

usage: check_efficiency.py BIN ARCHIVE...

window       Of a rank: from the end of its MPI_Init to the beginning of its MPI_Finalize, or else its last record. Computation is outside of MPI calls
             (the outermost ones) and of flushes of the trace buffer (overhead), the rest is in MPI. Time in which the measurement
             is off does not count. Times are on the clock of the node's first rank.
sum rule     computation + overhead + waits by kind + I/O + other = window, to the tick; waits by call path sum to those of the rank.
factors      load balance = mean / greatest computation; communication = greatest / runtime; parallel = their product;
             serialisation x transfer = communication; the ideal runtime is between the greatest computation and the runtime.
             No factor exceeds 100 % but where a line says so: clocks disagree, or threads compute while their rank is in MPI.
late sender  In Scalasca's sense: from the beginning of the call that receives or completes a message until that of its send,
             at most to the end of the call; of several messages the last one. Also in MPI_Probe for the message received next.
wrong order  Of these: a message that was sent earlier than the one waited for is received in a later call.
late receiver From the beginning of a blocking send or of the completion of a send until its receive is posted, if that is
             before the end of the call; messages up to the largest size that did not wait are left out, but synchronous ones.
collective   Until the last member comes (barrier, N x N, communicators), the root (broadcast, scatter), at the root all members
             (reduce, gather), those of lower rank (scan). Members without data are not waited for. Of several waits in one
             call each begins where the one before ends.
windows      Members of MPI_Win_fence (fence) and of calls that make or free windows (all to all) wait for the last one, of those that came
             before the call ended. Late post: the access epoch of a target is that of its n-th exposure; calls in it that were open at
             MPI_Win_post waited for that. Late complete: MPI_Win_wait until the last origin's MPI_Win_complete begins. Late unlock: of two
             lock epochs that exclude each other and overlap, calls of the later one that were open at the other's MPI_Win_unlock.
finalize     Until the last rank comes to MPI_Finalize, unless a rank left it before.
counters     Of instructions and cycles, accumulated: the value at an Enter of MPI minus that at the Leave before, in the window.
steps        The times of each step are those of trace_inspect calls --iterations. Messages are received in the step in which
             they are sent, members of collectives are in one step, and the places of collectives that structure tells (before,
             in, after the steps, every N-th one) are those of their records.

Left out, and told: ranks of which several threads call MPI, parts of a trace, collectives without records.
Exit code 3 if anything differs, 4 if otf2-print cannot print an archive.
"""

import bisect
import collections
import csv
import io
import json
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from check_counts import PEER, LENGTH, function  # noqa: E402
from check_regions import Tools, check_all  # noqa: E402

COMMUNICATOR = re.compile(r"Communicator: .*?<(\d+)>,")
TAG = re.compile(r"Tag: (\d+),")
REQUEST = re.compile(r"Request: (\d+)")
COLLECTIVE = re.compile(r"Operation: (\w+), Communicator: .*?<(\d+)>, Root: (\w+).*, Sent: (\d+), Received: (\d+)")
GROUP_LINE = re.compile(r"GROUP +(\d+)  Name: .*, Type: (\w+), Paradigm: .*, Flags: .*?, (\d+) Members?:? ?(.*)$")
COMM_LINE = re.compile(r"COMM +(\d+)  Name: .*, Group: .*?<(\d+)>, Parent")
MEMBER = re.compile(r"(\d+) \(")
WINDOW_LINE = re.compile(r"RMA_WIN +(\d+)  Name: .*, Communicator: .*?<(\d+)>,")
METRIC_LINE = re.compile(r'METRIC_MEMBER +\d+  Name: "?(.*?)"? <\d+>, .*Mode: ACCUMULATED')
WINDOW = re.compile(r"Window: .*?<(\d+)>")
REMOTE = re.compile(r"Remote: (\d+)")
WINDOW_GROUP = re.compile(r"Group: .*?<(\d+)>")
METRIC_VALUE = re.compile(r'\("(.*?)" <\d+>; \w+; (\d+)\)')
COUNTERS = {"PAPI_TOT_INS": "instructions", "instructions": "instructions", "PAPI_TOT_CYC": "cycles", "cycles": "cycles"}
KINDS = {"BARRIER": "barrier", "BCAST": "late_root", "SCATTER": "late_root", "SCATTERV": "late_root",
         "REDUCE": "early_root", "GATHER": "early_root", "GATHERV": "early_root", "SCAN": "prefix", "EXSCAN": "prefix",
         "CREATE_HANDLE": "communicator", "DESTROY_HANDLE": "communicator"}
ORDER = ["late_sender", "late_receiver", "barrier", "all_to_all", "communicator", "late_root", "early_root", "prefix", "fence"]
BLOCKING = {"send", "ssend", "rsend", "sendrecv", "sendrecv_replace"}
MOST_STEPS = 60


class Call:
    """An outermost MPI call. `until`: by kind of wait. `sends`: messages whose send it ends."""

    def __init__(self, name, rank, begin):
        self.name, self.rank, self.begin, self.end = name, rank, begin, None
        self.until, self.counts, self.receives = {}, False, False
        self.sends, self.posted, self.received = [], [], []  # messages

    def wait(self, kind, time):
        self.until[kind] = max(self.until.get(kind, 0), time)


class Message:
    """`sent`, `ended`, `posted`, `received`: calls."""
    __slots__ = ("bytes", "sent", "ended", "posted", "received", "place")

    def __init__(self, number, call):
        self.bytes, self.sent, self.ended, self.posted, self.received, self.place = number, call, None, None, None, 0


class Run:
    """The calls of all ranks, with messages matched and waits computed."""

    def __init__(self, archive):
        self.archive, self.reasons = archive, set()
        self.names = {number: function(name) if role != "ARTIFICIAL" else None
                      for number, (name, role, _) in archive.regions.items()}
        self.groups, self.comms, self.window_comms = {}, {}, {}
        self.window_calls = collections.defaultdict(lambda: collections.defaultdict(list))  # by window and rank: (call, operation)
        self.accesses = collections.defaultdict(list)  # by window and rank: (call, what, ranks or None)
        self.readings, self.edges = {}, collections.defaultdict(list)  # by location: (ticks, {counter: value}); (time, enters, values)
        self.define()
        self.calls = collections.defaultdict(list)  # by rank
        self.depth, self.current, self.threads = collections.defaultdict(list), {}, {}
        self.sends, self.receives = (collections.defaultdict(list) for _ in range(2))  # by channel
        self.requests, self.posts = {}, {}
        self.collectives = collections.defaultdict(lambda: collections.defaultdict(list))  # by communicator and rank
        self.clocks = {number: archive.clock_of_node(number) for number in archive.locations}
        self.last, self.origin = {}, None  # last time by location, the first time of all
        self.flushes, self.switches = (collections.defaultdict(list) for _ in range(2))  # by location
        self.read()

    def define(self):
        for line in self.archive.lines:
            if found := GROUP_LINE.match(line):
                self.groups[found[1]] = found[2], [int(it) for it in MEMBER.findall(found[4])], int(found[3])
            elif found := COMM_LINE.match(line):
                self.comms[found[1]] = found[2]
            elif found := WINDOW_LINE.match(line):
                self.window_comms[found[1]] = found[2]

    def members(self, comm):
        """Ranks of the program; None if they are unknown, as of an intercommunicator."""
        kind, members, count = self.groups.get(self.comms.get(comm), ("", [], 0))
        return members if kind == "COMM_GROUP" and len(members) == count else None

    def read(self):
        handlers = {"ENTER": self.enter, "CALLING_CONTEXT_ENTER": self.enter, "LEAVE": self.leave,
                    "CALLING_CONTEXT_LEAVE": self.leave, "MPI_SEND": self.send, "MPI_ISEND": self.send,
                    "MPI_ISEND_COMPLETE": self.send_complete, "MPI_RECV": self.receive, "MPI_IRECV": self.receive,
                    "MPI_IRECV_REQUEST": self.post, "MPI_COLLECTIVE_END": self.collective,
                    "NON_BLOCKING_COLLECTIVE_REQUEST": self.post_collective,
                    "NON_BLOCKING_COLLECTIVE_COMPLETE": self.collective, "RMA_COLLECTIVE_END": self.window_collective,
                    "RMA_GROUP_SYNC": self.group_sync, "RMA_REQUEST_LOCK": self.lock, "RMA_RELEASE_LOCK": self.unlock,
                    "RMA_PUT": self.access, "RMA_GET": self.access, "RMA_ATOMIC": self.access,
                    "RMA_OP_COMPLETE_BLOCKING": self.complete, "RMA_OP_COMPLETE_NON_BLOCKING": self.complete,
                    "RMA_OP_COMPLETE_REMOTE": self.complete}
        for kind, number, ticks, rest in self.archive.events():
            location = self.archive.locations[number]
            if number not in self.last:
                self.origin = min(self.origin or 2**64, self.clocks[number].common(ticks))
                self.last[number] = 0
            if kind == "MEASUREMENT_ON_OFF":
                self.reasons.add("parts")
                self.switches[number].append((self.clocks[number].common(ticks), rest.split()[-1] == "OFF"))
            elif kind == "BUFFER_FLUSH":
                stop = self.clocks[number].common(int(re.search(r"Stop Time: (\d+)", rest)[1]))
                self.flushes[number].append((self.clocks[number].common(ticks), stop))
            elif kind == "RMA_WAIT_CHANGE":
                self.reasons.add("windows of another kind")
            elif kind == "METRIC":
                self.read_metric(number, ticks, rest)
            if location.rank is None:
                continue
            self.ticks = ticks
            time = self.last[number] = max(self.clocks[number].common(ticks), self.last[number])
            if handler := handlers.get(kind):
                handler(location, time, rest)

    # Calls.

    def region(self, rest):
        if rest.startswith("Region"):
            return rest[rest.rindex("<") + 1:-2]
        return self.archive.contexts[re.match(r"Calling Context: .*?<(\d+)>(?:, Unwind|$)", rest)[1]]

    def enter(self, location, time, rest):
        name, open_calls = self.names[self.region(rest)], self.depth[location.number]
        if name and not any(open_calls):
            if self.threads.setdefault(location.rank, location.number) != location.number:
                self.reasons.add("several threads call MPI")
            call = self.current[location.rank] = Call(name, location.rank, time)
            self.calls[location.rank].append(call)
            self.edge(location, time, True)
        open_calls.append(name)

    def leave(self, location, time, _rest):
        open_calls = self.depth[location.number]
        if open_calls and open_calls.pop() and not any(open_calls):
            self.current[location.rank].end = time
            self.edge(location, time, False)

    def call(self, location, time):
        """The open call; of a record outside of all calls one of its own."""
        call = self.current.get(location.rank)
        if call is None or call.end is not None:
            self.reasons.add("records outside of calls")
            call = Call("other", location.rank, time)
            call.end = time
        return call

    # Counters.

    def read_metric(self, number, ticks, rest):
        values = {COUNTERS[name]: int(value) for name, value in METRIC_VALUE.findall(rest) if name in COUNTERS}
        if values:
            self.readings.setdefault(number, (ticks, {}))
            before, known = self.readings[number]
            self.readings[number] = ticks, {**(known if before == ticks else {}), **values}

    def edge(self, location, time, enters):
        ticks, values = self.readings.get(location.number, (None, {}))
        self.edges[location.rank].append((time, enters, values if ticks == self.ticks else {}))

    def counted(self, rank, counter):
        """Value and ticks of the intervals outside of MPI, in the window, that have values at both ends."""
        begin, end, _ = self.windows[rank]
        total, ticks = 0, 0
        for (since, was_enter, before), (until, enters, after) in zip(self.edges[rank], self.edges[rank][1:]):
            if was_enter or not enters or since < begin or until > end or counter not in before or counter not in after:
                continue
            total += after[counter] - before[counter]
            ticks += until - since
        return total, ticks

    # Windows.

    def window_collective(self, location, time, rest):
        kind = re.match(r"Operation: (\w+)", rest)[1]
        self.window_calls[WINDOW.search(rest)[1]][location.rank].append((self.call(location, time), kind))

    def group_sync(self, location, time, rest):
        call = self.call(location, time)
        if "Synchronicity: NONE" not in rest:
            kind, ranks, _ = self.groups.get(WINDOW_GROUP.search(rest)[1], ("", [], 0))
            self.accesses[WINDOW.search(rest)[1], location.rank].append((call, call.name, set(ranks)))

    def target(self, rest):
        """Rank in the program; None if all."""
        members = self.members(self.window_comms[WINDOW.search(rest)[1]])
        found = REMOTE.search(rest)
        return members[int(found[1])] if found and members and int(found[1]) < len(members) else None

    def lock(self, location, time, rest):
        what = "lock" if "EXCLUSIVE" in rest else "shared lock"
        self.accesses[WINDOW.search(rest)[1], location.rank].append((self.call(location, time), what, self.target(rest)))

    def unlock(self, location, time, rest):
        self.accesses[WINDOW.search(rest)[1], location.rank].append((self.call(location, time), "unlock", self.target(rest)))

    def access(self, location, time, rest):
        self.accesses[WINDOW.search(rest)[1], location.rank].append((self.call(location, time), "access", self.target(rest)))

    def complete(self, location, time, rest):
        self.accesses[WINDOW.search(rest)[1], location.rank].append((self.call(location, time), "complete", None))

    def wait_for_windows(self):
        """fence, all_to_all: as waits of the call."""
        for window, by_rank in self.window_calls.items():
            members = self.members(self.window_comms.get(window))
            for number in range(max(map(len, by_rank.values()))):
                parts = {rank: own[number] for rank, own in by_rank.items() if number < len(own)}
                if members is None or len(parts) != len(members):
                    self.reasons.add("windows of which members have no record")
                    continue
                for rank, (call, kind) in parts.items():
                    came = [it.begin for other, (it, _) in parts.items() if other != rank and it.begin <= call.end]
                    if came:
                        call.wait("fence" if kind == "BARRIER" else "all_to_all", max(came))

    def wait_for_epochs(self):
        """late_post, late_complete: [(call, kind, until)]"""
        found = []
        exposures = collections.defaultdict(list)  # by window, target and origin: (post, wait)
        for (window, rank), events in self.accesses.items():
            post = None
            for call, what, ranks in events:
                if what == "win_post":
                    post = call, ranks
                elif what in ("win_wait", "win_test") and post:
                    for origin in post[1]:
                        exposures[window, rank, origin].append((post[0], call))
                    post = None
        numbers, completes = collections.Counter(), collections.defaultdict(list)
        for (window, rank), events in self.accesses.items():
            epoch = None
            for call, what, ranks in events:
                if what == "win_start":
                    epoch = [(call, None)], ranks
                elif epoch and what == "access":
                    epoch[0].append((call, ranks))
                elif epoch and what == "win_complete":
                    epoch[0].append((call, None))
                    until = {}
                    for target in epoch[1]:
                        number = numbers[window, target, rank]
                        numbers[window, target, rank] += 1
                        pairs = exposures[window, target, rank]
                        if number >= len(pairs):
                            self.reasons.add("epochs without a partner")
                            continue
                        post, wait = pairs[number]
                        completes[wait].append(call.begin)
                        for own, whom in epoch[0]:
                            if whom in (None, target) and own.begin < post.begin <= own.end:
                                until[own] = max(until.get(own, 0), post.begin)
                    found += [(own, "late_post", time) for own, time in until.items()]
                    epoch = None
        return found + [(wait, "late_complete", max(begins)) for wait, begins in completes.items()]

    def wait_for_locks(self):
        """late_unlock: [(call, kind, until)]"""
        epochs, found = [], []  # (window, rank, target, exclusive, calls)
        for (window, rank), events in self.accesses.items():
            open_epochs = []
            for call, what, target in events:
                if what in ("lock", "shared lock"):
                    open_epochs.append((window, rank, target, what == "lock", [call]))
                    continue
                if what not in ("unlock", "access", "complete"):
                    continue
                for epoch in open_epochs:
                    if (target is None or epoch[2] in (None, target)) and epoch[4][-1] is not call:
                        epoch[4].append(call)
                if what == "unlock":
                    closed = next((it for it in open_epochs if it[2] == target), None)
                    if closed:
                        open_epochs.remove(closed)
                        epochs.append(closed)
        for waiter in epochs:
            until = {}
            for holder in epochs:
                same = holder[0] == waiter[0] and (holder[2] == waiter[2] or None in (holder[2], waiter[2]))
                released = holder[4][-1].begin
                if not same or holder[1] == waiter[1] or not (holder[3] or waiter[3]) or \
                        holder[4][-1].end > waiter[4][-1].end or released <= waiter[4][0].begin:
                    continue
                for call in waiter[4]:
                    if call.begin < released <= call.end:
                        until[call] = max(until.get(call, 0), released)
            found += [(call, "late_unlock", time) for call, time in until.items()]
        return found

    # Messages.

    def peer(self, rest):
        return self.archive.locations[PEER.search(rest)[1]].rank

    def send(self, location, time, rest):
        call = self.call(location, time)
        message = Message(int(LENGTH.search(rest)[1]), call)
        channel = COMMUNICATOR.search(rest)[1], location.rank, self.peer(rest), TAG.search(rest)[1]
        message.place = len(self.sends[channel])
        self.sends[channel].append(message)
        if found := REQUEST.search(rest):
            self.requests[location.rank, found[1]] = message
        elif call.name in BLOCKING:
            message.ended = call
            call.sends.append(message)

    def send_complete(self, location, time, rest):
        message = self.requests.pop((location.rank, REQUEST.search(rest)[1]), None)
        call = self.call(location, time)
        if message and message.sent is not call:
            message.ended = call
            call.sends.append(message)

    def post(self, location, time, rest):
        call = self.call(location, time)
        call.receives = True
        self.posts[location.rank, REQUEST.search(rest)[1]] = call, time

    def receive(self, location, time, rest):
        call = self.call(location, time)
        found = REQUEST.search(rest)
        posted = self.posts.pop((location.rank, found[1]), None) if found else None
        if not found:
            call.receives = True
        channel = COMMUNICATOR.search(rest)[1], self.peer(rest), location.rank, TAG.search(rest)[1]
        self.receives[channel].append((posted[1] if posted else time, posted[0] if posted else call, call))

    def match(self):
        for channel, posts in self.receives.items():
            posts.sort(key=lambda it: it[0])  # MPI matches receives in the order in which they are posted
            for message, (_, posted, call) in zip(self.sends.get(channel, ()), posts):
                message.posted, message.received = posted, call
                call.received.append(message)
                posted.posted.append(message)

    # Collective operations.

    def post_collective(self, location, time, rest):
        self.posts[location.rank, "c" + REQUEST.search(rest)[1]] = self.call(location, time), time

    def collective(self, location, time, rest):
        kind, comm, root, sent, received = COLLECTIVE.match(rest).groups()
        call = self.call(location, time)
        found = REQUEST.search(rest)
        posted, when = self.posts.pop((location.rank, "c" + found[1]), (call, time)) if found else (call, time)
        root = int(root) if root.isdigit() else None
        self.collectives[comm][location.rank].append((when, posted, call, kind, root, int(sent), int(received)))

    def instances(self):
        """(kind, members, parts by rank) of each collective operation."""
        for comm, by_rank in self.collectives.items():
            members = self.members(comm)
            if members is None:
                self.reasons.add("intercommunicators")
                continue
            for parts in by_rank.values():
                parts.sort(key=lambda it: it[0])
            for number in range(max(map(len, by_rank.values()))):
                parts = {rank: own[number] for rank, own in by_rank.items() if number < len(own)}
                if len(parts) != len(members):
                    self.reasons.add("collectives of which members have no record")
                    continue
                yield comm, members, parts

    def wait_for_members(self):
        for _, members, parts in self.instances():
            kind = next(iter(parts.values()))[3]
            wait = KINDS.get(kind, "all_to_all")
            some_data = any(part[5] or part[6] for part in parts.values())
            handles = wait in ("barrier", "communicator")
            if not handles and not some_data:
                continue
            for rank, (_, _, call, _, root, _, received) in parts.items():
                if wait == "late_root":
                    who = [members[root]] if root is not None and (kind != "SCATTERV" or received) else []
                elif wait == "early_root":
                    who = members if root is not None and members[root] == rank else []
                elif wait == "prefix":
                    who = members[:members.index(rank)]
                elif kind in ("REDUCE_SCATTER", "ALLTOALLV", "ALLTOALLW") and not received:
                    who = []
                else:
                    who = members
                if kind in ("ALLGATHERV", "GATHERV", "ALLTOALLV", "ALLTOALLW"):
                    who = [one for one in who if parts[one][5]]
                came = [parts[one][1].begin for one in who if one != rank]
                if wait == "communicator" or kind in ("ALLTOALLV", "ALLTOALLW"):  # may not have waited for all
                    came = [time for time in came if call.end is None or time <= call.end]
                if came:
                    call.wait(wait, max(came))

    # Waits.

    def analyse(self):
        self.match()
        self.windows = {}
        for rank, calls in self.calls.items():
            inside = False
            for call in calls:
                call.end = self.last[self.threads[rank]] if call.end is None else call.end
                if call.name == "finalize":
                    inside = False
                call.counts = inside
                inside = inside or call.name in ("init", "init_thread")
            begin = next((call.end for call in calls if call.name in ("init", "init_thread")), None)
            final = next((call for call in calls if call.name == "finalize"), None)
            self.windows[rank] = begin, final.begin if final else self.last[self.threads[rank]], final
        self.wait_for_members()
        self.wait_for_windows()
        for calls in self.calls.values():
            for place, call in enumerate(calls):
                if call.received:
                    call.wait("late_sender", max(message.sent.begin for message in call.received))
                if call.name in ("probe", "mprobe") and not call.received:
                    self.probe(call, calls[place + 1:place + 1000])
        self.buffered = max((message.bytes for message in self.all_messages() if message.posted and message.ended
                             and message.ended.counts and message.sent.name not in ("ssend", "issend")
                             and message.posted.begin >= message.ended.end), default=-1)
        self.waits = {rank: self.book(calls) for rank, calls in self.calls.items()}
        for call, kind, time in self.wait_for_epochs() + self.wait_for_locks():
            if call.counts:
                self.waits[call.rank][kind] += max(0, min(time, call.end) - call.begin)

    def all_messages(self):
        return (message for messages in self.sends.values() for message in messages)

    def probe(self, probe, later):
        """The message received next, if it was sent before the probe ended."""
        for call in later:
            if call.name in ("probe", "mprobe"):
                return
            if call.receives:
                for message in call.posted:
                    if message.sent.begin <= probe.end:
                        probe.wait("late_sender", message.sent.begin)
                return

    def book(self, calls):
        waits, late = collections.Counter(), []
        for call in calls:
            for message in call.received:
                while late and late[-1][0] > message.sent.begin:
                    waits["wrong_order"] += late.pop()[1]
            if not call.counts:
                continue
            booked = call.begin
            for time, kind in sorted((time, ORDER.index(kind)) for kind, time in call.until.items()):
                until = min(time, call.end)
                if until > booked:
                    waits[ORDER[kind]] += until - booked
                    if ORDER[kind] == "late_sender" and call.received:
                        late.append((time, until - booked))
                    booked = until
            posted = [message.posted.begin for message in call.sends if message.posted
                      and message.posted.begin < call.end
                      and (message.bytes > self.buffered or message.sent.name in ("ssend", "issend"))]
            if posted and max(posted) > booked:
                waits["late_receiver"] += max(posted) - booked
        return waits

    def measured(self, rank):
        """Intervals of the window of a rank in which the measurement is on."""
        begin, end, _ = self.windows[rank]
        intervals, since = [], begin
        for time, is_off in self.switches[self.threads[rank]]:
            if is_off and since is not None:
                intervals.append((since, max(since, min(time, end))))
                since = None
            elif not is_off and since is None:
                since = max(begin, time)
        return intervals + ([(since, end)] if since is not None and since < end else [])

    def overhead(self, rank):
        """Ticks of flushes in the window of a rank, outside of MPI calls and in them."""
        flushes = [(max(since, begin), min(until, end)) for begin, end in self.flushes[self.threads[rank]]
                   for since, until in self.measured(rank) if max(since, begin) < min(until, end)]
        inside = sum(max(0, min(end, call.end) - max(begin, call.begin)) for begin, end in flushes
                     for call in self.calls[rank] if call.counts)
        return sum(end - begin for begin, end in flushes) - inside, inside

    def finalize(self):
        finals = [final for _, _, final in self.windows.values() if final]
        last = max((final.begin for final in finals), default=0)
        if finals and last <= min(final.end for final in finals):
            return {final.rank: last - final.begin for final in finals}
        return {}


class Comparison(Tools):
    def __init__(self, folder, path):
        super().__init__(folder, path)
        self.told = self.run_efficiency()
        if self.told is None or self.told.get("process_kind") != "rank":
            self.text = "no ranks of MPI"
            return
        self.bounds()
        self.sums()
        self.recorded = Run(self.archive)
        self.recorded.analyse()
        reasons = set(self.recorded.reasons)
        if any(begin is None for begin, _, _ in self.recorded.windows.values()):
            reasons.add("no MPI_Init")
        if self.told["threads_call_mpi"]:
            reasons.add("several threads call MPI")
        whole = not reasons & {"several threads call MPI", "no MPI_Init"}
        if whole and self.told["ranks"]:
            self.factors()
            if "parts" not in reasons:
                self.waits(reasons)
                self.counters()
        self.steps()
        self.text = f"{len(self.recorded.calls)} ranks" + (f" ({', '.join(sorted(reasons))})" if reasons else "")

    def __str__(self):
        return self.text

    def run_efficiency(self):
        done = subprocess.run([self.folder / "trace_inspect", "efficiency", self.path, "--json", "-q"], capture_output=True,
                              encoding="utf-8", errors="surrogateescape")
        return json.loads(done.stdout) if done.returncode == 0 else None

    def ticks(self, seconds):
        return round(seconds * self.archive.ticks)

    def true(self, what, holds):
        self.compared += 1
        if not holds:
            self.problems.append(what)

    def bounds(self):
        said = self.told.get("early_messages", 0) or self.told.get("early_collective_calls", 0)
        for name, value in self.told["efficiency"].items():
            if isinstance(value, (int, float)):
                excused = said or name == "thread_communication"
                self.true(f"{name}: {value} exceeds 100 %", value <= 1 + 1e-12 or excused)

    def sums(self):
        """The lines of a rank, and its waits by call path; of threads, means over threads."""
        by_path = collections.Counter()
        for wait in self.told["waits"]:
            by_path[wait["rank"], wait["kind"]] += wait["seconds"]
        for rank in self.told["ranks"]:
            if "other_mpi" not in rank:
                continue
            parts = [seconds for kind, seconds in rank["waits"].items() if kind not in ("finalize", "wrong_order")]
            slack = 1 if self.told["threads_call_mpi"] else 0
            self.same(f"rank {rank['rank']}: computation + overhead + MPI, ticks", self.ticks(rank["computation"]) +
                      self.ticks(rank["overhead"]) + self.ticks(rank["mpi"]), self.ticks(rank["window"]))
            self.same(f"rank {rank['rank']}: waits + I/O + other, ticks", sum(map(self.ticks, parts)) +
                      self.ticks(rank["io"]) + self.ticks(rank["other_mpi"]), self.ticks(rank["mpi"]), slack * len(parts))
            for kind, seconds in rank["waits"].items():
                if not self.told["threads_call_mpi"]:
                    self.same(f"rank {rank['rank']}: {kind} by call path", self.ticks(by_path[rank["rank"], kind]),
                              self.ticks(seconds), 1)

    def factors(self):
        windows, slack = self.recorded.windows, self.slack()
        computation = {}
        for rank in self.told["ranks"]:
            begin, end, _ = windows[rank["rank"]]
            mpi = sum(call.end - call.begin for call in self.recorded.calls[rank["rank"]] if call.counts)
            window = sum(until - since for since, until in self.recorded.measured(rank["rank"]))
            overhead, inside = self.recorded.overhead(rank["rank"])
            computation[rank["rank"]] = window - mpi - overhead
            for name, wanted in (("window", window), ("not_measured", end - begin - window), ("mpi", mpi), ("overhead", overhead),
                                 ("overhead_in_mpi", inside), ("computation", computation[rank["rank"]])):
                self.same(f"rank {rank['rank']}: {name}", self.ticks(rank[name]), wanted, slack)
        runtime = self.runtime(computation)
        self.same("runtime", self.ticks(self.told["runtime"]), runtime, slack)
        mean, most = sum(computation.values()) / len(computation), max(computation.values())
        found = self.told["efficiency"]
        if runtime and most:
            exact = 1e-12 + 4 * slack / max(min(most, runtime), 1)
            self.same("load balance", found["load_balance"], mean / most, exact)
            self.same("communication", found["communication"], most / runtime, exact)
            self.same("parallel", found["parallel"], mean / runtime, exact)
            ideal = self.told.get("ideal_runtime")
            for it in ideal.values() if isinstance(ideal, dict) else [ideal] if ideal else []:
                self.true(f"ideal runtime {it} out of bounds", most - slack <= self.ticks(it) <= runtime + slack)
            if isinstance(found.get("serialisation"), float):
                self.same("serialisation x transfer", found["serialisation"] * found["transfer"], found["communication"],
                          1e-12)

    def runtime(self, ranks):
        """Without holes from the first begin to the last end, else the time in which at least one rank is measured."""
        intervals = sorted(it for rank in ranks for it in self.recorded.measured(rank))
        if not any(self.recorded.switches.values()):
            return max(end for _, end in intervals) - min(begin for begin, _ in intervals)
        total, until = 0, 0
        for begin, end in intervals:
            total += max(0, end - max(begin, until))
            until = max(until, end)
        return total

    def slack(self):
        """Interpolated clocks are rounded at each time."""
        plain = all(clock.is_plain for clock in self.recorded.clocks.values())
        return 0 if plain else 4 * max(map(len, self.recorded.calls.values()))

    def waits(self, reasons):
        finalize, slack = self.recorded.finalize(), self.slack()
        has_records = bool(self.recorded.collectives)
        left_out = set()
        if reasons & {"windows of another kind", "windows of which members have no record", "epochs without a partner"}:
            left_out = {"late_post", "late_complete", "late_unlock", "fence", "all_to_all"}
        if not has_records or reasons & {"collectives of which members have no record", "intercommunicators"}:
            left_out |= set(ORDER[2:-1])
        for rank in self.told["ranks"]:
            wanted = self.recorded.waits[rank["rank"]]
            wanted["finalize"] = finalize.get(rank["rank"], 0)
            for kind, seconds in rank["waits"].items():
                if kind == "late_sender" and not has_records:
                    # Waits for collectives without records in the same call come first.
                    self.true(f"rank {rank['rank']}: {kind}: {self.ticks(seconds)}, at most {wanted[kind]}",
                              self.ticks(seconds) <= wanted[kind] + slack)
                elif kind not in left_out:
                    self.same(f"rank {rank['rank']}: {kind}", self.ticks(seconds), wanted[kind], slack)

    def counters(self):
        """Of traces whose only counters these are, and are accumulated."""
        members = [line for line in self.archive.lines if line.startswith("METRIC_MEMBER")]
        names = [METRIC_LINE.match(line) for line in members]
        wanted = [COUNTERS[it[1]] for it in names if it and it[1] in COUNTERS]
        if len(set(wanted)) != len(wanted) or len(wanted) != len(members):
            return
        for rank in self.told["ranks"] if "counters" in self.told else []:
            for counter in wanted:
                value, ticks = self.recorded.counted(rank["rank"], counter)
                if ticks:
                    self.same(f"rank {rank['rank']}: {counter}", rank.get(counter) or -1, value, 1e-9 * value)
                if counter == "cycles" and ticks:
                    self.same(f"rank {rank['rank']}: frequency", rank.get("frequency") or -1, value * self.archive.ticks / ticks,
                              1e-9 * value * self.archive.ticks / ticks)

    # Steps.

    def steps(self):
        findings = (self.inspect("structure") or {}).get("findings", {})
        number = findings.get("steps")
        self.true("neither steps nor a reason", number is not None or findings.get("no_steps") or not findings)
        if not number or number > MOST_STEPS or self.told["threads_call_mpi"]:
            return
        of_steps = [self.calls_of_step(step) for step in range(number)]
        if any(step is None for step in of_steps):
            return
        step_of = {}  # by call
        for rank, calls in self.recorded.calls.items():
            begins = [call.begin for call in calls]
            for number, step in enumerate(of_steps):
                if rank in step:
                    first, last = step[rank]
                    for call in calls[bisect.bisect_left(begins, first):bisect.bisect_right(begins, last)]:
                        step_of[call] = number
        crossing = sum(step_of.get(message.sent) != step_of.get(message.received)
                       for message in self.recorded.all_messages() if message.received)
        self.same("messages from one step to another", crossing, 0)
        for comm, _, parts in self.recorded.instances():
            inside = {step_of.get(part[1]) for part in parts.values()}
            self.true(f"{next(iter(parts.values()))[3]} of communicator {comm} in steps {inside}", len(inside) == 1)
        for item in findings["collectives"]:
            if "places" in item:
                self.places(item, of_steps, step_of)

    def calls_of_step(self, step):
        """By rank: begin of the first and of the last MPI call, in ticks."""
        table = self.run("trace_inspect", "calls", self.path, "--csv", "--iterations", str(step))
        if table is None:
            return None
        found = {}
        origin = self.recorded.origin
        locations = {location.name: location for location in self.archive.locations.values()}
        for row in csv.DictReader(io.StringIO(table)):
            location = locations.get(row["location"])
            if location is None or self.recorded.threads.get(location.rank) != location.number or \
                    not function(row["call"]):
                continue
            begin = round(float(row["begin"]) * self.archive.ticks) + origin
            first, last = found.get(location.rank, (begin, begin))
            found[location.rank] = min(first, begin), max(last, begin)
        # Seconds have nine digits.
        slack = self.archive.ticks // 10**9 + 1
        return {rank: (first - slack, last + slack) for rank, (first, last) in found.items()}

    def places(self, item, of_steps, step_of):
        wanted = function(item["name"])
        for rank, calls in self.recorded.calls.items():
            own = [call for call in calls if call.name == wanted]
            if not own or rank not in of_steps[0]:
                continue
            inside = [step_of[call] for call in own if call in step_of]
            first = of_steps[0][rank][0]
            before = sum(call.begin < first for call in own if call not in step_of)
            places, occupied = item["places"], sorted(set(inside))
            found = [before, len(inside), len(own) - before - len(inside), len(occupied)]
            told = [places[key] for key in ("before", "within", "after", "steps")]
            self.true(f"{item['name']} on rank {rank}: {told}, should be {found}", found == told)
            if every := places.get("every"):
                holds = occupied == list(range(occupied[0], len(of_steps), every)) and occupied[0] < every
                self.true(f"{item['name']} on rank {rank} not every {every} steps: {occupied}", holds)


if __name__ == "__main__":
    sys.exit(check_all(Comparison, __doc__, sys.argv[1:]))
