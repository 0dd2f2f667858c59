// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"
#include "proxy/call_translator.hpp"
#include "proxy/proxy_call.hpp"

#include <vector>

namespace tracefold {

/// A place in a program: a call, which may be repeated, or a loop. Assignments are over the ranks
/// of the script.
struct ProxyPlace {
    u32 item = 0;      ///< of the pattern
    Assignment count;  ///< repetitions or trips; 0: not on this rank
    /// In the order of the function's arguments; a list has two, its lengths and its values.
    std::vector<Assignment> arguments;
    u64 executions = 0;  ///< of a call, on all ranks together
    u64 ticks = 0;       ///< of computation before them
};

/// The program of some ranks.
struct ProxyScript {
    Pattern pattern;
    std::vector<ProxyFunction> functions;  ///< by leaf
    std::vector<u32> ranks;                ///< rising
    std::vector<ProxyPlace> places;        ///< see PlaceNumbers
};

/// What a proxy application is written from: the calls of all ranks as loops, with the arguments of
/// each place in them folded in time and over the ranks.
struct ProxyModel {
    u32 ranks = 0;
    u32 communicators = 0;     ///< most of a rank at a time
    u64 persistent = 0;        ///< most requests of a rank
    u64 largest = 0;           ///< bytes of a message
    u64 calls = 0;             ///< of all ranks, as they are issued
    u64 read_calls = 0;        ///< of the trace
    u64 sizes_of_senders = 0;  ///< receives in another size than they recorded
    TickRate rate;
    bool starts_threads = false;
    bool has_times = false;
    StructurePool pool;                ///< of all patterns and columns
    std::size_t scripts_of_ranks = 0;  ///< different ones, before they were united
    std::vector<ProxyScript> scripts;
    CallCounts left_out;
    CallCounts inferred;  ///< arguments of, or receives themselves
    CallCounts local;     ///< that reach no other process: part of the computation
};

}  // namespace tracefold
