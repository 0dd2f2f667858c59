// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/append_buffer.hpp"
#include "core/types.hpp"

#include <vector>

namespace tracefold {

/// What a timing group stands for: an element of a symbol.
struct RecordPlace {
    u32 symbol;
    u32 element;
};

/// What the call model hands to the folding engine: symbols in execution order, and for every
/// column (numbered per location: the slots of symbol 0, of symbol 1, ...) its values in order.
/// Cleared and refilled without allocation.
struct CallBatch {
    struct Value {
        u32 column;
        u64 value;
    };
    /// Ticks since the previous record of the location; `group` numbers (symbol, element) pairs.
    struct Delta {
        u32 group;
        u64 ticks;
    };

    AppendBuffer<u32> symbols;
    AppendBuffer<Value> values;
    std::vector<Delta> deltas;

    void clear() {
        symbols.clear();
        values.clear();
        deltas.clear();
    }
};

}  // namespace tracefold
