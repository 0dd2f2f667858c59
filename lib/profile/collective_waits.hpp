// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/collective_kind.hpp"

#include <string_view>

namespace tracefold {

/// What a process waits for within an MPI call.
enum class WaitKind : u8 {
    late_sender,    ///< a message that is not sent yet
    late_receiver,  ///< a blocking send whose receive is not posted yet
    barrier,        ///< the last one at a barrier
    all_to_all,     ///< the last one, where everybody needs everybody
    late_root,      ///< the root of a broadcast or scatter
    early_root,     ///< at the root of a reduction or gather: the last one
    prefix,         ///< those of lower rank in a scan
    fence,          ///< the last one at a fence of a window
    late_post,      ///< the exposure of a window that is accessed
    late_complete,  ///< the end of the accesses to a window
    late_unlock,    ///< another one to release the lock of a window
};
inline constexpr std::size_t kWaitKinds = 11;

/// "late_sender"
std::string_view wait_name(WaitKind kind);

/// What the members of a collective operation wait for.
WaitKind collective_wait(CollectiveKind kind);

}  // namespace tracefold
