// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string_view>

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

/// What a region has to do with an accelerator.
enum class AcceleratorUse : u8 {
    none,    ///< nothing: computation on the host, MPI, and so on
    kernel,  ///< runs on the accelerator
    copy,    ///< moves or sets memory of an accelerator, seen from either side
    wait,    ///< the host waits for the accelerator
    call,    ///< any other call of the interface; on a stream, memory management on the host
    idle,    ///< a recorder's own region for an accelerator that does nothing
};
inline constexpr std::size_t kAcceleratorUses = 6;

/// "kernel", "copy", "wait".
std::string_view accelerator_use_name(AcceleratorUse use);

/// How people are told of a copy that is no region of its own: "COPY TO DEVICE".
std::string_view copy_name(bool to_device);

/// True for the paradigms of OTF2 that are accelerators' by definition: CUDA, HIP, OpenCL, ...
bool is_accelerator_paradigm(u64 paradigm);

/// Of a region on a thread of the host: `of_accelerator` says whether its paradigm is that of an
/// accelerator; recorders that do not tell are known by the names of the functions of CUDA and HIP.
AcceleratorUse use_on_host(std::string_view name, RegionRole role, bool of_accelerator);

/// Of a region on a stream of an accelerator.
AcceleratorUse use_on_stream(std::string_view name, RegionRole role);

}  // namespace tracefold
