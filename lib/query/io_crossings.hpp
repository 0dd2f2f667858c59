// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <unordered_map>
#include <vector>

namespace tracefold {

/// Operations on files that one location begins and another one completes: of a thread that waits
/// for those of all, or of a kernel, where any processor may get the interrupt.
///
/// A completion is matched by handle and matching id: with the last operation that is open on its
/// own location, else on one of its process, else, of locations that belong to no MPI rank, on any.
/// Memory: nothing where all operations complete on their locations, else their records.
class IoCrossings {
  public:
    /// How an operation ended on another location.
    struct End {
        u64 begin = 0;  ///< number of its record among the location's IoOperationBegin records
        u64 bytes = 0;
        u64 time = 0;  ///< ticks
        bool cancelled = false;
    };
    /// Both by rising number.
    struct Location {
        std::vector<End> begun;  ///< on the location, and ended elsewhere
        /// Numbers, among the location's records that complete or cancel operations, of those that
        /// end one of another location.
        std::vector<u64> ended;
    };

    /// Cost: the events of the locations with such operations, unless each call ends those that it
    /// begins. Throws Error(corrupt).
    explicit IoCrossings(TraceFile& file);

    /// Null: all operations of the location end on it.
    [[nodiscard]] const Location* of(u32 location) const {
        const auto found = locations_.find(location);
        return found == locations_.end() ? nullptr : &found->second;
    }

  private:
    std::unordered_map<u32, Location> locations_;
};

}  // namespace tracefold
