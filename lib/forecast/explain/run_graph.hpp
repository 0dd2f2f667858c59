// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/mpi_function.hpp"
#include "mpi/program_steps.hpp"
#include "questions/profile/call_tree.hpp"

#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// More MPI calls are not examined: a call takes some 200 bytes.
inline constexpr u64 kMostGraphCalls = 10'000'000;

/// RunDurations of a run, as recorded or changed: a scenario. Ticks, by call.
struct RunDurations {
    /// Dependencies that a call ignores, as bits.
    enum Ignored : u8 { messages = 1, receivers = 2, members = 4, all = 7 };

    std::vector<u64> computation;  ///< before the call
    std::vector<u64> own;          ///< of the call, after all that it depends on has come
    std::vector<u8> ignored;
    /// By how much earlier the messages of a call leave. Empty: none.
    std::vector<u64> earlier;
    /// Sender that a call waits for in place of the recorded one; kNone: the recorded one. Empty:
    /// all as recorded.
    std::vector<u32> senders;
};

/// The MPI calls of all ranks from MPI_Init to MPI_Finalize, and which of them waited for which.
/// With the recorded durations, a walk gives the recorded times to the tick; with others, the run
/// as it would have been in the recorded order of events. Ticks of the common clock.
struct RunGraph {
    /// Columns of a call besides the numbers of steps, from 0 on.
    static constexpr u32 kBefore = kNone - 1;
    static constexpr u32 kAfter = kNone;

    struct Call {
        u64 begin = 0;
        u64 end = 0;
        u32 node = kNone;  ///< call path
        u32 step = kBefore;
        u32 first_part = 0;  ///< of the computation before it, in `parts`
        u32 first_need = 0;  ///< in `needs`
        u64 bytes = 0;       ///< that it sends in messages, or moves in a collective
        u32 messages = 0;    ///< that it sends
        u32 peer = kNone;    ///< rank of its only partner; kNone: several, or none
        u32 root = kNone;    ///< rank of a collective's root
        MpiFunction function = MpiFunction::other;
        CallFamily family = CallFamily::local;
        bool in_vain = false;  ///< a poll that completes nothing
        bool polls = false;
        bool is_unknown = false;  ///< completes requests without a record
    };
    struct Part {
        u32 node = kNone;
        u64 ticks = 0;
    };
    /// What a call waits for: the begin of another call, or of the first `count` calls of a list.
    struct Need {
        u32 source = 0;  ///< call, or list
        u32 count = 0;   ///< 0: a call
        RunDurations::Ignored kind = RunDurations::messages;
    };
    struct Message {
        u32 sender = 0;
        u32 receiver = 0;  ///< call that posts the receive
        u64 bytes = 0;
    };

    u32 ranks = 0;
    u64 steps = 0;             ///< 0: none found
    std::vector<u32> first;    ///< call of each rank, and the end; its last one is MPI_Finalize
    std::vector<u64> start;    ///< of each rank
    std::vector<u32> rank_of;  ///< by call
    std::vector<Call> calls;
    std::vector<Part> parts;
    std::vector<Need> needs;
    std::vector<std::vector<u32>> lists;  ///< calls of the members of a collective operation
    std::vector<Message> messages;
    std::vector<u32> order;  ///< calls; each after all whose predecessors it depends on
    CallTree tree;
    u64 early_messages = 0;  ///< received before they were sent: not waited for
    std::string why_not;     ///< the run cannot be walked

    [[nodiscard]] std::span<const Part> parts_of(u32 call) const {
        return {
            parts.data() + calls[call].first_part,
            parts.data() + (call + 1 < calls.size() ? calls[call + 1].first_part : parts.size())};
    }
    [[nodiscard]] std::span<const Need> needs_of(u32 call) const {
        return {
            needs.data() + calls[call].first_need,
            needs.data() + (call + 1 < calls.size() ? calls[call + 1].first_need : needs.size())};
    }
    /// When all came that the call depends on; its begin, if that is later.
    [[nodiscard]] u64 ready(u32 call) const;
    /// As recorded.
    [[nodiscard]] RunDurations recorded() const;
    /// From the first begin to the last end, as recorded.
    [[nodiscard]] u64 runtime() const;
};

/// Reads the calls of all ranks, up to `most`. Complete without `why_not`. Cost: check_replay()
/// with times. Memory: some 200 bytes a call. Throws Error(corrupt).
RunGraph read_run_graph(TraceFile& file, const ProgramSteps* steps, u32 threads,
                        u64 most = kMostGraphCalls);

/// Times of a run with some durations.
struct RunWalk {
    u64 runtime = 0;
    u32 last = 0;             ///< rank
    std::vector<u64> begins;  ///< by call
    std::vector<u64> ends;
    std::vector<u64> readies;  ///< when the call has all that it waits for
};

/// Cost: linear in calls and dependencies.
RunWalk walk(const RunGraph& graph, const RunDurations& durations);

/// A part of the critical path of a walk, on one rank: the computation before a call, and the call
/// after all that it depends on has come.
struct PathPart {
    u32 call = 0;
    u64 computation = 0;
    u64 own = 0;
};

/// The call whose begin ended the wait of a call, in a walk; kNone: the call does not wait. Cost:
/// its dependencies.
u32 waited_for(const RunGraph& graph, const RunDurations& durations, const RunWalk& walked,
               u32 call);

/// From the end of the run to its begin.
std::vector<PathPart> critical_path(const RunGraph& graph, const RunDurations& durations,
                                    const RunWalk& walked);

}  // namespace tracefold
