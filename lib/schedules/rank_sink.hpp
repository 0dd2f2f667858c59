// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"
#include "schedules/communication_survey.hpp"
#include "schedules/fate.hpp"

#include <span>

namespace tracefold {

/// A request that is outstanding: a small number, which is used again after its completion.
using RequestSlot = u32;
inline constexpr RequestSlot kBlocking = kNone;

/// One end of a message, as all ranks name it.
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
    u32 member = 0;  ///< that the rank is
};

/// What a model, or a format of simulators, makes of the calls of one rank, in their order.
class RankSink {
  public:
    virtual ~RankSink() = default;

    /// False if the sink works out by itself what a rank computes whose calls one thread makes.
    [[nodiscard]] virtual bool needs_computation() const { return true; }
    /// A call begins: what it sends, receives and posts follows, and, in programs of several
    /// threads, other calls may do so before it ends. The call is valid until then.
    virtual void begin_call(u32 /*location*/, const MpiCall& /*call*/) {}
    /// After what it waits for.
    virtual void end_call(u32 /*location*/, const MpiCall& /*call*/) {}
    /// Time that the rank needs nobody for: between calls, and in calls that reach no other rank.
    virtual void compute(u64 between_calls, u64 in_calls) = 0;
    virtual void send(const RankMessage& message, RequestSlot slot) = 0;
    virtual void receive(const RankMessage& message, RequestSlot slot) = 0;
    /// Returns whether the format has it, or messages stand for it.
    virtual Fate collective(const RankCollective& collective, RequestSlot slot) = 0;
    /// Waits for these; `all`: nothing else is outstanding. Their slots are free afterwards.
    virtual void wait(std::span<const RequestSlot> slots, bool all) = 0;
};

}  // namespace tracefold
