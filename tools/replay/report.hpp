// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "core/json_writer.hpp"
#include "replay/options.hpp"
#include "replay_mpi/replay_result.hpp"

#include <ostream>

namespace tracefold {

/// Prints what came out: a table and a summary line, or JSON.
void report(const ReplayArguments& arguments, const ReplayResult& result, Console& console);

/// The result as one object; docs/replay.md describes it.
void write_json(JsonWriter& json, const ReplayArguments& arguments, const ReplayResult& result);

/// The result as one table with a line for every number: section, rank (empty: all), name,
/// quantity, value. RFC 4180.
void write_csv(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result);

/// The result as a page for people, that needs no other file and no network.
void write_html(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result);

}  // namespace tracefold
