// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "mpi/mpi_call.hpp"

#include <deque>
#include <map>
#include <utility>

namespace tracefold {

/// The receives that are replayed with MPI_ANY_SOURCE.
enum class WildcardChoice : u8 { none, detected, all };

/// Detects the receives of a rank that may have been posted with MPI_ANY_SOURCE, which no trace
/// records. Receives of one communicator and tag are one class: they compete for the same messages.
/// A class is `detected` if
/// - its messages came from several sources, in an order that does not fold, as computed ones do;
/// - its receives completed in the order of posting, as receives that match the same messages do:
///   none can take a message that another receive waits for. Receives of messages that MPI_Mprobe
///   found are excluded. Memory: the folded sequences of sources. Cost: O(1) per message.
class Wildcards {
  public:
    /// Call for every call of the rank in order.
    void add(const MpiCall& call);
    /// Call after the last add(); `threads`: several threads call MPI, in no known order.
    void decide(WildcardChoice choice, bool threads);

    /// True if receives of this communicator and tag accept any source.
    [[nodiscard]] bool has(u64 comm, u32 tag) const {
        return any_ && decided_.contains({comm, tag});
    }
    /// Size of the largest message for such a receive.
    [[nodiscard]] u64 bytes(u64 comm, u32 tag) const { return decided_.at({comm, tag}); }
    /// Number of such receives.
    [[nodiscard]] u64 receives() const { return receives_; }

  private:
    using Key = std::pair<u64, u32>;
    struct Class {
        u64 count = 0;
        u64 largest = 0;
        u32 first = 0;         ///< source
        bool varies = false;   ///< several sources
        bool matched = false;  ///< some receive probed messages
        bool in_order = true;
        ColumnBuilder sources;
        std::deque<u64> posted;  ///< requests
    };

    void receive(const Envelope& envelope, u64 request);
    void complete(const MpiCall& call);
    static bool is_irregular(Class& receives);

    std::map<Key, Class> classes_;
    std::map<Key, u64> decided_;  ///< the largest size
    bool any_ = false;
    u64 receives_ = 0;
};

}  // namespace tracefold
