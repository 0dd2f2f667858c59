// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"

#include <array>
#include <initializer_list>

namespace tracefold {

/// What every format that has regions keeps.
inline constexpr std::initializer_list<EventType> kRegionRecords = {
    EventType::Enter, EventType::Leave, EventType::CallingContextEnter,
    EventType::CallingContextLeave};

/// What every format that has messages keeps.
inline constexpr std::initializer_list<EventType> kPointToPointRecords = {
    EventType::MpiSend,         EventType::MpiIsend, EventType::MpiIsendComplete,
    EventType::MpiIrecvRequest, EventType::MpiRecv,  EventType::MpiIrecv,
    EventType::MpiProbe,        EventType::MpiMrecv, EventType::MpiImrecvRequest,
    EventType::MpiImrecv};

/// How many records of each type a format keeps. Where a program begins and ends, every format
/// shows.
class KeptRecords {
  public:
    KeptRecords() { add_all({EventType::ProgramBegin, EventType::ProgramEnd}); }

    void add(EventType type, u64 records = 1) { counts_[static_cast<u8>(type)] += records; }
    /// Every record of these types.
    void add_all(std::initializer_list<EventType> types) {
        for (const EventType type : types) counts_[static_cast<u8>(type)] = kAll;
    }
    /// What of an MPI call's records every format that has messages and collectives keeps.
    void add_communication() {
        add_all(kPointToPointRecords);
        add_all({EventType::MpiRequestTest, EventType::MpiRequestCancelled,
                 EventType::MpiCollectiveBegin, EventType::MpiCollectiveEnd,
                 EventType::NonBlockingCollectiveRequest, EventType::NonBlockingCollectiveComplete,
                 EventType::CommCreate, EventType::CommDestroy, EventType::RmaCollectiveBegin,
                 EventType::RmaCollectiveEnd});
    }
    /// Enter and Leave of calls.
    void add_calls(u64 calls) {
        add(EventType::Enter, calls);
        add(EventType::Leave, calls);
    }
    /// Those of another part of the trace.
    void add(const KeptRecords& other) {
        for (std::size_t type = 0; type < kEventTypes; ++type) {
            const bool all = counts_[type] == kAll || other.counts_[type] == kAll;
            counts_[type] = all ? kAll : counts_[type] + other.counts_[type];
        }
    }
    void add_every() { counts_.fill(kAll); }
    [[nodiscard]] u64 of(std::size_t type) const { return counts_[type]; }

  private:
    static constexpr u64 kAll = ~u64{0};

    std::array<u64, kEventTypes> counts_{};
};

}  // namespace tracefold
