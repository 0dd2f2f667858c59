// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "open_trace.hpp"

#include <memory>

#include <pybind11/pybind11.h>

namespace tracefold::python {

/// What is known of a trace without unfolding it: names, clock, archive.
pybind11::dict facts_of(OpenTrace& trace);
/// One dict per location: label, rank, thread, name, kind, events.
pybind11::list locations_of(OpenTrace& trace);
/// One dict per metric: name, unit, mode.
pybind11::list metrics_of(OpenTrace& trace);
/// What trace_inspect info counts: events, calls by region, records by type, length.
pybind11::dict counts_of(OpenTrace& trace);

}  // namespace tracefold::python
