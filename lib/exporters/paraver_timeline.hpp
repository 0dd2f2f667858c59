// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/paraver_names.hpp"
#include "exporters/sorted_records.hpp"
#include "exporters/text_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace tracefold {

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
