// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/script_model.hpp"

#include <optional>
#include <string>

namespace tracefold::inline scaling {

/// Where two sequences are not the same calls with the same arguments, but for those that are free
/// (FitOptions::is_free) and, with `any_order`, for what only completions know: "MPI_Isend,
/// receiver". Nothing if they are the same. Cost: their values.
std::optional<std::string> first_difference(const CallSequence& made, const CallSequence& recorded,
                                            const CallTypes& kinds, const FitOptions& options,
                                            bool any_order);

}  // namespace tracefold::inline scaling
