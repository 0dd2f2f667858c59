// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"

namespace tracefold {

/// What a replay does with a call.
enum class Treatment : u8 {
    issued,
    counted,      ///< reaches no other process, or the replay does it by itself: not issued
    unsupported,  ///< cannot be issued; the program is refused, or the call left out everywhere
};

Treatment treatment_of(const MpiCall& call);

}  // namespace tracefold
