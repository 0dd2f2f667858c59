// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/call_layout.hpp"

#include "model/event_table.hpp"
#include "mpi_calls/rank_views.hpp"

#include <cstddef>

namespace tracefold {

namespace {

using Kind = LayoutPiece::Kind;

/// Slots of each element: immediate ones and whether there are late ones.
struct Slots {
    u32 immediate = 0;
    bool late = false;
};

void add_peer(const Element& element, u32 first_column, std::vector<LayoutPiece>& pieces) {
    if (element.raw) return;
    const PeerFields& fields = peer_fields(element.type);
    if (!fields.exist()) return;
    const u32 skip = static_cast<u32>(element.attributes.size());
    LayoutPiece piece{Kind::peer};
    piece.window = fields.window;
    piece.column = first_column + skip + fields.peer;
    piece.peer = skip + fields.peer;
    piece.scope = skip + fields.scope;
    pieces.push_back(piece);
}

void add_values(u32 column, u32 count, std::vector<LayoutPiece>& pieces) {
    if (count == 0) return;
    const bool goes_on = !pieces.empty() && pieces.back().kind == Kind::values &&
                         pieces.back().column + pieces.back().count == column;
    if (!goes_on) pieces.push_back({Kind::values, false, false, column});
    pieces.back().count += count;
}

}  // namespace

std::vector<LayoutPiece> layout_of(const Symbol& symbol, const SymbolTable::Entry& entry) {
    std::vector<Slots> slots(symbol.elements.size());
    for (const Slot& slot : slots_of(Stream::events, symbol)) {
        if (slot.late) {
            slots[slot.element].late = true;
        } else {
            ++slots[slot.element].immediate;
        }
    }
    std::vector<LayoutPiece> pieces;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const Element& element = symbol.elements[i];
        const SymbolTable::ElementColumns& columns = entry.elements[i];
        if (element.type == kCompletions) {
            pieces.push_back({Kind::completions, false, false, columns.first});
            continue;
        }
        add_peer(element, columns.first, pieces);
        add_values(columns.first, slots[i].immediate, pieces);
        if (slots[i].late) {
            const bool receive = element.type == static_cast<u8>(EventType::MpiIrecvRequest);
            pieces.push_back({Kind::late, receive, false, columns.late});
        }
    }
    return pieces;
}

}  // namespace tracefold
