// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/json_writer.hpp"
#include "replay/options.hpp"
#include "replay_mpi/replay_result.hpp"

namespace tracefold {

/// The result as one object; docs/replay.md describes it.
void write_json(JsonWriter& json, const ReplayArguments& arguments, const ReplayResult& result);

}  // namespace tracefold
