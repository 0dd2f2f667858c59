// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/open_input.hpp"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

namespace tracefold {

/// What a command is about that several processes work on: a folded file or an archive, and the
/// tree along which they put their results together.
struct WorldInput {
    std::string path;
    int fanout = 2;

    /// `this` must outlive APP.
    void add_options(CLI::App& app) {
        app.add_option("FILE", path, "File that trace_compress wrote, or an OTF2 archive")
            ->type_name("")
            ->required();
        app.add_option("--fanout", fanout, "Processes whose results one process takes")
            ->type_name("N")
            ->check(CLI::Range(2, 1024))
            ->capture_default_str();
    }

    /// Collective.
    [[nodiscard]] std::unique_ptr<FoldedInput> open(Communicator& comm) const {
        return open_input(comm, path);
    }
};

}  // namespace tracefold
