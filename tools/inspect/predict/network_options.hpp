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

/// The networks of a prediction as they stand on the command line.
struct NetworkOptions {
    /// In place of those of the networks, in seconds; negative: not given.
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
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;

    /// Adds all options; `this` must outlive APP.
    void add_options(CLI::App& app);
    /// --network alone.
    CLI::Option* add_network(CLI::App& app, const std::string& what);

    /// Networks and placement. Without any the network is measured. Throws Error: usage for an
    /// unknown name; io; unsupported for what describes no network, or if the trace does not tell
    /// its own.
    [[nodiscard]] PredictionRequest request(TraceFile& file) const;
};

}  // namespace tracefold
