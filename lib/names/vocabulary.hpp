// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace tracefold {

/// True for names that say nothing about a program, a machine or a person: those of MPI and other
/// standards, and what recorders write into every trace ("Master thread", "MPI Rank 17"). It is the
/// built-in dictionary, functions of MPI in any spelling, and hardware counters of PAPI.
bool is_vocabulary(std::string_view name);

}  // namespace tracefold
