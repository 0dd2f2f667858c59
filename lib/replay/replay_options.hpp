// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/wildcards.hpp"
#include "mpi/window.hpp"
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
    /// Bytes per neighbour of neighbourhood collectives; without, they are not issued.
    std::optional<u64> neighbour_bytes;
    WildcardChoice wildcards = WildcardChoice::none;
    WindowRequest window;           ///< the part of the program that is replayed
    bool verify = false;            ///< compare every call that MPI sees with the trace
    bool skip_unsupported = false;  ///< leave out what cannot be issued, instead of refusing
    double timeout = 0;             ///< seconds in one call; 0: for ever
    std::string record;             ///< a file for the last repetition; empty: none
    std::string producer;           ///< of that file: name and version of the program
    bool force = false;             ///< replace that file
    u32 detailed_ranks = 0;         ///< told by themselves: the first and the slowest ones
    bool hosts = false;             ///< with the names of their hosts
    std::string scratch = ".";      ///< on every node: files are written to a fresh directory in it

    /// Called before the first call is issued: from then on, a failure of this process is unknown
    /// to the others.
    std::function<void()> begins;
    /// A failure that ends this process, on whatever thread: the sentence is to be printed.
    std::function<void(const std::string& sentence)> report;
    /// Ends all processes; does not return.
    std::function<void()> give_up;
};

}  // namespace tracefold
