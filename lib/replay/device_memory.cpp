// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/device_memory.hpp"

#include "base/error.hpp"

#include <array>
#include <span>

#include <dlfcn.h>

namespace tracefold {

/// Names and arguments are the same in both runtimes, but for the first letters.
struct DeviceRuntime::Functions {
    void* handle = nullptr;
    std::string prefix;
    int (*get_device_count)(int*) = nullptr;
    int (*set_device)(int) = nullptr;
    int (*allocate)(void**, std::size_t) = nullptr;
    int (*allocate_managed)(void**, std::size_t, unsigned) = nullptr;
    int (*free)(void*) = nullptr;
    int (*copy)(void*, const void*, std::size_t, int) = nullptr;

    template <class Function>
    void find(const char* name, Function*& function) const {
        function = reinterpret_cast<Function*>(::dlsym(handle, (prefix + name).c_str()));
        if (function != nullptr) return;
        throw Error(ErrorKind::unsupported, "the runtime for device buffers lacks {}{}", prefix,
                    name);
    }
};

namespace {

constexpr int kHostToDevice = 1;
constexpr unsigned kAttachGlobal = 1;

/// Versions that programs link with, the newest first.
constexpr std::array kCuda = {"libcudart.so", "libcudart.so.13", "libcudart.so.12",
                              "libcudart.so.11.0"};
constexpr std::array kHip = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                             "libamdhip64.so.5"};

void* load(std::span<const char* const> names, std::string& found) {
    for (const char* const name : names) {
        found = name;
        if (void* handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return handle;
    }
    return nullptr;
}

}  // namespace

DeviceRuntime::DeviceRuntime(BufferPlace place, u32 process_of_node)
    : functions_(std::make_unique<Functions>()), managed_(place == BufferPlace::managed) {
    Functions& f = *functions_;
    if (place != BufferPlace::hip) {
        f.prefix = "cuda";
        f.handle = load(kCuda, library_);
    }
    if (f.handle == nullptr && place != BufferPlace::cuda) {
        f.prefix = "hip";
        f.handle = load(kHip, library_);
    }
    if (f.handle == nullptr) {
        const char* const name = place == BufferPlace::cuda  ? "CUDA runtime (libcudart.so)"
                                 : place == BufferPlace::hip ? "HIP runtime (libamdhip64.so)"
                                                             : "CUDA or HIP runtime";
        throw Error(ErrorKind::unsupported,
                    "device buffers need the {}, which is not installed or not in "
                    "LD_LIBRARY_PATH",
                    name);
    }
    f.find("GetDeviceCount", f.get_device_count);
    f.find("SetDevice", f.set_device);
    f.find("Malloc", f.allocate);
    f.find("MallocManaged", f.allocate_managed);
    f.find("Free", f.free);
    f.find("Memcpy", f.copy);
    if (f.get_device_count(&devices_) != 0) devices_ = 0;
    if (devices_ == 0) {
        throw Error(ErrorKind::unsupported, "device buffers need a device, but {} finds none",
                    library_);
    }
    device_ = static_cast<int>(process_of_node % static_cast<u32>(devices_));
    check(f.set_device(device_), "SetDevice");
}

/// The library stays loaded: MPI may use it.
DeviceRuntime::~DeviceRuntime() = default;

void DeviceRuntime::check(int code, const char* function) const {
    if (code == 0) return;
    throw Error(ErrorKind::io, "{}{} failed with code {} on device {}", functions_->prefix,
                function, code, device_);
}

void DeviceRuntime::Free::operator()(std::byte* memory) const {
    if (runtime == nullptr) {
        delete[] memory;
    } else {
        (void)runtime->functions_->free(memory);
    }
}

DeviceRuntime::Memory DeviceRuntime::allocate(u64 bytes) const {
    void* memory = nullptr;
    const Functions& f = *functions_;
    check(managed_ ? f.allocate_managed(&memory, bytes, kAttachGlobal) : f.allocate(&memory, bytes),
          managed_ ? "MallocManaged" : "Malloc");
    return {static_cast<std::byte*>(memory), Free{this}};
}

void DeviceRuntime::copy(std::byte* to, const std::byte* from, u64 bytes) const {
    check(functions_->copy(to, from, bytes, kHostToDevice), "Memcpy");
}

}  // namespace tracefold
