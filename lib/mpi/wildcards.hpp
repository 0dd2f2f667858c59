// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "mpi/mpi_call.hpp"

#include <deque>
#include <map>
#include <utility>

namespace tracefold {

/// Which receives are replayed with MPI_ANY_SOURCE.
enum class WildcardChoice : u8 { none, detected, all };

/// Finds the receives of a rank that may have been posted with MPI_ANY_SOURCE, which no trace
/// tells. Receives of one communicator and tag are taken together, since they compete for the same
/// messages. They are `detected` if
/// - their messages came from several sources, in an order that does not fold: of a program whose
///   sources are computed it does in most cases;
/// - they completed in the order in which they were posted, as receives do that match the same
///   messages; so none can take a message that the program waits for in another receive.
/// Receives that take what MPI_Mprobe found are never among them. Memory: the folded sequences of
/// sources. Cost: O(1) per message.
class Wildcards {
  public:
    /// For every call of the rank in order.
    void add(const MpiCall& call);
    /// After the last; threads of a rank have no order of their calls.
    void decide(WildcardChoice choice, bool threads);

    /// True if receives of this communicator and tag take messages of any source.
    [[nodiscard]] bool has(u64 comm, u32 tag) const {
        return any_ && decided_.contains({comm, tag});
    }
    /// Size of the largest message that such a receive may take.
    [[nodiscard]] u64 bytes(u64 comm, u32 tag) const { return decided_.at({comm, tag}); }
    /// How many receives.
    [[nodiscard]] u64 receives() const { return receives_; }

  private:
    using Key = std::pair<u64, u32>;
    struct Class {
        u64 count = 0;
        u64 largest = 0;
        u32 first = 0;         ///< source
        bool varies = false;   ///< there are other sources
        bool matched = false;  ///< some take what a probe found
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
