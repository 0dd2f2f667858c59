// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/matched_receives.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/types.hpp"
#include "fold/column_families.hpp"
#include "fold/columns/column_size.hpp"
#include "fold/structure_index.hpp"
#include "fold/structure_pool.hpp"
#include "model/symbol.hpp"

#include <algorithm>
#include <optional>
#include <utility>

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

/// True if the calls have more values or sides, even without repeated slots.
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

/// Finds the first value of each slot.
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

/// Fast path: most messages use the channel of the previous one.
u32 MessageWalk::number_of(u32 part, const Channel& channel) {
    auto& [last, number] = last_[part];
    if (number != kNone && last == channel) return number;
    const auto [found, fresh] = channels_.try_emplace(channel, static_cast<u32>(sent_.size()));
    if (fresh) sent_.emplace_back();
    last = channel;
    number = found->second;
    return number;
}

namespace {

/// Minimum bytes (before compression) that matching has to save, and the number of call values that
/// may be examined per saved byte.
constexpr u64 kLeastSaved = 96;
constexpr u64 kValuesPerByte = 4096;
/// Maximum number of call values in a file, per number of its columns; writers use half.
constexpr u64 kValuesPerNumber = 16;
/// Maximum number of call values that a writer examines, and of sends and receives in a file;
/// writers use half of them.
constexpr u64 kMostValues = u64{1} << 25U;
constexpr u64 kMostSides = u64{1} << 23U;

using Part = MessagePart;

/// The receives for which matching may pay.
class Candidates {
  public:
    explicit Candidates(Structure& structure)
        : structure_(structure), parts_(message_parts(structure)) {
        count_mentions();
        for (const Part& part : parts_) saved_.push_back(saved(part));
    }

    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

    /// Upper bound of the total savings; 0 if no candidate is left.
    [[nodiscard]] u64 size(Matching matching) const {
        u64 sum = 0;
        for (const Saved& saved : saved_) {
            if (saved.with(matching) >= kLeastSaved) sum += saved.with(matching);
        }
        return sum;
    }

    [[nodiscard]] bool is_worth(std::size_t part, Matching matching) const {
        return saved_[part].with(matching) >= kLeastSaved;
    }

    /// Marks the candidates with `is_true` and returns their indices.
    std::vector<u32> mark(Matching matching, const std::vector<bool>& is_true) {
        std::vector<u32> marked;
        for (u32 i = 0; i < parts_.size(); ++i) {
            if (!is_true[i] || !is_worth(i, matching)) continue;
            saved_[i] = {};
            marked.push_back(i);
            for (const Part::Place place : {Part::tag, Part::size}) {
                const FieldKind kind = place == Part::tag ? FieldKind::tag : FieldKind::bytes;
                Assignment& assignment = parts_[i].assignment(structure_, place);
                if (!is_matched(matching, kind)) continue;
                assignment = Assignment();
                assignment.matching = matching;
            }
        }
        return marked;
    }

  private:
    struct Saved {
        u64 tag = 0;
        u64 size = 0;
        bool tag_leads = false;  ///< functions of other slots follow it

        [[nodiscard]] u64 with(Matching matching) const {
            if (matching == Matching::by_tag) return size;
            return tag_leads ? 0 : tag + size;
        }
    };

    void count_mentions() {
        mentions_.assign(structure_.columns.size(), 0);
        for (auto* table : {&structure_.script_counts, &structure_.slots}) {
            for (std::vector<Assignment>& assignments : *table) {
                for (Assignment& assignment : assignments) {
                    for_each_column_ref(assignment, [this](u32 column) { ++mentions_[column]; });
                }
            }
        }
    }

    [[nodiscard]] Saved saved(const Part& part) const {
        if (part.end != MessageSide::receive) return {};
        const Assignment& tag = part.assignment(structure_, Part::tag);
        const Assignment& size = part.assignment(structure_, Part::size);
        if (size.functions && !size.functions->follows) return {};
        return {own_size(tag), own_size(size), tag.functions && !tag.functions->follows};
    }

    /// Size of the columns that only this assignment refers to.
    [[nodiscard]] u64 own_size(Assignment assignment) const {
        u64 size = 0;
        for_each_column_ref(assignment, [&](u32 column) {
            if (mentions_[column] == 1) size += column_size(source(), column);
        });
        return size;
    }

    [[nodiscard]] FoldedSource source() const { return {structure_.patterns, structure_.columns}; }

    Structure& structure_;
    std::vector<Part> parts_;
    std::vector<u32> mentions_;
    std::vector<Saved> saved_;
};

/// By part: true if all receives have the values of their sends; empty if matching does not pay.
/// Adds the values of candidates to `columns`.
std::vector<bool> matched_parts(const Structure& whole, const Candidates& candidates,
                                Matching matching, MatchedColumns& columns) {
    const u64 size = candidates.size(matching);
    const u64 most = free_numbers(whole.location_count) / 2;
    MessageWalk walk(whole, candidates.parts(), matching);
    std::vector<bool> is_true(candidates.parts().size(), true);
    const u64 values = std::min({size * kValuesPerByte, most * kValuesPerNumber, kMostValues});
    if (!walk.run(values, std::min(most / 2, kMostSides / 2))) return {};
    walk.each_receive([&](u32 location, u32 part, const auto& told, const auto& sent) {
        if (!(told == sent)) is_true[part] = false;
        if (is_true[part] && candidates.is_worth(part, matching)) columns.add(location, part, sent);
    });
    return is_true;
}

/// By part: true if marked with this matching.
std::vector<bool> marked_parts(const Structure& structure, const std::vector<Part>& parts,
                               Matching matching) {
    std::vector<bool> marked;
    for (const Part& part : parts) {
        marked.push_back(part.assignment(structure, Part::size).matching == matching);
    }
    return marked;
}

Column list_of(const std::vector<u64>& values) {
    return {Column::Form::list, 0, 0, values, kNone, kNone, {}};
}

class Unfolding {
  public:
    Unfolding(Structure& structure, u64 limit)
        : structure_(structure), columns_(structure), limit_(limit) {}

    void run() {
        const std::vector<Part>& parts = columns_.parts();
        const bool any = std::any_of(parts.begin(), parts.end(), [this](const Part& part) {
            return part.assignment(structure_, Part::size).matching != Matching::none;
        });
        if (!any) return;
        fill_in();
        for (const Matching matching : {Matching::by_tag, Matching::in_order}) collect(matching);
        structure_.columns.pop_back();
        columns_.append_to(structure_);
    }

  private:
    /// Fills matched slots with zeros, until their values are known.
    void fill_in() {
        const auto nothing = static_cast<u32>(structure_.columns.size());
        structure_.columns.emplace_back();
        for (const Part& part : columns_.parts()) {
            for (const Part::Place place : {Part::tag, Part::size}) {
                Assignment& assignment = part.assignment(structure_, place);
                if (assignment.matching != Matching::none) assignment.columns = {nothing};
            }
        }
    }

    void collect(Matching matching) {
        const std::vector<bool> marked = marked_parts(structure_, columns_.parts(), matching);
        if (std::find(marked.begin(), marked.end(), true) == marked.end()) return;
        MessageWalk walk(structure_, columns_.parts(), matching);
        if (!walk.run(limit_ * kValuesPerNumber, kMostSides)) fail();
        walk.each_receive([&](u32 location, u32 part, const auto&, const auto& sent) {
            if (!marked[part]) return;
            if (limit_ < 2) fail();
            limit_ -= 2;
            columns_.add(location, part, sent);
        });
    }

    [[noreturn]] static void fail() {
        throw Error(ErrorKind::corrupt, "there are more messages than the locations can have");
    }

    Structure& structure_;
    MatchedColumns columns_;
    u64 limit_;
};

}  // namespace

MatchedColumns::MatchedColumns(const Structure& structure)
    : parts_(message_parts(structure)), of_part_(parts_.size()) {}

void MatchedColumns::add(u32 location, u32 part, const MessageWalk::Message& message) {
    std::vector<Lists>& lists = of_part_[part];
    if (lists.empty() || lists.back().location != location) lists.push_back({location, {}, {}});
    lists.back().tags.push_back(message.tag);
    lists.back().sizes.push_back(message.size);
}

void MatchedColumns::take(MatchedColumns& others, const std::vector<u32>& parts) {
    for (const u32 part : parts) of_part_[part] = std::move(others.of_part_[part]);
}

void MatchedColumns::append_to(Structure& structure) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        for (const Part::Place place : {Part::tag, Part::size}) {
            Assignment& assignment = parts_[i].assignment(structure, place);
            if (assignment.matching == Matching::none) continue;
            ClassColumns classes;
            for (const Lists& lists : of_part_[i]) {
                classes.add(list_of(place == Part::tag ? lists.tags : lists.sizes));
            }
            assignment.columns.clear();
            classes.append_to(structure, assignment);
        }
    }
}

MatchedColumns match_receives(Structure& structure) {
    Candidates candidates(structure);
    MatchedColumns columns(structure);
    if (candidates.size(Matching::in_order) == 0 && candidates.size(Matching::by_tag) == 0) {
        return columns;
    }
    Structure whole = structure;
    unfold_tables(whole);
    for (const Matching matching : {Matching::in_order, Matching::by_tag}) {
        if (candidates.size(matching) == 0) continue;
        MatchedColumns found(structure);
        const std::vector<bool> is_true = matched_parts(whole, candidates, matching, found);
        if (is_true.empty()) continue;
        columns.take(found, candidates.mark(matching, is_true));
    }
    return columns;
}

void unfold_matched_receives(Structure& structure, u64 limit) { Unfolding(structure, limit).run(); }

}  // namespace tracefold
