// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/made_trace.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace tracefold::testing {

/// A run of a made solver on four ranks, whose times have drawn noise.
struct MadeRerun {
    static constexpr MadeTrace::Shape kShape = {.ranks = 4};

    u64 seed = 1;
    double noise = 0;    ///< deviation of the logarithm of a function's time in a run
    double slower = 0;   ///< relative, of the function "smooth"
    double machine = 0;  ///< deviation that all functions share
    u32 steps = 20;
    u64 bytes = 4096;  ///< of a message
    u64 tag = 5;
    std::string smooth = "smooth";
    bool swaps = false;  ///< the first two functions of a step
    u32 polls = 1;       ///< at the end

    void make(MadeTrace& trace) const {
        struct Function {
            std::string name;
            double ticks;
        };
        std::vector<Function> functions = {{"assemble", 2000},
                                           {smooth, 3000},
                                           {"restrict", 1000},
                                           {"flux", 1500},
                                           {"coarse", 800}};
        std::mt19937_64 random(seed);
        std::normal_distribution<> deviation(0, 1);
        const double common = std::exp(machine * deviation(random));
        for (Function& function : functions) {
            function.ticks *= common * std::exp(noise * deviation(random));
            if (function.name == smooth) function.ticks *= 1 + slower;
        }
        if (swaps) std::swap(functions[0], functions[1]);
        std::vector<u64> now(kShape.ranks, 0);
        const auto call = [&](u32 rank, u64 ticks, const std::string& function,
                              const std::vector<MadeTrace::Event>& events = {}) {
            const u64 length = std::max<u64>(ticks, events.size() + 1);
            trace.timed_call(rank, now[rank], now[rank] + length, function, events);
            now[rank] += length;
        };
        for (u32 rank = 0; rank < kShape.ranks; ++rank) {
            trace.at(0);
            trace.record(rank, 0, EventType::Enter, {trace.region("solver")});
            now[rank] = 1;
            call(rank, 500, "MPI_Init");
        }
        for (u32 step = 0; step < steps; ++step) {
            for (u32 rank = 0; rank < kShape.ranks; ++rank) {
                for (const Function& function : functions)
                    call(rank, static_cast<u64>(function.ticks), function.name);
                call(rank, 300, "MPI_Send",
                     {{EventType::MpiSend, {(rank + 1) % kShape.ranks, 0, tag, bytes}}});
            }
            for (u32 rank = 0; rank < kShape.ranks; ++rank) {
                now[rank] = std::max(now[rank], now[(rank + kShape.ranks - 1) % kShape.ranks]);
                call(rank, 200, "MPI_Recv",
                     {{EventType::MpiRecv,
                       {(rank + kShape.ranks - 1) % kShape.ranks, 0, tag, bytes}}});
            }
        }
        const u64 end = *std::ranges::max_element(now);
        for (u32 rank = 0; rank < kShape.ranks; ++rank) {
            now[rank] = end;
            for (u32 poll = 0; poll < polls; ++poll) call(rank, 100, "MPI_Test");
            call(rank, 100, "MPI_Finalize");
            trace.at(now[rank]);
            trace.record(rank, 0, EventType::Leave, {trace.region("solver")});
        }
    }
};

}  // namespace tracefold::testing
