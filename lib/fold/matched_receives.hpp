// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/message_walk.hpp"
#include "model/structure.hpp"

#include <vector>

namespace tracefold {

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
