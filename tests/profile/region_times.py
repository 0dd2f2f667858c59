# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Visits and times of regions, computed from the events that otf2-print shows.

Definitions. All times are differences of the ticks that a location recorded. Where its clock runs backwards, no time
passes.

stack       What runs on a location is its implicit task or an explicit task; each has a stack of open regions. An Enter
            (also of a calling context) opens a region on the stack of what runs. A Leave closes the innermost one,
            whatever region it names: visit and time belong to the region of the Enter. A Leave without an open region
            is ignored. Regions that are open at the end end with the location's last event.
task        Team, creating thread and generation number in a process identify a task. A ThreadTaskSwitch makes it run on
            its location, and suspends what ran there; generation 0, unless created, is its implicit task.
            ThreadTaskComplete ends it; until the next switch the location runs the task that it interrupted: of the
            tasks that came to the location before and have not ended or gone elsewhere, the last one with open regions,
            or else the implicit task. A suspended task may go on on another location, with its stack. Its time does not
            run meanwhile. Time of an explicit task outside of its regions belongs to none.
exclusive   Time in which the region is the innermost one of what runs on the location. A migrated task has time on each
            location that it ran on, and its visit where it was entered.
inclusive   Exclusive time of the region and of all regions opened within it on the same stack; regions within one of
            the same name count once. Explicit tasks and regions of role TASK are trees of their own, no part of the
            regions that they interrupt. (trace_inspect profile)
elapsed     From Enter to Leave with everything within, interrupting tasks included, since they run before the implicit
            task goes on. Of an explicit task: the time in which it ran. Regions left open have none.
            (trace_inspect stats)
stream      On a stream of an accelerator regions do not nest. A Leave closes the region of its name that is open for
            the longest time, and exclusive, inclusive and elapsed time are all that from Enter to Leave. An access to a
            window is a copy (RmaGet: COPY TO DEVICE) until the completion with its window and matching id, or else the
            next one of its window.
artificial  ProgramBegin to ProgramEnd, which ends all open regions; MEASUREMENT OFF within the region that it is
            switched off in; TRACE BUFFER FLUSH. They have rows in profiles only.
csv         Begin and end of each visit in nanoseconds since the first event, by the clock offsets of the node's first
            rank; to the nanosecond or, where clocks were interpolated, to the tick. Visits of tasks may have several
            rows, as they may have several slices in the format chrome: together these last for the elapsed time.

A location whose Leaves name other regions, and that leaves regions open or has a Leave without an open region after its
first Enter, has no defined pairs by position: it is counted, and its regions have visits, but no times. Where tasks are
recorded, all locations of the process must balance.
"""

import array
import collections
import re

TASK = re.compile(r"Thread Team: .*?<(\d+)>, Creating Thread: (\d+).*Generation Number: (\w+)")
STOP = re.compile(r"Stop[^:]*: (\d+)")
PROGRAM = re.compile(r'Name: "(.*?)" <\d+>, \d+ Argument')
TRANSFER = re.compile(r"Window: .*?<(\d+)>.*Matching(?: Id)?: (\d+)")
COPIES = {"RMA_GET": "COPY TO DEVICE", "RMA_PUT": "COPY FROM DEVICE"}
OFF, FLUSH = "MEASUREMENT OFF", "TRACE BUFFER FLUSH"


class Visit:
    __slots__ = ("name", "region", "place", "begin", "ran", "own", "below", "is_outermost", "open_names")


class Task:
    """A stack. `ran`: ticks in which its regions were open and it ran."""

    def __init__(self, place):
        self.open, self.ran, self.place = [], 0, place


class Place:
    """A location while its events are read."""

    def __init__(self, location):
        self.location, self.first, self.time = location, None, None
        self.implicit = self.running = Task(self)
        self.explicit = []  # unfinished ones that ran here last, by the order in which they came
        self.overlapping = collections.defaultdict(collections.deque)  # on a stream, by name
        self.copies = []  # there: (window, matching id, visit)
        self.has_tasks, self.enters = False, 0
        self.renamed = self.unpaired = self.events = 0

    def interrupted(self):
        """The task that the running one interrupted: the last one before it with open regions."""
        if self.running is self.implicit:
            return self.implicit
        before = self.explicit[:self.explicit.index(self.running)]
        return next((task for task in reversed(before) if task.open), self.implicit)


class Figures:
    """Of a region, by location: visits, exclusive and inclusive ticks; elapsed ticks, begins and ends of the visits.
    `paused`: ticks between begins and ends that are not elapsed, since the task was suspended."""

    def __init__(self):
        self.rows = collections.defaultdict(lambda: [0, 0, 0])
        self.elapsed = collections.defaultdict(lambda: array.array("Q"))
        self.visits = collections.defaultdict(lambda: (array.array("Q"), array.array("Q")))
        self.calls, self.paused = 0, collections.Counter()


class Recording:
    def __init__(self, archive):
        self.archive = archive
        self.places = {number: Place(location) for number, location in archive.locations.items()}
        self.regions = collections.defaultdict(Figures)  # by name
        self.artificial = collections.defaultdict(Figures)
        self.tasks, self.created = {}, set()
        self.migrations = self.backwards = 0
        self.handlers = {
            "THREAD_TASK_CREATE": self.create, "THREAD_TASK_SWITCH": self.switch, "THREAD_TASK_COMPLETE": self.complete,
            "PROGRAM_BEGIN": self.begin_program, "PROGRAM_END": self.end_program, "MEASUREMENT_ON_OFF": self.measure,
            "BUFFER_FLUSH": self.flush, "RMA_GET": self.copy, "RMA_PUT": self.copy,
            "RMA_OP_COMPLETE_BLOCKING": self.copied,
        }
        for kind, number, time, rest in archive.events():
            self.event(kind, self.places[number], time, rest)
        for place in self.places.values():
            self.end(place)
        for task in self.tasks.values():
            while task.open:
                self.close(task.place, task, None)

    def event(self, kind, place, time, rest):
        self.advance(place, time)
        place.events += 1
        if kind == "ENTER":
            self.enter(place, self.archive.regions[rest[rest.rindex("<") + 1:-2]], time)
        elif kind == "LEAVE":
            self.leave(place, self.archive.regions[rest[rest.rindex("<") + 1:-2]][0], time)
        elif kind in ("CALLING_CONTEXT_ENTER", "CALLING_CONTEXT_LEAVE"):
            context = re.match(r"Calling Context: .*?<(\d+)>(?:, Unwind|$)", rest)[1]
            region = self.archive.regions[self.archive.contexts[context]]
            if kind.endswith("ENTER"):
                self.enter(place, region, time)
            else:
                self.leave(place, region[0], time)
        elif handler := self.handlers.get(kind):
            handler(place, time, rest, kind)

    @staticmethod
    def advance(place, time):
        if place.time is None:
            place.first = place.time = time
        elif time > place.time:
            passed, place.time = time - place.time, time
            if place.running.open:
                place.running.ran += passed
                place.running.open[-1].own += passed

    # Regions.

    def enter(self, place, region, time, artificial=False):
        name, role = region[:2]
        place.enters += not artificial
        task = place.running
        visit = Visit()
        visit.name, visit.region, visit.place, visit.begin = name, not artificial, place, time
        visit.own = visit.below = 0
        if place.location.is_stream and not artificial:
            visit.is_outermost, visit.open_names = True, None
            place.overlapping[name].append(visit)
        else:
            # The region of a task has a tree of its own, below nothing.
            visit.open_names = collections.Counter() if role == "TASK" or not task.open else task.open[-1].open_names
            visit.is_outermost = not visit.open_names[name]
            visit.open_names[name] += 1
            task.open.append(visit)
        visit.ran = task.ran
        self.of(visit).rows[place][0] += 1
        self.of(visit).calls += 1

    def of(self, visit):
        return (self.regions if visit.region else self.artificial)[visit.name]

    def leave(self, place, name, time):
        if place.location.is_stream:
            if place.overlapping[name]:
                self.close_overlapping(place, place.overlapping[name].popleft(), time)
            return
        task = place.running
        while task.open and task.open[-1].name == OFF and not task.open[-1].region:
            self.close(place, task, time)
        if not task.open or not task.open[-1].region:
            place.unpaired += place.enters != 0
            return
        place.renamed += task.open[-1].name != name
        self.close(place, task, time)

    def close_overlapping(self, place, visit, time):
        end = place.time if time is None else time
        passed = max(0, end - visit.begin)
        row = self.of(visit).rows[place]
        row[1] += passed
        row[2] += passed
        self.note(visit, time, passed, end)

    def close(self, place, task, time):
        """Ends the innermost visit of a task that runs on `place`; without a time: at the end of all."""
        visit = task.open.pop()
        place.unpaired += time is None and visit.region
        visit.open_names[visit.name] -= 1
        is_tree = not task.open or task.open[-1].open_names is not visit.open_names
        inclusive = self.settle(place, visit)
        if not is_tree:
            task.open[-1].below += inclusive
        end = place.time if time is None else time
        elapsed = task.ran - visit.ran if task is not visit.place.implicit else end - visit.begin
        self.note(visit, time, elapsed, end)

    def settle(self, place, visit):
        """Gives a location its part of an open visit."""
        inclusive = visit.own + visit.below
        row = self.of(visit).rows[place]
        row[1] += visit.own
        row[2] += inclusive if visit.is_outermost else 0
        visit.own = visit.below = 0
        return inclusive

    def note(self, visit, time, elapsed, end):
        figures = self.of(visit)
        figures.paused[visit.place] += max(0, end - visit.begin - elapsed)
        if time is not None and visit.region:
            if elapsed < 0:
                self.backwards += 1
            else:
                figures.elapsed[visit.place].append(elapsed)
        begins, ends = figures.visits[visit.place]
        begins.append(visit.begin)
        ends.append(end)

    def end(self, place):
        for task in (place.implicit, place.running):
            while task.open:
                self.close(place, task, None)
        for waiting in place.overlapping.values():
            for visit in waiting:
                self.close_overlapping(place, visit, None)
        for _, _, visit in place.copies:
            self.close_overlapping(place, visit, None)

    # Tasks.

    @staticmethod
    def key(place, rest):
        return place.location.group, *TASK.match(rest).groups()

    def create(self, place, _time, rest, _kind):
        self.created.add(self.key(place, rest))

    def switch(self, place, time, rest, _kind):
        key, place.has_tasks = self.key(place, rest), True
        if key[-1] in ("0", "UNDEFINED") and key not in self.created:
            place.running = place.implicit
            return
        task = self.tasks.setdefault(key, Task(place))
        if task.place is not place:
            if task.place.running is task:  # suspended at the same time, which is read later
                self.advance(task.place, time)
            task.place.explicit.remove(task)
            carried = 0
            for i in range(len(task.open) - 1, -1, -1):
                visit = task.open[i]
                visit.below += carried
                carried = self.settle(task.place, visit)
                if i and task.open[i - 1].open_names is not visit.open_names:
                    carried = 0
            self.migrations += bool(task.open)
            if task.place.running is task:
                task.place.running = task.place.implicit
            task.place = place
        if task not in place.explicit:
            place.explicit.append(task)
        place.running = task

    def complete(self, place, _time, rest, _kind):
        task = self.tasks.pop(self.key(place, rest), None)
        while task and task.open:
            self.close(place, task, None)
        if task and task.place is place and task in place.explicit:
            after = place.interrupted() if place.running is task else place.running
            place.explicit.remove(task)
            place.running = after

    # What is no region.

    def begin_program(self, place, time, rest, _kind):
        self.enter(place, (PROGRAM.search(rest)[1].split("/")[-1], ""), time, True)

    def end_program(self, place, _time, _rest, _kind):
        while place.implicit.open:
            self.close(place, place.implicit, None)

    def measure(self, place, time, rest, _kind):
        task = place.running
        if rest.rstrip().endswith("OFF") and task.open:
            self.enter(place, (OFF, ""), time, True)
        elif task.open and task.open[-1].name == OFF and not task.open[-1].region:
            self.close(place, task, time)

    def flush(self, place, time, rest, _kind):
        found = STOP.search(rest)
        self.enter(place, (FLUSH, ""), time, True)
        self.advance(place, max(time, int(found[1])))
        self.close(place, place.running, time)

    def copy(self, place, time, rest, kind):
        if place.location.is_stream:
            self.enter(place, (COPIES[kind], ""), time)
            place.copies.append((*TRANSFER.search(rest).groups(), place.overlapping[COPIES[kind]].pop()))

    def copied(self, place, time, rest, _kind):
        window, number = TRANSFER.search(rest).groups()
        begun = [copy for copy in place.copies if copy[0] == window]
        copy = next((copy for copy in begun if copy[1] == number), begun[0] if begun else None)
        if copy:
            place.copies.remove(copy)
            self.close_overlapping(place, copy[2], time)

    def processes_with_tasks(self):
        return {place.location.group for place in self.places.values() if place.has_tasks}

    def undefined_places(self):
        has_tasks = self.processes_with_tasks()
        parts = collections.defaultdict(list)
        for number, place in self.places.items():
            if not place.location.is_stream:
                parts[place.location.group if place.location.group in has_tasks else "location " + number].append(place)
        return {place for part in parts.values() for place in part
                if any(it.renamed for it in part) and any(it.unpaired for it in part)}
