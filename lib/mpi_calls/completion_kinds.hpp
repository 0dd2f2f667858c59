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
};

inline constexpr PostingKind kPostingKinds[] = {
    {EventType::MpiIsend, RequestKind::send, EventType::MpiIsendComplete, 0},
    {EventType::MpiIrecvRequest, RequestKind::receive, EventType::MpiIrecv, 4},
    {EventType::NonBlockingCollectiveRequest, RequestKind::collective,
     EventType::NonBlockingCollectiveComplete, 5},
};

/// A record that completes a request of one kind.
using CompletionKind = PostingKind;

constexpr const PostingKind* posting_kind(u8 type) {
    for (const PostingKind& kind : kPostingKinds) {
        if (static_cast<u8>(kind.posting) == type) return &kind;
    }
    return nullptr;
}

constexpr const CompletionKind* completion_kind(u8 type) {
    for (const PostingKind& kind : kPostingKinds) {
        if (static_cast<u8>(kind.completion) == type) return &kind;
    }
    return nullptr;
}

constexpr const PostingKind& kind_of(RequestKind request) {
    return kPostingKinds[static_cast<std::size_t>(request)];
}

/// Compares no pointers: with the sanitizers, GCC does not do that in constant expressions.
constexpr bool completes_request(u8 type) {
    for (const PostingKind& kind : kPostingKinds) {  // NOLINT(readability-use-anyofallof)
        if (static_cast<u8>(kind.completion) == type) return true;
    }
    return false;
}
constexpr bool completes_request(EventType type) {
    return completes_request(static_cast<u8>(type));
}

/// Records other than completions that name an existing request.
constexpr bool uses_request(u8 type) {
    return type == static_cast<u8>(EventType::MpiRequestTest) ||
           type == static_cast<u8>(EventType::MpiRequestCancelled);
}

}  // namespace tracefold
