// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/time_use.hpp"

namespace tracefold::inline analysis {

std::string_view time_use_name(TimeUse use) {
    switch (use) {
        case TimeUse::computation:
            return "computation";
        case TimeUse::point_to_point:
            return "point-to-point";
        case TimeUse::collective:
            return "collective";
        case TimeUse::one_sided:
            return "one-sided";
        case TimeUse::other_mpi:
            return "other MPI";
        case TimeUse::kernel:
            return "kernel";
        case TimeUse::device_copy:
            return "device copy";
        case TimeUse::device_wait:
            return "wait for device";
        case TimeUse::device_call:
            return "device call";
        case TimeUse::thread_wait:
            return "wait for threads";
        case TimeUse::file_io:
            return "file I/O";
        case TimeUse::idle:
            break;
    }
    return "idle";
}

}  // namespace tracefold::inline analysis
