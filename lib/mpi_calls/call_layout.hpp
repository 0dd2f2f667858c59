// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/symbol.hpp"
#include "mpi_calls/symbol_table.hpp"

#include <vector>

namespace tracefold {

/// A step of dealing the immediate values of a call out to its columns.
struct LayoutPiece {
    enum class Kind : u8 {
        values,       ///< the next `count` values go to `column` and those after it
        completions,  ///< the next value n to `column`, the n values behind it to the next column
        late,         ///< what the next request reveals goes to `column` and those after it
        peer,         ///< looks at a peer among the values to come; takes none
    };

    Kind kind = Kind::values;
    bool receive = false;  ///< of `late`: the request is a receive
    bool window = false;   ///< of `peer`: the scope is a window
    u32 column = 0;
    u32 count = 0;
    u32 peer = 0;   ///< how many values ahead the peer stands,
    u32 scope = 0;  ///< and the communicator or window that it is a rank of
};

/// The immediate values of a symbol of the event stream stand in the order of its elements, those
/// of an element in the order of its slots. Cost: linear in the slots.
std::vector<LayoutPiece> layout_of(const Symbol& symbol, const SymbolTable::Entry& entry);

}  // namespace tracefold
