// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/io_files.hpp"
#include "forecast/explain/rule.hpp"
#include "forecast/placement_advice.hpp"
#include "questions/profile/io_profile.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

constexpr double kFewThreads = 0.8;  ///< efficiency of threads
constexpr double kMostOfIo = 0.9;    ///< share of one rank in the time of files
constexpr double kBetterPlaced =
    0.75;  ///< bytes between nodes that remain where another placement is told

/// Rules over what ranks use: files, threads, accelerators, and the links between nodes.
class ResourceRules : Rule {
  public:
    using Rule::Rule;

    void find() {
        find_files();
        find_threads();
        find_accelerators();
        find_placement();
    }

  private:
    /// Calls of MPI-IO, and computation in regions of other I/O.
    void find_files() {
        const IoFiles files(evidence_.file);
        std::vector<bool> is_io(graph_.tree.size());
        for (u32 node = 0; node < graph_.tree.size(); ++node) {
            const CallTree::Node& it = graph_.tree[node];
            is_io[node] = it.kind == CallTree::Kind::region && files.is_io_call(it.ref);
        }
        std::vector<double> by_rank(graph_.ranks);
        std::vector<std::pair<u32, u64>> parts;  // call after them, ticks
        u64 calls = 0;
        std::map<u32, double> by_node;
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            double& of_rank = by_rank[graph_.rank_of[call]];
            if (graph_.calls[call].family == CallFamily::file) {
                ++calls;
                of_rank += static_cast<double>(evidence_.recorded.own[call]);
                by_node[graph_.calls[call].node] +=
                    static_cast<double>(evidence_.recorded.own[call]);
            }
            u64 ticks = 0;
            for (const RunGraph::Part& part : graph_.parts_of(call)) {
                if (part.node == kNone || !is_io[part.node]) continue;
                ++calls;
                ticks += part.ticks;
                by_node[part.node] += static_cast<double>(part.ticks);
            }
            if (ticks != 0) parts.emplace_back(call, ticks);
            of_rank += static_cast<double>(ticks);
        }
        if (calls == 0) return;
        Candidate& made = add(Kind::files, [parts](const RunGraph& graph, RunDurations& durations) {
            for (const auto& [call, ticks] : parts) {
                u64& time = durations.computation[call];
                time -= std::min(time, ticks);
            }
            for (u32 call = 0; call < graph.calls.size(); ++call) {
                if (graph.calls[call].family == CallFamily::file) durations.own[call] = 0;
            }
        });
        const double all = std::accumulate(by_rank.begin(), by_rank.end(), 0.0);
        if (graph_.ranks > 1 && most(by_rank) >= kMostOfIo * all) {
            made.cause.ranks = {slowest(by_rank)};
        }
        made.cause.is_limit = true;
        const auto longest =
            std::ranges::max_element(by_node, {}, [](const auto& it) { return it.second; });
        made.cause.path = path_of_node(longest->first);
        if (is_large(most(by_rank))) add_operations(made);
    }

    /// Numbers and bytes of the operations on files, if all are known.
    void add_operations(Candidate& made) const {
        const std::vector<bool> all(evidence_.file.location_count(), true);
        std::array<IoProfile::Operations, kIoModes> sums;
        for (const IoProfile::Row& row : trace_io(evidence_.file, all).rows) {
            for (std::size_t mode = 0; mode < kIoModes; ++mode) {
                sums[mode].add(row.figures.operations[mode]);
            }
        }
        for (const IoMode mode : {IoMode::read, IoMode::write}) {
            const IoProfile::Operations& sum = sums[static_cast<std::size_t>(mode)];
            if (sum.count == 0 || sum.unknown != 0 || sum.bytes == kOverflow) continue;
            const std::string name(io_mode_name(mode));
            figure(made, name + "_count", static_cast<double>(sum.count), "io");
            figure(made, name + "_bytes", static_cast<double>(sum.bytes), "io");
        }
    }

    void find_threads() {
        const std::optional<double>& parallel = evidence_.efficiency.thread_parallel;
        if (!parallel || *parallel >= kFewThreads) return;
        Candidate& made =
            add(Kind::threads, [share = *parallel](const RunGraph&, RunDurations& durations) {
                for (u64& time : durations.computation) time = scaled(time, share);
            });
        made.cause.is_limit = true;
        figure(made, "thread_parallel", *parallel, "efficiency");
    }

    /// Ranks that compute, then wait for their accelerator, which waits for them after that. At the
    /// same time, both take as long as the slower one.
    void find_accelerators() {
        const Efficiency& efficiency = evidence_.efficiency;
        std::vector<double> kept(graph_.ranks, 1);
        const DeviceTimes* worst = nullptr;
        double least = 1;
        u64 of_host = 0;
        // Of the thread of each rank that computes most.
        std::vector<u64> useful(graph_.ranks);
        for (const ThreadTimes& thread : efficiency.threads.threads) {
            u64& longest = useful[efficiency.ranks[thread.process].rank];
            longest = std::max(longest, thread.of(ThreadUse::work));
        }
        std::vector<u64> computation(graph_.ranks);
        for (const RankEfficiency& rank : efficiency.ranks)
            computation[rank.rank] = rank.computation;
        for (const DeviceTimes& device : efficiency.devices) {
            const u32 rank = device.process;
            if (rank >= graph_.ranks || computation[rank] == 0) continue;
            const u64 longer = std::max(useful[rank], device.kernels + device.copies);
            const double share =
                static_cast<double>(longer) / static_cast<double>(computation[rank]);
            kept[rank] = std::min(kept[rank], share);
            if (share >= least) continue;
            least = share;
            worst = &device;
            of_host = useful[rank];
        }
        if (worst == nullptr) return;
        Candidate& made =
            add(Kind::accelerators, [kept](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    u64& time = durations.computation[call];
                    time = scaled(time, kept[graph.rank_of[call]]);
                }
            });
        made.cause.is_limit = true;
        made.cause.ranks = {worst->process};
        const auto add_time = [&](const char* name, u64 ticks) {
            figure(made, name, evidence_.seconds(static_cast<double>(ticks)), kOfRanks);
        };
        add_time("host", of_host);
        add_time("kernels", worst->kernels);
        add_time("copies", worst->copies);
    }

    /// Messages between nodes that would stay within a node if ranks were placed in another way.
    void find_placement() {
        const Placement placement = place_ranks(evidence_.file, 0);
        if (!placement.is_recorded || placement.nodes() < 2 || placement.nodes() >= graph_.ranks) {
            return;
        }
        std::vector<bool> between(graph_.calls.size());
        const auto is_between = [&](u32 call, u32 other) {
            return placement.node_of_rank[graph_.rank_of[call]] !=
                   placement.node_of_rank[graph_.rank_of[other]];
        };
        double lost = 0;
        for (const RunGraph::Message& message : graph_.messages) {
            if (is_between(message.sender, message.receiver)) between[message.sender] = true;
        }
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            for (const RunGraph::Need& need : graph_.needs_of(call)) {
                const bool is_far = need.count == 0 && need.kind == RunDurations::messages &&
                                    is_between(call, need.source);
                if (is_far) between[call] = true;
            }
            if (between[call]) lost += static_cast<double>(evidence_.recorded.own[call]);
        }
        if (!is_large(lost / graph_.ranks)) return;
        const Network network;
        const PlacementAdvice advice = advise_placement(evidence_.file, network, placement);
        const PlacementAdvice::Traffic& traffic = advice.levels[network.node_level + 1];
        const double kept = static_cast<double>(traffic.after) /
                            static_cast<double>(std::max<u64>(traffic.before, 1));
        if (kept > kBetterPlaced) return;
        Candidate& made =
            add(Kind::placement, [between, kept](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (between[call]) durations.own[call] = scaled(durations.own[call], kept);
                }
            });
        made.cause.is_limit = true;
        figure(made, "bytes", static_cast<double>(traffic.before), kOfPlacement);
        figure(made, "advised_bytes", static_cast<double>(traffic.after), kOfPlacement);
    }

    static constexpr const char* kOfPlacement =
        "predict --network ethernet --advise-placement order.txt";
};

}  // namespace

void find_resource_causes(const RunEvidence& evidence, std::vector<Candidate>& found) {
    ResourceRules(evidence, found).find();
}

}  // namespace tracefold
