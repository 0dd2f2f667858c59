// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "common/run_tool.hpp"
#include "replay/options.hpp"

namespace tracefold {

/// Writes a kit, a tar.gz archive from which others replay the trace without tracefold: the
/// collected sources of the replayer (packaging/kit), the folded file, the options of the study and
/// a README. Returns exit_mismatch and prints the check if the trace cannot be replayed. Throws
/// Error: unsupported for an archive, or if the installation has no sources; io; as
/// replay_fingerprint().
ExitCode write_kit(const ReplayArguments& arguments, bool force, Console& console);

}  // namespace tracefold
