// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/timeline/trace_view.hpp"

namespace tracefold {

/// A message with both of its ends, as an arrow is drawn.
struct ViewMessage {
    struct End {
        u32 row = kNone;  ///< kNone: the receive, or the send, is not known
        u64 call = 0;     ///< that sends; that receives, or completes the receive
        u64 ticks = 0;    ///< of its begin, and of its end where the message comes

        bool operator==(const End&) const = default;
    };

    End sent;
    End received;
    u64 bytes = 0;
    u64 tag = 0;
    u64 communicator = 0;  ///< global id

    bool operator==(const ViewMessage&) const = default;
};

/// The messages of a window.
struct ViewMessages {
    std::vector<ViewMessage> messages;
    bool too_many = false;  ///< more than were asked for; `messages` is empty
    u64 calls = 0;          ///< that were read

    bool operator==(const ViewMessages&) const = default;
};

/// Rows in a window of time.
struct RowsWindow {
    TickWindow window;
    std::vector<u32> rows;  ///< each once
};

/// The messages between these rows that are sent or received in the window, if there are at most
/// `most`, and at most `most_calls` calls have to be read. Sends and receives of a channel (two
/// ranks, communicator, tag) are matched in their order, which MPI guarantees. Cost: the calls of
/// the rows up to the end of the window and as long again, without their times; of those before
/// that come again, few. Throws Error(corrupt).
ViewMessages view_messages(TraceView& view, const std::vector<u32>& rows, TickWindow window,
                           std::size_t most, u64 most_calls);
/// The same of each of several windows; rows are shared out to all processes, and to so many
/// threads of each. Collective; complete on process 0; throws the same Error on all.
std::vector<ViewMessages> view_messages(Communicator& comm, TraceView& view,
                                        const std::vector<RowsWindow>& parts, std::size_t most,
                                        u64 most_calls, u32 threads);

}  // namespace tracefold
