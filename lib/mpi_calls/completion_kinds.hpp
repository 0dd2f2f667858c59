// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"
#include "mpi_calls/request_list.hpp"

namespace tracefold {

/// A record that creates a request.
struct PostingKind {
    EventType posting;
    RequestKind request;
    EventType completion;
    u8 late_values;  ///< fields of the completion that move to the posting call
    bool in_runs;    ///< completions stand in runs (kCompletions), not as records of their own
};

inline constexpr PostingKind kPostingKinds[] = {
    {EventType::MpiIsend, RequestKind::send, EventType::MpiIsendComplete, 0, true},
    {EventType::MpiIrecvRequest, RequestKind::receive, EventType::MpiIrecv, 4, true},
    {EventType::NonBlockingCollectiveRequest, RequestKind::collective,
     EventType::NonBlockingCollectiveComplete, 5, true},
    {EventType::MpiImrecvRequest, RequestKind::matched_receive, EventType::MpiImrecv, 0, false},
};

/// A record that completes a request of one kind; in runs.
using CompletionKind = PostingKind;

constexpr const PostingKind* posting_kind(u8 type) {
    for (const PostingKind& kind : kPostingKinds) {
        if (static_cast<u8>(kind.posting) == type) return &kind;
    }
    return nullptr;
}

constexpr const CompletionKind* completion_kind(u8 type) {
    for (const PostingKind& kind : kPostingKinds) {
        if (kind.in_runs && static_cast<u8>(kind.completion) == type) return &kind;
    }
    return nullptr;
}

constexpr const PostingKind& kind_of(RequestKind request) {
    return kPostingKinds[static_cast<std::size_t>(request)];
}

/// True for completions that stand in runs. Compares no pointers: with the sanitizers, GCC does not
/// do that in constant expressions.
constexpr bool completes_request(u8 type) {
    for (const PostingKind& kind : kPostingKinds) {  // NOLINT(readability-use-anyofallof)
        if (kind.in_runs && static_cast<u8>(kind.completion) == type) return true;
    }
    return false;
}
constexpr bool completes_request(EventType type) {
    return completes_request(static_cast<u8>(type));
}

/// Records other than completions in runs that name an existing request, in their first field.
constexpr bool uses_request(u8 type) {
    return type == static_cast<u8>(EventType::MpiRequestTest) ||
           type == static_cast<u8>(EventType::MpiRequestCancelled) ||
           type == static_cast<u8>(EventType::MpiImrecv);
}

/// Those of them after which the request exists no longer.
constexpr bool ends_request(u8 type) {
    return uses_request(type) && type != static_cast<u8>(EventType::MpiRequestTest);
}

}  // namespace tracefold
