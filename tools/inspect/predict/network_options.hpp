// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "forecast/prediction.hpp"

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// The networks of a prediction on the command line.
struct NetworkOptions {
    /// Override those of the networks, in seconds; negative: not given.
    struct Parameters {
        double latency = -1;
        double overhead = -1;
        double gap = -1;
        double per_byte = -1;
        double overhead_per_byte = -1;
        std::optional<u64> rendezvous;

        [[nodiscard]] bool any() const {
            return latency >= 0 || overhead >= 0 || gap >= 0 || per_byte >= 0 ||
                   overhead_per_byte >= 0 || rendezvous;
        }
    };

    std::vector<std::string> names;
    Parameters given;
    u32 ranks_per_node = 0;  ///< 0: as recorded
    std::string placement;   ///< "block", "round-robin", or a file; empty: as recorded
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;

    /// Adds all options; `this` must outlive APP.
    void add_options(CLI::App& app);
    /// Adds --network only.
    CLI::Option* add_network(CLI::App& app, const std::string& what);

    /// Throws Error: usage for an order without each rank once; io.
    [[nodiscard]] Placement place(TraceFile& file) const;
    /// The first network that is not measured, or one of nodes.
    [[nodiscard]] Network described() const;
    /// The request with networks and placement; without a network, measures the recorded one.
    /// Throws Error: usage for an unknown name; io; unsupported for an invalid description, or if
    /// the recorded network cannot be measured.
    [[nodiscard]] PredictionRequest request(TraceFile& file) const;
};

}  // namespace tracefold
