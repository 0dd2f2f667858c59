// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/counterparts.hpp"
#include "steps/rest_places.hpp"

#include <vector>

namespace tracefold {

/// Places in the operations of every rank, by rank.
using Cut = std::vector<u32>;

/// From the first operation to the last one, or the other way round.
enum class Direction : u8 { forward, backward };

/// Walks through all ranks from one quiescent cut to the next. A cut is a place in the operations
/// of every rank; it is quiescent if no message is under way across it, no collective is on both
/// sides, and every rank is at rest: a consistent cut (Mattern, 1989) with empty channels. The cuts
/// are the least ones that hold one more operation of a reference rank each, so that what lies
/// between two of them cannot be divided as that rank sees it: a phase. Backward they are the
/// greatest ones that hold one less. Cost: linear in the operations, and members x collectives.
/// Memory: some numbers per rank and communicator.
class QuiescentCuts {
  public:
    /// `counterparts`: those of the same operations. Both must outlive this object.
    QuiescentCuts(const RestPlaces& rests, const Counterparts& counterparts, u32 reference,
                  Direction direction = Direction::forward);

    /// Goes on to the next cut; false at the end, when what the other ranks still have is added.
    bool next();

    /// Operations before the cut.
    [[nodiscard]] Cut places() const;
    /// The same of one rank.
    [[nodiscard]] u32 place(u32 rank) const { return place(rank, done_[rank]); }
    /// The same of the reference rank.
    [[nodiscard]] u32 place() const { return place(reference_); }
    /// The ranks that are not where they were at the cut before.
    [[nodiscard]] const std::vector<u32>& moved() const { return moved_; }

  private:
    [[nodiscard]] u32 size(u32 rank) const { return rests_.operations(rank); }
    /// What is so many operations from where the walk begins, and the other way round.
    [[nodiscard]] u32 place(u32 rank, u32 steps) const {
        return forward_ ? steps : size(rank) - steps;
    }
    void close();
    void note_moved(u32 rank);
    void add(const Counterparts::Counterpart& one);
    void add_collective(u32 communicator, u32 number);
    void require_behind(u32 rank, u32 place);
    void require(u32 rank, u32 steps);

    const RestPlaces& rests_;
    const Counterparts& counterparts_;
    u32 reference_;
    bool forward_;
    std::vector<u32> reached_;  ///< by communicator: the collective that the walk has come to
    std::vector<u32> done_;     ///< steps by rank
    std::vector<u32> wanted_;
    std::vector<u32> behind_;  ///< ranks that are not where they have to be
    std::vector<u32> moved_;
    std::vector<u32> moved_to_;  ///< by rank: the last cut, counted from 1, that it moved to
    u32 cut_ = 0;
};

}  // namespace tracefold
