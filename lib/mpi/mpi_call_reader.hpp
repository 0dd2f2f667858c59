// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_reader.hpp"
#include "mpi/repeated_calls.hpp"
#include "mpi/replay_patch.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace tracefold {

/// Reads the MPI calls of one location in order, unwound on the fly: memory by folded size. Throws
/// Error(corrupt). The file must outlive the reader.
class MpiCallReader {
  public:
    /// Without times the file's ticks are neither read nor kept.
    MpiCallReader(TraceFile& file, u32 location, Times times = Times::read);
    ~MpiCallReader();
    MpiCallReader(MpiCallReader&&) noexcept;
    MpiCallReader& operator=(MpiCallReader&&) noexcept;

    /// From now on calls say what is to be done where the trace says too little: what was inferred
    /// for the location (null: nothing was), and what its probes were about. Call before next().
    void infer(const ReplayPatch* patch);

    /// From now on calls say what they make and free, as inferred from all ranks, and nothing else.
    /// `patch` must outlive the reader. Call before next(), in place of infer().
    void recall(const ReplayPatch& patch);

    /// From now on calls of loops that go round in the same way are worked out once, if an
    /// iteration has at most so many. Memory: some 400 bytes for each of these. Call before next().
    void remember_loops(std::size_t most_calls = RepeatedCalls::kMostCalls);

    /// From now on calls say when they begin and end by other times than those of the constructor.
    /// Where these are as recorded or skipped, nothing changes. Call before next().
    void pace(Times times);

    /// Reads the next call; false at the end. Calls within calls (I/O inside MPI-IO, user functions
    /// of reductions) belong to the outermost MPI call.
    bool next(MpiCall& call);

    /// The last call, if it is the same as those at its place in other iterations, but for times
    /// and requests.
    [[nodiscard]] RepeatedCall repeated() const;
    /// The first call of the next iteration, if it is such a one and comes next, else none.
    [[nodiscard]] RepeatedCall coming() const;
    /// Reads all calls of that iteration. Precondition: coming() has one, each of whose calls was
    /// repeated() before, and not pace().
    RepeatedCalls::Iteration next_iteration();

    /// Iterations that come next, each of whose calls was repeated() in the last one; none unless
    /// remember_loops().
    [[nodiscard]] ComingIterations coming_iterations() const;
    /// Passes so many of them; with times, read_extents() has to be called for each, and gives the
    /// begin and end of all its calls.
    void leave_out(u64 iterations);
    void read_extents(u64* times);

    /// How many calls were read or left out.
    [[nodiscard]] u64 calls() const;
    [[nodiscard]] u32 location() const;
    /// The number, among the calls of the location as CallReader reads them, that the last call
    /// began with. Precondition: not remember_loops().
    [[nodiscard]] u64 position() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Locations (indices) of a world rank on which MPI was called, the one of MPI_Init first; the one
/// that MPI knows as the rank is always among them, and there is at least one. More than one:
/// threads made MPI calls. Throws Error(corrupt) if the definitions have no location of the rank.
/// Precondition: world_rank is below the file's world size. Cost: locations + symbols.
std::vector<u32> mpi_locations(TraceFile& file, u32 world_rank);

/// Throws Error(unsupported) unless the trace has MPI ranks; `purpose` is what needs them.
void require_ranks(TraceFile& file, std::string_view purpose);

/// The same where any rank has no calls of MPI functions: "a prediction". Cost: that of
/// recording_gaps().
void require_all_ranks(TraceFile& file, std::string_view purpose);

/// True if any location calls MPI_Mrecv or MPI_Imrecv, which may leave no record.
bool has_matched_receives(TraceFile& file);

/// True if a call of a collective function may have left no record, which only the records tell for
/// certain. Cost: locations + symbols.
bool may_lack_collectives(TraceFile& file);

/// True if any location has calls that make communicators and leave no record: that of recorders
/// before Score-P 8, and of those that know one communicator only.
bool misses_creations(TraceFile& file);

/// True if a rank called MPI from several locations, or from another one than MPI knows. Cost:
/// locations + symbols.
bool calls_mpi_from_threads(TraceFile& file);

/// One of the threads of a rank that call MPI, and its call at hand.
struct MpiThread {
    u32 number;    ///< among those of the rank that call MPI
    u32 location;  ///< index
    MpiCallReader reader;
    MpiCall call = {};
    bool in_call = false;  ///< the call has begun
    bool at_end = false;   ///< there is no call at hand

    /// Goes on to the next call. Throws Error(corrupt).
    void read() {
        in_call = false;
        at_end = !reader.next(call);
    }
    /// When the call begins or, once it has, when it ends.
    [[nodiscard]] u64 time() const { return in_call ? call.end : call.begin; }
};

/// Merges threads: the one with the least `order(thread)`, the first one of several; null if all
/// are at their end.
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
