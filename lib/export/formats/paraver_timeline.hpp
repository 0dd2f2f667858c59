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

/// What a thread does for a while, numbered as Paraver does.
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

/// Types of events, numbered as Extrae does.
inline constexpr u32 kParaverPointToPoint = 50000001;
inline constexpr u32 kParaverCollective = 50000002;
inline constexpr u32 kParaverOtherMpi = 50000003;
inline constexpr u32 kParaverSent = 50100001;
inline constexpr u32 kParaverReceived = 50100002;
inline constexpr u32 kParaverRoot = 50100003;
inline constexpr u32 kParaverCommunicator = 50100004;
inline constexpr u32 kParaverFunction = 60000019;

ParaverState paraver_state(const MpiCall& call);
/// Point-to-point, collective, or other.
u32 paraver_call_type(const MpiCall& call);

/// The numbers of functions, and which of them occurred: the content of the .pcf file.
class ParaverNames {
  public:
    explicit ParaverNames(const DefinitionIndex& definitions) : definitions_(definitions) {}

    /// Extrae's number where it is well known; else one from 1000 on.
    u32 call_value(const MpiCall& call);
    /// From 1 on.
    u64 region_value(u64 region);

    /// Those that occurred elsewhere, too.
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

/// Where a thread is: all numbers from 1 on.
struct ParaverPlace {
    u32 cpu = 0;
    u32 task = 0;
    u32 thread = 0;
};

/// One end of a message. Times are nanoseconds from the beginning of the trace.
struct ParaverMessageEnd {
    u32 sender = 0;  ///< world ranks
    u32 receiver = 0;
    u64 comm = 0;
    u64 number = 0;  ///< among those of the same ranks, communicator and tag
    u32 tag = 0;
    u32 receives = 0;  ///< 0: the sender's end, 1: the receiver's
    u32 location = 0;
    u64 begin = 0;  ///< of the call that sends or posts
    u64 end = 0;    ///< of the call that completes
    u64 bytes = 0;

    bool operator<(const ParaverMessageEnd& other) const;
    [[nodiscard]] bool is_other_end_of(const ParaverMessageEnd& other) const;
};

/// Everything that happens, gathered in any order and written in the order of time: states before
/// events before messages. Memory: that of SortedRecords, whatever the trace's length.
class ParaverTimeline {
    enum class Kind : u32 { state = 1, event = 2, message = 3 };

    struct Record {
        u64 time = 0;
        u64 number = 0;  ///< of all records
        Kind kind = Kind::state;
        u32 location = 0;
        u64 a = 0;  ///< end of a state, type of an event, when a receive is posted
        u64 b = 0;  ///< state, value of an event, when a message is received
        u64 bytes = 0;
        u32 receiver = 0;  ///< location
        u32 tag = 0;       ///< of an event: whether it joins the one before

        bool operator<(const Record& other) const;
    };

    using Records = SortedRecords<Record>;

  public:
    /// `directory` takes temporary files.
    explicit ParaverTimeline(const std::filesystem::path& directory)
        : records_(directory), ends_(directory) {}

    /// States without a length are left out. Times are nanoseconds.
    void state(u32 location, u64 begin, u64 end, ParaverState state);
    /// `joins`: in one record with the event before.
    void event(u32 location, u64 time, u32 type, u64 value, bool joins = false);
    void message(const ParaverMessageEnd& end) { ends_.add(end); }
    /// All that another one has, of other locations.
    void take(ParaverTimeline other) {
        records_.take(std::move(other.records_));
        ends_.take(std::move(other.ends_));
        end_ = std::max(end_, other.end_);
    }

    /// What became of the ends of messages.
    struct Messages {
        u64 whole = 0;
        u64 never_received = 0;
        u64 never_sent = 0;
        u64 backwards = 0;  ///< that end before they begin, by the clocks of the trace
    };
    /// Joins the ends of messages; call once, when all has been added.
    Messages join_messages();

    [[nodiscard]] u64 records() const { return records_.count(); }
    /// When the last thing ends.
    [[nodiscard]] u64 end() const { return end_; }

    using Parts = Records::Parts;
    /// Parts of the time with about as many records each, one after the other. `records`: of each,
    /// at least. Precondition of this and of write(): join_messages(). Cost: that of
    /// SortedRecords::divide().
    [[nodiscard]] Parts parts(u32 threads, u64 records = Records::kDefaultPart) const;
    /// `places`: of each location. For concurrent use.
    void write(const Parts& parts, std::size_t part, const std::vector<ParaverPlace>& places,
               TextOut& out) const;

  private:
    void add(Record record);

    Records records_;
    SortedRecords<ParaverMessageEnd> ends_;
    u64 end_ = 0;
};

}  // namespace tracefold
