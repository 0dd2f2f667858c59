// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <compare>

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

/// Something that happens in the first scenario when its time has come and the processor is free.
class WalkEvent {
  public:
    enum class Kind : u8 { strand, send, message };

    i64 time = 0;
    EventTurn turn;
    u32 number = 0;
    u32 rank = 0;  ///< whose processor it needs
    Kind kind{};

    /// Without branches, none of which a processor could foresee.
    bool operator>(const WalkEvent& other) const {
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

}  // namespace tracefold
