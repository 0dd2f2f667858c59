// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/call_fates.hpp"
#include "exporters/export_format.hpp"
#include "exporters/nanoseconds.hpp"
#include "exporters/rank_sink.hpp"
#include "replay/communicator_table.hpp"
#include "replay/rank_program.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Walks the calls of one rank and tells a sink what they do, with everything that other ranks or
/// later calls say about it: peers are world ranks, receives know their message when they are
/// posted, collective operations are joined. What has no partner is left out. Memory: one program,
/// the rank's communicators, and what is outstanding.
class RankStream {
  public:
    /// All must outlive the stream. Throws Error(unsupported) if several threads of the rank call
    /// MPI.
    RankStream(TraceFile& file, const Survey& survey, u32 rank, RankSink& sink, CallFates& fates);

    /// Walks to the end; returns the number of calls. Throws Error(corrupt).
    u64 run(const ProgressSink& progress);

  private:
    struct RoomState {
        const Survey::Room* room = nullptr;  ///< null: nobody met there
        u32 member = 0;
        std::optional<ColumnCursor> exchanges;
    };

    void take(const Operation& operation);
    void take_actions(const Operation& operation);
    void take_messages();
    void take_action(const Operation& operation, const Action& action);
    void pass_time(const Operation& operation);
    [[nodiscard]] Fate fate_of(const Operation& operation) const;
    void collective(const Operation& operation, u64 key, u64 request);
    RoomState& room_state(u64 key);
    void complete(u64 request);
    void wait();
    RequestSlot open(u64 request);
    RequestSlot take_slot();
    [[nodiscard]] RankMessage message(const Envelope& envelope);
    const CommunicatorView& view(u64 comm);

    const Survey& survey_;
    RankSink& sink_;
    CallFates& fates_;
    u32 location_;
    u32 rank_;
    CommunicatorTable table_;
    RankProgram program_;
    Nanoseconds nanoseconds_;
    bool has_times_;
    u64 computed_until_ = 0;  ///< ticks; kNever before the first call
    u64 idle_ = 0;            ///< ticks of computation that the sink was not told of
    std::unordered_map<u64, RequestSlot> slots_;  ///< by request
    std::vector<RequestSlot> free_;
    u32 slot_count_ = 0;
    u32 never_waited_ = 0;                ///< requests of buffered sends
    std::vector<RequestSlot> completed_;  ///< by the call at hand
    std::vector<RankMessage> sends_;      ///< blocking ones of the call at hand
    std::vector<RankMessage> receives_;
    std::optional<Fate> collective_fate_;  ///< of the call at hand
    bool lost_ = false;                    ///< something of the call at hand is left out
    bool first_call_ = true;
    u64 view_comm_ = kNone;
    const CommunicatorView* view_ = nullptr;
    u64 channel_comm_ = ~u64{0};
    u32 channel_tag_ = 0;
    u32 channel_ = 0;
    std::unordered_map<u64, RoomState> rooms_;
};

}  // namespace tracefold
