// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "generated_definitions.hpp"
#include "model/event_table.hpp"
#include "model/mpi_function.hpp"

#include <initializer_list>
#include <string>

namespace tracefold {

/// Records of one rank of a generated program, as Score-P writes them, given to the writer in
/// pieces. Messages are those of the world communicator.
class EventRecorder {
  public:
    static constexpr auto kBarrier = static_cast<u64>(CollectiveKind::barrier);
    static constexpr auto kBcast = static_cast<u64>(CollectiveKind::bcast);
    static constexpr auto kAllreduce = static_cast<u64>(CollectiveKind::allreduce);
    static constexpr auto kReduce = static_cast<u64>(CollectiveKind::reduce);
    static constexpr u64 kNoRoot = 0xFFFFFFFF;

    EventRecorder(ArchiveWriter& writer, const GeneratedDefinitions& definitions, u64 rank)
        : writer_(writer), definitions_(definitions), rank_(rank) {}

    /// Lets time pass between calls.
    void compute(u64 ticks) { time_ += ticks; }
    /// Lets so much pass before every call.
    void set_gap(u64 ticks) { gap_ = ticks; }

    /// Up to a barrier after MPI_Init.
    void begin_program();
    /// From a barrier to the end.
    void end_program();

    void enter(const std::string& name);
    void leave() { event(EventType::Leave, {region_}); }
    /// Whole calls; those that post give their request. `waited`: ticks longer than usual.
    u64 irecv();
    u64 isend(u64 to, u64 tag, u64 bytes);
    void send(u64 to, u64 tag, u64 bytes, u64 waited = 0);
    void receive(u64 from, u64 tag, u64 bytes, u64 waited = 0);
    void collective(const std::string& name, u64 operation, u64 sent = 0, u64 received = 0,
                    u64 waited = 0, u64 root = kNoRoot);
    /// Within a call that completes requests.
    void received(u64 from, u64 tag, u64 bytes, u64 request);
    void sent(u64 request) { event(EventType::MpiIsendComplete, {request}); }

    /// Writes what there is.
    void flush();

  private:
    void event(EventType type, std::initializer_list<u64> values, bool same_time = false);
    void communicators(EventType type);

    ArchiveWriter& writer_;
    const GeneratedDefinitions& definitions_;
    u64 rank_;
    u64 region_ = 0;
    u64 time_ = 1'000'000'000;
    u64 gap_ = 0;
    u64 request_ = 0;
    RecordBatch batch_;
};

}  // namespace tracefold
