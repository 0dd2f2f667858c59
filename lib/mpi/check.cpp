// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/check.hpp"

#include "base/error.hpp"
#include "file/location_blocks.hpp"
#include "file/record_counts.hpp"
#include "mpi/calls/action_reader.hpp"
#include "mpi/calls/call_prefetcher.hpp"
#include "mpi/calls/paired_requests.hpp"
#include "mpi/inferences.hpp"
#include "mpi/matching/matching_simulation.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/program_steps.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

/// `known`: patches that the programs apply; must outlive `calls`.
std::vector<MatchingSimulation::Walker> walkers_of(TraceFile& file, CallPrefetcher& calls,
                                                   const std::vector<ReplayPatch>& known) {
    std::vector<MatchingSimulation::Walker> walkers;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) {
            const auto found = std::ranges::find(known, location, &ReplayPatch::location);
            CallPrefetcher::Calls added =
                calls.add(location, found != known.end() ? &*found : nullptr);
            walkers.push_back({rank, location, std::move(added.next), added.iterations});
        }
    }
    calls.start();
    return walkers;
}

/// In the order of the walkers.
std::vector<LocationWindow> windows_of(TraceFile& file, const WindowRequest& request) {
    std::vector<LocationWindow> windows;
    std::optional<ProgramSteps> steps;
    if (request.asks_for_steps()) steps = find_program_steps(file);
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) {
            windows.push_back(
                find_window(file, location, request, steps ? steps->of(location) : nullptr));
        }
    }
    return windows;
}

/// The walk does not know the partners of such epochs, so it cannot cut them.
bool synchronises_groups(TraceFile& file) {
    return records_any(file.structure(), {EventType::RmaGroupSync});
}

void refuse_what_cannot_be_cut(TraceFile& file) {
    if (calls_mpi_from_threads(file)) {
        throw Error(ErrorKind::unsupported,
                    "several threads of a rank call MPI and share requests or objects; such a "
                    "program is replayed as a whole, without --from and --to");
    }
    if (synchronises_groups(file)) {
        throw Error(
            ErrorKind::unsupported,
            "the trace has calls like MPI_Win_start and MPI_Win_post, which wait for partners that "
            "are not recorded; it is replayed as a whole, without --from and --to");
    }
}

bool has_other_communicators(const std::vector<CommunicatorTable>& tables) {
    return std::ranges::any_of(tables, [](const CommunicatorTable& table) {
        return std::ranges::any_of(table.own(), [&table](u64 comm) {
            return comm != table.world() && comm != table.self();
        });
    });
}

void insert_by_kind(Finding finding, std::vector<Finding>& findings) {
    const auto after = std::ranges::find_if(
        findings, [&finding](const Finding& other) { return other.kind > finding.kind; });
    findings.insert(after, std::move(finding));
}

class Check {
  public:
    Check(TraceFile& file, const WindowRequest* request, MatchingObserver* observer, Times times,
          u32 threads, RemoteReaders* others, SizeSource sizes)
        : file_(file),
          request_(request),
          observer_(observer),
          times_(times),
          threads_(threads),
          others_(others),
          sizes_(sizes),
          tables_(communicator_tables(file)),
          files_(file) {}

    CheckResult run() {
        // The observer must see a single walk.
        const bool watched = observer_ != nullptr || request_ != nullptr;
        const bool infers =
            misses_creations(file_) || (watched && has_other_communicators(tables_));
        const std::vector<ReplayPatch> pairs = unpaired();
        std::optional<CheckResult> result = walk(infers, pairs);
        if (!result) result = walk(true, pairs);
        if (pairs.empty() || is_proven(*result)) return std::move(*result);
        const Finding* const paired = result->find(FindingKind::paired_request);
        Finding unpaired{FindingKind::unpaired_request, paired->count, paired->examples};
        result = walk(infers, {});
        if (!result) result = walk(true, {});
        insert_by_kind(std::move(unpaired), result->findings);
        return std::move(*result);
    }

  private:
    /// The locations with messages without requests. An observer sees calls as recorded.
    std::vector<ReplayPatch> unpaired() {
        std::vector<ReplayPatch> found;
        if (observer_ != nullptr || !misses_requests(file_) || calls_mpi_from_threads(file_))
            return found;
        for (u32 rank = 0; rank < file_.definitions().world_size(); ++rank) {
            const u32 location = mpi_locations(file_, rank).front();
            MpiCallReader calls(file_, location, Times::skip);
            const UnpairedRequests unpaired =
                find_unpaired_requests([&calls](MpiCall& call) { return calls.next(call); });
            if (!unpaired.any) continue;
            ReplayPatch& patch = found.emplace_back();
            patch.location = location;
            patch.pairs = true;
            patch.drops = unpaired.drops;
        }
        return found;
    }

    /// Nothing contradicts the inferred requests.
    static bool is_proven(const CheckResult& result) {
        using Kind = FindingKind;
        constexpr std::array kContradictions = {
            Kind::deadlock,        Kind::different_bytes, Kind::different_collective,
            Kind::absent_member,   Kind::unsent_message,  Kind::unreceived_message,
            Kind::unknown_request, Kind::crossed_request};
        return result.find(Kind::paired_request) == nullptr ||
               std::ranges::none_of(kContradictions,
                                    [&result](Kind kind) { return result.find(kind) != nullptr; });
    }

    /// Nullopt if communicators have to be inferred first. `pairs`: locations whose requests are
    /// inferred.
    std::optional<CheckResult> walk(bool infers, const std::vector<ReplayPatch>& pairs) {
        std::vector<ReplayPatch> known;
        if (infers) known = infer_communicators(file_, files_, tables_);
        for (const ReplayPatch& pair : pairs) {
            const auto found = std::ranges::find(known, pair.location, &ReplayPatch::location);
            ReplayPatch& patch = found == known.end() ? known.emplace_back() : *found;
            patch.location = pair.location;
            patch.pairs = true;
            patch.drops = pair.drops;
        }
        MatchingSimulation walk(file_.definitions(), tables_);
        walk.begin_with(known, files_);
        Times times = times_;
        if (has_matched_receives(file_)) {
            CallPrefetcher calls(file_, threads_, times, others_);
            walk.count_surplus(walkers_of(file_, calls, known));
            times = Times::read;
        }
        if (request_ != nullptr) walk.cut(windows_of(file_, *request_));
        if (observer_ != nullptr) walk.watch(*observer_);
        if (sizes_ == SizeSource::sender) walk.take_sizes_of_senders();
        if (!pairs.empty()) walk.let_sends_wait();
        if (times_ == Times(Times::read)) walk.walk_in_order_of_times();
        CallPrefetcher calls(file_, threads_, times, others_);
        if (follows_iterations()) calls.offer_iterations();
        walk.walk(walkers_of(file_, calls, known));
        if (!infers && walk.misses_communicators()) return std::nullopt;
        return walk.report();
    }

    /// With threads of a rank, or receives without a record, the order of arrival matters; ranks
    /// have to agree on all calls on a file.
    [[nodiscard]] bool follows_iterations() const {
        return request_ == nullptr && (observer_ == nullptr || observer_->follows_iterations()) &&
               !has_matched_receives(file_) && !calls_mpi_from_threads(file_) &&
               files_.handles().empty();
    }

    TraceFile& file_;
    const WindowRequest* request_;
    MatchingObserver* observer_;
    Times times_;
    u32 threads_;
    RemoteReaders* others_;
    SizeSource sizes_;
    std::vector<CommunicatorTable> tables_;
    FileTable files_;
};

void add_unordered_threads(TraceFile& file, std::vector<Finding>& findings) {
    Finding finding;
    finding.kind = FindingKind::unordered_threads;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        if (mpi_locations(file, rank).size() < 2) continue;
        if (finding.count++ >= Finding::kExamples) continue;
        finding.examples.push_back("rank " + std::to_string(rank));
    }
    insert_by_kind(std::move(finding), findings);
}

void add_unrecorded_calls(const UnrecordedCalls& unrecorded, std::vector<Finding>& findings) {
    Finding finding;
    finding.kind = FindingKind::unrecorded_message;
    for (const auto& [function, calls] : unrecorded) {
        finding.count += calls;
        if (finding.examples.size() == Finding::kExamples) continue;
        finding.examples.push_back(std::string(name_of(function)) + ": " + std::to_string(calls));
    }
    if (finding.count != 0) insert_by_kind(std::move(finding), findings);
}

CheckResult check(TraceFile& file, const WindowRequest* request, MatchingObserver* observer,
                  Times times, u32 threads, RemoteReaders* others = nullptr,
                  SizeSource sizes = SizeSource::recorded) {
    const u32 useful = useful_threads(file.definitions().locations(), threads);
    CheckResult result = Check(file, request, observer, times, useful, others, sizes).run();
    if (result.ranks == 0) {
        result.findings.insert(result.findings.begin(), {FindingKind::no_mpi, 1, {}});
    }
    result.unrecorded = find_unrecorded_calls(file);
    add_unrecorded_calls(result.unrecorded, result.findings);
    for (const auto& [function, calls] : result.unrecorded) {
        result.not_issued[std::string(name_of(function))] += calls;
    }
    if (result.threads && !keeps_every_time(file.summary().timing)) {
        add_unordered_threads(file, result.findings);
    }
    return result;
}

}  // namespace

std::vector<u32> walked_locations(TraceFile& file) {
    std::vector<u32> locations;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) locations.push_back(location);
    }
    return locations;
}

CheckResult check_replay(TraceFile& file, u32 threads, SizeSource sizes) {
    return check(file, nullptr, nullptr, Times::skip, threads, nullptr, sizes);
}

CheckResult check_replay(TraceFile& file, MatchingObserver& observer, Times times, u32 threads,
                         RemoteReaders* others, SizeSource sizes) {
    return check(file, nullptr, &observer, times, threads, others, sizes);
}

std::vector<ReplayPatch> infer_collectives(TraceFile& file, u32 threads) {
    std::vector<ReplayPatch> result;
    if (!may_lack_collectives(file)) return result;
    for (ReplayPatch& found : check_replay(file, threads).patches) {
        if (found.collectives.empty()) continue;
        ReplayPatch& kept = result.emplace_back();
        kept.location = found.location;
        kept.collectives = std::move(found.collectives);
    }
    return result;
}

CheckResult check_window(TraceFile& file, const WindowRequest& request) {
    refuse_what_cannot_be_cut(file);
    return check(file, &request, nullptr, Times::skip, 1);
}

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

/// The called functions, by name and by the region of those without a name of their own.
class Counter {
  public:
    explicit Counter(const DefinitionIndex& definitions) : definitions_(definitions) {}

    void add(const MpiCall& call) {
        const bool of_region = call.by_records || call.function == MpiFunction::other;
        const u32 region = of_region ? call.region : kNone;
        // Numbers above all regions represent records outside of regions.
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

bool needs_patches(TraceFile& file, const WindowRequest& window) {
    return !window.is_whole() || calls_mpi_from_threads(file) || has_matched_receives(file) ||
           misses_requests(file);
}

std::vector<ReplayPatch> replay_patches(TraceFile& file, const WindowRequest& window) {
    CheckResult check = window.is_whole() ? check_replay(file) : check_window(file, window);
    if (const Finding* finding = check.hindrance()) {
        throw Error(ErrorKind::unsupported,
                    "the trace cannot be replayed: it has {} ({}{}); --check lists details",
                    finding_info(finding->kind).what, finding->count,
                    finding->examples.empty() ? "" : "; " + finding->examples.front());
    }
    return std::move(check.patches);
}

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
