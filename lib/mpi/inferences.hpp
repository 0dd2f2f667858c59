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
/// All assumptions of a replay about facts that the trace lacks: X(name, text). The text is for
/// people; docs/reference/replay.md has a row for each.
#define TRACEFOLD_INFERENCES(X)                                                                  \
    X(by_records, "calls of functions whose names do not tell: issued as their records say")     \
    X(split, "communicators split by their recorded members")                                    \
    X(split_type, "MPI_Comm_split_type replayed as MPI_Comm_split")                              \
    X(graph, "communicators with a graph made with a ring in its place")                         \
    X(cart_as_split, "Cartesian communicators of unknown or permuted shape made without it")     \
    X(inter_group, "local communicators of MPI_Intercomm_create made for it alone")              \
    X(creation_inferred, "calls without a record that make communicators: which ones")            \
    X(made_early, "communicators that no call makes made before the first call")                 \
    X(parent_unknown, "communicators of unknown parents made of their members")                  \
    X(free_inferred, "MPI_Comm_free without a record: of which communicator")                    \
    X(creation_left_out, "creations of communicators without a record left out")                 \
    X(free_left_out, "MPI_Comm_free without a record left out")                                  \
    X(barrier_named, "barriers without a record issued where all members call them")             \
    X(collective_named, "other collectives without a record issued where all members call them") \
    X(collective_sized, "of these, sizes taken from the recorder's metrics")                     \
    X(collective_empty, "of these, sizes that nothing tells taken for 0")                        \
    X(root_found, "of these, roots taken from who alone tells the size")                         \
    X(root_assumed, "of these, roots that nothing tells taken for rank 0")                       \
    X(collective_completed, "of these, non-blocking ones completed by the next call that waits") \
    X(window_call_left_out, "calls on an unknown window left out")                               \
    X(window_guessed, "calls on the window that they most likely mean")                           \
    X(window_test_left_out, "MPI_Win_test that failed left out")                                 \
    X(attached_memory, "memory attached by MPI_Win_attach replaced by one piece at creation")    \
    X(file_call_left_out, "calls on an unknown file left out")                                   \
    X(file_guessed, "calls on the file that was used last")                                      \
    X(file_view, "file views replaced by one contiguous part of the file per process")           \
    X(file_delete, "MPI_File_delete of an empty file instead")                                   \
    X(seek, "relative seeks in files made absolute")                                             \
    X(persistent, "persistent requests made when they are started")                              \
    X(receive_nothing, "receives that were never completed match no message")                    \
    X(send_freed, "posted sends without a request freed at once")                                \
    X(test_failed, "tests that failed look at a request that never completes")                   \
    X(cancel_late, "MPI_Cancel issued where the request completes")                              \
    X(free_unknown, "MPI_Request_free of an unknown request left out")                           \
    X(request_unknown, "completions of requests that were never posted left out")                \
    X(receive_late, "receives that were never posted made where they complete")                  \
    X(probe_next, "probes for the message that is received next")                                \
    X(probe_nothing, "probes that found nothing look for no message")                            \
    X(matched_receive, "messages of MPI_Mrecv and MPI_Imrecv found among those left over")       \
    X(message_left, "messages that probes took and no call receives received at the end")        \
    X(partner_missing, "calls, or messages of them, without a partner left out")                           \
    X(wildcard, "receives with MPI_ANY_SOURCE (--wildcards)")                                    \
    X(neighbour_guessed, "neighbourhood collectives on the communicator with neighbours made last") \
    X(neighbour_left_out, "neighbourhood collectives without a Cartesian communicator left out") \
    X(outside_window, "calls outside of --from and --to left out")                               \
    X(made_before, "calls before --from made in advance, since what follows needs them")         \
    X(all_to_all, "counts of MPI_Alltoallv and MPI_Alltoallw spread evenly")                     \
    X(comm_freed_late, "MPI_Comm_free of programs with threads issued at the end")
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
