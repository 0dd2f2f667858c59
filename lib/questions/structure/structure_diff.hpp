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

/// A place at which two programs differ.
struct Difference {
    enum class Kind : u8 {
        only_in_a,
        only_in_b,
        count,     ///< how often a call is repeated or a loop iterates
        argument,  ///< the values of one argument
        order,     ///< the same values one after the other in another way
        time,      ///< the mean time in the call
    };

    static constexpr std::size_t kNoRecord = ~std::size_t{0};

    Kind kind{};
    std::string participants;       ///< as file A names them; file B for what is only there
    std::vector<std::string> path;  ///< loops and regions around, from the outside
    const ListedNode* a = nullptr;
    const ListedNode* b = nullptr;
    /// Of an argument: place among the records of a call; kNoRecord: it is about the count.
    std::size_t record = kNoRecord;
    std::size_t argument = 0;
    double seconds_a = 0;  ///< of a time
    double seconds_b = 0;
};

/// One of two files that are compared.
struct DiffSide {
    TraceFile& file;
    ListingSource& source;
    const ParticipantNames& names;
    const CallTimes* times = nullptr;  ///< null: times are not compared
};

struct DiffOptions {
    double tolerance = 0;              ///< of times: relative to the longer one
    std::vector<std::string> ignored;  ///< arguments that may differ
};

/// Ranks and threads that one file has and the other has not, as texts; empty: none.
struct OnlyIn {
    std::string a;
    std::string b;
};

/// Compares what locations of the same name do, script by script: bodies are aligned by the names
/// of their calls, then counts, arguments and times of what stands at the same place are compared.
/// The numbers of a loop's iterations that differ are one difference, not many. Arguments of calls
/// that are executed as often must be the same in the same order, others must have the same values.
/// Request ids are not compared. Differences are valid during the call of `sink` only. Cost: the
/// folded size of both files, square in the length of bodies that differ.
OnlyIn compare_structures(const DiffSide& a, const DiffSide& b, const DiffOptions& options,
                          const std::function<void(const Difference&)>& sink);

/// Pairs of places of two sequences that stand for the same, in order; kNone where one has nothing.
using Alignment = std::vector<std::pair<u32, u32>>;

/// The alignment with the most pairs for which `same(place in a, place in b)` is true. Cost: the
/// product of what is left of both when their common beginning and end are taken off; above some
/// millions the rest is paired place by place as long as it is the same.
Alignment align(u32 size_a, u32 size_b, const std::function<bool(u32, u32)>& same);

}  // namespace tracefold
