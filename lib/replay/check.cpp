// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/check.hpp"

#include "replay/call_recipes.hpp"
#include "replay/communicator_table.hpp"
#include "replay/rank_program.hpp"
#include "replay/side_by_side.hpp"

#include <memory>

namespace tracefold {

namespace {

std::vector<CommunicatorTable> communicator_tables(TraceFile& file) {
    std::vector<CommunicatorTable> tables;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        tables.emplace_back(file.definitions(), rank);
    }
    drain(*file.global_definitions(), [&tables](const RecordBatch& batch) {
        for (CommunicatorTable& table : tables) table.add(batch);
    });
    for (CommunicatorTable& table : tables) table.finish();
    return tables;
}

std::vector<SideBySide::Walker> walkers_of(TraceFile& file, Times times) {
    std::vector<SideBySide::Walker> walkers;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) {
            auto program = std::make_shared<RankProgram>(file, location, times);
            walkers.push_back({rank, location, [program](Operation& operation) {
                                   return program->next(operation);
                               }});
        }
    }
    return walkers;
}

}  // namespace

CheckResult check_replay(TraceFile& file) {
    const std::vector<CommunicatorTable> tables = communicator_tables(file);
    SideBySide walk(file.definitions(), tables);
    auto times = Times::skip;
    if (has_matched_receives(file)) {
        walk.count_surplus(walkers_of(file, times));
        times = Times::read;
    }
    walk.walk(walkers_of(file, times));
    CheckResult result = walk.report();
    if (result.ranks == 0) {
        result.findings.insert(result.findings.begin(), {FindingKind::no_mpi, 1, {}});
    }
    return result;
}

}  // namespace tracefold
