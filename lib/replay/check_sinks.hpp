// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/meetings.hpp"

namespace tracefold {

/// Who wants to know more about a trace than a check finds is told of it while the check walks.
class CheckSinks {
  public:
    virtual ~CheckSinks() = default;

    /// All members have come to a collective operation; those of a room come in their order.
    virtual void meeting(const Meetings::Room& room, const Meetings::Meeting& meeting) = 0;
    /// A call whose message was cancelled.
    virtual void cancelled_send(u32 location, u64 index) = 0;
    /// Once for each, at the end.
    virtual void channel(const Channels::Key& key) = 0;
};

}  // namespace tracefold
