// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/timing_walk.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>

// What the parts of a prediction cost: the survey of all ranks, reading their operations, the first
// walk of them, which decodes their times, and later ones in one scenario and in many. Prints
// processor seconds, the least of some runs, and MPI calls per second. Usage: bench_prediction FILE
// [RUNS]
namespace tracefold {
namespace {

double seconds_of(int runs, const std::function<void()>& work) {
    double least = std::numeric_limits<double>::infinity();
    for (int run = 0; run < runs; ++run) {
        const std::clock_t begin = std::clock();
        work();
        least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least;
}

void print(const char* what, double seconds, u64 calls) {
    std::printf("%-28s %7.3f s  %6.2f M calls/s\n", what, seconds,
                static_cast<double>(calls) / seconds / 1e6);
}

WalkRequest request_of(std::size_t scenarios, u32 ranks) {
    WalkRequest request;
    for (std::size_t i = 0; i < scenarios; ++i) {
        Scenario scenario;
        scenario.links.fill({static_cast<i64>(1'000'000 + 100'000 * i), 500'000, 500'000, 100, 0});
        request.scenarios.push_back(scenario);
    }
    for (u32 rank = 0; rank < ranks; ++rank) request.node_of_rank.push_back(rank);
    return request;
}

u64 read_operations(TraceFile& file, const CommunicationSurvey& survey) {
    CallTree tree;
    TraceThreads threads(file);
    const CommonClock clock = common_clock(file);
    const RankOperations::Shared shared{file,    survey, tree,
                                        threads, clock,  CollectiveAlgorithm::automatic};
    u64 calls = 0;
    NetworkOperations operations;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        RankOperations program(shared, rank);
        while (program.next(operations)) operations.clear();
        calls += program.calls();
    }
    return calls;
}

std::function<void()> walk_of(TraceFile& file, const CommunicationSurvey& survey,
                              std::size_t scenarios) {
    return [&file, &survey, request = request_of(scenarios, file.definitions().world_size())] {
        CallTree tree;
        walk_timing(file, survey, request, tree);
    };
}

void run(const char* path, int runs) {
    TraceFile file(path);
    const CommunicationSurvey survey(file);
    const u64 calls = read_operations(file, survey);
    print("survey", seconds_of(runs, [&] { CommunicationSurvey again(file); }), calls);
    print("operations", seconds_of(runs, [&] { read_operations(file, survey); }), calls);
    print("first walk, 1 scenario", seconds_of(runs, walk_of(file, survey, 1)), calls);
    file.keep_decoded_ticks();
    walk_of(file, survey, 1)();
    for (const std::size_t scenarios : {1, 4, 22}) {
        char what[64];
        std::snprintf(what, sizeof(what), "walk, %zu scenarios", scenarios);
        print(what, seconds_of(runs, walk_of(file, survey, scenarios)), calls);
    }
}

}  // namespace
}  // namespace tracefold

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_prediction FILE [RUNS]\n");
        return 2;
    }
    tracefold::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 3);
    return 0;
}
