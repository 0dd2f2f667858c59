// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/conversion_choices.hpp"
#include "mpi/exchange.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace tracefold {

/// One message that a member sends or receives. Sender and receiver use the same round number; a
/// round has at most one message between two members in each direction.
struct ScheduledMessage {
    u32 round = 0;
    bool sends = false;
    u32 peer = 0;  ///< member
    u64 bytes = 0;

    bool operator==(const ScheduledMessage&) const = default;
};

/// The messages of one member in a collective operation, in the order of rounds. A member enters a
/// round by posting all its receives and sends of that round, and leaves it when they are complete:
/// this is free of deadlocks even without buffering. Clears `out` first. Cost: linear in the
/// transfers; with different sizes, times log(members).
void make_schedule(const Exchange& exchange, u32 member, CollectiveAlgorithm algorithm,
                   std::vector<ScheduledMessage>& out);

/// The algorithm used for `automatic`, or instead of one that does not fit.
CollectiveAlgorithm fitting_algorithm(const Exchange& exchange, CollectiveAlgorithm algorithm);

/// Calls sink(transfers) for each round of a schedule in order.
template <class Sink>
void for_each_round(std::span<const ScheduledMessage> schedule, const Sink& sink) {
    while (!schedule.empty()) {
        std::size_t count = 1;
        while (count < schedule.size() && schedule[count].round == schedule.front().round) ++count;
        sink(schedule.first(count));
        schedule = schedule.subspan(count);
    }
}

}  // namespace tracefold
