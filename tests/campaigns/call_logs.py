# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""The calls of a trace and those that a program issues, as tests/support/mpi_log.c writes them: one by one, in order."""

import json
import pathlib
import re

# Calls of the program at its beginning and end, and requests that are made or cancelled where they
# are needed (docs/reference/proxy.md).
NOT_COMPARED = {
    "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Send_init", "MPI_Bsend_init",
    "MPI_Ssend_init", "MPI_Rsend_init", "MPI_Recv_init", "MPI_Cancel",
}
# Their bytes count where requests are posted.
COMPLETIONS = ("MPI_Wait", "MPI_Test")
NO_ROOT = 0xFFFFFFFD


def plain(name):
    """TAU's "MPI_Send() [{a.c} {3,1}]" is MPI_Send, and so is MPI_Send_c."""
    return re.sub(r"[ (\[].*", "", name).removesuffix("_c")


def skips(name, missing):
    return name in NOT_COMPARED or name in missing


# mpi_log.c's words for the kinds of actions, and the count of numbers that follow; a send may have a request, too.
WORDS = {"send": "send", "receive": "receive", "post_receive": "post", "complete_send": "sent",
         "complete_receive": "received", "create_comm": "make", "destroy_comm": "free",
         "collective": "collective"}
NUMBERS = {"send": 4, "receive": 4, "post": 1, "sent": 1, "received": 5, "make": 1, "free": 1,
           "collective": 4}
COMM_PLACE = {"received": 1, "post": None, "sent": None}
REQUEST_PLACE = {"send": 4, "post": 0, "sent": 0, "received": 0}


def action_words(action):
    """As mpi_log.c writes an action, with communicators and requests by their ids."""
    kind, word = action["kind"], WORDS.get(action["kind"])
    if word is None or (kind == "collective" and action["operation"].endswith("handle")):
        return []
    request = [action["request"]] if "request" in action else []
    if word in ("post", "sent"):
        return [word, *request]
    if word in ("make", "free"):
        return [word, action["comm"]]
    if word == "collective":
        root = action["root"] if action["root"] < NO_ROOT else -1
        return [word, action["comm"], root, action["sent"], action["received"]]
    message = [action["comm"], action["peer"], action["tag"], action["bytes"]]
    return [word, *request, *message] if word == "received" else [word, *message, *request]


def traced_line(call, renamed, late=False):
    """As mpi_log.c writes a call, under the name that `renamed` has for it. Receives that TAU records where they complete only if
    `late`."""
    name = plain(call["name"])
    name = renamed.get(name, name)
    words = [name]
    actions = call.get("actions", []) if name != "MPI_Request_free" else []
    for action in actions:
        # MPI_Comm_idup has made its communicator before.
        if not name.startswith(COMPLETIONS) or action["kind"] != "create_comm" and (late or action["kind"] != "receive"):
            words += action_words(action)
    return " ".join(str(word) for word in words)


def split_actions(words):
    """Actions of a line: lists of a word and its numbers."""
    while words:
        count = 1 + NUMBERS[words[0]]
        if words[0] == "send" and len(words) > count and words[count] not in NUMBERS:
            count += 1
        yield words[:count]
        words = words[count:]


class RankLog:
    """The calls of a rank, with communicators and requests numbered as these calls mention them. `chance` names functions whose
    completions are not compared; if messages are recorded `late`, where they complete, requests are not compared."""

    def __init__(self, lines=(), chance=(), late=False):
        self.lines = []
        self.comms = {}
        self.requests = {}
        self.late = late
        self.completed = {number for line in lines for number in re.findall(r" sent (\d+)", line)}
        for line in lines:
            self.add(line, chance)

    def add(self, line, chance):
        words = line.split()
        out = words[:1]
        for word, *numbers in [] if out[0] in chance else split_actions(words[1:]):
            if self.late:
                if word in ("post", "sent"):
                    continue
                word, numbers = ("receive", numbers[1:]) if word == "received" else (word, numbers[:4])
            comm, request = COMM_PLACE.get(word, 0), REQUEST_PLACE.get(word)
            if word == "send" and numbers[request:] and numbers[request] not in self.completed:
                del numbers[request]
            if request is not None and request < len(numbers):
                if word in ("send", "post"):
                    self.requests.setdefault(numbers[request], len(self.requests))
                if numbers[request] not in self.requests:
                    continue  # posted by a call that is not compared
                numbers[request] = self.requests[numbers[request]]
            if comm is not None:
                numbers[comm] = self.comms.setdefault(numbers[comm], len(self.comms))
            out += [word, *numbers]
        self.lines.append(" ".join(str(word) for word in out))


def without_own(calls, comms, rank):
    """Without the communicator that a replay makes first, of this rank alone, for what finds no message."""
    first = calls[0].split() if calls else []
    if first[:2] == ["MPI_Comm_dup", "make"] and comms[first[2]] == [str(rank)]:
        return [call for call in calls[1:] if call != f"MPI_Comm_free free {first[2]}"]
    return calls


def issued_logs(log, ranks, missing, chance=(), late=False, has_own=False):
    """Rank -> its log, and its communicators: number -> members."""
    logs, members = {}, {}
    for rank in range(ranks):
        comms, calls = {}, []
        path = pathlib.Path(f"{log}.{rank}")  # a rank without calls writes none
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            words = line.split()
            if words[0] == "comm":
                comms[words[1]] = words[2:]
            elif not skips(words[0], missing):
                calls.append(line)
        logs[rank] = RankLog(without_own(calls, comms, rank) if has_own else calls, chance, late)
        members[rank] = {number: comms[comm] for comm, number in logs[rank].comms.items()}
    return logs, members


def are_late(lines):
    """Whether a trace, as JSON Lines, has receives where they complete, as TAU records them."""
    return any('"kind":"receive"' in line and plain(json.loads(line)["name"]).startswith(COMPLETIONS) for line in lines)


def traced_logs(lines, ranks, missing, known, chance=(), renamed=(), late=False):
    """Rank -> the log of its calls of `known` functions, from the JSON Lines of a trace."""
    calls = [[] for _ in range(ranks)]
    for text in lines:
        call = json.loads(text)
        if "call" not in call or skips(plain(call["name"]), missing):
            continue
        line = traced_line(call, dict(renamed), late)
        if line.split()[0] in known:
            calls[call["rank"]].append(line)
    return {rank: RankLog(lines, chance, late) for rank, lines in enumerate(calls)}


def order_differences(trace, issued, ranks):
    for rank in range(ranks):
        wanted, calls = trace[rank].lines, issued[rank].lines
        for number, (want, got) in enumerate(zip(wanted, calls)):
            if want != got:
                yield f"rank {rank}, call {number}: {want} in the trace, {got} issued"
                break
        else:
            if len(wanted) != len(calls):
                yield f"rank {rank}: {len(wanted)} calls in the trace, {len(calls)} issued"
