# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Folded MPI traces in Python: see docs/tutorial/python.md.

    import tracefold
    trace = tracefold.open("run.tfold")
    trace.calls(match="MPI_*").to_pandas()
"""

from ._frames import Batch, Efficiency, Explanation, GuardResult, Rows, Table
from ._trace import Matrix, Trace, TraceWarning, compress, convert, diff, guard, open
from ._trace import list_traces as list
from ._tracefold import (
    CALL_COLUMNS,
    EVENT_COLUMNS,
    CorruptError,
    Error,
    FileError,
    MismatchError,
    UnsupportedError,
    UsageError,
    __version__,
)

__all__ = [
    "Batch",
    "CALL_COLUMNS",
    "CorruptError",
    "EVENT_COLUMNS",
    "Efficiency",
    "Explanation",
    "Error",
    "FileError",
    "GuardResult",
    "Matrix",
    "MismatchError",
    "Rows",
    "Table",
    "Trace",
    "TraceWarning",
    "UnsupportedError",
    "UsageError",
    "compress",
    "convert",
    "diff",
    "guard",
    "list",
    "open",
]
