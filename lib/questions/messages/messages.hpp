// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/csv_table.hpp"
#include "model/participant_names.hpp"
#include "mpi/program_steps.hpp"
#include "questions/calls/selected_calls.hpp"
#include "questions/calls/tick_window.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace tracefold {

/// The call that sends a message, or the one that receives it: a blocking receive, the call that
/// completes a non-blocking one, or the probe that takes the message.
struct MessageCall {
    u32 location = kNone;        ///< kNone: never received
    u64 call = 0;                ///< among the calls of the location, from 0
    std::string_view name = {};  ///< belongs to the trace file
    TickWindow time = {};        ///< since the first event, on the common clock
};

struct Message {
    MessageCall sent;
    MessageCall received;
    u64 bytes = 0;  ///< as sent
    u64 communicator = 0;
    u32 tag = 0;
    std::optional<u64> step =
        {};  ///< of the receiving call; of a message never received: the sending one
    /// Part of the receiving call, and of an MPI_Probe for the message, before the begin of the
    /// sending call: the late_sender time of WaitAnalysis. Other messages of the call may overlap
    /// it.
    u64 late = 0;
};

struct MessageRequest {
    CallSelection part;  ///< locations of sender or receiver; names of either call; time: see below
    std::size_t top = 0;  ///< only so many messages, those with the longest waits first; 0: all
    std::size_t most = 10'000'000;  ///< more than so many, selected or on their way, are an error
};

/// The messages of a trace, by begin of the sending call.
struct Messages {
    std::vector<Message> list;
    bool has_times = false;  ///< the file keeps every time; else `time` and `late` are 0
    u64 most_steps = 0;      ///< of the program; 0: it has none, or they are unknown
    u64 unreceived = 0;      ///< messages of `list` that no call receives
};

/// Matches all messages of the trace (check_replay()) and selects those whose time, from the begin
/// of the sending call to the end of the receiving one, overlaps the window. Cost: that of
/// check_replay() without repetition, the steps, and the selected locations once more. Memory:
/// outstanding messages, and 150 bytes per selected one. Throws Error: corrupt; usage for a window
/// in a file without every time, steps of a program without steps, or more messages than `most`;
/// unsupported without MPI.
Messages find_messages(TraceFile& file, const MessageRequest& request, FoundSteps& steps,
                       u32 threads = 1);

/// A row for each message: sender, receiver (ranks), tag, bytes, communicator, step, late, then
/// name, location, begin and duration of both calls. Times in seconds.
void put_messages(TraceFile& file, const Messages& messages, TableSink& table);

}  // namespace tracefold
