// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tracefold {

/// A number per rank, summed up.
struct Spread {
    double minimum = 0;
    double mean = 0;
    double maximum = 0;
    double deviation = 0;  ///< standard deviation
};

/// Seconds from the first to the last call, and what they were spent on.
struct TimeSpreads {
    Spread wall;
    Spread communication;
    Spread computation;

    /// Calls visit("wall", wall) and so on.
    template <class Visit>
    void for_each(const Visit& visit) const {
        visit("wall", wall);
        visit("communication", communication);
        visit("computation", computation);
    }
};

}  // namespace tracefold
