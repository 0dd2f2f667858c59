# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads Arrow C streams by the published layout alone, with ctypes, and releases all that it takes."""

import ctypes


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


ReleaseSchema = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
ReleaseArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
ReleaseStream = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))

Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ReleaseSchema),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ReleaseArray),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    (
        "get_schema",
        ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema)),
    ),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", ReleaseStream),
    ("private_data", ctypes.c_void_p),
]

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]

_FIXED = {b"l": ctypes.c_int64, b"i": ctypes.c_int32, b"g": ctypes.c_double}


def _buffer(array, index, kind, count):
    address = array.buffers[index]
    if count == 0:
        return []
    return list((kind * count).from_address(address))


def _valid(array):
    if array.null_count == 0 or not array.buffers[0]:
        return [True] * array.length
    size = (array.length + 7) // 8
    bits = (ctypes.c_uint8 * size).from_address(array.buffers[0])
    return [bool(bits[row // 8] >> (row % 8) & 1) for row in range(array.length)]


def _texts(array):
    ends = _buffer(array, 1, ctypes.c_int32, array.length + 1)
    if array.length == 0:
        return []
    data = ctypes.string_at(array.buffers[2], ends[-1])
    return [data[a:b].decode() for a, b in zip(ends, ends[1:])]


def _values(schema, array):
    """The values of a column; None where there is none."""
    assert array.offset == 0
    if schema.dictionary:
        names = _values(schema.dictionary.contents, array.dictionary.contents)
        codes = _buffer(array, 1, ctypes.c_int32, array.length)
        values = [names[code] if there else None for code, there in zip(codes, _valid(array))]
    elif schema.format == b"u":
        values = _texts(array)
    elif schema.format == b"+l":
        items = _values(schema.children[0].contents, array.children[0].contents)
        ends = _buffer(array, 1, ctypes.c_int32, array.length + 1)
        values = [items[a:b] for a, b in zip(ends, ends[1:])]
    else:
        values = _buffer(array, 1, _FIXED[schema.format], array.length)
    valid = _valid(array)
    assert array.null_count in (-1, valid.count(False))
    return [value if there else None for value, there in zip(values, valid)]


def read_stream(capsule):
    """A dict of columns by name."""
    stream = ctypes.cast(
        _pointer_of(capsule, b"arrow_array_stream"), ctypes.POINTER(Stream)
    ).contents
    schema = Schema()
    assert stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)) == 0
    assert schema.format == b"+s"
    names = [schema.children[i].contents.name.decode() for i in range(schema.n_children)]
    columns = {name: [] for name in names}
    while True:
        array = Array()
        if stream.get_next(ctypes.byref(stream), ctypes.byref(array)) != 0:
            raise OSError(stream.get_last_error(ctypes.byref(stream)).decode())
        if not array.release:
            break
        for i, name in enumerate(names):
            child = array.children[i].contents
            assert child.length == array.length
            columns[name] += _values(schema.children[i].contents, child)
        array.release(ctypes.byref(array))
    schema.release(ctypes.byref(schema))
    stream.release(ctypes.byref(stream))
    assert not stream.release
    return columns
