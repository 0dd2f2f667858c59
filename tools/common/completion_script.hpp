// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/completion_table.hpp"

namespace tracefold {

enum class Shell { bash, zsh, fish };

/// A script that makes the shell complete the tool's command line: commands, options, the words
/// that an option takes, and files.
std::string completion_script(const CompletedCommand& tool, Shell shell);

}  // namespace tracefold
