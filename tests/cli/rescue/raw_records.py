# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the records of OTF2 files of one chunk end, found without the tools under test."""

import struct

HEADER = 18
NUMBERS = {12, 13, 16, 17, 20, 21, 24, 28, 29, 30}  # records that are one number, without a length
TIMESTAMP, ATTRIBUTES = 5, 6


def record_ends(content, events):
    """Offsets behind each record of a whole file, the first being that of the chunk's header."""
    ends = [HEADER]
    at = HEADER
    while content[at] > 2:
        kind = content[at]
        if events and kind == TIMESTAMP:
            at += 9
            continue
        length = content[at + 1]
        if events and kind in NUMBERS:
            at += 2 + (0 if length == 0xFF else length)
        elif length == 0xFF:
            at += 10 + struct.unpack_from("<Q", content, at + 2)[0]
        else:
            at += 2 + length
        if not (events and kind == ATTRIBUTES):
            ends.append(at)
    assert content[at:at + 2] == b"\2\1", "not a whole file of one chunk"
    return ends


def kept(ends, size):
    """How many records a file cut to `size` bytes has, and where the last of them ends."""
    count = sum(1 for end in ends if end <= size)
    return (max(count - 1, 0), ends[count - 1]) if count else (0, 0)
