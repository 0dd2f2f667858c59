// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/wildcards.hpp"
#include "mpi/window.hpp"
#include "replay/device_memory.hpp"
#include "replay/timing/pacer.hpp"

#include <functional>
#include <optional>
#include <string>

namespace tracefold {

struct ReplayOptions {
    Deltas deltas = Deltas::none;
    u64 seed = 0;  ///< of Deltas::sample
    double compute_scale = 1.0;
    bool sleep = false;
    double bytes_scale = 1.0;
    u32 repetitions = 1;
    u32 warm_up = 0;  ///< repetitions before, not measured
    /// Bytes per neighbour of neighbourhood collectives; unset: not issued.
    std::optional<u64> neighbour_bytes;
    WildcardChoice wildcards = WildcardChoice::none;
    WindowRequest window;           ///< the replayed part of the program
    bool verify = false;            ///< compare every issued call with the trace
    bool skip_unsupported = false;  ///< leave out unsupported calls instead of refusing
    BufferPlace buffers = BufferPlace::host;
    double timeout = 0;         ///< seconds in one call; 0: none
    double time_limit = 0;      ///< seconds from `started` on; 0: none
    u64 started = 0;            ///< clock_now()
    std::string record;         ///< file for the last repetition; empty: none
    std::string producer;       ///< name and version of the program, for that file
    bool force = false;         ///< overwrite that file
    u32 detailed_ranks = 0;     ///< ranks reported in detail: the first and the slowest ones
    bool hosts = false;         ///< report the host names of these ranks
    std::string scratch = ".";  ///< on every node: parent of the directory of files

    /// Called before the first call is issued: later failures of this process are not communicated.
    std::function<void()> begins;
    /// Prints the error that ends this process; called on any thread.
    std::function<void(const std::string& sentence)> report;
    /// Ends all processes; does not return.
    std::function<void()> give_up;
};

}  // namespace tracefold
