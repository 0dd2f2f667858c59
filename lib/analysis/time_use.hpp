// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <cstddef>
#include <string_view>

namespace tracefold::inline analysis {

/// What a location spends its time on.
enum class TimeUse : u8 {
    computation,
    point_to_point,
    collective,
    one_sided,
    other_mpi,
    kernel,       ///< on a stream of an accelerator
    device_copy,  ///< to or from an accelerator, on a stream or a thread
    device_wait,  ///< a thread waits for an accelerator
    device_call,  ///< any other call of an accelerator's interface
    thread_wait,  ///< a thread waits for others, or starts and ends them
    file_io,      ///< calls on files, of MPI or others
    idle,         ///< a stream or a worker thread has nothing to do
};
inline constexpr std::size_t kTimeUses = 12;

/// "computation", "point-to-point".
std::string_view time_use_name(TimeUse use);

}  // namespace tracefold::inline analysis
