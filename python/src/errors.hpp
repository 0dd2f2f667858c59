// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace tracefold::python {

/// Adds the exceptions of the module, and makes tracefold::Error one of them wherever it is thrown:
/// Error, and below it UsageError (a ValueError), FileError (an OSError), CorruptError,
/// UnsupportedError and MismatchError.
void add_errors(pybind11::module_& module);

}  // namespace tracefold::python
