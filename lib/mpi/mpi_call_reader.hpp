// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_reader.hpp"
#include "mpi/repeated_calls.hpp"
#include "mpi/replay_patch.hpp"

#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// Reads the MPI calls of one location in order, unwound on the fly. Memory: folded size. Throws
/// Error(corrupt). The file must outlive the reader.
class MpiCallReader {
  public:
    /// Without times the file's ticks are neither read nor stored.
    MpiCallReader(TraceFile& file, u32 location, Times times = Times::read);
    ~MpiCallReader();
    MpiCallReader(MpiCallReader&&) noexcept;
    MpiCallReader& operator=(MpiCallReader&&) noexcept;

    /// Completes all further calls with the location's inferences (null: none), and probes with
    /// their messages. Call before next().
    void infer(const ReplayPatch* patch);

    /// Completes all further calls only with the communicators that they make and free, as inferred
    /// from all ranks. `patch` must outlive the reader. Call before next(), instead of infer().
    void recall(const ReplayPatch& patch);

    /// Decodes further repeated iterations once, up to `most_calls` calls per iteration. Memory:
    /// some 400 bytes per call. Call before next().
    void remember_loops(std::size_t most_calls = RepeatedCalls::kMostCalls);

    /// Gives further calls a second begin and end for pacing, from other times than the
    /// constructor's. No effect if `times` are as recorded or skipped. Call before next().
    void pace(Times times);

    /// Collects the local ids of definitions in further calls, with their global ids. `ids` must
    /// outlive the reader. Call before next().
    using UsedIds = std::map<std::pair<FieldKind, u64>, u64>;
    void note_ids(UsedIds& ids);

    /// Reads the next call; false at the end. Nested calls (I/O inside MPI-IO, user functions of
    /// reductions) belong to the outermost MPI call.
    bool next(MpiCall& call);

    /// The last call, if it equals that of other iterations except for times and requests.
    [[nodiscard]] RepeatedCall repeated() const;
    /// The first call of the next repeated iteration, if that comes next; otherwise none.
    [[nodiscard]] RepeatedCall coming() const;
    /// Reads all calls of the coming() iteration. Precondition: coming() has one, each of whose
    /// calls was repeated() before, and not pace().
    RepeatedCalls::Iteration next_iteration();

    /// Precondition: the last call was repeated().
    [[nodiscard]] const RepeatedCalls& repeated_calls() const;
    /// The next iterations, whose calls were all repeated() in the last one; needs
    /// remember_loops().
    [[nodiscard]] ComingIterations coming_iterations() const;
    /// Skips iterations; with times, read_extents() must follow for each: begin and end of all
    /// calls.
    void leave_out(u64 iterations);
    void read_extents(u64* times);

    /// Calls read or skipped.
    [[nodiscard]] u64 calls() const;
    [[nodiscard]] u32 location() const;
    /// The index of the symbol, as CallReader reads them, with which the last call began.
    /// Precondition: not remember_loops().
    [[nodiscard]] u64 position() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Locations (indices) of a world rank that call MPI, the one of MPI_Init first; the location that
/// MPI knows as the rank is always included, so there is at least one. Several: threads call MPI.
/// Throws Error(corrupt) if the definitions have no location of the rank. Precondition: world_rank
/// is below the file's world size. Cost: locations + symbols.
std::vector<u32> mpi_locations(TraceFile& file, u32 world_rank);

/// Throws Error(unsupported) unless the trace has MPI ranks; `purpose` names the consumer.
void require_ranks(TraceFile& file, std::string_view purpose);

/// Throws Error(unsupported) if any rank has no calls of MPI functions; `purpose`: "a prediction".
/// Cost: that of recording_gaps().
void require_all_ranks(TraceFile& file, std::string_view purpose);

/// True if any location calls MPI_Mrecv or MPI_Imrecv, which may leave no record.
bool has_matched_receives(TraceFile& file);

/// True if a call of a collective function may lack its record; only the records show it for
/// certain. Cost: locations + symbols.
bool may_lack_collectives(TraceFile& file);

/// True if any location has calls that make communicators without a record: from recorders before
/// Score-P 8, and from those that know one communicator only.
bool misses_creations(TraceFile& file);

/// True if any location may have non-blocking messages without requests (TAU). Cost: locations +
/// symbols.
bool misses_requests(TraceFile& file);

/// Whether a location calls MPI_Init, and MPI_Finalize.
struct RunEnds {
    bool init = false;
    bool finalize = false;
};
/// Cost: its symbols.
RunEnds run_ends(TraceFile& file, u32 location);

/// True if a rank calls MPI from several locations, or not from its own. Cost: locations + symbols.
bool calls_mpi_from_threads(TraceFile& file);

/// A thread of a rank that calls MPI, and its current call.
struct MpiThread {
    u32 number;    ///< among those of the rank that call MPI
    u32 location;  ///< index
    MpiCallReader reader;
    MpiCall call = {};
    bool in_call = false;  ///< the call has begun
    bool at_end = false;   ///< no current call

    /// Reads the next call. Throws Error(corrupt).
    void read() {
        in_call = false;
        at_end = !reader.next(call);
    }
    /// The time of the call's next event: its begin, then its end.
    [[nodiscard]] u64 time() const { return in_call ? call.end : call.begin; }
};

/// Merges threads: the one with the least `order(thread)`, the first on a tie; null at the end.
template <class Thread, class Order>
Thread* next_thread(std::vector<Thread>& threads, const Order& order) {
    Thread* next = nullptr;
    for (Thread& thread : threads) {
        if (thread.at_end) continue;
        if (next == nullptr || order(thread) < order(*next)) next = &thread;
    }
    return next;
}

}  // namespace tracefold
