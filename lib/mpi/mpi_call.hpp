// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/event_table.hpp"
#include "model/mpi_function.hpp"

#include <array>
#include <span>
#include <string_view>

namespace tracefold {

inline constexpr u64 kNoRequest = ~u64{0};
/// First request number of messages without a recorded request (PairedRequests), and of collectives
/// without a record.
inline constexpr u64 kFirstPairedRequest = u64{1} << 61U;
inline constexpr u64 kFirstUnrecordedRequest = u64{1} << 62U;
inline constexpr u64 kNoMetric = ~u64{0};
/// More than any process can address.
inline constexpr u64 kBeyondMemory = u64{1} << 48U;
/// Id for probes that leave the message in the queue: OTF2's undefined message id.
inline constexpr u64 kNoMessage = ~u64{0};

/// One end of a message. Ranks are those of the communicator (of the remote group of an
/// intercommunicator); ids are global definition ids.
struct Envelope {
    u64 comm = kNone;
    u32 peer = 0;
    u32 tag = 0;
    u64 bytes = 0;

    static void each_field(auto& self, auto& visit) {
        visit(self.comm, self.peer, self.tag, self.bytes);
    }
    bool operator==(const Envelope&) const = default;
};

/// The caller's part of a collective operation; sizes as OTF2 counts them.
struct CollectivePart {
    u64 comm = kNone;
    CollectiveKind kind = CollectiveKind::barrier;
    u32 root = 0;  ///< rank, or one of OTF2's root constants
    u64 sent = 0;
    u64 received = 0;

    bool operator==(const CollectivePart&) const = default;
};

/// One effect of a call.
struct Action {
    enum class Kind : u8 {
        send,                 ///< envelope; request if the send is non-blocking
        receive,              ///< envelope of a blocking receive
        post_receive,         ///< request; envelope if `known`
        probe,                ///< envelope; message if the probe took it out of the queue
        collective,           ///< part of a blocking collective
        post_collective,      ///< request; part if `known`
        complete_send,        ///< request
        complete_receive,     ///< request, envelope
        complete_collective,  ///< request, part
        cancelled,            ///< request
        tested,               ///< incomplete request
        create_comm,          ///< part.comm is the new communicator
        destroy_comm,         ///< part.comm
        record,               ///< any other record (RMA, I/O): type, fields
    };

    Kind kind = Kind::record;
    /// Posting actions: the request completes in the trace, so its data is known. Probes with a
    /// message: the trace receives it, so its size is known.
    bool known = true;
    /// Collectives without a record: `part` comes from the function's name, the recorder's metrics
    /// and, if computed, the other members (UnrecordedCollective).
    bool unrecorded = false;
    bool has_size = false;  ///< unrecorded: a metric states the size
    bool has_root = false;  ///< unrecorded: the root was found, not assumed
    EventType type{};       ///< of the underlying record
    u64 time = 0;           ///< raw ticks of the record
    u64 request = kNoRequest;
    u64 message = kNoMessage;  ///< taken by a probe, received by its id
    Envelope envelope;
    CollectivePart part;
    /// Kind::record: the record's fields as named by event_info(type), references as global ids.
    /// Unrecorded collectives: the caller's metric, or kNoMetric.
    std::array<u64, 6> fields{};
    u64 offset = ~u64{0};  ///< of IoOperationBegin with an Offset attribute

    bool operator==(const Action&) const = default;

    /// True if the request of a message is inferred.
    [[nodiscard]] bool is_paired() const {
        return request >= kFirstPairedRequest && request < kFirstUnrecordedRequest;
    }
    /// True if the action begins an operation with a request.
    [[nodiscard]] bool posts_request() const {
        return kind == Kind::post_receive || kind == Kind::post_collective ||
               (kind == Kind::send && request != kNoRequest);
    }
    /// True if this completion's kind fits the kind of a posting action.
    [[nodiscard]] bool completes(Kind posted) const {
        switch (kind) {
            case Kind::complete_send:
                return posted == Kind::send;
            case Kind::complete_receive:
                return posted == Kind::post_receive;
            default:
                return posted == Kind::post_collective;
        }
    }
    /// True if the action completes or cancels a request.
    [[nodiscard]] bool ends_request() const {
        return kind == Kind::complete_send || kind == Kind::complete_receive ||
               kind == Kind::complete_collective || kind == Kind::cancelled;
    }

    /// True if a send matches this action: a matched receive has its probe instead.
    [[nodiscard]] bool is_matched_here() const {
        const bool receives = kind == Kind::receive || (kind == Kind::post_receive && known);
        return message == kNoMessage ? receives : kind == Kind::probe;
    }
};

/// One MPI call of one location: the data of all its records, requests joined with their
/// completions, all ids global.
struct MpiCall {
    /// The effect of a ReplayPatch: data of all ranks complete the trace.
    enum class PatchEffect : u8 {
        as_recorded,
        inferred,  ///< `inferred`, or actions that became known
        left_out,  ///< here, or on all members
        outside,   ///< outside the replayed part of the program
        prepared,  ///< before the replayed part, which needs it
    };

    MpiFunction function = MpiFunction::other;
    CallFamily family = CallFamily::local;
    /// The records identify the operation, not the function's name.
    bool by_records = false;
    u32 region = 0;  ///< global region id
    u64 index = 0;   ///< number of the call on its location, from 0
    u64 begin = 0;   ///< raw ticks of Enter and Leave
    u64 end = 0;
    u64 paced_begin = 0;  ///< times for the pacing of a replay, see MpiCallReader::pace()
    u64 paced_end = 0;
    std::span<const Action> actions;  ///< valid until the next call is read

    PatchEffect patch_effect = PatchEffect::as_recorded;
    /// Receives and probes without a record: the message from the receiver's view, or comm kNone.
    Envelope inferred;
    bool found = false;       ///< such probes: the message had arrived
    bool unreceived = false;  ///< the sent message has no receive
    bool dropped = false;     ///< some actions without partners are missing in `actions`
};

/// Treatment of a call by a replay.
enum class Treatment : u8 {
    issued,
    counted,      ///< local, or implied by the replay: not issued
    unsupported,  ///< cannot be issued; the program is refused, or the call left out everywhere
};

Treatment treatment_of(const MpiCall& call);

/// True for probes and for receives of what they matched: without a message, of MPI_PROC_NULL.
constexpr bool asks_for_message(CallFamily family) {
    return family == CallFamily::probe || family == CallFamily::matched_receive;
}

/// True if the call's records contain messages, collective operations, windows or files. False for
/// MPI_Init and MPI_Finalize: their collective operations are part of them.
bool communicates(const MpiCall& call);
/// True if a call counts as not issued when MPI gets no call for it: it communicates, or its record
/// is missing because the recorder does not know its window, file or communicator. `has_window`:
/// the process has a window, so that transfers without a record have no target. Not an MPI_Win_test
/// that failed: it could succeed in a replay, which leaves it out.
bool has_effect(const MpiCall& call, bool has_window);
/// The reason why calls of a family are not issued.
std::string_view why_not_issued(CallFamily family);
/// The same, for calls by name.
std::string_view why_not_issued(std::string_view function);

/// True if the call polls, and its records show no success.
bool polls_in_vain(const MpiCall& call);

/// The name of the function, or of the region if the standard has no such function ("MPIX_Foo");
/// the recorder's name if `by_records`; without a region, the name of its first record.
std::string_view name_of(const MpiCall& call, const DefinitionIndex& definitions);
/// The name of a call without a region whose function is `other`.
std::string_view name_of_record(const MpiCall& call);

/// The request that an action completes; kNoRequest if none. One-sided and file operations use the
/// request's id as their matching id.
u64 completed_request(const Action& action);

/// The first action of this kind; null if there is none.
const Action* find_action(const MpiCall& call, Action::Kind kind);

/// The first record of this type in a call; null if there is none.
const Action* find_record(const MpiCall& call, EventType type);

/// True for a call on a window, except one that makes it, with a record of a window for which
/// is_live(id) is false. MPI gets no such call: nothing is known about the window.
template <class IsLive>
bool uses_no_window(const MpiCall& call, const IsLive& is_live) {
    if (call.family != CallFamily::window) return false;
    if (find_record(call, EventType::RmaWinCreate) != nullptr) return false;
    for (const Action& action : call.actions) {
        if (action.kind != Action::Kind::record) continue;
        const RecordInfo& info = event_info(action.type);
        for (u8 i = 0; i < info.field_count; ++i) {
            if (info.fields[i].kind == FieldKind::rma_win && !is_live(action.fields[i]))
                return true;
        }
    }
    return false;
}

}  // namespace tracefold
