// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/dry_run.hpp"

#include "replay/communicator_inference.hpp"
#include "replay/mpi_call_reader.hpp"

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

    void add(const MpiCall& call) {
        const bool of_region = call.by_records || call.function == MpiFunction::other;
        const u32 region = of_region ? call.region : kNone;
        // Numbers that no region has stand for records outside of all.
        const u32 record = of_region && region == kNone && !call.actions.empty()
                               ? kNone - 1 - static_cast<u32>(call.actions.front().type)
                               : region;
        DryRun::Function& function = functions_[{call.function, record}];
        if (function.calls++ == 0) {
            function.family = call.family;
            function.name = name_of(call, definitions_);
        }
        for (const Action& action : call.actions) add_bytes(action, function);
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
    const auto among = [&finding](FindingKind first, FindingKind last) {
        return finding.kind >= first && finding.kind <= last;
    };
    return among(FindingKind::unrecorded_barrier, FindingKind::lost_collective) ||
           among(FindingKind::inferred_communicator, FindingKind::unrecorded_free);
}

}  // namespace

DryRun dry_run(TraceFile& file) {
    DryRun result;
    std::vector<ReplayPatch> patches;
    if (may_lack_collectives(file) || misses_creations(file)) {
        CheckResult check = check_replay(file);
        std::ranges::copy_if(check.findings, std::back_inserter(result.inferred), is_inferred);
        patches = std::move(check.patches);
    }
    result.ranks = file.definitions().world_size();
    Counter counter(file.definitions());
    for (u32 rank = 0; rank < result.ranks; ++rank) {
        for (const u32 location : mpi_locations(file, rank)) {
            ++result.locations;
            MpiCallReader program(file, location, Times::skip);
            program.infer(find_patch(patches, location));
            for (MpiCall call; program.next(call); ++result.calls) {
                counter.add(call);
            }
        }
    }
    result.functions = counter.functions();
    return result;
}

}  // namespace tracefold
