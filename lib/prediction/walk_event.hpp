// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <compare>
#include <limits>

namespace tracefold {

/// Of what could happen at the same moment, what was possible first is first; of that, what the
/// lower rank caused (a message its sender); and of that, what this rank caused first. So the order
/// of events follows from the program and the network alone.
struct EventTurn {
    i64 since = 0;   ///< when it was possible, in the first scenario
    u64 number = 0;  ///< of turn_number()

    auto operator<=>(const EventTurn&) const = default;
};
/// What a rank causes, numbered from 0: fewer than 2^40.
constexpr u64 turn_number(u32 rank, u64 count) { return u64{rank} << 40U | count; }

/// When something happens in the first scenario, among all else.
struct EventKey {
    i64 time = 0;
    EventTurn turn;

    /// Without branches, none of which a processor could foresee.
    bool operator>(const EventKey& other) const {
        const bool same = (place() == other.place()) & (turn.number > other.turn.number);
        return (place() > other.place()) | same;
    }

  private:
    __extension__ using Wide = unsigned __int128;

    /// Neither time is negative.
    [[nodiscard]] Wide place() const {
        return Wide{static_cast<u64>(time)} << 64U | static_cast<u64>(turn.since);
    }
};
/// Of nothing.
inline constexpr EventKey kNever{std::numeric_limits<i64>::max(), {}};

/// Something that happens on a rank when its time has come and the processor is free.
struct WalkEvent {
    enum class Kind : u32 { strand, send, message };

    EventKey key;
    u32 number = 0;  ///< of the strand or message
    Kind kind{};

    bool operator>(const WalkEvent& other) const { return key > other.key; }
};

}  // namespace tracefold
