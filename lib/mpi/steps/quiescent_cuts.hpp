// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/flat_map.hpp"
#include "mpi/steps/operations.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Links each operation to its counterpart on another rank, for the same message or collective: the
/// n-th receive of a channel to its n-th send. The place after an operation is the number of
/// operations of its rank up to and including it. Memory: some 12 bytes per operation.
class Counterparts {
  public:
    /// Takes a snapshot of `all`. Cost: linear in the operations, divided among `threads`.
    explicit Counterparts(const Operations& all, u32 threads = 1);

    struct Counterpart {
        u32 rank = kNone;  ///< kNone: there is none
        u32 place = 0;     ///< after the counterpart
    };
    /// By operation of the rank. Channels with missing records, where the n-th ends are not of one
    /// message, have no counterparts. For collectives see is_collective().
    [[nodiscard]] std::span<const Counterpart> of(u32 rank) const { return ranks_[rank]; }

    /// A collective: has its communicator instead of a rank, and the number of the rank's
    /// collectives there, including this one, instead of a place.
    static bool is_collective(const Counterpart& one) {
        return one.rank != kNone && (one.rank & kCollective) != 0;
    }
    static u32 communicator(const Counterpart& one) { return one.rank & ~kCollective; }

    /// The places after the collectives of a member of a communicator.
    struct Member {
        u32 rank = 0;
        std::vector<u32> places;
    };
    [[nodiscard]] const std::vector<std::vector<Member>>& communicators() const {
        return communicators_;
    }

    /// Places after the sends and receives of a channel.
    [[nodiscard]] std::span<const u32> sent(u32 channel) const { return sent_.of(channel); }
    [[nodiscard]] std::span<const u32> received(u32 channel) const { return received_.of(channel); }

  private:
    static constexpr u32 kCollective = u32{1} << 31U;

    /// Places of all channels, one channel after the other.
    struct Ends {
        std::vector<u32> first;  ///< by channel; the total at the end
        std::vector<u32> places;

        [[nodiscard]] std::span<const u32> of(u32 channel) const {
            return std::span(places).subspan(first[channel], first[channel + 1] - first[channel]);
        }
        void make_room(const std::vector<u32>& counts);
        /// `number`: index among the ends of the channel.
        void set(u32 channel, u32 number, u32 place) { places[first[channel] + number] = place; }
        /// 0 if the channel has no such end.
        [[nodiscard]] u32 place(u32 channel, u32 number) const {
            const u32 at = first[channel] + number;
            return at < first[channel + 1] ? places[at] : 0;
        }
    };

    /// Counts the ends of each channel on one rank. All sends of a channel are of one rank, and so
    /// are its receives; an array over all channels would cause false sharing between threads.
    struct EndCounts {
        using Numbers = FlatMap<u32, u32, NumberHash>;

        Numbers sent;
        Numbers received;
    };

    void note_ends(const Operations& all, u32 threads);
    void find(const Operations& all, u32 rank);
    Counterpart collective(u32 rank, u32 communicator, u32 place);
    [[nodiscard]] bool are_paired(u32 channel) const;

    Ends sent_;
    Ends received_;
    std::vector<u8> paired_;  ///< by channel: the n-th ends of both kinds are of one message
    std::vector<std::vector<Counterpart>> ranks_;
    std::vector<std::vector<Member>> communicators_;  ///< members by rising rank
};

/// The places where ranks are at rest: before their first operation, after operations that are
/// `at_rest`, and after their last one. Memory: a bit per operation, so walks between such places
/// do not read the operations themselves.
class RestPlaces {
  public:
    RestPlaces() = default;
    /// Takes a snapshot of `all`. Cost: linear in the operations, divided among `threads`.
    explicit RestPlaces(const Operations& all, u32 threads = 1);

    [[nodiscard]] u32 ranks() const { return static_cast<u32>(ranks_.size()); }
    [[nodiscard]] u32 operations(u32 rank) const { return ranks_[rank].operations; }
    /// The number of operations of all ranks.
    [[nodiscard]] u64 operations() const;
    /// The first rest place at or after `place`, which is at most the number of operations.
    [[nodiscard]] u32 from(u32 rank, u32 place) const;
    /// The last rest place at or before `place`.
    [[nodiscard]] u32 up_to(u32 rank, u32 place) const;

  private:
    struct Rank {
        u32 operations = 0;
        std::vector<u64> bits;  ///< one per place
    };

    static Rank read(const std::vector<Operation>& operations);

    std::vector<Rank> ranks_;
};

/// Places in the operations of every rank, by rank.
using Cut = std::vector<u32>;

/// From the first operation to the last one, or reversed.
enum class Direction : u8 { forward, backward };

/// Walks through all ranks from one quiescent cut to the next. A cut is a place in the operations
/// of every rank; it is quiescent if no message crosses it, no collective is on both sides, and
/// every rank is at rest: a consistent cut (Mattern, 1989) with empty channels. Each cut is the
/// least one with one more operation of a reference rank: between two cuts is a phase, indivisible
/// from that rank's view. Backward, each cut is the greatest one with one operation less. Without a
/// reference (kNone), each cut has one more operation of every rank that has one. Cost: linear in
/// the operations, and members x collectives. Memory: some numbers per rank and communicator.
class QuiescentCuts {
  public:
    /// `counterparts` of the same operations. Both must outlive this object.
    QuiescentCuts(const RestPlaces& rests, const Counterparts& counterparts, u32 reference,
                  Direction direction = Direction::forward);

    /// Advances to the next cut; false at the end, which includes all other operations.
    bool next();

    /// Operations before the cut.
    [[nodiscard]] Cut places() const;
    /// Operations of one rank before the cut.
    [[nodiscard]] u32 place(u32 rank) const { return place(rank, done_[rank]); }
    /// Operations of the reference rank before the cut.
    [[nodiscard]] u32 place() const { return place(reference_); }
    /// The ranks that moved since the previous cut.
    [[nodiscard]] const std::vector<u32>& moved() const { return moved_; }

  private:
    [[nodiscard]] u32 size(u32 rank) const { return rests_.operations(rank); }
    /// Converts a number of steps of the walk to a place, and back.
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
    std::vector<u32> reached_;  ///< by communicator: the last collective reached
    std::vector<u32> done_;     ///< steps by rank
    std::vector<u32> wanted_;
    std::vector<u32> behind_;  ///< ranks that have not reached their wanted place
    std::vector<u32> moved_;
    std::vector<u32> moved_to_;  ///< by rank: the last cut, counted from 1, at which it moved
    u32 cut_ = 0;
};

/// The cuts of a walk, stored for repeated traversal: for each cut, the ranks that moved since the
/// previous one. Memory: 8 bytes per move, and 12 per cut.
class CutSequence {
  public:
    CutSequence() = default;
    /// Cost: that of the walk.
    CutSequence(const RestPlaces& rests, const Counterparts& counterparts, u32 reference,
                Direction direction = Direction::forward);

    /// The place of the reference rank at each cut, in the order of the walk. A further cut
    /// follows: the ends of the other ranks.
    [[nodiscard]] const std::vector<u32>& places() const { return places_; }

    /// Steps through the cuts from the begin of the walk.
    class Walk {
      public:
        /// The sequence must outlive this object.
        explicit Walk(const CutSequence& all) : all_(all), cut_(all.begin_) {}

        [[nodiscard]] const Cut& cut() const { return cut_; }
        /// Cuts passed, including the current one.
        [[nodiscard]] u32 passed() const { return passed_; }
        /// No effect after the last cut.
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
    std::vector<std::size_t> first_;  ///< of moves_, by cut; the total at the end
    std::vector<Move> moves_;
};

}  // namespace tracefold
