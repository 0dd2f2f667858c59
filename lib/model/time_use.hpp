// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/region_role.hpp"

#include <string_view>

// clang-format off
/// The activities of a location and their colours in all pictures:
/// X(name, text, colour in words, on a light ground, on a dark ground).
#define TRACEFOLD_TIME_USES(X)                                                       \
    X(computation, "computation", "grey", "#cfd9e4", "#3a4757")                      \
    X(point_to_point, "point-to-point", "blue", "#4d93e0", "#4c97ea")                \
    X(collective, "collective", "orange", "#e8873a", "#ee9550")                      \
    X(one_sided, "one-sided", "violet", "#a582e0", "#a47ee6")                        \
    X(other_mpi, "other MPI", "dark grey", "#8792a2", "#8e99a9")                     \
    X(kernel, "kernel", "green", "#2b9d68", "#43b981")                               \
    X(device_copy, "device copy", "yellow", "#caa01c", "#d9b53c")                    \
    X(device_wait, "wait for device", "red", "#df7f77", "#dd7068")                   \
    X(device_call, "device call", "blue-green", "#67b3a5", "#7ac7b9")                \
    X(thread_wait, "wait for threads", "pink", "#d1608c", "#e07ba3")                 \
    X(file_io, "file I/O", "brown", "#b88f66", "#b58a62")                            \
    X(idle, "idle", "white", "#eef1f5", "#1d242e")
// clang-format on

namespace tracefold {

/// Activity of a location.
enum class TimeUse : u8 {
#define TRACEFOLD_ENUMERATOR(name, text, word, light, dark) name,
    TRACEFOLD_TIME_USES(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

#define TRACEFOLD_ONE(name, text, word, light, dark) +1
inline constexpr std::size_t kTimeUses = 0 TRACEFOLD_TIME_USES(TRACEFOLD_ONE);
#undef TRACEFOLD_ONE

struct TimeUseInfo {
    std::string_view name;   ///< "computation", "point-to-point"
    std::string_view word;   ///< its colour: "blue"
    std::string_view light;  ///< colour on a light ground: "#4d93e0"
    std::string_view dark;
};
const TimeUseInfo& time_use_info(TimeUse use);
inline std::string_view time_use_name(TimeUse use) { return time_use_info(use).name; }

TimeUse time_use_of(AcceleratorUse use);
/// Of a function of MPI, by its name alone; computation of all other functions.
TimeUse time_use_of_mpi(std::string_view function);

}  // namespace tracefold
