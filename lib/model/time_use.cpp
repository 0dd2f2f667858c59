// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/time_use.hpp"

#include "model/mpi_function.hpp"

#include <array>

namespace tracefold {

const TimeUseInfo& time_use_info(TimeUse use) {
#define TRACEFOLD_INFO(name, text, word, light, dark) TimeUseInfo{text, word, light, dark},
    static constexpr std::array<TimeUseInfo, kTimeUses> kInfos = {
        TRACEFOLD_TIME_USES(TRACEFOLD_INFO)};
#undef TRACEFOLD_INFO
    return kInfos[static_cast<std::size_t>(use)];
}

TimeUse time_use_of(AcceleratorUse use) {
    constexpr std::array<TimeUse, kAcceleratorUses> kUses = {
        TimeUse::computation, TimeUse::kernel,      TimeUse::device_copy,
        TimeUse::device_wait, TimeUse::device_call, TimeUse::idle};
    return kUses[static_cast<std::size_t>(use)];
}

TimeUse time_use_of_mpi(std::string_view function) {
    const std::optional<MpiFunctionInfo> info = find_mpi_function(function);
    if (!info) return TimeUse::computation;
    switch (info->family) {
        case CallFamily::send:
        case CallFamily::receive:
        case CallFamily::send_receive:
        case CallFamily::post_send:
        case CallFamily::post_receive:
        case CallFamily::persistent_init:
        case CallFamily::start:
        case CallFamily::completion:
        case CallFamily::probe:
        case CallFamily::matched_receive:
            return TimeUse::point_to_point;
        case CallFamily::collective:
        case CallFamily::post_collective:
        case CallFamily::neighbour:
            return TimeUse::collective;
        case CallFamily::window:
            return TimeUse::one_sided;
        case CallFamily::file:
            return TimeUse::file_io;
        default:
            return TimeUse::other_mpi;
    }
}

}  // namespace tracefold
