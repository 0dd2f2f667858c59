// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_reader.hpp"
#include "file/record_counts.hpp"
#include "mpi/program_steps.hpp"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace tracefold {

/// The steps in which the messages of a trace are sent and received, in order.
struct StepMessages {
    /// By sender, receiver and communicator.
    using Ends = std::map<std::tuple<u32, u32, u64>, std::vector<std::optional<u64>>>;

    Ends sent;
    Ends received;
};

inline StepMessages read_step_messages(TraceFile& file, const ProgramSteps& steps) {
    StepMessages messages;
    for (u32 location = 0; location < file.location_count(); ++location) {
        const auto rank = file.definitions().world_rank(file.definitions().locations()[location]);
        if (!rank || file.index().script(Stream::events, location) == kNone) continue;
        CallReader calls(file, location, Times::skip);
        StepCounter counter(steps.of(location));
        while (calls.next()) {
            counter.next();
            for (const RecordBatch::Head& head : calls.records().heads()) {
                const auto type = static_cast<EventType>(head.type);
                const bool sends = type == EventType::MpiSend || type == EventType::MpiIsend;
                if (!sends && type != EventType::MpiRecv && type != EventType::MpiIrecv) continue;
                const auto v = calls.records().values(head);
                const u64 comm = calls.tables().global(FieldKind::comm, v[1]);
                const u32 peer = world_peer(file.definitions(), comm, *rank, v[0]);
                if (sends) {
                    messages.sent[{*rank, peer, comm}].push_back(counter.step());
                } else {
                    messages.received[{peer, *rank, comm}].push_back(counter.step());
                }
            }
        }
    }
    return messages;
}

}  // namespace tracefold
