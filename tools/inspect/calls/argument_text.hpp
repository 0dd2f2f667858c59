// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/participant_names.hpp"
#include "questions/structure/structure_listing.hpp"

namespace tracefold {

/// "(to rank+{-1,+1}, comm MPI_COMM_WORLD, tag 5, 64 B)"; empty without arguments. `records`: of
/// the call, or of one of its places.
std::string arguments_text(const ListedNode& call, const std::vector<ListedRecord>& records,
                           const ParticipantNames& participants);

/// One argument: "rank+{-1,+1}", "{8 B,64 B}".
std::string argument_text(const ListedArgument& argument, const ParticipantNames& participants);

/// " x 4", " x {17,18,17}", " x 2..9 (5 distinct)"; empty for always 1.
std::string count_text(const std::vector<ListedVariant>& counts);

/// One value of an argument: "rank+1", "64 B".
std::string value_text(ValueRole role, u64 value);

}  // namespace tracefold
