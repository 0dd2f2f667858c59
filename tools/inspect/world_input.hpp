// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/trace_input.hpp"

#include <CLI/CLI.hpp>

namespace tracefold {

/// What a command is about that several processes work on, and the tree along which they put their
/// results together.
struct WorldInput : TraceInput {
    int fanout = 2;

    /// `this` must outlive APP.
    void add_options(CLI::App& app) {
        TraceInput::add_options(app);
        app.add_option("--fanout", fanout, "Processes whose results one process takes")
            ->type_name("N")
            ->check(CLI::Range(2, 1024))
            ->capture_default_str();
    }
};

}  // namespace tracefold
