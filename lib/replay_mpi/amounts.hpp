// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <unordered_map>

#include <mpi.h>

namespace tracefold {

/// A number of bytes as MPI counts them.
struct Amount {
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    u64 bytes = 0;
};

/// Turns recorded sizes into amounts: scaled (--bytes-scale), as MPI_BYTE up to 2 GiB and as one
/// item of a derived type beyond, since MPI counts with an int.
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
