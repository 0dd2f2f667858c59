// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/operations.hpp"

#include <algorithm>
#include <vector>

namespace tracefold::inline steps {

/// Walks through all ranks from one quiescent cut to the next. A cut is a place in the operations
/// of every rank; it is quiescent if no message is under way across it, no collective is on both
/// sides, and every rank is at rest: a consistent cut (Mattern, 1989) with empty channels. The cuts
/// are the least ones that hold one more operation of a reference rank each, so that what lies
/// between two of them cannot be divided as that rank sees it: a phase. Cost: linear in the
/// operations, and members x collectives. Memory: one number per operation.
class QuiescentCuts {
  public:
    /// Both references must outlive this object.
    QuiescentCuts(const Operations& all, u32 reference);

    /// Goes on to the next cut; false at the end, when what the other ranks still have is added.
    bool next();

    /// By rank: operations before the cut.
    [[nodiscard]] const std::vector<u32>& places() const { return done_; }

  private:
    /// Places behind the operations of a channel, by their number.
    struct Ends {
        std::vector<u32> sent;
        std::vector<u32> received;
        u32 sent_done = 0;
        u32 received_done = 0;

        /// False if so many ends have no record that the n-th of both are not of one message.
        [[nodiscard]] bool are_paired() const {
            const auto [fewer, more] = std::minmax({sent.size(), received.size()});
            return more - fewer < 2 || 8 * (more - fewer) <= more;
        }
    };
    struct Members {
        std::vector<std::vector<u32>> places;  ///< by member: behind each of its collectives
        std::vector<u32> done;                 ///< by member
        u32 most = 0;                          ///< of done
    };

    void close();
    void add(u32 rank, const Operation& operation);
    void add_collective(u32 rank, u32 communicator);
    void require(u32 rank, const std::vector<u32>& places, u32 number);
    void require(u32 rank, u32 place);
    [[nodiscard]] u32 member(u32 communicator, u32 rank) const;

    const Operations& all_;
    u32 reference_;
    std::vector<Ends> channels_;
    std::vector<Members> communicators_;
    std::vector<u32> done_;
    std::vector<u32> wanted_;
    std::vector<u32> behind_;  ///< ranks that are not where they have to be
};

}  // namespace tracefold::inline steps
