// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

namespace tracefold {

/// OTF2_RegionRole, by its numbers: those that questions are asked about.
enum class RegionRole : u64 {
    unknown = 0,
    function = 1,
    wrapper = 2,
    loop = 3,
    code = 4,
    critical = 12,
    atomic = 14,
    barrier = 15,
    implicit_barrier = 16,
    flush = 17,
    ordered = 18,
    task = 20,
    task_create = 21,
    task_wait = 22,
    one_to_all = 23,
    all_to_one = 24,
    all_to_all = 25,
    other_collective = 26,
    file_io = 27,
    point_to_point = 28,
    remote_access = 29,
    data_transfer = 30,
    thread_create = 32,
    thread_wait = 33,
    task_untied = 34,
    file_io_metadata = 38,
};

/// True for what a function of MPI does with other processes or their files.
constexpr bool communicates(RegionRole role) {
    switch (role) {
        case RegionRole::barrier:
        case RegionRole::one_to_all:
        case RegionRole::all_to_one:
        case RegionRole::all_to_all:
        case RegionRole::other_collective:
        case RegionRole::file_io:
        case RegionRole::point_to_point:
        case RegionRole::remote_access:
            return true;
        default:
            return false;
    }
}

}  // namespace tracefold
