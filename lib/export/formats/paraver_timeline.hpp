// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "export/formats/export_team.hpp"
#include "export/formats/sorted_records.hpp"
#include "model/definition_index.hpp"
#include "mpi/mpi_call.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// States of a thread, as numbered by Paraver.
enum class ParaverState : u8 {
    running = 1,
    waiting_for_message = 3,
    blocking_send = 4,
    synchronisation = 5,
    other = 7,
    wait = 8,
    collective = 9,
    immediate_send = 10,
    immediate_receive = 11,
};

/// Event types, as numbered by Extrae.
inline constexpr u32 kParaverPointToPoint = 50000001;
inline constexpr u32 kParaverCollective = 50000002;
inline constexpr u32 kParaverOtherMpi = 50000003;
inline constexpr u32 kParaverSent = 50100001;
inline constexpr u32 kParaverReceived = 50100002;
inline constexpr u32 kParaverRoot = 50100003;
inline constexpr u32 kParaverCommunicator = 50100004;
inline constexpr u32 kParaverFunction = 60000019;

ParaverState paraver_state(const MpiCall& call);
/// The type of a call's event: point-to-point, collective, or other.
u32 paraver_call_type(const MpiCall& call);

/// The numbers of functions, and those that occurred: the content of the .pcf file.
class ParaverNames {
  public:
    explicit ParaverNames(const DefinitionIndex& definitions) : definitions_(definitions) {}

    /// Extrae's number if the function has one; otherwise one from 1000 on.
    u32 call_value(const MpiCall& call);
    /// Numbered from 1.
    u64 region_value(u64 region);

    /// Adds the names of another part.
    void take(ParaverNames other) {
        calls_.merge(other.calls_);
        regions_.merge(other.regions_);
    }

    void write(TextOut& out) const;

  private:
    static void write_operation_types(TextOut& out);
    const DefinitionIndex& definitions_;
    /// Names of calls by type of event and value.
    std::map<std::pair<u32, u32>, std::string> calls_;
    std::set<u64> regions_;
};

/// The place of a thread: all numbers from 1 on.
struct ParaverPlace {
    u32 cpu = 0;
    u32 task = 0;
    u32 thread = 0;
};

/// One end of a message. Times are nanoseconds from the begin of the trace.
struct ParaverMessageEnd {
    u32 sender = 0;  ///< world ranks
    u32 receiver = 0;
    u64 comm = 0;
    u64 number = 0;  ///< index among messages of these ranks, communicator and tag
    u32 tag = 0;
    u32 receives = 0;  ///< 0: the sender's end, 1: the receiver's
    u32 location = 0;
    u64 begin = 0;  ///< of the sending or posting call
    u64 end = 0;    ///< of the completing call
    u64 bytes = 0;

    bool operator<(const ParaverMessageEnd& other) const;
    [[nodiscard]] bool is_other_end_of(const ParaverMessageEnd& other) const;
};

/// Collects records in any order and writes them by time: states before events before messages.
/// Memory: that of SortedRecords, independent of the trace.
class ParaverTimeline {
    enum class Kind : u32 { state = 1, event = 2, message = 3 };

    struct Record {
        u64 time = 0;
        u64 number = 0;  ///< index of the record
        Kind kind = Kind::state;
        u32 location = 0;
        u64 a = 0;  ///< end of a state, type of an event, time of a posted receive
        u64 b = 0;  ///< state, value of an event, time of a reception
        u64 bytes = 0;
        u32 receiver = 0;  ///< location
        u32 tag = 0;       ///< of an event: 1 if it joins the previous one

        bool operator<(const Record& other) const;
    };

    using Records = SortedRecords<Record>;

  public:
    /// `directory` is for temporary files.
    explicit ParaverTimeline(const std::filesystem::path& directory)
        : records_(directory), ends_(directory) {}

    /// Omits empty states. Times are nanoseconds.
    void state(u32 location, u64 begin, u64 end, ParaverState state);
    /// `joins`: in one record with the previous event.
    void event(u32 location, u64 time, u32 type, u64 value, bool joins = false);
    void message(const ParaverMessageEnd& end) { ends_.add(end); }
    /// Adds the records of another timeline, of other locations.
    void take(ParaverTimeline other) {
        records_.take(std::move(other.records_));
        ends_.take(std::move(other.ends_));
        end_ = std::max(end_, other.end_);
    }

    /// Outcomes of the ends of messages.
    struct Messages {
        u64 whole = 0;
        u64 never_received = 0;
        u64 never_sent = 0;
        u64 backwards = 0;  ///< end before their begin, by the clocks of the trace
    };
    /// Joins the ends of messages; call once, after the last record.
    Messages join_messages();

    [[nodiscard]] u64 records() const { return records_.count(); }
    /// End of the last record.
    [[nodiscard]] u64 end() const { return end_; }

    using Parts = Records::Parts;
    /// Consecutive parts of the time with about as many records each, at least `records`.
    /// Precondition of parts() and write(): join_messages(). Cost: that of SortedRecords::divide().
    [[nodiscard]] Parts parts(u32 threads, u64 records = Records::kDefaultPart) const;
    /// `places`: by location. For concurrent use.
    void write(const Parts& parts, std::size_t part, const std::vector<ParaverPlace>& places,
               TextOut& out) const;

  private:
    void add(Record record);

    Records records_;
    SortedRecords<ParaverMessageEnd> ends_;
    u64 end_ = 0;
};

}  // namespace tracefold
