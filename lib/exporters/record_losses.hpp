// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_report.hpp"
#include "model/event_table.hpp"
#include "trace/trace_file.hpp"

#include <array>
#include <initializer_list>

namespace tracefold::inline exporters {

/// What of an MPI call's records every format that has messages and collectives keeps.
inline constexpr std::initializer_list<EventType> kMessageRecords = {
    EventType::MpiSend,
    EventType::MpiIsend,
    EventType::MpiIsendComplete,
    EventType::MpiIrecvRequest,
    EventType::MpiRecv,
    EventType::MpiIrecv,
    EventType::MpiRequestTest,
    EventType::MpiRequestCancelled,
    EventType::MpiCollectiveBegin,
    EventType::MpiCollectiveEnd,
    EventType::NonBlockingCollectiveRequest,
    EventType::NonBlockingCollectiveComplete,
    EventType::CommCreate,
    EventType::CommDestroy,
    EventType::MpiProbe,
    EventType::MpiMrecv,
    EventType::MpiImrecvRequest,
    EventType::MpiImrecv,
    EventType::RmaCollectiveBegin,
    EventType::RmaCollectiveEnd};

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

/// Counts as dropped ("Metric records") the records of the trace that are not kept, and those that
/// the folded file itself does not hold. Cost: symbols and locations; nothing is unwound.
void count_dropped_records(TraceFile& file, const KeptRecords& kept, ExportReport& report);

}  // namespace tracefold::inline exporters
