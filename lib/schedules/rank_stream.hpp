// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/progress_sink.hpp"
#include "replay/communicator_table.hpp"
#include "replay/mpi_thread.hpp"
#include "schedules/call_fates.hpp"
#include "schedules/rank_sink.hpp"
#include "trace/nanoseconds.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Walks the calls of one rank and tells a sink what they do, with everything that other ranks or
/// later calls say about it: peers are world ranks, receives know their message when they are
/// posted, collective operations are joined. What has no partner is left out. Memory: the readers
/// of its threads, the rank's communicators, and what is outstanding.
///
/// Where several threads call MPI, their calls become one sequence by time: what a call sends and
/// receives is posted when it begins and waited for when it ends, so that nobody waits for what in
/// the program happened later.
class RankStream {
  public:
    /// All must outlive the stream; `fates` is null if nobody asks for them. `times`: Times::skip
    /// if the sink needs none; of several threads that call MPI they are read all the same. Throws
    /// Error(unsupported) if there are such and the trace has no times.
    RankStream(TraceFile& file, const CommunicationSurvey& survey, u32 rank, RankSink& sink,
               CallFates* fates, Times times = Times::read);
    RankStream(TraceFile& file, const CommunicationSurvey& survey, u32 rank, RankSink& sink,
               CallFates& fates)
        : RankStream(file, survey, rank, sink, &fates) {}

    /// Walks on by one call, or, with several threads, by the beginning or end of one; false at the
    /// end. Throws Error(corrupt).
    bool step();
    /// For sinks that know what loops do, of one thread: a step is to read() a call and to tell()
    /// the sink of it.
    bool read();
    void tell();
    /// The call that was read.
    [[nodiscard]] const MpiCall& call() const { return threads_.front().call; }
    [[nodiscard]] RepeatedCall repeated() const { return threads_.front().reader.repeated(); }
    [[nodiscard]] RepeatedCall coming() const { return threads_.front().reader.coming(); }
    /// Instead of steps, where the sink knows what each call of the iteration that is coming()
    /// sends, receives and waits for. Precondition: is_at_rest() at its beginning and its end.
    RepeatedCalls::Iteration leave_out() {
        const RepeatedCalls::Iteration iteration = threads_.front().reader.next_iteration();
        calls_ += iteration.calls.size();
        return iteration;
    }
    /// No request is outstanding.
    [[nodiscard]] bool is_at_rest() const { return slots_.empty(); }

    /// Walks to the end; returns the number of calls. Throws Error(corrupt).
    u64 run(const ProgressSink& progress);
    /// That have ended.
    [[nodiscard]] u64 calls() const { return calls_; }
    [[nodiscard]] std::size_t thread_count() const { return threads_.size(); }

  private:
    struct ContextState {
        const CommunicationSurvey::Context* context = nullptr;  ///< null: nobody met there
        u32 member = 0;
        std::optional<ColumnCursor> exchanges;
    };

    struct Thread : MpiThread {
        std::vector<RequestSlot> waits = {};  ///< what the call is to wait for
        std::optional<Fate> collective_fate = {};
        bool lost = false;  ///< something of the call is left out
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
    [[nodiscard]] static Fate fate_of(const Thread& thread);
    ContextState& context_state(u64 key);
    RequestSlot open(u64 request);
    RequestSlot take_slot();
    [[nodiscard]] RankMessage message(const Envelope& envelope);
    const CommunicatorView& view(u64 comm);

    const CommunicationSurvey& survey_;
    RankSink& sink_;
    CallFates* fates_;
    u32 rank_;
    CommunicatorTable table_;
    std::vector<Thread> threads_;
    Nanoseconds nanoseconds_;
    bool has_times_ = false;
    bool tells_computation_ = false;
    u64 computed_until_ = 0;  ///< ticks
    u64 idle_ = 0;            ///< ticks of computation that the sink was not told of
    u64 local_ = 0;           ///< of these, in calls that reach no other rank
    u32 in_calls_ = 0;        ///< threads that are in a call
    bool first_call_ = true;
    bool has_begun_ = false;
    u64 calls_ = 0;
    std::unordered_map<u64, RequestSlot> slots_;  ///< by request
    std::vector<RequestSlot> free_;
    u32 slot_count_ = 0;
    u32 never_waited_ = 0;            ///< requests of buffered sends
    std::vector<RankMessage> sends_;  ///< blocking ones of the call at hand
    std::vector<RankMessage> receives_;
    u64 view_comm_ = kNone;
    const CommunicatorView* view_ = nullptr;
    u64 channel_comm_ = ~u64{0};
    u32 channel_tag_ = 0;
    u32 channel_ = 0;
    std::unordered_map<u64, ContextState> contexts_;
};

}  // namespace tracefold
