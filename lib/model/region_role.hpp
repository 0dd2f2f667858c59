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
    one_sided = 29,
    data_transfer = 30,
    thread_create = 32,
    thread_wait = 33,
    task_untied = 34,
    allocate = 35,
    deallocate = 36,
    reallocate = 37,
    file_io_metadata = 38,
};

/// True for roles of functions that communicate with other processes.
constexpr bool is_communication(RegionRole role) {
    return (role >= RegionRole::one_to_all && role <= RegionRole::other_collective) ||
           role == RegionRole::point_to_point || role == RegionRole::one_sided;
}

/// The same, or waits for them, or uses files: what a replay has to issue.
constexpr bool communicates(RegionRole role) {
    return is_communication(role) || role == RegionRole::barrier || role == RegionRole::file_io;
}

}  // namespace tracefold
