// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// make_trace KIND FILE: a folded trace of 2 ranks with records that the libotf2 at hand need not
// know. Kinds: matched (messages that probes take), handed (the same from thread to thread), groups
// (ranks that are location groups), homeless (one of which has no location), sampled (5 ranks, of
// which 4 have the same times), shmem (2 processing elements), processes (3 of them, without MPI),
// partial (4 ranks, of which 2 have no events), recursion (200,000 levels), regions (200,000 of
// them).
#include "support/made_traces.hpp"

#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>

namespace tracefold::testing {
namespace {

void make(const std::string& kind, const std::string& file) {
    struct Maker {
        MadeTrace::Shape shape;
        std::function<void(MadeTrace&)> fill;
    };
    const std::map<std::string, Maker> makers = {
        {"matched", {{}, make_matched_probes}},
        {"handed", {kThreeThreads, make_messages_handed_over}},
        {"groups", {kRanksOfGroups, make_calls_on_second_thread}},
        {"sampled", {kSampledRanks, make_shared_times}},
        {"shmem", {kTwoPes, make_puts}},
        {"processes", {kProcesses, make_work}},
        {"partial", {kHalfRecorded, make_half}},
        {"recursion", {kOneRank, [](MadeTrace& trace) { make_recursion(trace); }}},
        {"regions", {kOneRank, [](MadeTrace& trace) { make_many_regions(trace); }}},
        {"homeless",
         {{.ranks = 2, .of_groups = true, .ranks_without_location = 1},
          [](MadeTrace& trace) { trace.call(0, "MPI_Init"); }}},
    };
    const auto maker = makers.find(kind);
    if (maker == makers.end()) throw std::invalid_argument("no such kind of trace: " + kind);
    MadeTrace trace(maker->second.shape);
    maker->second.fill(trace);
    trace.fold(file);
}

}  // namespace
}  // namespace tracefold::testing

int main(int argc, char** argv) {
    try {
        if (argc != 3) throw std::invalid_argument("usage: make_trace KIND FILE");
        tracefold::testing::make(argv[1], argv[2]);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
