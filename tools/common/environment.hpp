// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <functional>
#include <optional>
#include <string>

namespace tracefold {

/// Looks up an environment variable; empty when it is not set. Everything in the project that
/// depends on the environment takes one of these, so that tests can bring their own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The variables of this process.
Environment process_environment();

/// Where temporary files go: TMPDIR, else /tmp.
std::string scratch_directory(const Environment& environment = process_environment());

/// What the variables of MPI launchers (Hydra, PMIx, Open MPI, Slurm, MVAPICH, Cray PALS) tell
/// about this process.
struct Launch {
    bool by_launcher = false;  ///< One process of a job that a launcher started.
    u64 size = 0;              ///< Processes that the launcher started; 0 if it does not say.
    u64 rank = 0;              ///< Which of them this one is; 0 if it does not say.
};

Launch read_launch(const Environment& environment);

/// That of this process as it was when this was called first: Open MPI's MPI_Init sets such
/// variables.
const Launch& own_launch();

/// Throws Error(usage) if a launcher started several processes of which MPI knows only this one:
/// each of them would do the whole work, and write the same outputs.
void refuse_foreign_launcher(const Launch& launch, int processes);

/// Whether this process should join an MPI job. A tool that starts without a launcher must not
/// initialise MPI: login nodes often forbid it.
bool launched_by_mpirun(const Environment& environment);
inline bool launched_by_mpirun() { return own_launch().by_launcher; }

/// What is known about the terminal when a tool starts.
struct Terminal {
    bool out_is_terminal = false;  ///< False in a job that a launcher started.
    bool err_is_terminal = false;
    bool colors_wanted = true;  ///< False under NO_COLOR or TERM=dumb.
    bool can_erase = true;      ///< False under TERM=dumb: no line can be rewritten.
    unsigned width = 80;        ///< Columns.
};

/// Asks the operating system about standard output and error, and the environment for NO_COLOR,
/// TERM and COLUMNS.
Terminal detect_terminal(const Environment& environment);

}  // namespace tracefold
