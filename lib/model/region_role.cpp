// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/region_role.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace tracefold {

namespace {

constexpr char lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// `word` is in lower case.
bool contains(std::string_view name, std::string_view word) {
    return std::search(name.begin(), name.end(), word.begin(), word.end(),
                       [](char a, char b) { return lower_case(a) == b; }) != name.end();
}

template <std::size_t N>
bool contains_any(std::string_view name, const std::array<std::string_view, N>& words) {
    return std::any_of(words.begin(), words.end(),
                       [name](std::string_view word) { return contains(name, word); });
}

/// Matches cudaLaunchKernel, hipMemcpy.
bool is_of_runtime(std::string_view name) {
    for (const std::string_view prefix : {"cuda", "hip"}) {
        if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
        if (std::isupper(static_cast<unsigned char>(name[prefix.size()])) != 0) return true;
    }
    return false;
}

bool is_copy(std::string_view name, RegionRole role) {
    constexpr std::array<std::string_view, 12> kWords = {
        "memcpy",      "memset",      "memory_copy",  "memory copy",
        "memory_fill", "memoryfill",  "memorycopy",   "acc_enqueue_upload",
        "memprefetch", "enqueueread", "enqueuewrite", "acc_enqueue_download"};
    return role == RegionRole::data_transfer || contains_any(name, kWords) ||
           contains(name, "enqueuecopy") || contains(name, "enqueuefill");
}

/// A wait on a stream, such as cudaStreamWaitEvent, does not block the host.
bool is_wait(std::string_view name, RegionRole role) {
    constexpr std::array<std::string_view, 5> kWords = {"synchronize", "waitforevents", "clfinish",
                                                        "acc_wait", "taskwait"};
    return role == RegionRole::barrier || role == RegionRole::task_wait ||
           contains_any(name, kWords);
}

/// True for the memory operations that rocprofv3 records on streams of their own.
bool is_memory_management(std::string_view name, RegionRole role) {
    return role == RegionRole::allocate || role == RegionRole::deallocate ||
           role == RegionRole::reallocate || name.starts_with("MEMORY_ALLOCATION") ||
           name.starts_with("SCRATCH_MEMORY");
}

}  // namespace

std::string_view accelerator_use_name(AcceleratorUse use) {
    constexpr std::array<std::string_view, kAcceleratorUses> kNames = {"none", "kernel", "copy",
                                                                       "wait", "call",   "idle"};
    return kNames[static_cast<std::size_t>(use)];
}

std::string_view copy_name(bool to_device) {
    return to_device ? "COPY TO DEVICE" : "COPY FROM DEVICE";
}

bool is_accelerator_paradigm(u64 paradigm) {
    // CUDA, HMPP, OpenACC, OpenCL, HIP, OpenMP target (OTF2 3.1)
    constexpr std::array<u64, 6> kParadigms = {5, 8, 18, 19, 23, 25};
    return std::find(kParadigms.begin(), kParadigms.end(), paradigm) != kParadigms.end();
}

AcceleratorUse use_on_host(std::string_view name, RegionRole role, bool of_accelerator) {
    if (!of_accelerator && !is_of_runtime(name)) return AcceleratorUse::none;
    if (is_copy(name, role)) return AcceleratorUse::copy;
    return is_wait(name, role) ? AcceleratorUse::wait : AcceleratorUse::call;
}

AcceleratorUse use_on_stream(std::string_view name, RegionRole role) {
    if (is_copy(name, role)) return AcceleratorUse::copy;
    if (is_memory_management(name, role)) return AcceleratorUse::call;
    const bool is_idle = name == "GPU IDLE" || name == "COMPUTE IDLE" || name == "PURE IDLE";
    return is_idle ? AcceleratorUse::idle : AcceleratorUse::kernel;
}

}  // namespace tracefold
