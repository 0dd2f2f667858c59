// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "batches.hpp"

#include "open_trace.hpp"
#include "questions/frames/detail/arrow.hpp"

#include <cstring>
#include <string>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace tracefold::python {

namespace {

namespace py = pybind11;

std::string_view type_name(ValueColumn type) {
    switch (type) {
        case ValueColumn::integer:
            return "integer";
        case ValueColumn::real:
            return "real";
        case ValueColumn::text:
            return "text";
        case ValueColumn::label:
            return "label";
        case ValueColumn::integers:
            break;
    }
    return "integers";
}

/// One frame as Python sees it.
struct Batch {
    std::shared_ptr<FrameSource> source;  ///< knows the columns
    std::shared_ptr<const Frame> frame;
};

/// An array over a buffer that belongs to a frame, which cannot be written to.
template <class T>
py::array view(const AppendBuffer<T>& buffer, std::size_t size,
               const std::shared_ptr<const Frame>& frame) {
    using Owner = std::shared_ptr<const Frame>;
    const py::capsule owner(new Owner(frame), [](void* held) { delete static_cast<Owner*>(held); });
    py::array array(py::dtype::of<T>(), {size}, {sizeof(T)}, buffer.data(), owner);
    array.attr("setflags")(py::arg("write") = false);
    return array;
}

py::list texts(const FrameColumn& column, u64 rows) {
    py::list list(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        if (column.valid[i] == 0) {
            list[i] = py::none();
            continue;
        }
        const auto begin = static_cast<std::size_t>(column.offsets[i]);
        const auto end = static_cast<std::size_t>(column.offsets[i + 1]);
        list[i] = py::str(column.characters.data() + begin, end - begin);
    }
    return list;
}

py::list names(const FrameColumn& column) {
    py::list list(column.names->size());
    for (std::size_t i = 0; i < column.names->size(); ++i) {
        const std::string_view name = (*column.names)[i];
        list[i] = py::str(name.data(), name.size());
    }
    return list;
}

const char* const kStreamName = "arrow_array_stream";
const char* const kSchemaName = "arrow_schema";
const char* const kArrayName = "arrow_array";

/// A capsule that releases what nobody has taken.
template <class T>
py::capsule capsule_of(std::unique_ptr<T> held, const char* name) {
    PyObject* const capsule = PyCapsule_New(held.get(), name, [](PyObject* object) {
        auto* const part = static_cast<T*>(PyCapsule_GetPointer(object, PyCapsule_GetName(object)));
        if (part == nullptr) return PyErr_Clear();
        if (part->release != nullptr) part->release(part);
        delete part;
    });
    if (capsule == nullptr) throw py::error_already_set();
    held.release();
    return py::reinterpret_steal<py::capsule>(capsule);
}

py::capsule stream_of(std::shared_ptr<FrameSource> source) {
    auto stream = std::make_unique<ArrowArrayStream>();
    export_stream(
        std::move(source), [](const std::function<void()>& work) { work(); }, stream.get());
    return capsule_of(std::move(stream), kStreamName);
}

py::capsule schema_of(const FrameSource& source) {
    auto schema = std::make_unique<ArrowSchema>();
    export_schema(source.columns(), schema.get());
    return capsule_of(std::move(schema), kSchemaName);
}

py::tuple array_of(const Batch& batch) {
    auto array = std::make_unique<ArrowArray>();
    export_frame(batch.source->columns(), batch.frame, array.get());
    return py::make_tuple(schema_of(*batch.source), capsule_of(std::move(array), kArrayName));
}

/// [(name, type, unit)]
py::list columns_of(const FrameSource& source) {
    py::list list;
    for (const ColumnInfo& column : source.columns()) {
        list.append(py::make_tuple(column.name, type_name(column.type), column.unit));
    }
    return list;
}

const FrameColumn& column_of(const Batch& batch, std::size_t column, ValueColumn type) {
    if (column >= batch.frame->columns.size() || batch.source->columns()[column].type != type) {
        throw py::index_error("the batch has no such column of this type");
    }
    return batch.frame->columns[column];
}

/// The buffers of a column as NumPy arrays, by what they are.
py::dict buffers_of(const Batch& batch, std::size_t i) {
    if (i >= batch.frame->columns.size()) throw py::index_error("the batch has no such column");
    const FrameColumn& column = batch.frame->columns[i];
    const std::size_t rows = batch.frame->rows;
    py::dict result;
    if (column.nulls() != 0) {
        result["valid"] = view(column.valid, rows, batch.frame).attr("view")("bool");
    }
    switch (batch.source->columns()[i].type) {
        case ValueColumn::integer:
            result["values"] = view(column.integers, rows, batch.frame);
            break;
        case ValueColumn::real:
            result["values"] = view(column.reals, rows, batch.frame);
            break;
        case ValueColumn::label:
            result["codes"] = view(column.codes, rows, batch.frame);
            break;
        case ValueColumn::integers:
            result["offsets"] = view(column.offsets, rows + 1, batch.frame);
            result["values"] = view(column.integers, column.integers.size(), batch.frame);
            break;
        case ValueColumn::text:
            result["values"] = texts(column, rows);
            break;
    }
    return result;
}

}  // namespace

void add_batches(py::module_& module) {
    py::class_<Batch>(module, "Batch")
        .def("__len__", [](const Batch& batch) { return batch.frame->rows; })
        .def("columns", [](const Batch& batch) { return columns_of(*batch.source); })
        .def("buffers", &buffers_of, py::arg("column"))
        .def(
            "names",
            [](const Batch& batch, std::size_t column) {
                return names(column_of(batch, column, ValueColumn::label));
            },
            py::arg("column"))
        .def("__arrow_c_schema__", [](const Batch& batch) { return schema_of(*batch.source); })
        .def(
            "__arrow_c_array__",
            [](const Batch& batch, const py::object&) { return array_of(batch); },
            py::arg("requested_schema") = py::none());

    py::class_<FrameSource, std::shared_ptr<FrameSource>>(module, "BatchReader")
        .def("columns", &columns_of)
        .def("__iter__", [](const py::object& self) { return self; })
        .def("__next__",
             [](const std::shared_ptr<FrameSource>& source) {
                 if (PyErr_CheckSignals() != 0) throw py::error_already_set();
                 std::shared_ptr<const Frame> frame = without_gil([&] { return source->next(); });
                 if (!frame) throw py::stop_iteration();
                 return Batch{source, std::move(frame)};
             })
        .def(
            "__arrow_c_stream__",
            [](const std::shared_ptr<FrameSource>& source, const py::object&) {
                return stream_of(source);
            },
            py::arg("requested_schema") = py::none());

    py::class_<Batches>(module, "Batches")
        .def("open", &Batches::open)
        .def("__arrow_c_schema__",
             [](const Batches& batches) { return schema_of(*batches.open()); })
        .def(
            "__arrow_c_stream__",
            [](const Batches& batches, const py::object&) { return stream_of(batches.open()); },
            py::arg("requested_schema") = py::none());
}

}  // namespace tracefold::python
