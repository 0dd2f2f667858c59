// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "mpi/matching/communicator_history.hpp"
#include "mpi/replay_patch.hpp"

#include <array>
#include <atomic>
#include <string_view>
#include <vector>

namespace tracefold {

/// Infers which calls without a record made and freed which communicators, and which communicators
/// are in use although no call made them. Takes the histories of all ranks; `first_locations` are
/// those on which MPI was initialised. The result is sorted by location, without empty patches.
/// Memory: linear in these calls and in the communicators.
std::vector<ReplayPatch> infer_communicators(const std::vector<CommunicatorHistory>& histories,
                                             const std::vector<u32>& first_locations);

/// Infers the communicators of a file. Cost: a walk through all calls. Throws Error(corrupt).
std::vector<ReplayPatch> infer_communicators(TraceFile& file, const FileTable& files,
                                             const std::vector<CommunicatorTable>& tables);

}  // namespace tracefold

// clang-format off
/// What a replay does where the trace does not say everything, once each: X(name, text). The text
/// is for people; docs/reference/replay.md has a row for each.
#define TRACEFOLD_INFERENCES(X)                                                                   \
    X(by_records, "calls whose records do not match the name of the function: issued as recorded") \
    X(split, "communicators split by their recorded members")                                     \
    X(split_type, "MPI_Comm_split_type of other members here: replayed as MPI_Comm_split")        \
    X(graph, "communicators with a graph: created with a ring instead")                           \
    X(cart_as_split,                                                                              \
      "Cartesian communicators of unknown or permuted shape: created without topology")           \
    X(inter_group, "local communicators of MPI_Intercomm_create: created for it only")            \
    X(creation_inferred,                                                                          \
      "calls without a record that create communicators: communicator inferred")                  \
    X(made_early, "communicators that no call creates: created before the first call")            \
    X(parent_unknown, "communicators of unknown parents: created from their members")             \
    X(free_inferred, "MPI_Comm_free without a record: communicator inferred")                     \
    X(creation_left_out, "creations of communicators without a record: left out")                 \
    X(free_left_out, "MPI_Comm_free without a record: left out")                                  \
    X(barrier_named, "barriers without a record: issued where all members call them")             \
    X(collective_named, "other collectives without a record: issued where all members call them") \
    X(collective_sized, "of these, sizes from the recorder's metrics")                            \
    X(collective_empty, "of these, unknown sizes assumed to be 0")                                \
    X(root_found, "of these, roots inferred from the only rank with a size")                      \
    X(root_assumed, "of these, unknown roots assumed to be rank 0")                               \
    X(collective_completed, "of these, non-blocking ones completed by the next waiting call")     \
    X(window_call_left_out, "calls on an unknown window: left out")                               \
    X(window_guessed, "calls on an unknown window: issued on the most likely one")                \
    X(window_test_left_out, "failed MPI_Win_test: left out")                                      \
    X(attached_memory, "MPI_Win_attach, MPI_Win_detach: of a byte that no transfer uses")         \
    X(file_call_left_out, "calls on an unknown file: left out")                                   \
    X(file_guessed, "calls on an unknown file: issued on the last used one")                      \
    X(file_view, "file views: one contiguous part of the file per process")                       \
    X(file_delete, "MPI_File_delete: issued on an empty file")                                    \
    X(seek, "relative seeks in files: made absolute")                                             \
    X(persistent, "persistent requests: created when they are started")                           \
    X(receive_nothing, "receives that never complete: match no message")                          \
    X(request_paired,                                                                             \
      "non-blocking messages without a request: completed by the calls that wait, in order")      \
    X(send_freed, "posted sends without a request: freed at once")                                \
    X(test_failed, "failed tests: test a request that never completes")                           \
    X(cancel_late, "MPI_Cancel: issued where the request completes")                              \
    X(free_unknown, "MPI_Request_free of an unknown request: issued at the end")                  \
    X(request_unknown, "completions of requests that were never posted: left out")                \
    X(receive_late, "receives that were never posted: issued where they complete")                \
    X(probe_next, "probes: probe for the message that is received next")                          \
    X(probe_nothing, "failed probes: probe for no message")                                       \
    X(from_nobody, "probes and MPI_Mrecv of messages that nobody sent: from MPI_PROC_NULL")       \
    X(matched_receive, "messages of MPI_Mrecv and MPI_Imrecv: found among the unreceived ones")   \
    X(message_left, "probed messages that no call receives: received at the end")                 \
    X(partner_missing, "calls, or messages of them, without a partner: left out")                 \
    X(wildcard, "receives with MPI_ANY_SOURCE (--wildcards)")                                     \
    X(neighbour_guessed,                                                                          \
      "neighbourhood collectives: issued on the last created communicator with neighbours")       \
    X(neighbour_left_out, "neighbourhood collectives without a Cartesian communicator: left out") \
    X(outside_window, "calls outside of --from and --to: left out")                               \
    X(made_before, "calls before --from that later calls need: issued in advance")                \
    X(all_to_all, "counts of MPI_Alltoallv and MPI_Alltoallw: spread evenly")                     \
    X(comm_freed_late, "MPI_Comm_free of programs with threads: issued at the end")
// clang-format on

namespace tracefold {

enum class Inference : u8 {
#define TRACEFOLD_ENUMERATOR(name, text) name,
    TRACEFOLD_INFERENCES(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

inline constexpr std::array kInferenceTexts = {
#define TRACEFOLD_TEXT(name, text) std::string_view(text),
    TRACEFOLD_INFERENCES(TRACEFOLD_TEXT)
#undef TRACEFOLD_TEXT
};

inline constexpr std::size_t kInferences = kInferenceTexts.size();

/// How often each inference was made in one replay of the program. Thread-safe counting.
class Inferences {
  public:
    void count(Inference kind, u64 times = 1) {
        if (stopped_) return;
        counts_[static_cast<std::size_t>(kind)].fetch_add(times, std::memory_order_relaxed);
    }
    [[nodiscard]] u64 of(Inference kind) const {
        return counts_[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
    }

    /// Stops counting: further replays would repeat the same counts.
    void stop() { stopped_ = true; }

  private:
    bool stopped_ = false;
    std::array<std::atomic<u64>, kInferences> counts_{};
};

}  // namespace tracefold
