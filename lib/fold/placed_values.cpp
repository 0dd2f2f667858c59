// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/placed_values.hpp"

namespace tracefold {

PlacedValues::PlacedValues(const FoldedSource& source, u32 column, u64 size) : size_(size) {
    /// A run takes as much memory as three listed numbers.
    constexpr u64 kFewestPerRun = 3;
    ColumnCursor cursor(source, column);
    for (u64 place = 0; place < size;) {
        const ValueRun run = cursor.take_run(std::min(cursor.run_size(), size - place));
        if (listed_.empty() && (runs_.size() + 1) * kFewestPerRun <= size) {
            // Single numbers join the run before them.
            if (!runs_.empty() && run.stride == runs_.back().stride &&
                run.start == runs_.back().start + run.stride * (place - runs_.back().first)) {
                place += run.count;
                continue;
            }
            runs_.push_back({place, run.start, run.stride});
        } else {
            if (listed_.empty()) {
                listed_.reserve(size);
                for (u64 i = 0; i < place; ++i) listed_.push_back(at(i));
                runs_ = {};
            }
            for (u64 i = 0; i < run.count; ++i) listed_.push_back(run.start + i * run.stride);
        }
        place += run.count;
    }
}

}  // namespace tracefold
