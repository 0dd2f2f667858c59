// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/event_table.hpp"

#include <vector>

namespace tracefold {

enum class RequestKind : u8 { send, receive, collective, matched_receive };

/// The outstanding requests of a location in creation order. A completion is encoded by its
/// distance from the position of the previous completion, counted in outstanding requests: a FIFO
/// Waitall is 0 0 0 ..., and requests that never complete (freed ones) shift nothing. Cost:
/// O(distance), bounded by kReach.
class RequestList {
  public:
    /// Completions beyond this distance are not found and stay verbatim.
    static constexpr i64 kReach = 4096;

    struct Request {
        u64 id = 0;
        u64 serial = 0;  ///< number of requests added before
        RequestKind kind = RequestKind::send;
        u32 payload = kNone;  ///< defined by the caller
        u32 previous = 0;
        u32 next = 0;
    };

    RequestList() : nodes_(1) {}

    u32 add(u64 id, RequestKind kind, u32 payload);

    /// Finds the nearest outstanding request with this id that `matches` accepts; false if none is
    /// in reach. Distance 0 is the one after the position of the previous completion, -1 the one
    /// before.
    template <class Matches>
    bool find(u64 id, const Matches& matches, i64& distance, u32& node) const {
        u32 ahead = nodes_[anchor_].next;
        u32 behind = anchor_;
        for (i64 step = 0; step < kReach && (ahead != 0 || behind != 0); ++step) {
            if (ahead != 0) {
                if (nodes_[ahead].id == id && matches(nodes_[ahead].kind)) {
                    distance = step;
                    node = ahead;
                    return true;
                }
                ahead = nodes_[ahead].next;
            }
            if (behind != 0) {
                if (nodes_[behind].id == id && matches(nodes_[behind].kind)) {
                    distance = -1 - step;
                    node = behind;
                    return true;
                }
                behind = nodes_[behind].previous;
            }
        }
        return false;
    }

    /// Returns the node at a distance; kNone if there is none (a damaged file).
    [[nodiscard]] u32 at(i64 distance) const;
    [[nodiscard]] const Request& operator[](u32 node) const { return nodes_[node]; }
    /// Removes a request: the next search starts at its position.
    void remove(u32 node);
    /// Starts to track changes of the requests that are outstanding now.
    void watch();
    /// Records an access to a request that stays.
    void touch(u32 node) { touched_ = touched_ || nodes_[node].serial < first_serial_; }
    /// True if all requests added since watch() have ended, the others are unchanged, and the next
    /// search starts at the same position.
    [[nodiscard]] bool is_as_watched() const {
        return !touched_ && size_ == watched_size_ && anchor_ == watched_anchor_;
    }

    /// The oldest outstanding request, kNone if there is none.
    [[nodiscard]] u32 oldest() const { return nodes_[0].next == 0 ? kNone : nodes_[0].next; }

  private:
    std::vector<Request> nodes_;  ///< a ring with node 0 as its sentinel
    std::vector<u32> free_;
    u32 anchor_ = 0;  ///< the node before the position of the previous completion
    u64 added_ = 0;
    std::size_t size_ = 0;
    u64 first_serial_ = 0;  ///< of the first request since watch()
    std::size_t watched_size_ = 0;
    u32 watched_anchor_ = 0;
    bool touched_ = false;
};

/// A record that creates a request.
struct PostingKind {
    EventType posting;
    RequestKind request;
    EventType completion;
    u8 late_values;  ///< fields of the completion that move to the posting call
    bool in_runs;    ///< completions are in runs (kCompletions), without records of their own
};

inline constexpr PostingKind kPostingKinds[] = {
    {EventType::MpiIsend, RequestKind::send, EventType::MpiIsendComplete, 0, true},
    {EventType::MpiIrecvRequest, RequestKind::receive, EventType::MpiIrecv, 4, true},
    {EventType::NonBlockingCollectiveRequest, RequestKind::collective,
     EventType::NonBlockingCollectiveComplete, 5, true},
    {EventType::MpiImrecvRequest, RequestKind::matched_receive, EventType::MpiImrecv, 0, false},
};

/// A record that completes a request of one kind, for completions in runs.
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

/// True for completions in runs. Avoids comparing pointers, which GCC with sanitizers rejects.
constexpr bool completes_request(u8 type) {
    for (const PostingKind& kind : kPostingKinds) {  // NOLINT(readability-use-anyofallof)
        if (kind.in_runs && static_cast<u8>(kind.completion) == type) return true;
    }
    return false;
}
constexpr bool completes_request(EventType type) {
    return completes_request(static_cast<u8>(type));
}

/// True for records, other than completions in runs, whose first field is an existing request.
constexpr bool uses_request(u8 type) {
    return type == static_cast<u8>(EventType::MpiRequestTest) ||
           type == static_cast<u8>(EventType::MpiRequestCancelled) ||
           type == static_cast<u8>(EventType::MpiImrecv);
}

/// True for those of these records that end the request.
constexpr bool ends_request(u8 type) {
    return uses_request(type) && type != static_cast<u8>(EventType::MpiRequestTest);
}

}  // namespace tracefold
