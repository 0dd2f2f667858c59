// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

namespace tracefold {

/// What messages that MPI keeps in order have in common.
struct MessageChannel {
    u64 comm = 0;
    u32 source = 0;  ///< world ranks
    u32 destination = 0;
    u32 tag = 0;

    auto operator<=>(const MessageChannel&) const = default;
};

}  // namespace tracefold
