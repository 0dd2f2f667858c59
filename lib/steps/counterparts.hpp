// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/flat_map.hpp"
#include "steps/operations.hpp"

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

}  // namespace tracefold
