// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/call_names.hpp"
#include "model/participant_names.hpp"
#include "questions/structure/structure_listing.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// A difference between two programs.
struct Difference {
    enum class Kind : u8 {
        only_in_a,
        only_in_b,
        count,     ///< repetitions of a call or iterations of a loop
        argument,  ///< the values of one argument
        order,     ///< equal values in another order
        time,      ///< mean time of a call
    };

    static constexpr std::size_t kNoRecord = ~std::size_t{0};

    Kind kind{};
    ParticipantList participants;   ///< of file A
    std::vector<std::string> path;  ///< enclosing loops and regions, outermost first
    const ListedNode* a = nullptr;
    const ListedNode* b = nullptr;
    /// For an argument: index of the record in the call; kNoRecord: the difference is a count.
    std::size_t record = kNoRecord;
    std::size_t argument = 0;
    double seconds_a = 0;  ///< time in file A
    double seconds_b = 0;
};

/// One of two compared files.
struct DiffSide {
    TraceFile& file;
    ListingSource& source;
    const ParticipantNames& names;
    const CallTimes* times = nullptr;  ///< null: times are not compared
};

struct DiffOptions {
    double tolerance = 0;              ///< for times: relative to the longer one
    std::vector<std::string> ignored;  ///< arguments that may differ
};

/// Ranks and threads that exist in only one file, as texts; empty: none.
struct OnlyIn {
    std::string a;
    std::string b;
};

/// Compares locations of the same name, script by script: aligns bodies by call names, then
/// compares counts, arguments and times of the aligned nodes. Differing iteration counts of one
/// loop are one difference. Arguments must match in order if the calls are executed equally often,
/// else as a set. Request ids are not compared. Differences are valid only during the call of
/// `sink`. Cost: the folded size of both files, quadratic in the length of differing bodies.
OnlyIn compare_structures(const DiffSide& a, const DiffSide& b, const DiffOptions& options,
                          const std::function<void(const Difference&)>& sink);

/// Pairs of matching indices of two sequences, in order; kNone: no counterpart.
using Alignment = std::vector<std::pair<u32, u32>>;

/// The alignment with the most pairs for which `same(index in a, index in b)` holds. Cost: product
/// of the lengths without common prefix and suffix; above some millions the rest is paired index by
/// index while it matches.
Alignment align(u32 size_a, u32 size_b, const std::function<bool(u32, u32)>& same);

}  // namespace tracefold
