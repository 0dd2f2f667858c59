#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls everything with drawn arguments: a result, or a documented error, in bounded time and memory.

usage: drawn_arguments_test.py BIN SAMPLES [COUNT [SEED]]
"""

import collections
import inspect
import os
import pathlib
import random
import resource
import signal
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
import tracefold  # noqa: E402

SAMPLES = pathlib.Path(sys.argv[2])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 1500
SEED = sys.argv[4] if len(sys.argv) > 4 else "1"
MOST_SECONDS, MOST_BYTES = 20, 3 << 30
METHODS = ("calls", "events", "steps", "matrix", "matrix_table", "sizes", "structure", "graph", "stats", "classes", "profile",
           "efficiency", "explain", "check")
FUNCTIONS = ("open", "compress", "convert", "diff")
EXPECTED = (tracefold.Error, TypeError, ValueError, KeyError, OverflowError)
PATIENCE = int(os.environ.get("TRACEFOLD_TEST_PATIENCE", "1"))


class OwnError(Exception):
    """Comes back as it is."""


class Odd:
    """An argument whose methods fail."""

    def __getattr__(self, name):
        raise OwnError(name)

    def __iter__(self):
        yield 1
        raise OwnError("iter")

    def __index__(self):
        raise OwnError("index")

    def __str__(self):
        raise OwnError("str")


class Draw:
    def __init__(self, traces, archive):
        self.random = random.Random(SEED)
        self.words = [None, True, False, 0, 1, 2, 3, -1, 7, 2**31, 2**32, 2**63, 2**64, -(2**63), 10**30, 0.0, 0.5, -1.5, 1e300,
                      float("nan"), float("inf"), "", "0", "0-2", "0-3:2", "3-1", "0-99999999999", ",,", "MPI_*", "/send|recv/",
                      "/(/", "*" * 100, "x" * (1 << 20), "\0", "\ud800", "\U0001F600", "-", "1ms:2ms", "10%:90%", "1:",
                      b"MPI_Send", b"\xff", [], (), {}, set(), [0, 1], (0.0, 0.5), (None, 1.0), (1, 2, 3), ["MPI_Send", 3],
                      [[0]], [None], range(3), np.arange(4), np.arange(8)[::2], np.zeros(0), np.array([1.5]), np.int64(1),
                      np.array("a"), object, Odd(), [Odd()], traces[0], pathlib.Path("nothing"), archive, iter([0, 1])]
        self.words += "rank node class p2p rma collective call path loop calls ranks iterations time sent read tag".split()
        self.words += "exact quantized histogram none otf2 csv prv text ti goal chrome begin bytes name".split()

    def value(self):
        if self.random.random() < 0.1:
            return [self.random.choice(self.words) for _ in range(self.random.randrange(4))]
        return self.random.choice(self.words)

    def arguments(self, function):
        """Positional ones that it needs, sometimes too many or few, and some of the others by name."""
        names = [one.name for one in inspect.signature(function).parameters.values() if one.kind != one.VAR_KEYWORD]
        chosen = {name: self.value() for name in names if self.random.random() < 0.15}
        needed = [one.name for one in inspect.signature(function).parameters.values()
                  if one.default is one.empty and one.kind == one.POSITIONAL_OR_KEYWORD]
        for name in needed:
            if self.random.random() < 0.97:
                chosen[name] = self.value()
        return chosen


def look_at(result):
    """What a user sees of it, at most a batch."""
    if hasattr(result, "columns") and hasattr(result, "__iter__"):
        for batch in result:
            batch.to_numpy()
            break
    elif hasattr(result, "close"):
        result.close()
    repr(result)


def shortened(value):
    try:
        return repr(value)[:80]
    except OwnError:
        return "Odd"


def expire(*_):
    raise TimeoutError(f"more than {MOST_SECONDS} s")


def main():
    folder = tempfile.TemporaryDirectory(prefix="tracefold-drawn-")
    os.chdir(folder.name)
    archive = SAMPLES / "micro-anysrc-4"
    tracefold.compress(archive, "run.tfold")
    traces = [tracefold.open("run.tfold"), tracefold.open(SAMPLES / "scaling/prk-transpose-o1280-i2-4.tfold")]
    draw = Draw(traces, archive)
    if PATIENCE == 1:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    counts = collections.Counter()
    signal.signal(signal.SIGALRM, expire)
    for number in range(COUNT):
        if draw.random.random() < 0.75:
            function = getattr(draw.random.choice(traces), draw.random.choice(METHODS))
        else:
            function = getattr(tracefold, draw.random.choice(FUNCTIONS))
        arguments = draw.arguments(function)
        signal.alarm(MOST_SECONDS * PATIENCE)
        outcome = "result"
        try:
            look_at(function(**arguments))
        except (*EXPECTED, OwnError) as error:
            outcome = type(error).__name__
        except BaseException as error:
            shown = {name: shortened(value) for name, value in arguments.items()}
            print(f"{number}: {function.__name__}({shown}): {type(error).__name__}: {error}")
            return 1
        signal.alarm(0)
        counts[outcome] += 1
    for trace in traces:
        trace.close()
    print(", ".join(f"{count} {name}" for name, count in counts.most_common()))
    return 0 if counts["result"] > COUNT / 20 else 1


if __name__ == "__main__":
    sys.exit(main())
