// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedules/schedule.hpp"

#include <span>

namespace tracefold {

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
