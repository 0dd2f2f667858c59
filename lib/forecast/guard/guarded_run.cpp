// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/guard/guarded_run.hpp"

#include "base/hash.hpp"
#include "file/call_names.hpp"
#include "model/definition_table.hpp"
#include "model/mpi_function.hpp"
#include "model/participant_names.hpp"
#include "questions/matrix/transfers.hpp"
#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace tracefold {

namespace {

/// Numbers of processes; locations without one share the last place.
class Processes {
  public:
    explicit Processes(const DefinitionIndex& definitions) : definitions_(definitions) {}

    [[nodiscard]] std::vector<u64> zeros() const {
        return std::vector<u64>(definitions_.process_count() + 1, 0);
    }
    [[nodiscard]] u32 of(u32 location) const {
        const auto process = definitions_.process(definitions_.locations()[location]);
        return process.value_or(definitions_.process_count());
    }
    /// The place of a group of a profile by rank.
    [[nodiscard]] u32 of_group(const std::string& group) const {
        u32 rank = 0;
        const auto [end, error] = std::from_chars(group.data(), group.data() + group.size(), rank);
        const bool is_rank = error == std::errc() && end == group.data() + group.size() &&
                             rank < definitions_.process_count();
        return is_rank ? rank : definitions_.process_count();
    }

  private:
    const DefinitionIndex& definitions_;
};

/// By symbol, a hash of the name of its call; 0 for what is no call, and for polling.
std::vector<u64> call_hashes(TraceFile& file, CallNames& names, bool only_mpi) {
    std::vector<u64> hashes(file.structure().symbols.size(), 0);
    for (u32 symbol = 0; symbol < hashes.size(); ++symbol) {
        if (file.structure().symbol_streams[symbol] != Stream::events) continue;
        const CallKind kind = call_kind(file.structure().symbols[symbol]);
        if (kind != CallKind::call && kind != CallKind::enter) continue;
        const std::string name = names.name(symbol);
        const bool counts = !only_mpi || find_mpi_function(name).has_value();
        if (counts && !may_poll(name)) hashes[symbol] = checksum(name);
    }
    return hashes;
}

/// By rank, a hash of the sequence of calls: of its runs of equal calls, however it is folded.
std::vector<u64> orders(TraceFile& file, CallNames& names, const Processes& processes,
                        bool only_mpi) {
    const std::vector<u64> hashes = call_hashes(file, names, only_mpi);
    std::vector<u64> by_rank = processes.zeros();
    for (u32 location = 0; location < file.location_count(); ++location) {
        const u32 script = file.index().script(Stream::events, location);
        if (script == kNone) continue;
        const std::vector<u32>& symbols = file.structure().scripts[script].symbols;
        u64& hash = by_rank[processes.of(location)];
        u64 call = 0;
        u64 count = 0;
        const auto add_run = [&] { hash = count == 0 ? hash : mix(mix(hash + call) + count); };
        PatternCursor cursor = script_cursor(file.index(), script, location);
        for (PatternCursor::Run run{}; cursor.next_whole(run);) {
            const u64 next = hashes[symbols[run.leaf]];
            if (next == 0) continue;
            if (next != call) {
                add_run();
                call = next;
                count = 0;
            }
            count += run.count;
        }
        add_run();
    }
    return by_rank;
}

void read_peers(TraceFile& file, ExecutionCounts& counts, CallNames& names,
                const Processes& processes, RankNumbers& numbers, GuardedRun& run) {
    std::map<std::pair<std::string, bool>, std::vector<u64>> hashes;
    std::unordered_map<u32, std::string> known;  // names by symbol
    visit_transfers(file, counts, std::vector<bool>(file.location_count(), true),
                    [&](const Transfer& transfer) {
                        if (transfer.peer == kNone) return;
                        auto [name, is_new] = known.try_emplace(transfer.symbol);
                        if (is_new) name->second = names.name(transfer.symbol);
                        auto& by_rank = hashes[{name->second, has_sent(transfer.kind)}];
                        if (by_rank.empty()) by_rank = processes.zeros();
                        by_rank[processes.of(transfer.location)] +=
                            mix(u64{transfer.peer} + 1) * transfer.calls();
                    });
    for (auto& [call, by_rank] : hashes) run.peers[call] = numbers.add(std::move(by_rank));
}

struct SourceLine {
    std::string file;
    u64 line = 0;
};

/// By region, of those with a known source.
std::unordered_map<u64, SourceLine> source_lines(TraceFile& file) {
    std::unordered_map<u64, SourceLine> lines;
    for_each_record(*file.global_definitions(), [&](const auto& head, auto values) {
        if (static_cast<DefinitionType>(head.type) != DefinitionType::Region) return;
        const std::string& source = file.definitions().string(values[7]);
        if (!source.empty() && values[8] != 0) lines[values[0]] = {source, values[8]};
    });
    return lines;
}

}  // namespace

RankNumbers::Pointer RankNumbers::add(std::vector<u64> by_rank) {
    if (std::ranges::all_of(by_rank, [](u64 number) { return number == 0; })) return nullptr;
    return &*known_.insert(std::move(by_rank)).first;
}

u64 RankNumbers::sum(Pointer numbers) {
    u64 sum = 0;
    if (numbers == nullptr) return sum;
    for (const u64 number : *numbers) sum = number > kOverflow - sum ? kOverflow : sum + number;
    return sum;
}

std::string RankNumbers::differing(Pointer a, Pointer b) {
    ParticipantList ranks;
    const std::size_t size = a != nullptr ? a->size() : b->size();
    for (std::size_t rank = 0; rank < size; ++rank) {
        const u64 mine = a != nullptr ? (*a)[rank] : 0;
        const u64 other = b != nullptr ? (*b)[rank] : 0;
        if (mine != other) ranks.add(static_cast<u32>(rank));
    }
    return set_text(ranks);
}

bool may_poll(std::string_view region_name) {
    const auto info = find_mpi_function(region_name);
    return tests_requests(region_name) ||
           (info &&
            (info->function == MpiFunction::Iprobe || info->function == MpiFunction::Improbe ||
             info->function == MpiFunction::Waitsome ||
             info->function == MpiFunction::Request_get_status));
}

GuardedRun read_guarded_run(TraceFile& file, const std::string& name, RankNumbers& numbers) {
    ProfileRequest request;
    request.selected.assign(file.location_count(), true);
    request.by = ProfileGroups::rank;
    SerialCommunicator process;
    const TraceProfile profile = trace_profile(process, file, request);
    GuardedRun run;
    run.name = name;
    run.ranks = file.definitions().process_count();
    run.timing = file.summary().timing;
    const Processes processes(file.definitions());
    const std::unordered_map<u64, SourceLine> lines = source_lines(file);
    for (u32 node = 0; node < profile.profile.tree.size(); ++node) {
        const CallTree::Node& at = profile.profile.tree[node];
        const MetricSummary& own = profile.profile.nodes[node].exclusive;
        GuardedRun::Path path{profile.path(node), profile.names[node], at.parent,
                              profile.is_mpi[node]};
        path.polls = path.is_mpi && may_poll(path.call);
        path.completes = path.is_mpi && completes_requests(path.call);
        run.polls = run.polls || path.polls;
        if (profile.has_times) {
            path.seconds = profile.rate.seconds(static_cast<double>(
                profile.profile.moments(node, ProfileMetric::time, false).sum()));
        }
        for (std::size_t m = 0; m < kGuardedMetrics.size(); ++m) {
            std::vector<u64> by_rank = processes.zeros();
            const std::span<const u64> groups = own.groups(kGuardedMetrics[m]);
            for (std::size_t group = 0; group < groups.size(); ++group)
                by_rank[processes.of_group(profile.groups[group])] += groups[group];
            path.numbers[m] = numbers.add(std::move(by_rank));
        }
        const auto line = lines.find(at.ref);
        if (at.kind == CallTree::Kind::region && line != lines.end()) {
            path.file = line->second.file;
            path.line = line->second.line;
        }
        run.paths.push_back(std::move(path));
    }
    ExecutionCounts counts(file.index());
    CallNames names(file, counts);
    read_peers(file, counts, names, processes, numbers, run);
    run.order = numbers.add(orders(file, names, processes, false));
    run.mpi_order = numbers.add(orders(file, names, processes, true));
    return run;
}

}  // namespace tracefold
