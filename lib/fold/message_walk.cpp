// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/message_walk.hpp"

#include "core/hash.hpp"
#include "core/wide_integer.hpp"
#include "fold/execution_counts.hpp"
#include "fold/location_cursor.hpp"
#include "model/symbol.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

namespace {

std::optional<MessagePart::Place> place_of(FieldKind kind) {
    switch (kind) {
        case FieldKind::peer:
            return MessagePart::peer;
        case FieldKind::comm:
            return MessagePart::communicator;
        case FieldKind::tag:
            return MessagePart::tag;
        case FieldKind::bytes:
            return MessagePart::size;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::vector<MessagePart> message_parts(const Structure& structure) {
    std::vector<MessagePart> parts;
    for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
        const Stream stream = structure.symbol_streams[symbol];
        if (stream != Stream::events) continue;
        const std::vector<Slot> slots = slots_of(stream, structure.symbols[symbol]);
        for (u32 i = 0; i < slots.size(); ++i) {
            const auto place = place_of(slots[i].kind);
            const MessageSide end =
                message_side(structure.symbols[symbol].elements[slots[i].element], slots[i]);
            if (!place || end == MessageSide::none) continue;
            // The peer is the first field of a send and of a receive.
            if (*place == MessagePart::peer) parts.push_back({symbol, end, {}});
            parts.back().slots[*place] = i;
        }
    }
    return parts;
}

std::size_t MessageWalk::Hash::operator()(const Channel& channel) const {
    u64 hash = mix(channel.from);
    for (const u64 number : {channel.to, channel.communicator, channel.tag}) {
        hash = mix(hash + number);
    }
    return static_cast<std::size_t>(hash);
}

MessageWalk::MessageWalk(const Structure& structure, const std::vector<MessagePart>& parts,
                         Matching matching)
    : structure_(structure),
      parts_(parts),
      matching_(matching),
      places_(structure.symbols.size()),
      varies_(structure.symbols.size(), false),
      last_(parts.size(), {Channel{}, kNone}) {
    for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
        const auto before = first_part_.empty() ? u32{0} : first_part_.back();
        first_part_.push_back(before);
        while (first_part_.back() < parts.size() && parts[first_part_.back()].symbol < symbol) {
            ++first_part_.back();
        }
        slots_.push_back(slots_of(structure.symbol_streams[symbol], structure.symbols[symbol]));
    }
    first_part_.push_back(static_cast<u32>(parts.size()));
}

bool MessageWalk::run(u64 most_values, u64 most_sides) {
    StructureIndex index(structure_);
    if (exceeds(index, most_values, most_sides)) return false;
    AppendBuffer<u64> values;
    u32 symbol = 0;
    for (u32 location = 0; location < structure_.location_count; ++location) {
        LocationCursor cursor(index, Stream::events, location);
        while (cursor.next(symbol, values)) {
            if (values.size() >= most_values) return false;
            most_values -= values.size() + 1;
            sides_ += first_part_[symbol + 1] - first_part_[symbol];
            if (sides_ > most_sides) return false;
            if (first_part_[symbol] == first_part_[symbol + 1]) continue;
            if (places_[symbol].empty() || varies_[symbol]) find_places(symbol, values);
            for (u32 part = first_part_[symbol]; part < first_part_[symbol + 1]; ++part) {
                add(location, part, values);
            }
        }
    }
    return true;
}

/// Whether the calls have more values or sides even if nothing is repeated within a call.
bool MessageWalk::exceeds(StructureIndex& index, u64 most_values, u64 most_sides) const {
    const ExecutionCounts counts(index, Stream::events,
                                 [](u32 /*location*/) { return kMostRecords; });
    u128 values = 0;
    u128 sides = 0;
    for (u32 symbol = 0; symbol < structure_.symbols.size(); ++symbol) {
        const u128 calls = counts.calls(symbol);
        const auto sure = std::ranges::count_if(
            slots_[symbol], [](const Slot& slot) { return slot.shape != SlotShape::each; });
        values += calls * (static_cast<u64>(sure) + 1);
        sides += calls * (first_part_[symbol + 1] - first_part_[symbol]);
    }
    return values > most_values || sides > most_sides;
}

/// Where the values of each slot begin.
void MessageWalk::find_places(u32 symbol, std::span<const u64> values) {
    std::vector<std::size_t>& places = places_[symbol];
    places.clear();
    std::size_t place = 0;
    SlotValues slot_values;
    for (const Slot& slot : slots_[symbol]) {
        places.push_back(place);
        if (slot.shape == SlotShape::count) varies_[symbol] = true;
        place += slot_values.count(slot.shape, values.data() + place);
    }
}

void MessageWalk::add(u32 location, u32 part, std::span<const u64> values) {
    const MessagePart& message = parts_[part];
    const std::vector<std::size_t>& places = places_[message.symbol];
    const auto value = [&](MessagePart::Place place) {
        return values[places[message.slots[place]]];
    };
    const PeerEncoding encoding = message.assignment(structure_, MessagePart::peer).peers;
    const u64 other = location + relative_peer(value(MessagePart::peer), encoding, location,
                                               structure_.location_count);
    const bool sends = message.end == MessageSide::send;
    const Message told{value(MessagePart::tag), value(MessagePart::size)};
    const Channel channel{sends ? location : other, sends ? other : location,
                          value(MessagePart::communicator),
                          matching_ == Matching::by_tag ? told.tag : 0};
    const u32 number = number_of(part, channel);
    if (sends) {
        sent_[number].push_back(told);
    } else {
        receives_.push_back({location, part, number, told});
    }
}

/// Most messages take the way of the one before.
u32 MessageWalk::number_of(u32 part, const Channel& channel) {
    auto& [last, number] = last_[part];
    if (number != kNone && last == channel) return number;
    const auto [found, fresh] = channels_.try_emplace(channel, static_cast<u32>(sent_.size()));
    if (fresh) sent_.emplace_back();
    last = channel;
    number = found->second;
    return number;
}

}  // namespace tracefold
