// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/flat_map.hpp"
#include "mpi/steps/operations.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Which operation of another rank belongs to the same message or collective as each operation:
/// the n-th receive of a channel to its n-th send. The place behind an operation is how many
/// operations its rank has done then, this one included. Memory: some 12 bytes per operation.
class Counterparts {
  public:
    /// Later changes of `all` are not noticed. Cost: linear in the operations, which `threads`
    /// share out.
    explicit Counterparts(const Operations& all, u32 threads = 1);

    struct Counterpart {
        u32 rank = kNone;  ///< kNone: there is none
        u32 place = 0;     ///< behind the counterpart
    };
    /// By operation of the rank. None belongs to one of a channel of which so many ends have no
    /// record that the n-th of both are not of one message. For collectives see is_collective().
    [[nodiscard]] std::span<const Counterpart> of(u32 rank) const { return ranks_[rank]; }

    /// A collective: its communicator instead of a rank, and how many the rank has called there,
    /// with this one, instead of a place.
    static bool is_collective(const Counterpart& one) {
        return one.rank != kNone && (one.rank & kCollective) != 0;
    }
    static u32 communicator(const Counterpart& one) { return one.rank & ~kCollective; }

    /// Of each member of a communicator the places behind its collectives.
    struct Member {
        u32 rank = 0;
        std::vector<u32> places;
    };
    [[nodiscard]] const std::vector<std::vector<Member>>& communicators() const {
        return communicators_;
    }

    /// Places behind the sends and receives of a channel.
    [[nodiscard]] std::span<const u32> sent(u32 channel) const { return sent_.of(channel); }
    [[nodiscard]] std::span<const u32> received(u32 channel) const { return received_.of(channel); }

  private:
    static constexpr u32 kCollective = u32{1} << 31U;

    /// Places of all channels, one channel after the other.
    struct Ends {
        std::vector<u32> first;  ///< by channel; at last the number of all
        std::vector<u32> places;

        [[nodiscard]] std::span<const u32> of(u32 channel) const {
            return std::span(places).subspan(first[channel], first[channel + 1] - first[channel]);
        }
        void make_room(const std::vector<u32>& counts);
        /// `number`: among the ends of the channel, from 0.
        void set(u32 channel, u32 number, u32 place) { places[first[channel] + number] = place; }
        /// 0 if the channel has no such end.
        [[nodiscard]] u32 place(u32 channel, u32 number) const {
            const u32 at = first[channel] + number;
            return at < first[channel + 1] ? places[at] : 0;
        }
    };

    /// Counts the ends of each channel that one rank has. The sends of a channel are all of one
    /// rank, and so are its receives; counts in one array of all channels would be subject to false
    /// sharing between threads.
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

/// Where the ranks are at rest: before their first operation, behind those that say so, and behind
/// their last one. Memory: a bit per operation, so that walks that go from one such place to
/// another do not read the operations themselves.
class RestPlaces {
  public:
    RestPlaces() = default;
    /// Later changes of `all` are not noticed. Cost: linear in the operations, which `threads`
    /// share out.
    explicit RestPlaces(const Operations& all, u32 threads = 1);

    [[nodiscard]] u32 ranks() const { return static_cast<u32>(ranks_.size()); }
    /// The number of operations of a rank.
    [[nodiscard]] u32 operations(u32 rank) const { return ranks_[rank].operations; }
    /// The same of all ranks.
    [[nodiscard]] u64 operations() const;
    /// The first one that is not before `place`, which is at most the number of operations.
    [[nodiscard]] u32 from(u32 rank, u32 place) const;
    /// The last one that is not behind `place`.
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
