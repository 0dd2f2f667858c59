// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace tracefold
