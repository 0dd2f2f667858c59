// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "base/types.hpp"
#include "file/common_clock.hpp"
#include "model/definition_index.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/conversion_choices.hpp"
#include "mpi/exchange.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Counts the outcomes of MPI calls, by function.
class CallOutcomes {
  public:
    /// `definitions` must outlive this object.
    explicit CallOutcomes(const DefinitionIndex& definitions) : definitions_(definitions) {}

    void count(const MpiCall& call, ExportOutcome outcome) {
        const auto row = static_cast<std::size_t>(outcome);
        if (call.function != MpiFunction::other && !call.by_records) {
            ++known_[row][static_cast<std::size_t>(call.function)];
        } else {
            ++others_[row][call.region != kNone ? definitions_.region_name(call.region)
                                                : std::string(name_of_record(call))];
        }
        calls_with_region_ += call.region != kNone ? 1 : 0;
    }
    /// Adds the counts of `other`.
    void add(const CallOutcomes& other) {
        for (std::size_t row = 0; row < kExportOutcomes; ++row) {
            for (std::size_t i = 0; i < kMpiFunctions; ++i) {
                known_[row][i] += other.known_[row][i];
            }
            for (const auto& [name, calls] : other.others_[row]) others_[row][name] += calls;
        }
        calls_with_region_ += other.calls_with_region_;
    }
    /// Calls with Enter and Leave records.
    [[nodiscard]] u64 calls_with_region() const { return calls_with_region_; }

    /// Calls sink(outcome, function, calls) for each; `calls` may be 0.
    template <class Sink>
    void for_each(const Sink& sink) const {
        for (std::size_t row = 0; row < kExportOutcomes; ++row) {
            const auto outcome = static_cast<ExportOutcome>(row);
            for (std::size_t i = 0; i + 1 < kMpiFunctions; ++i) {
                sink(outcome, name_of(static_cast<MpiFunction>(i)), known_[row][i]);
            }
            for (const auto& [name, calls] : others_[row]) sink(outcome, name, calls);
        }
    }

  private:
    const DefinitionIndex& definitions_;
    std::array<std::array<u64, kMpiFunctions>, kExportOutcomes> known_{};
    std::array<std::map<std::string, u64, std::less<>>, kExportOutcomes> others_;  ///< by name
    u64 calls_with_region_ = 0;
};

/// A small number for an outstanding request, reused after its completion.
using RequestSlot = u32;
inline constexpr RequestSlot kBlocking = kNone;

/// One end of a message, in global numbers.
struct RankMessage {
    u32 peer = 0;     ///< world rank
    u32 channel = 0;  ///< CommunicationSurvey::channel() of communicator and tag
    u64 bytes = 0;
    u64 comm = 0;
    u32 tag = 0;
};

/// A rank's part in a collective operation.
struct RankCollective {
    const CommunicationSurvey::Context& context;
    const Exchange& exchange;
    u32 member = 0;  ///< the rank's index
};

/// Receives the calls of one rank in order: a performance model, or a writer for a simulator.
class RankSink {
  public:
    virtual ~RankSink() = default;

    /// False if the sink itself computes the computation of a single-threaded rank.
    [[nodiscard]] virtual bool needs_computation() const { return true; }
    /// A call begins: its sends, receives and posts follow; with several threads, those of other
    /// calls may come between. The call is valid until end_call().
    virtual void begin_call(u32 /*location*/, const MpiCall& /*call*/) {}
    /// Follows the waits of the call.
    virtual void end_call(u32 /*location*/, const MpiCall& /*call*/) {}
    /// Time without dependence on other ranks: between calls, and in local calls.
    virtual void compute(u64 between_calls, u64 in_calls) = 0;
    virtual void send(const RankMessage& message, RequestSlot slot) = 0;
    virtual void receive(const RankMessage& message, RequestSlot slot) = 0;
    /// Returns whether the format has the collective, or messages replace it.
    virtual ExportOutcome collective(const RankCollective& collective, RequestSlot slot) = 0;
    /// Waits for requests; `all`: nothing else is outstanding. Their slots are then free.
    virtual void wait(std::span<const RequestSlot> slots, bool all) = 0;
};

/// Walks the calls of one rank and passes them to a sink, completed with data of other ranks and
/// later calls: peers are world ranks, receives know their message when they are posted, collective
/// operations are joined. Operations without a partner are left out. Memory: the readers of its
/// threads, the rank's communicators, and outstanding requests.
///
/// Several threads are merged by time into one sequence: the operations of a call are posted when
/// it begins and waited for when it ends, so no wait depends on a later call.
class RankStream {
  public:
    /// All must outlive the stream; `outcomes` may be null. `times`: Times::skip if the sink needs
    /// none; with several threads that call MPI they are read anyway. Throws Error(unsupported) if
    /// there are such threads and the trace has no times.
    RankStream(TraceFile& file, const CommunicationSurvey& survey, u32 rank, RankSink& sink,
               CallOutcomes* outcomes, Times times = Times::read);
    RankStream(TraceFile& file, const CommunicationSurvey& survey, u32 rank, RankSink& sink,
               CallOutcomes& outcomes)
        : RankStream(file, survey, rank, sink, &outcomes) {}

    /// Advances by one call, or, with several threads, by the beginning or end of one; false at the
    /// end. Throws Error(corrupt).
    bool step();
    /// step() of a single thread in two halves, for sinks that follow loops: first read(), then
    /// tell().
    bool read();
    void tell();
    [[nodiscard]] const MpiCall& call() const { return threads_.front().call; }
    [[nodiscard]] RepeatedCall repeated() const { return threads_.front().reader.repeated(); }
    [[nodiscard]] RepeatedCall coming() const { return threads_.front().reader.coming(); }
    /// Replaces steps if the sink knows the operations of each call of the coming() iteration.
    /// Precondition: is_at_rest() at its beginning and its end.
    RepeatedCalls::Iteration leave_out() {
        const RepeatedCalls::Iteration iteration = threads_.front().reader.next_iteration();
        calls_ += iteration.calls.size();
        return iteration;
    }
    [[nodiscard]] bool is_at_rest() const { return slots_.empty(); }

    /// Walks to the end; returns the number of calls. Throws Error(corrupt).
    u64 run(const ProgressSink& progress);
    /// Completed calls.
    [[nodiscard]] u64 calls() const { return calls_; }
    [[nodiscard]] std::size_t thread_count() const { return threads_.size(); }

  private:
    struct ContextState {
        const CommunicationSurvey::Context* context = nullptr;  ///< null: no collectives
        u32 member = 0;
        std::optional<ColumnCursor> exchanges;
    };

    struct Thread : MpiThread {
        std::vector<RequestSlot> waits = {};  ///< requests that the call waits for
        std::optional<ExportOutcome> collective_fate = {};
        bool lost = false;  ///< some action of the call is left out
    };

    bool step_merged();
    void begin_call(Thread& thread);
    void end_call(Thread& thread);
    void pass_time(const MpiCall& call);
    void pass_time_between(const Thread& thread);
    void compute();
    void take_messages(Thread& thread);
    void begin_action(Thread& thread, const Action& action);
    void send(Thread& thread, const Action& action);
    void collective(Thread& thread, u64 key, u64 request);
    [[nodiscard]] static ExportOutcome fate_of(const Thread& thread);
    ContextState& context_state(u64 key);
    RequestSlot open(u64 request);
    RequestSlot take_slot();
    [[nodiscard]] RankMessage message(const Envelope& envelope);
    const CommunicatorView& view(u64 comm);

    const CommunicationSurvey& survey_;
    RankSink& sink_;
    CallOutcomes* outcomes_;
    u32 rank_;
    CommunicatorTable table_;
    std::vector<Thread> threads_;
    Nanoseconds nanoseconds_;
    bool has_times_ = false;
    bool tells_computation_ = false;
    u64 computed_until_ = 0;  ///< ticks
    u64 idle_ = 0;            ///< ticks of computation not yet reported to the sink
    u64 local_ = 0;           ///< of these, in calls that reach no other rank
    u32 in_calls_ = 0;        ///< threads inside a call
    bool first_call_ = true;
    bool has_begun_ = false;
    u64 calls_ = 0;
    std::unordered_map<u64, RequestSlot> slots_;  ///< by request
    std::vector<RequestSlot> free_;
    u32 slot_count_ = 0;
    u32 never_waited_ = 0;            ///< requests of buffered sends
    std::vector<RankMessage> sends_;  ///< blocking ones of the current call
    std::vector<RankMessage> receives_;
    u64 view_comm_ = kNone;
    const CommunicatorView* view_ = nullptr;
    u64 channel_comm_ = ~u64{0};
    u32 channel_tag_ = 0;
    u32 channel_ = 0;
    std::unordered_map<u64, ContextState> contexts_;
};

}  // namespace tracefold
