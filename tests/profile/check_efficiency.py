#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares factors and waits of trace_inspect efficiency, and claims about steps, with values computed from otf2-print's output.

usage: check_efficiency.py BIN ARCHIVE...

window       Of a rank: from the end of its MPI_Init to the beginning of its MPI_Finalize, or else its last record. Computation is outside of MPI calls
             (the outermost ones), the rest is in MPI. Times are on the clock of the node's first rank.
sum rule     computation + waits by kind + I/O + other = window, to the tick; waits by call path sum to those of the rank.
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
finalize     Until the last rank comes to MPI_Finalize, unless a rank left it before.
steps        The times of each step are those of trace_inspect calls --iterations. Messages are received in the step in which
             they are sent, members of collectives are in one step, and the places of collectives that structure tells (before,
             in, after the steps, every N-th one) are those of their records.

Left out, and told: ranks of which several threads call MPI, parts of a trace, windows, collectives without records.
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
KINDS = {"BARRIER": "barrier", "BCAST": "late_root", "SCATTER": "late_root", "SCATTERV": "late_root",
         "REDUCE": "early_root", "GATHER": "early_root", "GATHERV": "early_root", "SCAN": "prefix", "EXSCAN": "prefix",
         "CREATE_HANDLE": "communicator", "DESTROY_HANDLE": "communicator"}
ORDER = ["late_sender", "late_receiver", "barrier", "all_to_all", "communicator", "late_root", "early_root", "prefix"]
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
        self.groups, self.comms = {}, {}
        self.define()
        self.calls = collections.defaultdict(list)  # by rank
        self.depth, self.current, self.threads = collections.defaultdict(list), {}, {}
        self.sends, self.receives = (collections.defaultdict(list) for _ in range(2))  # by channel
        self.requests, self.posts = {}, {}
        self.collectives = collections.defaultdict(lambda: collections.defaultdict(list))  # by communicator and rank
        self.clocks = {number: archive.clock_of_node(number) for number in archive.locations}
        self.last, self.origin = {}, None  # last time by location, the first time of all
        self.read()

    def define(self):
        for line in self.archive.lines:
            if found := GROUP_LINE.match(line):
                self.groups[found[1]] = found[2], [int(it) for it in MEMBER.findall(found[4])], int(found[3])
            elif found := COMM_LINE.match(line):
                self.comms[found[1]] = found[2]

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
                    "NON_BLOCKING_COLLECTIVE_COMPLETE": self.collective}
        for kind, number, ticks, rest in self.archive.events():
            location = self.archive.locations[number]
            if number not in self.last:
                self.origin = min(self.origin or 2**64, self.clocks[number].common(ticks))
                self.last[number] = 0
            if kind == "MEASUREMENT_ON_OFF":
                self.reasons.add("parts")
            elif kind.startswith("RMA_"):
                self.reasons.add("windows")
            if location.rank is None:
                continue
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
        open_calls.append(name)

    def leave(self, location, time, _rest):
        open_calls = self.depth[location.number]
        if open_calls and open_calls.pop() and not any(open_calls):
            self.current[location.rank].end = time

    def call(self, location, time):
        """The open call; of a record outside of all calls one of its own."""
        call = self.current.get(location.rank)
        if call is None or call.end is not None:
            self.reasons.add("records outside of calls")
            call = Call("other", location.rank, time)
            call.end = time
        return call

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
        whole = not reasons & {"several threads call MPI", "no MPI_Init", "parts"}
        if whole and self.told["ranks"]:
            self.factors()
            self.waits(reasons)
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
            computation[rank["rank"]] = end - begin - mpi
            self.same(f"rank {rank['rank']}: MPI", self.ticks(rank["mpi"]), mpi, slack)
            self.same(f"rank {rank['rank']}: computation", self.ticks(rank["computation"]), end - begin - mpi, slack)
        wanted = [windows[rank] for rank in computation]
        runtime = max(end for _, end, _ in wanted) - min(begin for begin, _, _ in wanted)
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

    def slack(self):
        """Interpolated clocks are rounded at each time."""
        plain = all(clock.is_plain for clock in self.recorded.clocks.values())
        return 0 if plain else 4 * max(map(len, self.recorded.calls.values()))

    def waits(self, reasons):
        finalize, slack = self.recorded.finalize(), self.slack()
        has_records = bool(self.recorded.collectives)
        left_out = {"late_post", "late_complete", "late_unlock", "fence"}
        if not has_records or reasons & {"collectives of which members have no record", "intercommunicators"}:
            left_out |= set(ORDER[2:])
        if "windows" in reasons:
            left_out.add("all_to_all")
        for rank in self.told["ranks"]:
            wanted = self.recorded.waits[rank["rank"]]
            wanted["finalize"] = finalize.get(rank["rank"], 0)
            for kind, seconds in rank["waits"].items():
                if kind not in left_out:
                    self.same(f"rank {rank['rank']}: {kind}", self.ticks(seconds), wanted[kind], slack)

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
