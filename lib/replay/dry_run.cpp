// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/dry_run.hpp"

#include "replay/communicator_inference.hpp"
#include "replay/rank_program.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace tracefold {

namespace {

void add_bytes(const Action& action, DryRun::Function& function) {
    switch (action.kind) {
        case Action::Kind::send:
            function.sent += action.envelope.bytes;
            break;
        case Action::Kind::receive:
        case Action::Kind::post_receive:
            function.received += action.envelope.bytes;
            break;
        case Action::Kind::collective:
        case Action::Kind::post_collective:
            function.sent += action.part.sent;
            function.received += action.part.received;
            break;
        default:
            break;
    }
}

/// The functions that were called, by name and the region for those without a name of their own.
class Counter {
  public:
    explicit Counter(const DefinitionIndex& definitions) : definitions_(definitions) {}

    void add(const Operation& operation) {
        const bool other = operation.function == MpiFunction::other;
        const u32 region = other ? operation.region : kNone;
        DryRun::Function& function = functions_[{operation.function, region}];
        if (function.calls++ == 0) {
            function.family = operation.family;
            function.name =
                region != kNone ? definitions_.region_name(region) : name_of(operation.function);
        }
        for (const Action& action : operation.actions) add_bytes(action, function);
    }

    [[nodiscard]] std::vector<DryRun::Function> functions() const {
        std::vector<DryRun::Function> list;
        for (const auto& [key, function] : functions_) list.push_back(function);
        std::stable_sort(list.begin(), list.end(),
                         [](const auto& a, const auto& b) { return a.calls > b.calls; });
        return list;
    }

  private:
    const DefinitionIndex& definitions_;
    std::map<std::pair<MpiFunction, u32>, DryRun::Function> functions_;
};

bool is_inferred(const Finding& finding) {
    return finding.kind >= FindingKind::unrecorded_barrier &&
           finding.kind <= FindingKind::lost_collective;
}

/// What a replay infers about communicators.
std::vector<std::pair<Inference, u64>> inferences_of(TraceFile& file) {
    if (!misses_creations(file)) return {};
    u64 creations = 0;
    u64 frees = 0;
    u64 early = 0;
    const auto tables = communicator_tables(file);
    for (const LocationInference& one : infer_communicators(file, FileTable(file), tables)) {
        creations += one.creations.size();
        frees += one.frees.size();
        early += one.early_communicators.size();
    }
    std::vector<std::pair<Inference, u64>> all = {{Inference::creation_inferred, creations},
                                                  {Inference::made_early, early},
                                                  {Inference::free_inferred, frees}};
    std::erase_if(all, [](const auto& entry) { return entry.second == 0; });
    return all;
}

}  // namespace

DryRun dry_run(TraceFile& file) {
    DryRun result;
    std::vector<LocationInference> inferences;
    if (may_lack_collectives(file)) {
        CheckResult check = check_replay(file);
        std::ranges::copy_if(check.findings, std::back_inserter(result.inferred), is_inferred);
        inferences = std::move(check.inferences);
    }
    result.ranks = file.definitions().world_size();
    Counter counter(file.definitions());
    for (u32 rank = 0; rank < result.ranks; ++rank) {
        for (const u32 location : mpi_locations(file, rank)) {
            ++result.locations;
            RankProgram program(file, location, Times::skip);
            program.infer(find_inference(inferences, location));
            for (Operation operation; program.next(operation); ++result.calls) {
                counter.add(operation);
            }
        }
    }
    result.functions = counter.functions();
    result.inferences = inferences_of(file);
    return result;
}

}  // namespace tracefold
