// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/calls/pending_call.hpp"

#include "fold/field_codec.hpp"
#include "model/event_table.hpp"

#include <cstddef>

namespace tracefold {

namespace {

using Kind = LayoutPiece::Kind;

/// The slots of an element: immediate ones, and whether there are late ones.
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

PendingCall::PendingCall(RankViews& views, bool timing)
    : views_(views),
      timing_(timing),
      table_(Stream::events),
      completions_element_(table_.element({kCompletions, false, 0, 0, {}})) {}

void PendingCall::begin_completions() {
    constexpr RecordKey kKey = make_key(kCompletions, 0);
    const u32 known = table_.follow(node_, kKey);
    append(known != kNone ? known : table_.step(node_, completions_element_, kKey));
    completions_ = values_.size();
    values_.push_back(0);
}

u32 PendingCall::post_late(u8 value_count) {
    const u32 entry = late_.add(value_count);
    posted_.push_back(entry);
    return entry;
}

void PendingCall::resolve(u32 late, bool receive, const LateValues::Values& values,
                          CallBatch& out) {
    const std::size_t first = out.values.size();
    late_.resolve(late, values, out);
    if (receive) note_late_peers(first, out);
}

/// Registers peers of completed receives: four values each from `first_value` on.
void PendingCall::note_late_peers(std::size_t first_value, const CallBatch& out) {
    for (std::size_t i = first_value; i + 3 < out.values.size(); i += 4) {
        const u64 scope = out.values[i + 1].value;
        if (scope == kNeverCompleted) continue;
        peers_.note(out.values[i].column, out.values[i].value, scope,
                    [&] { return views_.of_communicator(scope); });
    }
}

inline void PendingCall::give_values(const LayoutPiece& piece, Rest& rest, CallBatch& out) {
    CallBatch::Value* const to = out.values.extend(piece.count);
    for (std::size_t i = 0; i < piece.count; ++i) {
        to[i] = {piece.column + static_cast<u32>(i), rest.values[i]};
    }
    rest.values += piece.count;
}

inline void PendingCall::give_completions(const LayoutPiece& piece, Rest& rest, CallBatch& out) {
    const u64 count = *rest.values++;
    CallBatch::Value* const to = out.values.extend(count + 1);
    to[0] = {piece.column, count};
    for (u64 i = 0; i < count; ++i) to[i + 1] = {piece.column + 1, rest.values[i]};
    rest.values += count;
}

inline void PendingCall::give_late(const LayoutPiece& piece, Rest& rest, CallBatch& out) {
    const std::size_t first = out.values.size();
    late_.post(*rest.posted++, piece.column, out);
    if (piece.receive) note_late_peers(first, out);
}

inline void PendingCall::note_peer(const LayoutPiece& piece, const Rest& rest) {
    const u64 scope = rest.values[piece.scope];
    peers_.note(piece.column, rest.values[piece.peer], scope, [&] {
        return piece.window ? views_.of_window(scope) : views_.of_communicator(scope);
    });
}

/// Outputs elements [first_element, end_element) as one symbol.
void PendingCall::give(u32 symbol, u32 first_element, u32 end_element, Rest& rest, CallBatch& out) {
    const SymbolTable::Entry& entry = table_.entry(symbol);
    if (symbol == layouts_.size()) layouts_.push_back(layout_of(table_.symbols()[symbol], entry));
    out.symbols.push_back(symbol);
    for (const LayoutPiece& piece : layouts_[symbol]) {
        switch (piece.kind) {
            case LayoutPiece::Kind::values:
                give_values(piece, rest, out);
                break;
            case LayoutPiece::Kind::completions:
                give_completions(piece, rest, out);
                break;
            case LayoutPiece::Kind::late:
                give_late(piece, rest, out);
                break;
            case LayoutPiece::Kind::peer:
                note_peer(piece, rest);
                break;
        }
    }
    for (; rest.delta < deltas_.size() && deltas_[rest.delta].element < end_element; ++rest.delta) {
        const u32 group = entry.first_group + deltas_[rest.delta].element - first_element;
        out.deltas.push_back({group, deltas_[rest.delta].ticks});
    }
}

void PendingCall::give_whole(CallBatch& out) {
    Rest rest{values_.data(), posted_.data(), 0};
    give(table_.symbol_at(node_), 0, size_, rest, out);
    clear();
}

void PendingCall::give_elements(CallBatch& out) {
    if (size_ == 1 && last_type() != kCompletions) return give_whole(out);
    way_.clear();
    for (u32 at = node_; at != SymbolTable::kRoot; at = table_.parent(at)) way_.push_back(at);
    Rest rest{values_.data(), posted_.data(), 0};
    for (u32 i = 0; i < size_; ++i) {
        const u32 node = way_[size_ - 1 - i];
        const bool empty_run = table_.type_at(node) == kCompletions && *rest.values == 0;
        if (empty_run) {
            ++rest.values;
            continue;
        }
        const u32 single = table_.step(SymbolTable::kRoot, table_.element_at(node));
        give(table_.symbol_at(single), i, i + 1, rest, out);
    }
    clear();
}

void PendingCall::clear() {
    node_ = SymbolTable::kRoot;
    size_ = 0;
    values_.clear();
    posted_.clear();
    deltas_.clear();
}

}  // namespace tracefold
