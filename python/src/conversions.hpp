// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace tracefold::python {

/// Adds compress() and convert(), which make files.
void add_conversions(pybind11::module_& module);

}  // namespace tracefold::python
