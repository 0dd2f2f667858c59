// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <memory>
#include <string>

namespace tracefold {

/// Where the buffers of messages are.
enum class BufferPlace : u8 {
    host,
    cuda,     ///< memory of a device
    hip,      ///< memory of a device
    managed,  ///< memory that host and device share, by CUDA or else HIP
};

/// The CUDA or HIP runtime, found when the program runs. Not thread-safe.
class DeviceRuntime {
  public:
    /// Loads the runtime, and selects a device by the number of the process on its node. Throws
    /// Error(unsupported) if there is no runtime, or no device.
    DeviceRuntime(BufferPlace place, u32 process_of_node);
    DeviceRuntime(const DeviceRuntime&) = delete;
    DeviceRuntime& operator=(const DeviceRuntime&) = delete;
    ~DeviceRuntime();

    struct Free {
        const DeviceRuntime* runtime = nullptr;  ///< null: memory of the host
        void operator()(std::byte* memory) const;
    };
    using Memory = std::unique_ptr<std::byte[], Free>;

    /// Memory of this process's device. Throws Error(io).
    [[nodiscard]] Memory allocate(u64 bytes) const;
    /// Copies from the host. Throws Error(io).
    void copy(std::byte* to, const std::byte* from, u64 bytes) const;

    [[nodiscard]] const std::string& library() const { return library_; }
    [[nodiscard]] int device() const { return device_; }
    [[nodiscard]] int devices() const { return devices_; }

  private:
    struct Functions;

    void check(int code, const char* function) const;

    std::string library_;
    std::unique_ptr<Functions> functions_;
    bool managed_;
    int devices_ = 0;
    int device_ = 0;
};

}  // namespace tracefold
