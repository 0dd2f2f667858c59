// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/check.hpp"

#include "core/error.hpp"
#include "replay/call_recipes.hpp"
#include "replay/communicator_table.hpp"
#include "replay/rank_program.hpp"
#include "replay/side_by_side.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace tracefold {

namespace {

std::vector<CommunicatorTable> communicator_tables(TraceFile& file) {
    const auto all = std::make_shared<CommunicatorSet>(file);
    std::vector<CommunicatorTable> tables;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        tables.emplace_back(all, rank);
    }
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

/// In the order of the walkers.
std::vector<LocationWindow> windows_of(TraceFile& file, const WindowRequest& request) {
    std::vector<LocationWindow> windows;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) {
            windows.push_back(find_window(file, location, request));
        }
    }
    return windows;
}

/// Epochs whose partners the walk does not know cannot be cut.
bool synchronises_groups(TraceFile& file) {
    const auto is_group_sync = [](const Element& element) {
        return element.type == static_cast<u8>(EventType::RmaGroupSync);
    };
    return std::ranges::any_of(file.structure().symbols, [&](const Symbol& symbol) {
        return std::ranges::any_of(symbol.elements, is_group_sync);
    });
}

void refuse_what_cannot_be_cut(TraceFile& file) {
    if (calls_mpi_from_threads(file)) {
        throw Error(ErrorKind::unsupported,
                    "several threads of a rank call MPI, where one completes or uses what another "
                    "one made; such a program is replayed as a whole, without --from and --to");
    }
    if (synchronises_groups(file)) {
        throw Error(ErrorKind::unsupported,
                    "the trace has calls like MPI_Win_start and MPI_Win_post, which wait for each "
                    "other, and whose pairs are not in it; it is replayed as a whole, without "
                    "--from and --to");
    }
}

CheckResult check(TraceFile& file, const WindowRequest* request, WalkObserver* observer,
                  Times times) {
    const std::vector<CommunicatorTable> tables = communicator_tables(file);
    SideBySide walk(file.definitions(), tables);
    if (has_matched_receives(file)) {
        walk.count_surplus(walkers_of(file, times));
        times = Times::read;
    }
    if (request != nullptr) walk.cut(windows_of(file, *request), FileTable(file));
    if (observer != nullptr) walk.watch(*observer);
    walk.walk(walkers_of(file, times));
    CheckResult result = walk.report();
    if (result.ranks == 0) {
        result.findings.insert(result.findings.begin(), {FindingKind::no_mpi, 1, {}});
    }
    return result;
}

}  // namespace

CheckResult check_replay(TraceFile& file) { return check(file, nullptr, nullptr, Times::skip); }

CheckResult check_replay(TraceFile& file, WalkObserver& observer, Times times) {
    return check(file, nullptr, &observer, times);
}

std::vector<LocationInference> infer_collectives(TraceFile& file) {
    std::vector<LocationInference> result;
    if (!may_lack_collectives(file)) return result;
    for (LocationInference& found : check_replay(file).inferences) {
        if (found.collectives.empty()) continue;
        LocationInference& kept = result.emplace_back();
        kept.location = found.location;
        kept.collectives = std::move(found.collectives);
    }
    return result;
}

CheckResult check_window(TraceFile& file, const WindowRequest& request) {
    refuse_what_cannot_be_cut(file);
    return check(file, &request, nullptr, Times::skip);
}

}  // namespace tracefold
