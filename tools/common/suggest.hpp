// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// The candidate that WORD was most likely meant to be: the one with the fewest inserted, deleted,
/// changed or swapped characters; none if that takes more than a third of the word. The first of
/// several equals wins.
std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& candidates);

}  // namespace tracefold
