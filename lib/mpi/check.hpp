// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/tick_source.hpp"
#include "file/trace_file.hpp"
#include "model/mpi_function.hpp"
#include "mpi/conversion_choices.hpp"
#include "mpi/matching_observer.hpp"
#include "mpi/replay_patch.hpp"
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
    X(unsupported, true, "calls that the trace says too little about to issue them",              \
      "refused, or left out on all ranks with --unsupported skip")                                \
    X(deadlock, true, "calls that wait for each other in the recorded order", "refused")          \
    X(different_bytes, true, "messages that are received in another size than sent", "refused")   \
    X(beyond_memory, true, "calls that send or receive more than any memory holds", "refused")    \
    X(sender_size, false, "receives that recorded another size than the message was sent with",   \
      "received in the size of their senders")                                                    \
    X(different_collective, true, "collective calls that members entered for different operations",\
      "refused")                                                                                  \
    X(absent_member, false, "collective calls that not all members entered",                      \
      "left out on all members")                                                                  \
    X(by_records, false, "calls of functions whose names do not tell what their records say",        \
      "issued as their records say")                                                              \
    X(unsent_message, false, "receives whose message nobody sends", "left out")                   \
    X(unreceived_message, false, "messages that nobody receives",                                 \
      "sent; received by a receive of unknown arguments of their rank, if there is one")                                                   \
    X(pending_receive, false, "receives that never complete",                                     \
      "posted, and cancelled at the end")                                                         \
    X(pending_send, false, "sends that nobody waits for", "completed at the end")                 \
    X(pending_collective, true, "collective operations that are posted and never complete",       \
      "refused, or left out on all ranks with --unsupported skip")                                \
    X(unknown_request, false, "completions of requests that were never posted", "left out")       \
    X(crossed_request, true, "completions that name a request of another kind", "refused")        \
    X(swapped_request, false, "completions by a thread that name a request of another one",       \
      "taken for the oldest outstanding one of their own thread")                                 \
    X(unequal_volume, false, "collective calls that receive more or less than is sent",           \
      "issued with the sizes of each rank as far as they fit")                                    \
    X(inferred_receive, false, "receives without a record (MPI_Mrecv, MPI_Imrecv)",               \
      "receive the messages that nobody else receives, in the order of their arrival")            \
    X(lost_receive, false, "receives without a record and without a message for them",            \
      "left out")                                                                                 \
    X(unrecorded_barrier, false, "barriers without a record",                                     \
      "issued on the communicator whose members all call them in the same order")                 \
    X(unrecorded_collective, false, "other collective calls without a record",                    \
      "issued on the communicator whose members all make them in the same order")                 \
    X(size_of_metric, false,                                                                      \
      "collective calls without a record whose size the recorder's metrics tell",                 \
      "issued with these sizes")                                                                  \
    X(unknown_size, false, "collective calls without a record whose size nothing tells",          \
      "issued with no bytes")                                                                     \
    X(inferred_root, false, "collective calls without a record whose root alone tells the size",  \
      "issued with this root")                                                                    \
    X(assumed_root, false, "collective calls without a record whose root nothing tells",          \
      "issued with root 0")                                                                       \
    X(late_completion, false,                                                                     \
      "completions taken for those of collectives without a record, too early for them",          \
      "left out, and these collectives completed at the end")                                     \
    X(lost_collective, false,                                                                     \
      "collective calls without a record that no communicator's members all make",                \
      "left out")                                                                                 \
    X(neighbour, true, "neighbourhood collectives, which have no record",                         \
      "refused; left out on all ranks with --unsupported skip, guessed with --neighbour-bytes")   \
    X(inferred_communicator, false, "calls without a record that make communicators",             \
      "make those that all their members use after them")                                         \
    X(early_communicator, false, "communicators of a rank that it uses and no call makes",        \
      "made before the first call")                                                               \
    X(unrecorded_creation, false, "calls that make communicators which nothing defines",          \
      "left out")                                                                                 \
    X(undefined_intercommunicator, false,                                                         \
      "calls of MPI_Intercomm_create whose intercommunicators the trace does not define",         \
      "left out")                                                                                 \
    X(inferred_free, false, "MPI_Comm_free without a record",                                     \
      "frees the first communicator that no member uses any more")                                \
    X(unrecorded_free, false, "MPI_Comm_free without a record of an unknown communicator",        \
      "left out")                                                                                 \
    X(no_calls, false, "ranks of which no MPI call is recorded",                                  \
      "started and ended, without a call between")                                                \
    X(unfinished, false, "ranks that end without MPI_Finalize", "finalized after their last call") \
    X(freed_communicator, true, "calls on a communicator after it was freed", "refused")          \
    X(unordered_threads, true,                                                                    \
      "ranks whose threads call MPI, in a file without the times that tell in which order",       \
      "refused; compress with --timing exact")                                                    \
    X(closed_object, false, "uses of a window or file before it was created or after it was freed", \
      "left out")                                                                                 \
    X(unknown_communicator, true, "calls on a communicator that their rank is no member of",      \
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
    std::vector<Finding> findings;           ///< by kind
    std::vector<ReplayPatch> patches;        ///< only locations with patches

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

/// The inferences of check_replay() about collective calls without a record. Cost: 0 without any.
std::vector<ReplayPatch> infer_collectives(TraceFile& file, u32 threads = 1);

/// Checks a part of the program: CheckResult::patches also contain the changes that replay this
/// part only. Throws Error: usage (no such part), unsupported (threads call MPI, or windows are
/// synchronised by MPI_Win_start and MPI_Win_post, whose partners are not known).
CheckResult check_window(TraceFile& file, const WindowRequest& request);

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
