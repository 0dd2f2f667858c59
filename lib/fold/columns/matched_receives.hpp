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

    /// The assignment of one of its slots.
    template <class Structure>
    [[nodiscard]] auto& assignment(Structure& structure, Place place) const {
        return structure.slots[symbol][slots[place]];
    }
};

/// The sends and receives of all symbols, by rising symbol.
std::vector<MessagePart> message_parts(const Structure& structure);

/// Goes through all calls and finds the send of each receive. Memory: all messages.
class MessageWalk {
  public:
    struct Message {
        u64 tag = 0;
        u64 size = 0;

        bool operator==(const Message&) const = default;
    };

    /// Precondition: families and functions are unfolded. All must outlive the walk.
    MessageWalk(const Structure& structure, const std::vector<MessagePart>& parts,
                Matching matching);

    /// False if the calls have more than so many values, or messages more sides: in most cases
    /// that is known from the folded form, before the first call. Throws Error(corrupt).
    bool run(u64 most_values, u64 most_sides);

    /// visit(location, part, message as the receive tells it, message as the send does) for all
    /// receives, by rising location, in the order of calls. A message that was never sent has tag
    /// and size 0.
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
        u64 tag = 0;  ///< 0 if messages are matched in order

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
    std::vector<std::vector<std::size_t>> places_;  ///< of the values, by symbol and slot
    std::vector<bool> varies_;                      ///< by symbol: whether these do
    std::vector<std::pair<Channel, u32>> last_;     ///< by part; kNone: there was none
    std::unordered_map<Channel, u32, Hash> channels_;
    std::vector<std::vector<Message>> sent_;  ///< by channel
    std::vector<Receive> receives_;
};

/// What a receive says of its message, the send has said before: the messages of one rank to
/// another arrive in the order in which they were sent, so that receive number n from a rank has
/// the size, and maybe the tag, of send number n there. Ranks are taken for locations, which is
/// right where each process has one location and communicators are the world or copies of it.

/// Tags and sizes of matched receives, each a list by location.
class MatchedColumns {
  public:
    explicit MatchedColumns(const Structure& structure);

    [[nodiscard]] const std::vector<MessagePart>& parts() const { return parts_; }
    /// One more receive, by rising location and in the order of its calls.
    void add(u32 location, u32 part, const MessageWalk::Message& message);
    /// These parts of others.
    void take(MatchedColumns& others, const std::vector<u32>& parts);
    /// Gives the receives that are marked their columns, behind all others: equal ones are one.
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

/// Marks the receives of which that is true, where many numbers are saved, and returns what they
/// have. Precondition: families and functions are not unfolded. Cost: little if there is nothing
/// to be saved, else that of unwinding all calls, whose number is limited by what is saved.
MatchedColumns match_receives(Structure& structure);

/// Gives the marked receives their columns. Precondition: families and functions are unfolded. Cost
/// and memory: all calls and messages if there are such receives; Error(corrupt) is thrown if there
/// are more than `limit` lets a file have.
void unfold_matched_receives(Structure& structure, u64 limit);

}  // namespace tracefold
