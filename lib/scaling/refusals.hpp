// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/script_model.hpp"

#include <string>

namespace tracefold {

/// The run has a rank at a place where no recorded run has one.
Refusal no_example(u32 rank);

/// Two ranks of a run that should do the same call something else; names the first such call.
Refusal differ(const Example& a, const Example& b, const CallTypes& kinds);

/// A rank does not do what the model of its class says; `what`: "MPI_Isend, receiver".
Refusal differ_from_model(const std::string& what, u32 rank, u32 ranks);

/// So many runs have a rank that does the same, which is too few. `other`: one of a smaller run
/// that does something else, if there is one, to name the first call that differs.
Refusal too_few_runs(const Example& example, std::size_t runs, const Example* other,
                     const CallTypes& kinds);

}  // namespace tracefold
