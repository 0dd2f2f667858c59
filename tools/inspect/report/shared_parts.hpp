// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "inspect/profile/profile.hpp"
#include "inspect/stats/classes.hpp"
#include "inspect/stats/stats.hpp"
#include "steps/program_steps.hpp"

#include <optional>
#include <string>

namespace tracefold {

/// What all processes work out together, before one of them writes the page. Complete on process 0.
struct SharedParts {
    ProfileView profile;
    Statistics statistics;
    std::string busiest;  ///< the MPI function that most time goes into; empty without times
    ClassesView classes;  ///< by the MPI calls of locations
    std::optional<Distribution> over_time;  ///< of its times, by step of the program
};

/// `name`: of the file, as the page calls it. `fanout`: of the tree along which statistics are
/// united. Collective; the same Error on all processes.
SharedParts shared_parts(Communicator& comm, TraceFile& file, FoundSteps& steps,
                         const std::string& name, int fanout);

}  // namespace tracefold
