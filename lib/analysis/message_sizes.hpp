// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/transfers.hpp"
#include "query/call_names.hpp"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tracefold {

/// How often transfers of which size occur: class 0 is no bytes, class k is 2^(k-1) to 2^k - 1.
struct SizeHistogram {
    static constexpr std::size_t kClasses = 65;

    struct Class {
        u64 count = 0;
        u64 bytes = 0;  ///< or kOverflow
    };

    std::array<Class, kClasses> classes{};
    u64 count = 0;
    u64 bytes = 0;  ///< or kOverflow
    u64 smallest = ~u64{0};
    u64 largest = 0;
    std::map<u64, u64> exact;  ///< size -> count, if asked for

    /// Adds the numbers of a run, each `times` times. Cost: the classes that it meets.
    void add(const ValueRun& run, u64 times);
};

/// Sizes by call and side.
struct MessageSizes {
    enum class Side : u8 {
        sent,      ///< of a collective: per call, to all members together, as OTF2 counts
        received,  ///< likewise
        per_peer,  ///< of a collective: per call, to or from each member (Transfer::per_peer)
    };

    struct Key {
        Transfer::Kind kind{};
        std::string call;
        Side side = Side::sent;

        auto operator<=>(const Key&) const = default;
    };

    std::map<Key, SizeHistogram> histograms;
};

/// Histograms of what the selected locations send and receive, in the folded form: see
/// visit_transfers() for the cost. With `exact`, every size is counted for itself as well; memory
/// then grows with the number of different sizes.
MessageSizes message_sizes(TraceFile& file, ExecutionCounts& counts,
                           const std::vector<bool>& selected, bool exact);

/// Cuts a run at the powers of two: parts with sizes of one class each, by rising size.
void split_by_class(ValueRun run,
                    const std::function<void(std::size_t size_class, const ValueRun&)>& sink);

}  // namespace tracefold
