// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "common/run_tool.hpp"

namespace tracefold {

/// Makes a tool run on all processes of a job. An Error of `work`, which all have agreed upon, ends
/// all of them and is printed once; anything else aborts the job, since the others may be waiting.
/// The communicator must outlive the tool.
void run_together(Communicator& comm, ToolSpec& spec,
                  std::function<ExitCode(Console&, const CommonOptions&)> work);

}  // namespace tracefold
