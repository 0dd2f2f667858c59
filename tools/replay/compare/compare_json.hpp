// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/json_writer.hpp"
#include "replay/compare/comparison.hpp"

namespace tracefold {

/// The document tracefold.replay_comparison, in seconds and bytes.
void write_comparison_json(JsonWriter& json, const Comparison& comparison);

}  // namespace tracefold
