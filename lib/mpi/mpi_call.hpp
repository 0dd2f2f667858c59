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
/// Requests of collectives without a record have numbers of their own, from here on.
inline constexpr u64 kFirstUnrecordedRequest = u64{1} << 62U;
inline constexpr u64 kNoMetric = ~u64{0};
/// More than any process addresses.
inline constexpr u64 kBeyondMemory = u64{1} << 48U;
/// Of probes that leave the message where it is: OTF2's undefined message id.
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

/// The caller's part of a collective operation, sizes as OTF2 counts them.
struct CollectivePart {
    u64 comm = kNone;
    CollectiveKind kind = CollectiveKind::barrier;
    u32 root = 0;  ///< rank, or one of OTF2's root constants
    u64 sent = 0;
    u64 received = 0;

    bool operator==(const CollectivePart&) const = default;
};

/// One thing that a call did.
struct Action {
    enum class Kind : u8 {
        send,                 ///< envelope; request if the send is not blocking
        receive,              ///< envelope of a blocking receive
        post_receive,         ///< request; envelope if `known`
        probe,                ///< envelope; message if the probe took it out of the queue
        collective,           ///< part of a blocking collective
        post_collective,      ///< request; part if `known`
        complete_send,        ///< request
        complete_receive,     ///< request, envelope
        complete_collective,  ///< request, part
        cancelled,            ///< request
        tested,               ///< request that was not complete
        create_comm,          ///< part.comm is the new communicator
        destroy_comm,         ///< part.comm
        record,               ///< any other record (RMA, I/O): type, fields
    };

    Kind kind = Kind::record;
    /// Of posting actions: whether the request completes in the trace, so that its data is known.
    /// Of probes with a message: whether it is received in the trace, so that its size is known.
    bool known = true;
    /// Of collectives without a record: `part` is what their name and the recorder's metrics tell,
    /// and what the other members tell if that was worked out (UnrecordedCollective).
    bool unrecorded = false;
    bool has_size = false;  ///< of these: the size is that of a metric
    bool has_root = false;  ///< of these: the root was found, not assumed
    EventType type{};       ///< of the record behind the action
    u64 time = 0;           ///< raw ticks of the record
    u64 request = kNoRequest;
    u64 message = kNoMessage;  ///< that a probe took, and a receive gets by its id
    Envelope envelope;
    CollectivePart part;
    /// Kind::record: the record's fields as event_info(type) names them, references as global ids.
    /// Of unrecorded collectives: what a metric of the caller says, kNoMetric if none does.
    std::array<u64, 6> fields{};
    u64 offset = ~u64{0};  ///< of IoOperationBegin with an Offset attribute

    bool operator==(const Action&) const = default;

    /// True if the action begins what a request stands for.
    [[nodiscard]] bool posts_request() const {
        return kind == Kind::post_receive || kind == Kind::post_collective ||
               (kind == Kind::send && request != kNoRequest);
    }
    /// True if a completion is that of an action that posts a request, by their kinds.
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
    /// True if it is complete with the action, or cancelled.
    [[nodiscard]] bool ends_request() const {
        return kind == Kind::complete_send || kind == Kind::complete_receive ||
               kind == Kind::complete_collective || kind == Kind::cancelled;
    }

    /// True if a send is for this receive: for that of a matched message it is for its probe.
    [[nodiscard]] bool is_matched_here() const {
        const bool receives = kind == Kind::receive || (kind == Kind::post_receive && known);
        return message == kNoMessage ? receives : kind == Kind::probe;
    }
};

/// One MPI call of one location: everything that its records say, requests joined with what they
/// complete with, all ids global.
struct MpiCall {
    /// Where the trace says too little, the ranks together may say more (ReplayPatch).
    enum class PatchEffect : u8 {
        as_recorded,
        inferred,  ///< `inferred`, or actions that became known
        left_out,  ///< here, or on all members alike
        outside,   ///< of the part of the program that is replayed
        prepared,  ///< before that part, since it needs it
    };

    MpiFunction function = MpiFunction::other;
    CallFamily family = CallFamily::local;
    /// The name of the function does not tell what the call does: its records do.
    bool by_records = false;
    u32 region = 0;  ///< global region id
    u64 index = 0;   ///< number of the call on its location, from 0
    u64 begin = 0;   ///< raw ticks of Enter and Leave
    u64 end = 0;
    u64 paced_begin = 0;  ///< the same in the times that a replay goes by, MpiCallReader::pace()
    u64 paced_end = 0;
    std::span<const Action> actions;  ///< valid until the next call is read

    PatchEffect patch_effect = PatchEffect::as_recorded;
    /// Of receives and probes without a record: the message, as its receiver names it; comm kNone
    /// if there is none.
    Envelope inferred;
    bool found = false;       ///< of such probes: whether the message had come
    bool unreceived = false;  ///< nobody receives the message that is sent
    bool dropped = false;     ///< actions whose partners are missing are not among `actions`
};

/// What a replay does with a call.
enum class Treatment : u8 {
    issued,
    counted,      ///< reaches no other process, or the replay does it by itself: not issued
    unsupported,  ///< cannot be issued; the program is refused, or the call left out everywhere
};

Treatment treatment_of(const MpiCall& call);

/// True if the call's records tell of messages, collective operations, windows or files. What
/// MPI_Init and MPI_Finalize do together is a part of them.
bool communicates(const MpiCall& call);

/// The name of the function, or of the region if the standard has no such function: "MPIX_Foo";
/// what the recorder calls it if `by_records`; without a region, the first record that it left.
std::string_view name_of(const MpiCall& call, const DefinitionIndex& definitions);
/// Of a call without region whose function is `other`.
std::string_view name_of_record(const MpiCall& call);

/// The first action of this kind; null if there is none.
const Action* find_action(const MpiCall& call, Action::Kind kind);

/// The first record of this type that a call left; null if there is none.
const Action* find_record(const MpiCall& call, EventType type);

}  // namespace tracefold
