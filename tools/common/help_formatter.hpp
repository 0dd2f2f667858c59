// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Lays out --help: names and the type as it was set by hand, then the description with the
/// default in parentheses. CLI11's own layout shows its checks and exclusions as well.
std::shared_ptr<CLI::Formatter> help_formatter();

}  // namespace tracefold
