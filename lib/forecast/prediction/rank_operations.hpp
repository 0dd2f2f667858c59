// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/common_clock.hpp"
#include "forecast/prediction/walk_request.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/program_steps.hpp"
#include "mpi/rank_stream.hpp"
#include "mpi/repeated_calls.hpp"
#include "mpi/schedule.hpp"
#include "mpi/wildcards.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// Finds wildcard receives of a rank by inference (Wildcards): they keep the recorded order, which
/// may differ on another network. Memory: that of Wildcards.
class AnySource {
  public:
    struct Receives {
        u64 count = 0;
        double seconds = 0;  ///< in the completing calls, as recorded
    };

    /// Adds every call of the rank in order, with its duration.
    void add(const MpiCall& call, double seconds) {
        wildcards_.add(call);
        for (const Action& action : call.actions) {
            const bool receives = action.kind == Action::Kind::receive ||
                                  action.kind == Action::Kind::complete_receive;
            if (!receives) continue;
            Receives& of_class = receives_[{action.envelope.comm, action.envelope.tag}];
            ++of_class.count;
            // A call counts once.
            of_class.seconds += std::exchange(seconds, 0);
        }
    }
    /// Call after the last call was added.
    [[nodiscard]] Receives of_any_source() {
        wildcards_.decide(WildcardChoice::detected, false);
        Receives all;
        for (const auto& [channel, receives] : receives_) {
            if (!wildcards_.has(channel.first, channel.second)) continue;
            all.count += receives.count;
            all.seconds += receives.seconds;
        }
        return all;
    }

  private:
    Wildcards wildcards_;
    std::map<std::pair<u64, u32>, Receives> receives_;  ///< by communicator and tag
};

/// Maps each MPI call of a location to its program step. Cost: reads the calls again without times.
/// Throws Error(corrupt).
class CallSteps {
  public:
    /// `steps`: of the location; null: none. The arguments must outlive this object.
    CallSteps(TraceFile& file, u32 location, const LocationSteps* steps)
        : calls_(file, location, Times::skip), steps_(steps) {}

    /// The step of the next call; kNone: none.
    u32 next() {
        if (steps_ == nullptr || !calls_.next(call_)) return kNone;
        const auto step = steps_->step_of(calls_.position());
        return step ? static_cast<u32>(*step) : kNone;
    }

  private:
    MpiCallReader calls_;
    const LocationSteps* steps_;
    MpiCall call_;
};

/// Computation of one call path, in picoseconds.
struct PathTime {
    u32 node = kNone;  ///< of the call tree
    i64 time = 0;
};

/// An operation of a rank in the network model.
struct NetworkOperation {
    enum class Kind : u8 {
        compute,   ///< `count` entries of NetworkOperations::times from `first`
        recorded,  ///< calls outside of the model: `count` entries from `first`
        send,      ///< stores the request in `slot`
        receive,   ///< stores the request in `slot`
        wait,      ///< for `count` entries of NetworkOperations::slots from `first`
        branch,    ///< NetworkOperations::branches[first]; its end completes `slot`
    };

    Kind kind = Kind::compute;
    bool blocks = false;  ///< of a send or receive: waits for its completion
    u32 node = kNone;     ///< MPI call
    u32 peer = 0;         ///< world rank
    u32 slot = 0;
    u64 channel = 0;  ///< ordered stream of messages from one rank to another
    u64 bytes = 0;
    u32 first = 0;
    u32 count = 0;
};

/// A sequence of operations. A branch (of a nonblocking collective) runs independently.
struct NetworkOperations {
    std::vector<NetworkOperation> list;
    std::vector<PathTime> times;
    std::vector<u32> slots;
    std::vector<std::unique_ptr<NetworkOperations>> branches;

    void clear() {
        list.clear();
        times.clear();
        slots.clear();
        branches.clear();
    }
};

/// Cached operations of a repeated iteration: messages and waits. An iteration is cached if each of
/// its calls yields the same operations every time, and no request is outstanding at its begin and
/// end (so slots repeat too). Memory: one iteration.
class RepeatedOperations {
  public:
    /// True if the iteration that begins with this call is cached.
    [[nodiscard]] bool knows(const RepeatedCall& first) const {
        return is_known_ && first.iteration == iteration_;
    }
    /// Appends the operations of a call. `node`: the MPI call. Precondition: iteration is cached.
    void append(std::size_t place, u32 node, NetworkOperations& out) const;

    /// Call before a call is processed. `at_rest`: no request is outstanding.
    void begin(const RepeatedCall& call, bool at_rest);
    /// Excludes the operations appended so far: they do not repeat.
    void mark(const NetworkOperations& out) { first_ = out.list.size(); }
    /// Call after a call is processed. `is_plain`: its operations repeat.
    void end(const RepeatedCall& call, bool is_plain, bool at_rest, const NetworkOperations& out);

  private:
    void forget() {
        iteration_ = 0;
        is_known_ = false;
    }

    u64 iteration_ = 0;  ///< cached or being learned; 0: none
    bool is_known_ = false;
    std::vector<std::size_t> ends_;             ///< by call: end in operations_
    std::vector<NetworkOperation> operations_;  ///< their slots are in slots_
    std::vector<u32> slots_;
    std::size_t first_ = 0;  ///< of the current call
};

/// Calls outside of the model, which take their recorded time.
struct UnmodelledCalls {
    u64 calls = 0;
    double seconds = 0;
};
/// By kind of operation; keys are string literals.
using UnmodelledByKind = std::map<std::string_view, UnmodelledCalls>;

/// The operations of one rank, call by call: computation with call paths, messages, and collectives
/// as messages of an algorithm. If several threads call MPI, computation has no call path. Memory:
/// two readers per thread, and the operations of a call.
class RankOperations final : private RankSink {
  public:
    struct Shared {
        TraceFile& file;
        const CommunicationSurvey& survey;
        CallTree& tree;
        TraceThreads& threads;
        const CommonClock& clock;
        CollectiveAlgorithm collectives;
        bool looks_for_any_source = false;
        bool fills_matrices = true;
        const ProgramSteps* steps = nullptr;  ///< attributes costs to steps instead of call paths
        Times times = Times::read;
    };

    /// References in `shared` must outlive this object. Throws as RankStream does.
    RankOperations(const Shared& shared, u32 rank);

    /// Appends the operations of the next call, or of all calls of a cached iteration; false at the
    /// end. Throws Error(corrupt).
    bool next(NetworkOperations& out);

    [[nodiscard]] u64 calls() const { return stream_.calls(); }
    /// Whether several threads of the rank call MPI.
    [[nodiscard]] bool has_threads() const { return stream_.thread_count() > 1; }
    /// From the end of MPI_Init, or the first call, to the begin of MPI_Finalize, or the end of the
    /// last call: ticks of the common clock.
    [[nodiscard]] u64 recorded_begin() const { return since_start(begin_); }
    [[nodiscard]] u64 recorded_end() const { return std::max(recorded_begin(), since_start(end_)); }
    /// By kind of operation.
    [[nodiscard]] const UnmodelledByKind& unmodelled() const { return unmodelled_; }
    /// Operations kept in recorded order that may be reordered. Call after the last call.
    [[nodiscard]] UnmodelledByKind held_order();
    /// All-to-all operations between unknown pairs, with Shared::fills_matrices false.
    [[nodiscard]] const UnmodelledCalls& empty_matrices() const { return empty_matrices_; }

  private:
    [[nodiscard]] bool needs_computation() const override { return false; }
    void begin_call(u32 location, const MpiCall& call) override;
    void end_call(u32 location, const MpiCall& call) override;
    void compute(u64 between_calls, u64 in_calls) override;
    void send(const RankMessage& message, RequestSlot slot) override;
    void receive(const RankMessage& message, RequestSlot slot) override;
    ExportOutcome collective(const RankCollective& collective, RequestSlot slot) override;
    void wait(std::span<const RequestSlot> slots, bool all) override;

    void tell_alone();
    void repeat();
    [[nodiscard]] bool is_alone() const { return stream_.thread_count() == 1; }
    void begin_alone(const MpiCall& call);
    void note_times(const MpiCall& call, u64 begin, u64 end);
    void flush_parts();
    void add_compute(u32 node, i64 time);
    [[nodiscard]] i64 picoseconds(u64 ticks) const;
    [[nodiscard]] u64 since_start(u64 ticks) const {
        return shared_.clock.since_start(location_, ticks);
    }
    void transfer(NetworkOperation::Kind kind, const RankMessage& message, RequestSlot slot);
    void expand(const RankCollective& collective, u64 channel, NetworkOperations& out);
    void wait_for_own(NetworkOperations& out, u32 slots) const;
    /// Waits for the slots from `first` on.
    void add_wait(NetworkOperations& out, u32 first) const;
    void take_as_recorded(const MpiCall& call);
    void count_unmodelled(std::string_view kind, double seconds);
    void note_threads(const MpiCall& call, u32 location);
    [[nodiscard]] double seconds(u64 ticks) const;

    Shared shared_;
    u32 location_;  ///< the first one that calls MPI
    RankStream stream_;
    ComputationPaths paths_;
    TickRate rate_;
    NetworkOperations* out_ = nullptr;
    bool remembers_;  ///< whether operations of loops are cached
    RepeatedOperations repeated_;
    ComputationPaths::Call call_;  ///< current call; with steps, its node is a step
    std::optional<CallSteps> steps_;
    bool met_ = false;    ///< whether the current call is a collective
    bool frees_ = false;  ///< whether it frees a communicator
    bool has_begun_ = false;
    bool over_ = false;
    u64 begin_ = 0;  ///< raw ticks
    u64 end_ = 0;
    std::vector<ScheduledMessage> schedule_;
    std::unordered_map<u32, u64> instances_;  ///< so far, by context
    UnmodelledByKind unmodelled_;
    UnmodelledCalls empty_matrices_;
    std::optional<AnySource> any_source_;
    UnmodelledCalls of_threads_;  ///< calls of several threads, and time with any of them in a call
    u32 threads_in_calls_ = 0;
    u64 busy_since_ = 0;  ///< ticks of the common clock: begin of that time
};

/// Even slots: requests of the stream; odd slots: internal requests of an operation.
constexpr u32 stream_slot(RequestSlot slot) { return 2 * slot; }
constexpr u32 own_slot(u32 number) { return 2 * number + 1; }

}  // namespace tracefold
