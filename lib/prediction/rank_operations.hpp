// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/any_source.hpp"
#include "prediction/call_steps.hpp"
#include "prediction/computation_paths.hpp"
#include "prediction/network_operations.hpp"
#include "prediction/repeated_operations.hpp"
#include "schedules/rank_stream.hpp"
#include "schedules/schedule.hpp"
#include "steps/program_steps.hpp"
#include "trace/common_clock.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace tracefold {

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
    Fate collective(const RankCollective& collective, RequestSlot slot) override;
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
