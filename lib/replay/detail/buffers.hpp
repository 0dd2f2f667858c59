// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "replay/device_memory.hpp"

#include <memory>
#include <unordered_map>

#include <mpi.h>

namespace tracefold {

/// Buffers of messages: one ring per direction, as large as the largest message, not all of them.
/// Received data is never read.
class Buffers {
  public:
    /// Call before the replay: announces the largest piece.
    void expect_outgoing(u64 bytes);
    void expect_incoming(u64 bytes);
    /// Allocates, fills and touches the memory, of the host or (unless null) of a device. Throws
    /// Error(io) if memory is exhausted.
    void allocate(const DeviceRuntime* device = nullptr);
    [[nodiscard]] u64 size() const { return outgoing_.size + incoming_.size; }

    /// Pseudo-random bytes to send, equal in each run. Read-only. Precondition: size was expected.
    void* outgoing(u64 bytes) { return outgoing_.take(bytes); }
    /// Memory to receive into. Consecutive pieces overlap only when the ring wraps.
    void* incoming(u64 bytes) { return incoming_.take(bytes); }

  private:
    struct Ring {
        DeviceRuntime::Memory bytes;
        u64 size = 0;
        u64 next = 0;

        void* take(u64 count) {
            if (count > size - next) next = 0;
            void* piece = bytes.get() + next;
            next += (count + kAlignment - 1) & ~(kAlignment - 1);
            if (next > size) next = size;
            return piece;
        }
    };

    static constexpr u64 kAlignment = 64;

    Ring outgoing_;
    Ring incoming_;
    u64 largest_outgoing_ = 0;
    u64 largest_incoming_ = 0;
};

/// A number of bytes as an MPI count and type.
struct Amount {
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    u64 bytes = 0;
};

/// Converts recorded sizes to amounts: scaled (--bytes-scale), as MPI_BYTE up to 2 GiB and as one
/// element of a derived type beyond, since an MPI count is an int.
class Amounts {
  public:
    explicit Amounts(double scale = 1.0) : scale_(scale) {}
    Amounts(const Amounts&) = delete;
    Amounts& operator=(const Amounts&) = delete;
    ~Amounts();

    /// Cost: O(1); the first use of a size beyond 2 GiB makes its type.
    Amount of(u64 recorded_bytes) {
        const u64 bytes = scaled(recorded_bytes);
        if (bytes <= kMaxCount) [[likely]]
            return {static_cast<int>(bytes), MPI_BYTE, bytes};
        return {1, large_type(bytes), bytes};
    }

    [[nodiscard]] u64 scaled(u64 recorded_bytes) const {
        if (scale_ == 1.0) [[likely]]
            return recorded_bytes;
        return static_cast<u64>(static_cast<double>(recorded_bytes) * scale_);
    }

    static constexpr u64 kMaxCount = 0x7FFFFFFFU;

  private:
    MPI_Datatype large_type(u64 bytes);

    double scale_;
    std::unordered_map<u64, MPI_Datatype> large_;
};

}  // namespace tracefold
