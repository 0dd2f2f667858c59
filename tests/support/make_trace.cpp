// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// make_trace KIND FILE [NAMES]: a folded trace of 2 ranks with records that the libotf2 at hand
// need not know. Kinds: matched (messages that probes take), handed (the same from thread to
// thread), groups (ranks that are location groups), homeless (one of which has no location),
// sampled (5 ranks, of which 4 have the same times), shmem (2 processing elements), processes (3 of
// them, without MPI), partial (4 ranks, of which 2 have no events), recursion (200,000 levels),
// regions (200,000 of them), unsent (a message that nobody sends), closed (an access to a window
// that nobody makes), requests (messages that have none), contradiction (in the order of waits),
// bare_windows (calls without records), reopened (files without records of views), spelled (calls
// of every kind; each line of the file NAMES has a function, a tab, and what a recorder calls it),
// rerun (of a solver on 4 ranks; NAMES is its seed, the noise of functions and of the machine, and
// the slow-down of a function, "7 0.01 0.03 0").
#include "support/made_rerun.hpp"
#include "support/made_traces.hpp"
#include "support/spelled_program.hpp"

#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace tracefold::testing {
namespace {

Spellings read_spellings(const std::string& file) {
    Spellings spellings;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos) throw std::invalid_argument(file + ": no tab in " + line);
        spellings[line.substr(0, tab)] = line.substr(tab + 1);
    }
    if (spellings.empty()) throw std::invalid_argument(file + " has no names");
    return spellings;
}

void make(const std::string& kind, const std::string& file, const std::string& names) {
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
        {"requests", {{}, make_messages_without_requests}},
        {"contradiction", {{}, make_contradicting_waits}},
        {"bare_windows", {{}, make_bare_windows}},
        {"reopened", {kRanksWithFiles, make_files_opened_again}},
        {"regions", {kOneRank, [](MadeTrace& trace) { make_many_regions(trace); }}},
        {"spelled",
         {kRanksWithObjects,
          [&names](MadeTrace& trace) {
              const Spellings spellings = read_spellings(names);
              SpelledProgram(trace, spellings).make();
          }}},
        {"rerun",
         {MadeRerun::kShape,
          [&names](MadeTrace& trace) {
              MadeRerun run;
              std::istringstream(names) >> run.seed >> run.noise >> run.machine >> run.slower;
              run.make(trace);
          }}},
        {"unsent",
         {{},
          [](MadeTrace& trace) {
              trace.call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 5, 8}}});
          }}},
        {"closed",
         {{.ranks = 2, .windows = true},
          [](MadeTrace& trace) {
              trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, 5, 8}}});
              trace.call(0, "MPI_Put", {{EventType::RmaPut, {0, 1, 64, 1}}});
              trace.call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 5, 8}}});
          }}},
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
        const bool has_names = argc == 4;
        if (argc != 3 && !has_names) {
            throw std::invalid_argument("usage: make_trace KIND FILE [NAMES]");
        }
        tracefold::testing::make(argv[1], argv[2], has_names ? argv[3] : "");
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
