// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <cstddef>

namespace tracefold {

/// What became of a part of a trace in a conversion.
enum class Fate : u8 {
    written,       ///< as the format has it
    expanded,      ///< several things of the format stand for it
    approximated,  ///< it is there, but not all that was recorded of it
    merged,        ///< it is part of something else there: of computation, or of a wait
    dropped,       ///< it is not there
};
inline constexpr std::size_t kFates = 5;

}  // namespace tracefold
