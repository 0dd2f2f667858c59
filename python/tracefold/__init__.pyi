# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
from os import PathLike
from typing import Any, Iterable, Iterator, List, Literal, Optional, Union

import numpy as np
import numpy.typing as npt

__version__: str
CALL_COLUMNS: List[str]
EVENT_COLUMNS: List[str]

_Path = Union[str, PathLike[str]]
_Numbers = Union[None, int, str, Iterable[int]]
_Window = Union[None, str, tuple[Optional[float], Optional[float]]]
_Names = Union[None, str, Iterable[str]]

class Error(Exception): ...
class UsageError(Error, ValueError): ...
class FileError(Error, OSError): ...
class CorruptError(Error): ...
class UnsupportedError(Error): ...
class MismatchError(Error): ...
class TraceWarning(UserWarning): ...

class _Columns:
    @property
    def columns(self) -> List[str]: ...
    @property
    def units(self) -> dict[str, str]: ...
    def __getitem__(self, column: str) -> npt.NDArray[Any]: ...
    def codes(self, column: str) -> tuple[npt.NDArray[np.int32], List[str]]: ...
    def to_numpy(self) -> dict[str, npt.NDArray[Any]]: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...

class Batch(_Columns):
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(
        self, requested_schema: Optional[object] = None
    ) -> tuple[object, object]: ...

class Table(_Columns):
    def __iter__(self) -> Iterator[Batch]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, column: Union[str, slice]) -> Any: ...
    def head(self, n: int = 5) -> Rows: ...
    def to_polars(self) -> Any: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...

class Rows(_Columns):
    def __len__(self) -> int: ...

class Explanation(dict[str, Any]):
    @property
    def causes(self) -> list[dict[str, Any]]: ...
    def to_pandas(self) -> Any: ...

class GuardResult(dict[str, Any]):
    @property
    def passed(self) -> bool: ...
    def to_pandas(self) -> Any: ...

class Efficiency(Table):
    @property
    def factors(self) -> dict[str, float]: ...
    def __getitem__(self, column: Union[str, slice]) -> Any: ...

class Matrix:
    rows: List[str]
    columns: List[str]
    cells: npt.NDArray[np.uint64]
    total: tuple[int, int]
    received: tuple[int, int]
    unknown: tuple[int, int]
    title: str
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def calls(self) -> npt.NDArray[np.uint64]: ...
    @property
    def bytes(self) -> npt.NDArray[np.uint64]: ...
    def to_pandas(self, metric: Literal["bytes", "calls"] = "bytes") -> Any: ...
    def to_xarray(self, metric: Literal["bytes", "calls"] = "bytes") -> Any: ...
    def to_networkx(self) -> Any: ...
    def plot(self, metric: Literal["bytes", "calls"] = "bytes", ax: Any = None) -> Any: ...

class Trace:
    @property
    def path(self) -> str: ...
    @property
    def ranks(self) -> int: ...
    @property
    def processes(self) -> int: ...
    @property
    def process_kind(self) -> Literal["rank", "PE", "process"]: ...
    @property
    def left_out(self) -> List[str]: ...
    @property
    def locations(self) -> List[dict[str, Any]]: ...
    @property
    def timing(self) -> Literal["exact", "quantized", "histogram", "none"]: ...
    @property
    def ticks_per_second(self) -> int: ...
    @property
    def duration(self) -> float: ...
    @property
    def event_count(self) -> int: ...
    @property
    def functions(self) -> dict[str, int]: ...
    @property
    def records(self) -> dict[str, int]: ...
    @property
    def metrics(self) -> List[dict[str, str]]: ...
    @property
    def archive(self) -> dict[str, Any]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Trace: ...
    def __exit__(self, *_: object) -> None: ...
    def calls(
        self,
        ranks: _Numbers = None,
        time: _Window = None,
        iterations: _Numbers = None,
        match: _Names = None,
        columns: Optional[Iterable[str]] = None,
        ticks: bool = False,
        batch_rows: int = 32768,
    ) -> Table: ...
    def events(
        self,
        ranks: _Numbers = None,
        time: _Window = None,
        iterations: _Numbers = None,
        match: _Names = None,
        columns: Optional[Iterable[str]] = None,
        ticks: bool = False,
        batch_rows: int = 32768,
    ) -> Table: ...
    def messages(
        self,
        ranks: _Numbers = None,
        time: _Window = None,
        iterations: _Numbers = None,
        match: _Names = None,
        top: int = 0,
    ) -> Table: ...
    def steps(self, ranks: _Numbers = None, ticks: bool = False) -> Table: ...
    def matrix(
        self,
        kind: Literal["p2p", "rma", "collective"] = "p2p",
        by: Literal["rank", "node", "class"] = "rank",
        ranks: _Numbers = None,
    ) -> Matrix: ...
    def matrix_table(
        self,
        kind: Literal["p2p", "rma", "collective"] = "p2p",
        by: Literal["rank", "node", "class"] = "rank",
        ranks: _Numbers = None,
    ) -> Table: ...
    def sizes(self, exact: bool = False, ranks: _Numbers = None) -> Table: ...
    def structure(
        self, ranks: _Numbers = None, times: bool = False, depth: int = 0
    ) -> List[dict[str, Any]]: ...
    def graph(
        self,
        signature: _Names = None,
        regions: bool = False,
        times: bool = False,
        ranks: _Numbers = None,
    ) -> Any: ...
    def stats(
        self,
        by: Literal["call", "path", "loop"] = "call",
        ranks: _Numbers = None,
        match: _Names = None,
        histogram: _Names = None,
        over: Literal["calls", "ranks", "iterations"] = "calls",
        metric: Literal["calls", "time", "sent", "received", "read", "written"] = "time",
        bins: int = 20,
        loop: int = 0,
        over_time: bool = False,
    ) -> Table: ...
    def classes(
        self,
        by: str = "calls",
        ranks: _Numbers = None,
        match: _Names = None,
        per_iteration: bool = False,
        loop: int = 0,
    ) -> Table: ...
    def profile(
        self,
        by: Optional[Literal["node", "rank", "location"]] = None,
        depth: int = 0,
        times: bool = True,
        ranks: _Numbers = None,
    ) -> Table: ...
    def efficiency(self, focus: bool = False) -> Efficiency: ...
    def explain(self) -> Explanation: ...
    def check(self) -> Table: ...
    def to_pipit(self, **part: Any) -> tuple[Any, Any]: ...
    def to_hatchet(self, metric: str = "time") -> List[dict[str, Any]]: ...
    def plot_timeline(
        self,
        ranks: _Numbers = None,
        time: _Window = None,
        match: _Names = None,
        ax: Any = None,
    ) -> Any: ...
    def plot_matrix(
        self, metric: Literal["bytes", "calls"] = "bytes", ax: Any = None, **matrix: Any
    ) -> Any: ...
    def plot_steps(self, ranks: _Numbers = None, ax: Any = None) -> Any: ...

def open(
    path: _Path,
    *,
    level: int = 1,
    drop_unknown: bool = False,
    scratch: Optional[_Path] = None,
) -> Trace: ...
def compress(
    archive: _Path,
    output: _Path,
    *,
    timing: Literal["exact", "quantized", "histogram", "none"] = "exact",
    time_error: float = 0.01,
    verify: bool = True,
    level: int = 19,
    threads: int = 0,
    drop_unknown: bool = False,
    rescue: bool = False,
    force: bool = False,
) -> dict[str, Any]: ...
def convert(
    trace: Union[Trace, _Path],
    output: _Path,
    to: str,
    *,
    force: bool = False,
    pipit: bool = False,
) -> dict[str, Any]: ...
def diff(
    a: Union[Trace, _Path],
    b: Union[Trace, _Path],
    *,
    tolerance: Optional[float] = None,
    ignore: _Names = None,
) -> Table: ...
def guard(
    runs: Union[Trace, _Path, Iterable[Union[Trace, _Path]]],
    baselines: Union[Trace, _Path, Iterable[Union[Trace, _Path]]],
    *,
    allow: Union[str, Iterable[str]] = (),
    min_effect: float = 0.02,
    strict: bool = False,
) -> GuardResult: ...
def list(
    places: Union[_Path, Iterable[_Path]],
    *,
    where: str = "",
    sort: str = "",
    reverse: bool = False,
    like: Optional[_Path] = None,
    deep: bool = False,
    index: bool = True,
    scratch: Optional[_Path] = None,
) -> Table: ...
