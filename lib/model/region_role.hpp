// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string_view>

namespace tracefold {

/// The values of OTF2_RegionRole that analyses distinguish.
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

/// True for roles with communication, waits for it, or file access: a replay has to issue them.
constexpr bool communicates(RegionRole role) {
    return is_communication(role) || role == RegionRole::barrier || role == RegionRole::file_io;
}

/// The use of an accelerator by a region.
enum class AcceleratorUse : u8 {
    none,    ///< host computation, MPI, etc.
    kernel,  ///< runs on the accelerator
    copy,    ///< transfers or sets accelerator memory, on host or stream
    wait,    ///< the host waits for the accelerator
    call,    ///< any other API call; on a stream, memory management on the host
    idle,    ///< a recorder's pseudo region for an idle accelerator
};
inline constexpr std::size_t kAcceleratorUses = 6;

/// "kernel", "copy", "wait".
std::string_view accelerator_use_name(AcceleratorUse use);

/// Returns the displayed name of a copy outside any region: "COPY TO DEVICE".
std::string_view copy_name(bool to_device);

/// True for OTF2 paradigms of class accelerator: CUDA, HIP, OpenCL, ...
bool is_accelerator_paradigm(u64 paradigm);

/// Classifies a region on a host thread. `of_accelerator`: its paradigm is that of an accelerator;
/// without this information, function names of CUDA and HIP decide.
AcceleratorUse use_on_host(std::string_view name, RegionRole role, bool of_accelerator);

AcceleratorUse use_on_stream(std::string_view name, RegionRole role);

}  // namespace tracefold
