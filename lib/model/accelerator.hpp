// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/region_role.hpp"

#include <string_view>

namespace tracefold {

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
