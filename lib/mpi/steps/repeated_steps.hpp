// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// An action that a rank starts: it sends a message, accesses remote memory, or calls a collective.
struct Deed {
    bool sends = false;       ///< or accesses
    bool is_barrier = false;  ///< a collective that moves no data
    bool may_begin = false;   ///< a quiescent cut precedes it
    u64 partner = 0;  ///< hash of the destination, or of the collective and its communicator
    u64 tagged = 0;   ///< hash of partner and tag; of collectives of the operation alone
    u64 message = 0;  ///< hash of partner, tag and size
    u64 bytes = 0;    ///< sent
};

/// The deeds at which steps begin.
struct RepeatedSteps {
    std::vector<u32> begins;  ///< indices of deeds, rising
    u32 end = 0;              ///< the deed after the last step
    u64 occurrences = 0;      ///< if not 0: steps consist of messages that occur this often

    /// The deed after a step.
    [[nodiscard]] u32 end_of(std::size_t step) const {
        return step + 1 < begins.size() ? begins[step + 1] : end;
    }
};

/// The steps of a rank: the shortest sequence of messages that repeats back to back and covers at
/// least half of all messages. Collectives in between do not count, as a program prints or checks
/// something now and then. Messages are equal in partner, tag and size. If these do not repeat, the
/// criteria are relaxed in turn: loops within that differ in the number of iterations count as one;
/// sizes are ignored; tags are ignored; only messages that occur equally often count; finally
/// collectives, with a send in between. A rank that sends next to nothing has steps of collectives:
/// five of them, or long ones. A benchmark that varies message sizes has none. Nullopt if nothing
/// repeats three times, or twice with nearly all messages. If steps between collectives repeat with
/// a longer period, as the iterations of a solver that converges earlier and later, that period is
/// taken. The first step found has at least `least_messages`. Steps begin with the collectives that
/// precede the first one as well as the others, if the last one does not end with them. Cost:
/// linear.
std::optional<RepeatedSteps> find_repeated_steps(std::span<const Deed> deeds,
                                                 u64 least_messages = 0);

/// The parts of a program with steps of their own, in order: sequences of messages that repeat
/// exactly, at least five times, none of them only with messages of another one, together with
/// nearly all of what the rank does. Empty if there are not two of them, or more than six as in a
/// benchmark, or three that differ in sizes only. Cost: linear.
std::vector<RepeatedSteps> find_phases(std::span<const Deed> deeds);

/// The begins of the steps within these, if each consists of sends and equal groups of collectives
/// after or before them, as in a program that exchanges messages every few steps; in each of these
/// equally many, at least two, but for the last one. Empty if not. Cost: linear.
std::vector<u32> equal_groups(std::span<const Deed> deeds, const RepeatedSteps& steps);

/// The shortest sequence of messages that repeats exactly within a step of a rank, at least three
/// times, with nearly all of its messages. Cost: linear.
std::optional<RepeatedSteps> find_iterations(std::span<const Deed> step);

/// A range of a sequence in which every number equals the one `period` places before it.
struct Repetition {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t period = 0;

    [[nodiscard]] std::size_t count() const { return (end - begin) / period; }
};

/// True if at most a fifth is missing.
inline bool is_nearly_all(u64 part, u64 all) { return (all - part) * 5 <= all; }

/// The repetition with the shortest period that has at least half of the weight of the sequence,
/// and three periods, or two with nearly all of it; a longer period instead if it has nearly all,
/// and the shortest less than three quarters. A period weighs at least `lightest`. With a `share`
/// other than 2 it needs only 1 / `share` of the weight, and of two that differ much the heavier
/// one is taken. Nullopt if there is none. Cost: linear, by the Z-function (Main and Lorentz, 1984;
/// Gusfield, 1997) around the middle of the weight, which all such repetitions contain.
/// Precondition: a weight for each number.
std::optional<Repetition> find_repetition(const std::vector<u64>& numbers,
                                          const std::vector<u64>& weights, u64 lightest = 0,
                                          u64 share = 2);

/// The maximal repetitions with this period of at least `least` periods, sorted, disjoint. Cost:
/// linear.
std::vector<Repetition> repetitions_of(const std::vector<u64>& numbers, std::size_t period,
                                       std::size_t least = 3);

/// The median of a quantity over steps, such as messages, and comparisons with it.
class UsualNumber {
  public:
    /// Precondition: not empty. Cost: linear.
    explicit UsualNumber(std::vector<u64> numbers) {
        const auto middle =
            numbers.begin() + static_cast<std::vector<u64>::difference_type>(numbers.size() / 2);
        std::nth_element(numbers.begin(), middle, numbers.end());
        median_ = *middle;
    }

    [[nodiscard]] u64 median() const { return median_; }
    [[nodiscard]] bool is_more_than_twice(u64 own) const { return own * 2 < median_; }
    /// From half the median to twice the median.
    [[nodiscard]] bool is_about(u64 own) const {
        return !is_more_than_twice(own) && own <= median_ * 2;
    }

  private:
    u64 median_ = 0;
};

}  // namespace tracefold
