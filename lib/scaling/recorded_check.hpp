// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/script_model.hpp"

namespace tracefold {

/// True if two sequences are the same calls with the same arguments, but for those that are free
/// (FitOptions::is_free) and, with `any_order`, for what only completions know. Cost: their values.
bool are_the_same(const CallSequence& made, const CallSequence& recorded, const CallTypes& kinds,
                  const FitOptions& options, bool any_order);

}  // namespace tracefold
