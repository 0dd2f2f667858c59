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

/// Finds the receives of a rank that may take messages of any source, which is inferred
/// (Wildcards): they come in the recorded order, which may be another one on another network.
/// Memory: that of Wildcards.
class AnySource {
  public:
    struct Receives {
        u64 count = 0;
        double seconds = 0;  ///< in the calls that completed them, as recorded
    };

    /// Every call of the rank in order, and how long it took.
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
    /// After the last call.
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

/// Which step of the program each MPI call of a location is in. Cost: reads the calls once more,
/// without their times. Throws Error(corrupt).
class CallSteps {
  public:
    /// `steps` of the location; null: it takes part in none. Both must outlive this object.
    CallSteps(TraceFile& file, u32 location, const LocationSteps* steps)
        : calls_(file, location, Times::skip), steps_(steps) {}

    /// The step of the next call; kNone: it is in none.
    u32 next() {
        if (steps_ == nullptr || !calls_.next(call_)) return kNone;
        const u64 position = calls_.position();
        const u64 step = steps_->step_from(position);
        if (step >= steps_->count() || position < steps_->calls(step).first) return kNone;
        return static_cast<u32>(step);
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

/// What a rank does, as a network sees it.
struct NetworkOperation {
    enum class Kind : u8 {
        compute,   ///< `count` of NetworkOperations::times, from `first` on
        recorded,  ///< the same, for calls that the model does not know
        send,      ///< the request goes to `slot`
        receive,   ///< the same
        wait,      ///< for `count` of NetworkOperations::slots, from `first` on
        branch,    ///< NetworkOperations::branches[first], whose end completes `slot`
    };

    Kind kind = Kind::compute;
    bool blocks = false;  ///< of a send or receive: the next operation comes when it is complete
    u32 node = kNone;     ///< the MPI call
    u32 peer = 0;         ///< world rank
    u32 slot = 0;
    u64 channel = 0;  ///< messages of a channel from one rank to another come in order
    u64 bytes = 0;
    u32 first = 0;
    u32 count = 0;
};

/// NetworkOperations in their order. A branch, of a non-blocking collective operation, goes on by
/// itself.
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

/// What the calls of an iteration come to that is given out again and again: messages and waits,
/// worked out once. An iteration is known if each of its calls comes to the same every time, and no
/// request is outstanding where it begins and ends, so that their slots are the same as well.
/// Memory: an iteration.
class RepeatedOperations {
  public:
    /// True if the operations of the iteration are known that begins with this call.
    [[nodiscard]] bool knows(const RepeatedCall& first) const {
        return is_known_ && first.iteration == iteration_;
    }
    /// Appends those of a call. `node`: the MPI call. Precondition: the iteration is known.
    void append(std::size_t place, u32 node, NetworkOperations& out) const;

    /// Before a call is worked out. `at_rest`: no request is outstanding.
    void begin(const RepeatedCall& call, bool at_rest);
    /// What has been appended so far is not what the call comes to every time.
    void mark(const NetworkOperations& out) { first_ = out.list.size(); }
    /// When it is worked out. `is_plain`: it comes to the same every time.
    void end(const RepeatedCall& call, bool is_plain, bool at_rest, const NetworkOperations& out);

  private:
    void forget() {
        iteration_ = 0;
        is_known_ = false;
    }

    u64 iteration_ = 0;  ///< that is known, or being learned; 0: none
    bool is_known_ = false;
    std::vector<std::size_t> ends_;             ///< by call, in operations_
    std::vector<NetworkOperation> operations_;  ///< slots they wait for are in slots_
    std::vector<u32> slots_;
    std::size_t first_ = 0;  ///< of the call at hand
};

/// Calls that a model does not know and takes as long as they were recorded.
struct UnmodelledCalls {
    u64 calls = 0;
    double seconds = 0;
};
/// By what they do: names that live as long as the program.
using UnmodelledByKind = std::map<std::string_view, UnmodelledCalls>;

/// The operations of one rank, call by call: computation with its call paths, messages, and
/// collective operations as the messages of an algorithm. Where several threads call MPI, all that
/// they compute belongs to no call path. Memory: two readers of each thread, and the operations of
/// a call.
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
        const ProgramSteps* steps = nullptr;  ///< by which costs are told, in place of call paths
    };

    /// What `shared` names must outlive this object. Throws as RankStream does.
    RankOperations(const Shared& shared, u32 rank);

    /// Appends the operations of the next call, or of all calls of an iteration that came before;
    /// false at the end. Throws Error(corrupt).
    bool next(NetworkOperations& out);

    [[nodiscard]] u64 calls() const { return stream_.calls(); }
    /// Several threads of the rank call MPI.
    [[nodiscard]] bool has_threads() const { return stream_.thread_count() > 1; }
    /// When the rank left MPI_Init, or made its first call, and when it came to MPI_Finalize, or
    /// its last call ended: ticks of the common clock.
    [[nodiscard]] u64 recorded_begin() const { return since_start(begin_); }
    [[nodiscard]] u64 recorded_end() const { return std::max(recorded_begin(), since_start(end_)); }
    /// By what they do.
    [[nodiscard]] const UnmodelledByKind& unmodelled() const { return unmodelled_; }
    /// What is held in the recorded order, though it may come in another one. After the last call.
    [[nodiscard]] UnmodelledByKind held_order();

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
    /// For the slots from `first` on.
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
    bool remembers_;  ///< what calls of loops come to
    RepeatedOperations repeated_;
    ComputationPaths::Call call_;  ///< the one at hand; with steps its node is a step
    std::optional<CallSteps> steps_;
    bool met_ = false;  ///< the call at hand is a collective operation
    bool has_begun_ = false;
    bool over_ = false;
    u64 begin_ = 0;  ///< raw ticks
    u64 end_ = 0;
    std::vector<ScheduledMessage> schedule_;
    std::unordered_map<u32, u64> instances_;  ///< met so far, by context
    UnmodelledByKind unmodelled_;
    std::optional<AnySource> any_source_;
    UnmodelledCalls of_threads_;  ///< calls of several threads, and while any is in one
    u32 threads_in_calls_ = 0;
    u64 busy_since_ = 0;  ///< ticks of the common clock: since when one is
};

/// Slots of requests that a stream names, and of those that an operation has by itself.
constexpr u32 stream_slot(RequestSlot slot) { return 2 * slot; }
constexpr u32 own_slot(u32 number) { return 2 * number + 1; }

}  // namespace tracefold
