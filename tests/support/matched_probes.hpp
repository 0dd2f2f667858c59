// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/made_trace.hpp"

namespace tracefold::testing {

/// The id of messages that a probe leaves where they are.
inline constexpr u64 kLeftMessage = ~u64{0};

/// Makes a program of 2 ranks: rank 0 sends to rank 1, which probes in every way: for several
/// messages of one tag, which it receives in another order, at once and with a request; with polls
/// that find nothing, which have no record; for a message that it then receives as any other; and
/// for one that it never receives.
inline void make_matched_probes(MadeTrace& trace) {
    const auto send = [&trace](u64 tag, u64 bytes) {
        trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, tag, bytes}}});
    };
    const auto probe = [&trace](const char* function, u64 tag, u64 message) {
        trace.call(1, function, {{EventType::MpiProbe, {0, 0, tag, message}}});
    };
    for (const u32 rank : {0U, 1U}) trace.call(rank, "MPI_Init");
    const u64 sizes[] = {100, 200, 300};
    for (const u64 bytes : sizes) send(5, bytes);
    trace.call(1, "MPI_Improbe");
    probe("MPI_Mprobe", 5, 1);
    probe("MPI_Improbe", 5, 2);
    trace.call(1, "MPI_Iprobe");
    probe("MPI_Mprobe", 5, 3);
    trace.call(1, "MPI_Mrecv", {{EventType::MpiMrecv, {3, 300}}});
    trace.call(1, "MPI_Imrecv", {{EventType::MpiImrecvRequest, {1, 7}}});
    trace.call(1, "MPI_Mrecv", {{EventType::MpiMrecv, {2, 200}}});
    trace.call(1, "MPI_Wait", {{EventType::MpiImrecv, {7, 100}}});
    for (const char* function : {"MPI_Probe", "MPI_Iprobe"}) {
        send(6, 50);
        probe(function, 6, kLeftMessage);
        trace.call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 6, 50}}});
    }
    send(8, 10);
    probe("MPI_Mprobe", 8, 4);
    for (const u32 rank : {0U, 1U}) trace.call(rank, "MPI_Finalize");
}

}  // namespace tracefold::testing
