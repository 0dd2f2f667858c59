// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/operation.hpp"

namespace tracefold {

/// What a replay does with a call.
enum class Treatment : u8 {
    issued,
    counted,      ///< reaches no other process, or the replay does it by itself: not issued
    unsupported,  ///< cannot be issued; the program is refused, or the call left out everywhere
};

Treatment treatment_of(const Operation& operation);

}  // namespace tracefold
