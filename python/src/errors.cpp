// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "base/error.hpp"

#include <array>
#include <exception>
#include <string>

namespace tracefold::python {

namespace {

namespace py = pybind11;

/// By ErrorKind; they live as long as the interpreter.
std::array<PyObject*, 6> types{};

PyObject* new_type(py::module_& module, const char* name, const char* help, py::tuple bases) {
    const std::string full = std::string("tracefold.") + name;
    PyObject* const type = PyErr_NewExceptionWithDoc(full.c_str(), help, bases.ptr(), nullptr);
    if (type == nullptr) throw py::error_already_set();
    module.attr(name) = py::reinterpret_borrow<py::object>(type);
    return type;
}

PyObject*& type_of(ErrorKind kind) { return types[static_cast<std::size_t>(kind)]; }

}  // namespace

void add_errors(py::module_& module) {
    const auto builtin = [](PyObject* type) { return py::reinterpret_borrow<py::object>(type); };
    PyObject* const base =
        new_type(module, "Error", "An error of tracefold, described in one sentence.",
                 py::make_tuple(builtin(PyExc_Exception)));
    type_of(ErrorKind::internal) = base;
    type_of(ErrorKind::usage) = new_type(module, "UsageError", "An argument is wrong.",
                                         py::make_tuple(builtin(base), builtin(PyExc_ValueError)));
    type_of(ErrorKind::io) = new_type(module, "FileError", "A file cannot be read or written.",
                                      py::make_tuple(builtin(base), builtin(PyExc_OSError)));
    type_of(ErrorKind::corrupt) =
        new_type(module, "CorruptError", "A file is damaged.", py::make_tuple(builtin(base)));
    type_of(ErrorKind::unsupported) =
        new_type(module, "UnsupportedError", "The trace contains something unsupported.",
                 py::make_tuple(builtin(base)));
    type_of(ErrorKind::mismatch) =
        new_type(module, "MismatchError", "Two things that should be equal differ.",
                 py::make_tuple(builtin(base)));
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const Error& error) {
            PyErr_SetString(type_of(error.kind()), error.what());
        }
    });
}

}  // namespace tracefold::python
