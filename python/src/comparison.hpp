// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "batches.hpp"

#include <pybind11/pybind11.h>

namespace tracefold::python {

/// Adds diff(), which compares two traces, and guard(), which compares runs.
void add_comparison(pybind11::module_& module);

}  // namespace tracefold::python
