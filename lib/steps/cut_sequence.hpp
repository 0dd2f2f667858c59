// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/quiescent_cuts.hpp"

#include <vector>

namespace tracefold {

/// The cuts of a walk (quiescent_cuts.hpp), kept so that they can be gone through again: of each,
/// the ranks that are elsewhere than at the one before. Memory: 8 bytes for each of these, and 12
/// for each cut.
class CutSequence {
  public:
    CutSequence() = default;
    /// Cost: that of the walk.
    CutSequence(const RestPlaces& rests, const Counterparts& counterparts, u32 reference,
                Direction direction = Direction::forward);

    /// Where the reference rank is at each cut, in the order of the walk. One more cut is behind
    /// them: where the other ranks end.
    [[nodiscard]] const std::vector<u32>& places() const { return places_; }

    /// Goes from where the walk began to one cut after the other.
    class Walk {
      public:
        /// The sequence must outlive this object.
        explicit Walk(const CutSequence& all) : all_(all), cut_(all.begin_) {}

        [[nodiscard]] const Cut& cut() const { return cut_; }
        /// How many cuts were passed, the one that is there included.
        [[nodiscard]] u32 passed() const { return passed_; }
        /// Behind the last cut nothing changes any more.
        void next();

      private:
        const CutSequence& all_;
        Cut cut_;
        u32 passed_ = 0;
    };

  private:
    struct Move {
        u32 rank;
        u32 place;
    };

    void note_cut(const QuiescentCuts& cuts);

    Cut begin_;
    std::vector<u32> places_;
    std::vector<std::size_t> first_;  ///< of moves_, by cut; at last their number
    std::vector<Move> moves_;
};

}  // namespace tracefold
