// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "open_trace.hpp"

namespace tracefold::python {

void check_signals() {
    const pybind11::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

OpenTrace::OpenTrace(std::string path, const FoldedInputOptions& options)
    : path_(std::move(path)),
      input_(without_gil([&] { return std::make_unique<FoldedInput>(comm_, path_, options); })) {
    if (options.drop_unknown && !input_->was_folded()) {
        throw Error(ErrorKind::usage,
                    "drop_unknown applies to OTF2 archives only, and {} is already folded", path_);
    }
}

}  // namespace tracefold::python
