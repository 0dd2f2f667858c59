// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_index.hpp"
#include "model/structure.hpp"

#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// A send or a receive in a symbol.
struct MessagePart {
    enum Place : u8 { peer, communicator, tag, size };

    u32 symbol = 0;
    MessageSide end = MessageSide::none;
    std::array<u32, 4> slots{};  ///< by Place

    /// Returns the assignment of one of its slots.
    template <class Structure>
    [[nodiscard]] auto& assignment(Structure& structure, Place place) const {
        return structure.slots[symbol][slots[place]];
    }
};

/// Returns the sends and receives of all symbols, ascending by symbol.
std::vector<MessagePart> message_parts(const Structure& structure);

/// Walks all calls and finds the send of each receive. Memory: all messages.
class MessageWalk {
  public:
    struct Message {
        u64 tag = 0;
        u64 size = 0;

        bool operator==(const Message&) const = default;
    };

    /// Precondition: families and functions are unfolded. All arguments must outlive the walk.
    MessageWalk(const Structure& structure, const std::vector<MessagePart>& parts,
                Matching matching);

    /// False if the calls have more than `most_values` values, or messages more than `most_sides`
    /// sides: usually known from the folded form, before the first call. Throws Error(corrupt).
    bool run(u64 most_values, u64 most_sides);

    /// Calls visit(location, part, message as received, message as sent) for all receives,
    /// ascending by location, in call order. A message that was never sent has tag and size 0.
    template <class Visit>
    void each_receive(const Visit& visit) const {
        std::vector<std::size_t> next(sent_.size(), 0);
        for (const Receive& receive : receives_) {
            const std::vector<Message>& sent = sent_[receive.channel];
            std::size_t& number = next[receive.channel];
            const Message other = number < sent.size() ? sent[number] : Message{};
            ++number;
            visit(receive.location, receive.part, receive.message, other);
        }
    }

  private:
    struct Channel {
        u64 from = 0;
        u64 to = 0;
        u64 communicator = 0;
        u64 tag = 0;  ///< 0 if messages match in order

        bool operator==(const Channel&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Channel& channel) const;
    };
    struct Receive {
        u32 location = 0;
        u32 part = 0;
        u32 channel = 0;
        Message message;
    };

    [[nodiscard]] bool exceeds(StructureIndex& index, u64 most_values, u64 most_sides) const;
    void add(u32 location, u32 part, std::span<const u64> values);
    u32 number_of(u32 part, const Channel& channel);
    void find_places(u32 symbol, std::span<const u64> values);

    const Structure& structure_;
    const std::vector<MessagePart>& parts_;
    Matching matching_;
    u64 sides_ = 0;                ///< sends and receives
    std::vector<u32> first_part_;  ///< by symbol; one more at the end
    std::vector<std::vector<Slot>> slots_;
    std::vector<std::vector<std::size_t>> places_;  ///< index of the values, by symbol and slot
    std::vector<bool> varies_;                      ///< by symbol: true if places_ varies by call
    std::vector<std::pair<Channel, u32>> last_;     ///< by part: its last channel; kNone: none yet
    std::unordered_map<Channel, u32, Hash> channels_;
    std::vector<std::vector<Message>> sent_;  ///< by channel
    std::vector<Receive> receives_;
};

/// A receive repeats facts of its send: messages between two ranks arrive in the order of sending,
/// so the n-th receive has the size, and maybe the tag, of the n-th send. Ranks are taken for
/// locations, which is correct if each process has one location and communicators are the world or
/// copies of it.

/// Tags and sizes of matched receives, each a list by location.
class MatchedColumns {
  public:
    explicit MatchedColumns(const Structure& structure);

    [[nodiscard]] const std::vector<MessagePart>& parts() const { return parts_; }
    /// Adds a receive, ascending by location, in call order.
    void add(u32 location, u32 part, const MessageWalk::Message& message);
    /// Moves these parts from another object.
    void take(MatchedColumns& others, const std::vector<u32>& parts);
    /// Adds the columns of marked receives behind all other columns; merges equal ones.
    void append_to(Structure& structure) const;

  private:
    struct Lists {
        u32 location = 0;
        std::vector<u64> tags;
        std::vector<u64> sizes;
    };

    std::vector<MessagePart> parts_;
    std::vector<std::vector<Lists>> of_part_;
};

/// Marks the receives whose send determines their values if this saves enough, and returns the
/// values. Precondition: families and functions are not unfolded. Cost: small without potential
/// savings, else that of unwinding all calls, bounded by the savings.
MatchedColumns match_receives(Structure& structure);

/// Adds the columns of marked receives. Precondition: families and functions are unfolded. Cost and
/// memory: all calls and messages if there are marked receives; throws Error(corrupt) beyond the
/// number that `limit` allows.
void unfold_matched_receives(Structure& structure, u64 limit);

}  // namespace tracefold
