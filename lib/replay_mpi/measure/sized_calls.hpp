// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "model/mpi_function.hpp"
#include "replay_mpi/measure/measured_sizes.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// How long calls took, by function and by the bytes that a call sends and receives, in the powers
/// of two of MeasuredSizes. Memory: 2 kB for every function that is called.
class SizedCalls {
  public:
    struct Times {
        u64 calls = 0;
        u64 bytes = 0;           ///< all together
        u64 nanoseconds = 0;     ///< all together
        u64 shortest = ~u64{0};  ///< nanoseconds of one call

        void merge(const Times& other);
        static void each_field(auto& self, auto& visit) {
            visit(self.calls, self.bytes, self.nanoseconds, self.shortest);
        }
        bool operator==(const Times&) const = default;
    };
    using Row = std::array<Times, MeasuredSizes::kBuckets>;

    void add(MpiFunction function, u64 bytes, u64 nanoseconds) {
        times(function)[MeasuredSizes::bucket_of(bytes)].merge(
            {1, bytes, nanoseconds, nanoseconds});
    }
    void merge(const SizedCalls& other);
    static void each_field(auto& self, auto& visit) { visit(self.rows_, self.row_of_); }

    /// Null if the function was not called.
    [[nodiscard]] const Row* find(MpiFunction function) const {
        const u16 row = row_of_[static_cast<std::size_t>(function)];
        return row == 0 ? nullptr : &rows_[row - std::size_t{1}];
    }

  private:
    Row& times(MpiFunction function);

    std::vector<Row> rows_;
    std::array<u16, kMpiFunctions> row_of_{};  ///< from 1 on; 0: none
};

}  // namespace tracefold
