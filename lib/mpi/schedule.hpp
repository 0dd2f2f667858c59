// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/exchange.hpp"

#include <span>
#include <string_view>
#include <vector>

// clang-format off
/// How collective operations become messages, once each: X(name, word of --collectives).
#define TRACEFOLD_ALGORITHMS(X)                                                                  \
    X(automatic, "auto") X(linear, "linear") X(binomial, "binomial") X(ring, "ring")             \
    X(recursive_doubling, "recursive-doubling") X(pairwise, "pairwise") X(bruck, "bruck")        \
    X(dissemination, "dissemination")
// clang-format on

namespace tracefold {

/// An operation that an algorithm does not fit takes another one: docs/reference/exports.md has the
/// table.
enum class CollectiveAlgorithm : u8 {
#define TRACEFOLD_ENUMERATOR(name, word) name,
    TRACEFOLD_ALGORITHMS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

/// The words of --collectives, in the order of the enumerators.
std::span<const std::string_view> algorithm_words();

/// One message that a member sends or receives. Sender and receiver name the same round; in a round
/// no two messages go from one member to another.
struct ScheduledMessage {
    u32 round = 0;
    bool sends = false;
    u32 peer = 0;  ///< member
    u64 bytes = 0;

    bool operator==(const ScheduledMessage&) const = default;
};

/// The part of one member in a collective operation, in the order of rounds. A member enters a
/// round by posting all its receives and sends of that round, and leaves it when they are complete:
/// whoever does so makes no deadlock, even if no message is buffered. `out` is cleared first.
/// Cost: linear in the transfers; with sizes that differ, times log(members).
void make_schedule(const Exchange& exchange, u32 member, CollectiveAlgorithm algorithm,
                   std::vector<ScheduledMessage>& out);

/// The algorithm that takes the place of one that does not fit, or of `automatic`.
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
