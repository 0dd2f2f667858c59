// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <vector>

namespace tracefold {

enum class RequestKind : u8 { send, receive, collective, matched_receive };

/// The outstanding requests of a location in the order of their creation. A completion is named by
/// its distance from where the previous completion took place, counted over outstanding requests: a
/// FIFO Waitall is 0 0 0 ..., and requests that never complete (freed ones) do not shift anything.
/// Cost: O(distance), bounded by kReach.
class RequestList {
  public:
    /// Completions farther away than this are not found and stay verbatim.
    static constexpr i64 kReach = 4096;

    struct Request {
        u64 id = 0;
        u64 serial = 0;  ///< how many were added before
        RequestKind kind = RequestKind::send;
        u32 payload = kNone;  ///< the caller's
        u32 previous = 0;
        u32 next = 0;
    };

    RequestList() : nodes_(1) {}

    /// Appends a request; returns its node.
    u32 add(u64 id, RequestKind kind, u32 payload);

    /// The nearest outstanding request with this id that `matches` accepts; false if none is in
    /// reach. Distance 0 is the one after the previous completion's place, -1 the one before it.
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

    /// The node at a distance; kNone if there is none (a damaged file).
    [[nodiscard]] u32 at(i64 distance) const;
    [[nodiscard]] const Request& operator[](u32 node) const { return nodes_[node]; }
    /// Ends a request: the place of this completion is where the next search starts.
    void remove(u32 node);
    /// From now on notices whether anything happens to the requests that are outstanding now.
    void watch();
    /// A request that is looked at and stays.
    void touch(u32 node) { touched_ = touched_ || nodes_[node].serial < first_serial_; }
    /// True if all that was added since watch() has ended, nothing happened to the others, and the
    /// next search starts where it did then.
    [[nodiscard]] bool is_as_watched() const {
        return !touched_ && size_ == watched_size_ && anchor_ == watched_anchor_;
    }

    /// Any outstanding request, kNone if there is none.
    [[nodiscard]] u32 oldest() const { return nodes_[0].next == 0 ? kNone : nodes_[0].next; }

  private:
    std::vector<Request> nodes_;  ///< a ring with node 0 as its sentinel
    std::vector<u32> free_;
    u32 anchor_ = 0;  ///< the node before the place of the previous completion
    u64 added_ = 0;
    std::size_t size_ = 0;
    u64 first_serial_ = 0;  ///< of those added since watch()
    std::size_t watched_size_ = 0;
    u32 watched_anchor_ = 0;
    bool touched_ = false;
};

}  // namespace tracefold
