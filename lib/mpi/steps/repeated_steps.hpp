// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Something that a rank does: it sends a message, accesses memory of others, or calls a
/// collective.
struct Deed {
    bool sends = false;       ///< or accesses
    bool is_barrier = false;  ///< a collective that moves no data
    bool may_begin = false;   ///< a quiescent cut is before it
    u64 partner = 0;  ///< hash of what is sent to, or of the collective and its communicator
    u64 tagged = 0;   ///< hash of partner and tag; of collectives as `partner`
    u64 message = 0;  ///< hash of partner, tag and size; of collectives as `partner`
    u64 bytes = 0;    ///< that are sent
};

/// Where steps begin.
struct RepeatedSteps {
    std::vector<u32> begins;  ///< deeds, rising
    u32 end = 0;              ///< the deed behind the last step
    u64 occurrences = 0;      ///< they are those of the messages that come so often, if not 0

    /// The deed behind a step.
    [[nodiscard]] u32 end_of(std::size_t step) const {
        return step + 1 < begins.size() ? begins[step + 1] : end;
    }
};

/// The steps of a rank: the shortest stretch of messages that comes again and again, one after the
/// other, with at least half of all messages. Collectives between them do not matter, as a program
/// prints or checks something now and then. Messages are equal in partner, tag and size; if these
/// do not repeat themselves, loops within that differ in the number of iterations are taken for
/// one, then sizes do not count, then tags neither, then only the messages do that come equally
/// often, and at last collectives, with something sent between them. A rank that sends next to
/// nothing has steps of collectives: five of them, or long ones. A benchmark that goes through
/// message sizes has none. Nothing if nothing repeats itself three times, or twice with nearly all
/// messages. Of steps between collectives whose own repetition is longer, as the iterations of a
/// solver that converges earlier and later, that repetition is taken. The first step found has
/// `least_messages` at least. Cost: linear.
std::optional<RepeatedSteps> find_repeated_steps(std::span<const Deed> deeds,
                                                 u64 least_messages = 0);

/// The shortest stretch of messages that comes again and again exactly, within a step of a rank,
/// three times at least, with nearly all of its messages. Cost: linear.
std::optional<RepeatedSteps> find_iterations(std::span<const Deed> step);

/// A stretch of a sequence in which every number equals the one `period` places before it.
struct Repetition {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t period = 0;

    [[nodiscard]] std::size_t count() const { return (end - begin) / period; }
};

/// If no more than a fifth is left out.
inline bool is_nearly_all(u64 part, u64 all) { return (all - part) * 5 <= all; }

/// The repetition with the shortest period that has at least half of the weight of the sequence,
/// and three periods, or two with nearly all of it; a longer one instead if it has nearly all, and
/// the shortest less than three quarters. A period weighs at least `lightest`. Nothing if there is
/// none. Cost: linear, by the Z-function (Main and Lorentz, 1984; Gusfield, 1997) around the middle
/// of the weight, which every such stretch holds. Precondition: one weight for each number.
std::optional<Repetition> find_repetition(const std::vector<u64>& numbers,
                                          const std::vector<u64>& weights, u64 lightest = 0);

/// The maximal stretches with this period of at least `least` periods, by rising begin, none of
/// which overlap. Cost: linear.
std::vector<Repetition> repetitions_of(const std::vector<u64>& numbers, std::size_t period,
                                       std::size_t least = 3);

/// The median of what steps have, such as messages, and whether a step has about as much.
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
    /// From half of it to twice as much.
    [[nodiscard]] bool is_about(u64 own) const {
        return !is_more_than_twice(own) && own <= median_ * 2;
    }

  private:
    u64 median_ = 0;
};

}  // namespace tracefold
