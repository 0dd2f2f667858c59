// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/timeline/trace_view.hpp"

namespace tracefold {

/// A message with both ends, as drawn by an arrow.
struct ViewMessage {
    struct End {
        u32 row = kNone;  ///< kNone: unknown send or receive
        u64 call = 0;     ///< the sending call; the call that receives or completes the receive
        u64 ticks = 0;    ///< begin of the send, end of the receiving call

        bool operator==(const End&) const = default;
    };

    End sent;
    End received;
    u64 bytes = 0;
    u64 tag = 0;
    u64 communicator = 0;  ///< global id

    bool operator==(const ViewMessage&) const = default;
};

struct ViewMessages {
    std::vector<ViewMessage> messages;
    bool too_many = false;  ///< more than requested; `messages` is empty
    u64 calls = 0;          ///< calls read

    bool operator==(const ViewMessages&) const = default;
};

struct RowsWindow {
    TickWindow window;
    std::vector<u32> rows;  ///< without duplicates
};

/// Messages between these rows that are sent or received in the window, limited to `most` messages
/// and `most_calls` calls read. Sends and receives of a channel (two ranks, communicator, tag) are
/// matched in order, which MPI guarantees. Cost: the rows' calls up to one window length after the
/// window, without times; repeated calls before the window cost little. Throws Error(corrupt).
ViewMessages view_messages(TraceView& view, const std::vector<u32>& rows, TickWindow window,
                           std::size_t most, u64 most_calls);
/// The messages of several windows. Distributes rows over all processes and `threads` threads each.
/// Collective; complete on process 0; throws the same Error on all processes.
std::vector<ViewMessages> view_messages(Communicator& comm, TraceView& view,
                                        const std::vector<RowsWindow>& parts, std::size_t most,
                                        u64 most_calls, u32 threads);

}  // namespace tracefold
