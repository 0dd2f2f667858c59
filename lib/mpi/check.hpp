// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/tick_source.hpp"
#include "file/trace_file.hpp"
#include "model/mpi_function.hpp"
#include "mpi/conversion_choices.hpp"
#include "mpi/matching_observer.hpp"
#include "mpi/replay_patch.hpp"
#include "mpi/unrecorded_calls.hpp"
#include "mpi/window.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

// clang-format off
/// All kinds of findings: X(name, hinders, description, treatment in a replay). A kind that hinders
/// prevents the replay of the trace, unless can_be_skipped(); the others are replayed as the
/// treatment says, equally on all ranks.
#define TRACEFOLD_FINDINGS(X)                                                                     \
    X(no_mpi, true, "the trace has no MPI ranks", "nothing")                                      \
    X(unsupported, true, "calls that the trace does not describe well enough to issue them",      \
      "refused, or left out on all ranks with --unsupported skip")                                \
    X(deadlock, true, "calls that wait for each other in the recorded order", "refused")          \
    X(different_bytes, true, "messages whose sent and received sizes differ", "refused")          \
    X(beyond_memory, true, "calls that send or receive more bytes than any memory has", "refused") \
    X(sender_size, false, "receives whose recorded size differs from that of the send",           \
      "received in the size of the send")                                                         \
    X(different_collective, true, "collective calls with different operations on their members",  \
      "refused")                                                                                  \
    X(absent_member, false, "collective calls missing on some members",                           \
      "left out on all members")                                                                  \
    X(by_records, false, "calls whose records do not match the name of the function",             \
      "issued as recorded")                                                                       \
    X(unsent_message, false, "receives without a matching send", "left out")                      \
    X(unreceived_message, false, "messages without a matching receive",                           \
      "sent; received by a receive with unknown arguments on the same rank, if there is one")     \
    X(pending_receive, false, "receives that never complete",                                     \
      "posted, and cancelled at the end")                                                         \
    X(pending_send, false, "sends that never complete", "completed at the end")                   \
    X(pending_collective, true, "collective operations that never complete",                      \
      "refused, or left out on all ranks with --unsupported skip")                                \
    X(unknown_request, false, "completions of requests that were never posted", "left out")       \
    X(crossed_request, true, "completions that name a request of another kind", "refused")        \
    X(swapped_request, false, "completions that name a request of another thread",                \
      "applied to the oldest outstanding request of their own thread")                            \
    X(unequal_volume, false, "collective calls whose sent and received volumes differ",           \
      "issued with the sizes of each rank as far as possible")                                    \
    X(paired_request, false, "non-blocking messages without a request",                           \
      "completed by the calls that wait, in order; the matching simulation finds no contradiction") \
    X(unpaired_request, false, "non-blocking messages whose requests cannot be inferred",         \
      "sends are freed at once, receives are issued where they complete")                         \
    X(inferred_receive, false, "receives without a record (MPI_Mrecv, MPI_Imrecv)",               \
      "receive the messages without a matching receive, in the order of their arrival")           \
    X(lost_receive, false, "receives without a record and without a message for them",            \
      "issued as receives from MPI_PROC_NULL")                                                    \
    X(unrecorded_message, false, "calls without a record of their communication", "left out")     \
    X(unrecorded_barrier, false, "barriers without a record",                                     \
      "issued on the communicator whose members all call them in the same order")                 \
    X(unrecorded_collective, false, "other collective calls without a record",                    \
      "issued on the communicator whose members all make them in the same order")                 \
    X(size_of_metric, false,                                                                      \
      "collective calls without a record, with sizes in the recorder's metrics",                  \
      "issued with these sizes")                                                                  \
    X(unknown_size, false, "collective calls without a record, of unknown size",                  \
      "issued with 0 bytes")                                                                      \
    X(inferred_root, false, "collective calls without a record, with the size on one rank only",  \
      "issued with this rank as root")                                                            \
    X(assumed_root, false, "collective calls without a record, with unknown root",                \
      "issued with root 0")                                                                       \
    X(late_completion, false,                                                                     \
      "completions assigned to collectives without a record, but too early for them",             \
      "left out; these collectives complete at the end")                                          \
    X(lost_collective, false,                                                                     \
      "collective calls without a record that fit no communicator",                               \
      "left out")                                                                                 \
    X(neighbour, true, "neighbourhood collectives, which have no record",                         \
      "refused; left out on all ranks with --unsupported skip, guessed with --neighbour-bytes")   \
    X(inferred_communicator, false, "calls without a record that create communicators",           \
      "create those that all their members use afterwards")                                       \
    X(early_communicator, false, "communicators in use that no call creates",                     \
      "created before the first call")                                                            \
    X(unrecorded_creation, false, "calls that create communicators without a definition",         \
      "left out")                                                                                 \
    X(undefined_intercommunicator, false,                                                         \
      "calls of MPI_Intercomm_create without a definition of the intercommunicator",              \
      "left out")                                                                                 \
    X(inferred_free, false, "MPI_Comm_free without a record",                                     \
      "frees the first communicator that no member uses any more")                                \
    X(unrecorded_free, false, "MPI_Comm_free without a record of an unknown communicator",        \
      "left out")                                                                                 \
    X(no_calls, false, "ranks without a recorded MPI call",                                       \
      "started and ended without calls in between")                                               \
    X(unfinished, false, "ranks that end without MPI_Finalize", "finalized after their last call") \
    X(freed_communicator, true, "calls on a communicator after it was freed", "refused")          \
    X(unordered_threads, true,                                                                    \
      "ranks whose threads call MPI, in a file without times to order the calls",                 \
      "refused; compress with --timing exact")                                                    \
    X(closed_object, false, "uses of a window or file before its creation or after its release",  \
      "left out")                                                                                 \
    X(unknown_communicator, true, "calls of a rank on a communicator without that rank",          \
      "refused")
// clang-format on

namespace tracefold {

class RemoteReaders;

enum class FindingKind : u8 {
#define TRACEFOLD_ENUMERATOR(name, hinders, what, done) name,
    TRACEFOLD_FINDINGS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

struct FindingInfo {
    std::string_view name;
    bool hinders = false;
    std::string_view what;
    std::string_view done;
};
const FindingInfo& finding_info(FindingKind kind);
/// True for calls that can be left out on all ranks (--unsupported skip).
bool can_be_skipped(FindingKind kind);

/// A property of a trace that a replay cannot reproduce unchanged.
struct Finding {
    static constexpr std::size_t kExamples = 3;

    FindingKind kind{};
    u64 count = 0;
    std::vector<std::string> examples;  ///< the first kExamples
};

struct CheckResult {
    u32 ranks = 0;
    u64 locations = 0;  ///< that call MPI
    u64 calls = 0;
    u64 messages = 0;  ///< sent and received
    u64 bytes = 0;     ///< of all messages
    u64 collectives = 0;
    bool threads = false;                    ///< several threads of one rank call MPI
    std::map<std::string, u64> unsupported;  ///< calls by name
    /// Calls by name that a replay does not issue: see has_effect(), why_not_issued().
    std::map<std::string, u64> not_issued;
    UnrecordedCalls unrecorded;        ///< find_unrecorded_calls()
    std::vector<Finding> findings;     ///< by kind
    std::vector<ReplayPatch> patches;  ///< only locations with patches

    /// Without skipping calls that can_be_skipped().
    [[nodiscard]] bool can_be_replayed() const;
    /// The first finding that hinders and cannot be skipped; null if there is none.
    [[nodiscard]] const Finding* hindrance() const;
    [[nodiscard]] const Finding* find(FindingKind kind) const;
};

/// Walks the programs of all ranks side by side in one process, without MPI: matches every message
/// with its receive and the collective calls of all members of a communicator, in the recorded
/// order. Memory: the definitions, outstanding operations, and the lists in CheckResult. Cost: a
/// few hundred nanoseconds per call. `threads`: reading threads, including the caller; 0: one per
/// core for large traces. Throws Error(corrupt).
CheckResult check_replay(TraceFile& file, u32 threads = 1, SizeSource sizes = SizeSource::recorded);
/// Reports the matching to `observer`; with `times`, at the times of the calls, which then order
/// the threads of a rank. `others`: further processes that read calls.
CheckResult check_replay(TraceFile& file, MatchingObserver& observer, Times times = Times::skip,
                         u32 threads = 1, RemoteReaders* others = nullptr,
                         SizeSource sizes = SizeSource::recorded);

/// The locations that call MPI, numbered as the walkers of check_replay(): consecutive by rank.
/// Throws Error(corrupt).
std::vector<u32> walked_locations(TraceFile& file);

/// The inferences of check_replay() about collective calls without a record. Cost: 0 without any.
std::vector<ReplayPatch> infer_collectives(TraceFile& file, u32 threads = 1);

/// Checks a part of the program: CheckResult::patches also contain the changes that replay this
/// part only. Throws Error: usage (no such part), unsupported (threads call MPI, or windows are
/// synchronised by MPI_Win_start and MPI_Win_post, whose partners are not known).
CheckResult check_window(TraceFile& file, const WindowRequest& request);

/// True if a replay needs patches even if every call has its partners.
bool needs_patches(TraceFile& file, const WindowRequest& window);

/// The patches of a replay. Cost: check_replay(). Throws Error: as check_window(), unsupported for
/// a finding that hinders and cannot be skipped.
std::vector<ReplayPatch> replay_patches(TraceFile& file, const WindowRequest& window);

/// Summary of the calls of all ranks.
struct DryRun {
    /// One MPI function. Bytes are those of messages, and of collective operations as OTF2 counts
    /// them: the sum over the partners.
    struct Function {
        std::string name;
        CallFamily family = CallFamily::local;
        u64 calls = 0;
        u64 sent = 0;
        u64 received = 0;
    };

    u32 ranks = 0;
    u64 locations = 0;  ///< that call MPI
    u64 calls = 0;
    std::vector<Function> functions;  ///< the most frequent first
    std::vector<Finding> inferred;    ///< about collectives and communicators without a record
};

/// Walks the programs of all ranks, one after the other, without times; collective calls or
/// creations of communicators without a record first need a side-by-side walk (see check_replay()).
/// Memory: one program, or that of the side-by-side walk. Throws Error(corrupt).
DryRun dry_run(TraceFile& file);

}  // namespace tracefold
