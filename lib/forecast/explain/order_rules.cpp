// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/mean_value.hpp"
#include "forecast/explain/rule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

/// Gains of another order over the time lost to the order of calls.
constexpr double kMostOfDependences = 2;
constexpr double kBlocks = 16;     ///< of the work of a rank in a chain
constexpr double kNoLonger = 1.1;  ///< computation of one rank over that of another
constexpr double kConcordant = 0.4;
constexpr double kAhead = 0.25;  ///< of the computation before a message: beyond the receiver's

/// Rules over the order of calls.
class OrderRules : Rule {
  public:
    using Rule::Rule;

    void find() {
        if (graph_.ranks > 1) find_order();
    }

  private:
    void find_order() {
        find_barriers();
        find_polls();
        find_late_receivers();
        find_fixed_order();
        const std::optional<bool> meets_all = meet_in_one_order();
        const bool is_exchange = meets_all.value_or(false);
        // Of three ranks, all may be neighbours.
        const bool is_chain = (!meets_all || graph_.ranks == 3) && visits_as_in_a_sweep();
        const Change without_messages = [](const RunGraph& graph, RunDurations& durations) {
            for (u32 call = 0; call < graph.calls.size(); ++call) {
                if (graph.calls[call].step < RunGraph::kBefore || graph.steps == 0) {
                    durations.ignored[call] |= RunDurations::messages | RunDurations::receivers;
                }
            }
        };
        const double most = kMostOfDependences * dependences();
        if (is_exchange && is_large(most)) {
            Candidate& made = add(Kind::exchange_order, without_messages);
            made.cause.is_limit = true;
            made.most = most;
            return;
        }
        if (is_chain && is_large(most)) {
            Candidate& made = add(Kind::chain, in_blocks());
            made.cause.is_limit = true;
            made.most = most;
        }
        find_late_senders();
    }

    /// Ranks work in blocks: their messages leave after the first one.
    [[nodiscard]] Change in_blocks() const {
        std::vector<u64> earlier(graph_.calls.size());
        for (const RunGraph::Message& message : graph_.messages) {
            earlier[message.sender] =
                scaled(static_cast<u64>(computation_before(message.sender)), 1 - 1 / kBlocks);
        }
        return [earlier](const RunGraph&, RunDurations& durations) { durations.earlier = earlier; };
    }

    /// Time lost to the order of calls, on a network without transfer time.
    [[nodiscard]] double dependences() const {
        u64 computation = 0;
        for (const RankEfficiency& rank : evidence_.efficiency.ranks) {
            computation = std::max(computation, rank.computation);
        }
        const u64 ideal = evidence_.efficiency.ideal_runtime.most;
        return static_cast<double>(ideal - std::min(ideal, computation));
    }

    void find_barriers() {
        u64 barriers = 0;
        u32 example = kNone;
        for (u32 call = graph_.first[0]; call < graph_.first[1]; ++call) {
            if (!is_barrier(graph_.calls[call].function) || is_beside_shared_data(call)) continue;
            ++barriers;
            if (example == kNone) example = call;
        }
        if (barriers < std::max<u64>(graph_.steps, 2)) return;
        std::vector<u32> waits;
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            // Calls that complete something else too would wait for that without the barrier.
            const auto needs = graph_.needs_of(call);
            const bool waits_in_barrier =
                !needs.empty() && std::ranges::all_of(needs, [&](const RunGraph::Need& need) {
                    return need.count != 0 &&
                           is_barrier(graph_.calls[graph_.lists[need.source].front()].function);
                });
            if (waits_in_barrier) waits.push_back(call);
        }
        if (waits.empty()) return;
        Candidate& made =
            add(Kind::needless_barrier, [waits](const RunGraph&, RunDurations& durations) {
                for (const u32 call : waits) {
                    durations.ignored[call] |= RunDurations::members;
                    durations.own[call] = 0;
                }
            });
        made.cause.path = path_of_call(example);
        add_calls(made, example);
    }
    static bool is_barrier(MpiFunction function) {
        return function == MpiFunction::Barrier || function == MpiFunction::Ibarrier;
    }

    /// Barriers beside files and windows have a purpose.
    [[nodiscard]] bool is_beside_shared_data(u32 call) const {
        const auto shares = [&](u32 other) {
            const CallFamily family = graph_.calls[other].family;
            return family == CallFamily::file || family == CallFamily::window;
        };
        return (call > graph_.first[0] && shares(call - 1)) ||
               (call + 1 < graph_.first[1] && shares(call + 1));
    }

    void find_polls() {
        const auto poll = std::ranges::find_if(graph_.calls, &Call::in_vain);
        if (poll == graph_.calls.end()) return;
        Candidate& made = add(Kind::polling, [pauses = evidence_.pauses](const RunGraph& graph,
                                                                         RunDurations& durations) {
            for (u32 call = 0; call < graph.calls.size(); ++call) {
                if (graph.calls[call].in_vain) durations.own[call] = 0;
                durations.computation[call] -= std::min(durations.computation[call], pauses[call]);
            }
        });
        made.cause.is_limit = true;
        const auto call = static_cast<u32>(poll - graph_.calls.begin());
        made.cause.path = path_of_call(call);
        add_calls(made, call);
    }

    void find_late_receivers() {
        u64 waits = 0;
        u32 example = kNone;
        double lost = 0;
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            for (const RunGraph::Need& need : graph_.needs_of(call)) {
                if (need.kind != RunDurations::receivers) continue;
                ++waits;
                example = call;
                lost += static_cast<double>(
                    graph_.calls[need.source].begin -
                    std::min(graph_.calls[call].begin, graph_.calls[need.source].begin));
            }
        }
        if (waits == 0) return;
        Candidate& made =
            add(Kind::late_receiver, [](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    durations.ignored[call] |= RunDurations::receivers;
                }
            });
        made.cause.path = path_of_call(example);
        add_wait(made, WaitKind::late_receiver);
    }

    /// Whether ranks that all exchange messages with all others meet them in the same order: the
    /// concordance of these orders by Kendall, from 0 (each begins with another one) to 1. Nullopt:
    /// some exchange none.
    [[nodiscard]] std::optional<bool> meet_in_one_order() const {
        const u64 ranks = graph_.ranks;
        if (ranks < 3 || graph_.messages.size() < ranks * (ranks - 1) / 2) return std::nullopt;
        struct Meeting {
            u32 step;
            u32 rank;
            u32 partner;
            u64 begin;  ///< of the first message
        };
        std::vector<Meeting> all;
        for (const RunGraph::Message& message : graph_.messages) {
            const Call& call = graph_.calls[message.sender];
            const u32 sender = graph_.rank_of[message.sender];
            const u32 receiver = graph_.rank_of[message.receiver];
            all.push_back({call.step, sender, receiver, call.begin});
            all.push_back({call.step, receiver, sender, call.begin});
        }
        const auto place = [](const Meeting& it) {
            return std::tuple(it.step, it.rank, it.partner, it.begin);
        };
        const auto pair = [](const Meeting& it) {
            return std::tuple(it.step, it.rank, it.partner);
        };
        const auto order = [](const Meeting& it) { return std::tuple(it.step, it.rank, it.begin); };
        std::ranges::sort(all, {}, place);
        const auto rest = std::ranges::unique(all, {}, pair);
        all.erase(rest.begin(), rest.end());
        std::ranges::sort(all, {}, order);
        std::vector<double> sums(ranks);  // of places in the orders, by partner
        std::vector<double> counts(ranks);
        std::set<std::pair<u32, u32>> pairs;
        for (std::size_t i = 0, first = 0; i < all.size(); ++i) {
            if (all[i].step != all[first].step || all[i].rank != all[first].rank) first = i;
            sums[all[i].partner] += static_cast<double>(i - first);
            ++counts[all[i].partner];
            pairs.emplace(all[i].rank, all[i].partner);
        }
        if (pairs.size() < ranks * (ranks - 1)) return std::nullopt;
        std::vector<double> places;
        for (u32 rank = 0; rank < ranks; ++rank) places.push_back(sums[rank] / counts[rank]);
        const double mean = mean_value(places);
        double variance = 0;
        for (const double it : places) variance += (it - mean) * (it - mean);
        const auto others = static_cast<double>(ranks - 1);
        const double most = (others * others - 1) / 12;  // of the places of one order
        return variance / static_cast<double>(ranks) >= kConcordant * most;
    }

    /// Whether the critical path computes on as many ranks in turn within a step as that of a sweep
    /// over a square grid, without a collective operation of all ranks in between.
    [[nodiscard]] bool visits_as_in_a_sweep() const {
        if (graph_.ranks < 3 || graph_.steps == 0) return false;
        std::map<u32, std::map<std::pair<u64, u32>, double>> by_step;  // stretch, rank
        u64 stretch = 0;
        for (const PathPart& part : evidence_.path) {
            const u32 step = graph_.calls[part.call].step;
            if (step >= RunGraph::kBefore) continue;
            if (joins_all(part.call)) ++stretch;
            if (part.computation == 0) continue;
            by_step[step][{stretch, graph_.rank_of[part.call]}] +=
                static_cast<double>(part.computation);
        }
        std::vector<double> visited;
        for (const auto& [step, visits] : by_step) {
            double all = 0;
            for (const auto& [place, time] : visits) all += time;
            std::map<u64, double> here;
            for (const auto& [place, time] : visits) {
                here[place.first] += time > all / 4 / graph_.ranks ? 1 : 0;
            }
            double most = 0;
            for (const auto& [of, ranks] : here) most = std::max(most, ranks);
            visited.push_back(most);
        }
        return median(visited) >= 2 * std::sqrt(graph_.ranks) - 1;
    }

    /// Whether all ranks wait for all in a call.
    [[nodiscard]] bool joins_all(u32 call) const {
        return std::ranges::any_of(graph_.needs_of(call), [&](const RunGraph::Need& need) {
            return need.kind == RunDurations::members && need.count > 1 &&
                   graph_.lists[need.source].size() == graph_.ranks;
        });
    }

    /// By call: the first of the calls that precede it, or is it, without waits or much
    /// computation.
    [[nodiscard]] std::vector<u32> begins_of_rows() const {
        std::vector<u32> rows(graph_.calls.size());
        std::vector<u32> longest;  // calls since the last wait, by falling computation
        u32 begin = 0;
        for (u32 call = 0; call < rows.size(); ++call) {
            const bool is_first = call == graph_.first[graph_.rank_of[call]];
            if (is_first || !graph_.needs_of(call - 1).empty()) {
                begin = call;
                longest.clear();
            }
            const double own = computation_of(call);
            while (!longest.empty() && computation_of(longest.back()) <= own) longest.pop_back();
            longest.push_back(call);
            const double little = computation_before(call) / kInRow;
            const auto behind = std::ranges::partition_point(
                longest, [&](u32 it) { return computation_of(it) > little; });
            rows[call] = behind == longest.begin() ? begin : behind[-1];
        }
        return rows;
    }

    /// Of a call's rank after it, and after those that follow with next to none before them and
    /// wait for no other rank, such as the wait of a broadcast's root.
    [[nodiscard]] double next_computation(u32 call) const {
        const u32 end = graph_.first[graph_.rank_of[call] + 1];
        const double little = computation_before(call) / kInRow;
        do ++call;
        while (call < end && computation_of(call) <= little && graph_.needs_of(call).empty());
        return call < end ? computation_of(call) : 0;
    }

    /// From the begin of a computation, which ends at `end`, to that of a call.
    [[nodiscard]] double since(u64 end, double computation, u32 call) const {
        const double begin = static_cast<double>(end) - computation;
        return std::max(0.0, static_cast<double>(graph_.calls[call].begin) - begin);
    }

    /// Whether the rank of a call computes longer than that of another in its step and the next
    /// one, to which computation between both may belong.
    [[nodiscard]] bool computes_longer(u32 call, u32 other) const {
        const u32 columns = cells_.columns();
        const u32 end = std::min(evidence_.columns[call], columns - std::min(columns, 2U)) + 2;
        const std::vector<double> sums = cells_.sums(end - 2, std::min(end, columns));
        return sums[graph_.rank_of[call]] > kNoLonger * sums[graph_.rank_of[other]];
    }

    /// Messages that leave after work of their sender, to ranks that have not worked yet.
    void find_late_senders() {
        std::vector<u64> earlier(graph_.calls.size());
        std::set<u32> ranks;
        u32 example = kNone;
        const std::vector<double> totals = cells_.sums(0, cells_.columns());
        const double usual = median(totals);
        // The root of a collective sends as well. If it computes longer, that is the cause; if it
        // has no work after the call, nothing could be put off.
        const auto sender = [&](u32 call, const RunGraph::Need& need) {
            if (need.count > 1 || need.kind == RunDurations::receivers) return kNone;
            if (need.kind == RunDurations::messages) return need.source;
            const u32 source = need.count == 0 ? need.source : graph_.lists[need.source].front();
            const u32 rank = graph_.rank_of[source];
            const bool is_root = source != call && graph_.calls[source].root == rank;
            const bool has_more = next_computation(source) > computation_before(source) / 2;
            return is_root && has_more && totals[rank] <= kNoLonger * usual ? source : kNone;
        };
        const std::vector<u32> rows = begins_of_rows();
        std::map<u32, u64> by_row;
        u64 waits_since = 0;  // begin of the row of calls
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            const bool is_first = call == graph_.first[graph_.rank_of[call]];
            const bool is_in_row = computation_of(call) * kInRow < computation_after(call);
            if (is_first || !is_in_row) waits_since = graph_.calls[call].begin;
            for (const RunGraph::Need& need : graph_.needs_of(call)) {
                const u32 send = sender(call, need);
                if (send == kNone || graph_.calls[send].begin <= waits_since) continue;
                const double sent = computation_before(send);
                double own = since(graph_.calls[send].begin, sent, call);
                if (need.kind == RunDurations::messages) {
                    own = std::min(own, computation_before(call));
                }
                const double after = computation_after(call);
                if (sent - own <= kAhead * sent || after <= (sent - own) / 2) continue;
                if (computes_longer(send, call)) continue;
                u64& of_row = by_row[rows[send]];
                of_row = std::max(of_row, static_cast<u64>(sent - own));
                ranks.insert(graph_.rank_of[send]);
                example = send;
            }
        }
        if (example == kNone) return;
        // What waits for one of several messages in a row holds for all of them.
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            const auto found = by_row.find(rows[call]);
            if (found != by_row.end()) earlier[call] = found->second;
        }
        Candidate& made = add(
            Kind::late_sender,
            [earlier](const RunGraph&, RunDurations& durations) { durations.earlier = earlier; });
        made.cause.ranks.assign(ranks.begin(), ranks.end());
        made.cause.path = path_of_call(example);
        made.cause.is_limit = true;
        add_wait(made, WaitKind::late_sender);
    }

    /// Ranks that wait for messages one by one, while others have arrived: in the order of arrival,
    /// they wait less.
    void find_fixed_order() {
        std::vector<u32> senders(graph_.calls.size(), kNone);
        std::set<u32> ranks;
        u32 example = kNone;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1];) {
                std::vector<u32> calls;
                std::vector<u32> sources;
                for (; call < graph_.first[rank + 1] && waits_for_one(call); ++call) {
                    calls.push_back(call);
                    sources.push_back(graph_.needs_of(call).front().source);
                }
                if (calls.size() < 2) {
                    ++call;
                    continue;
                }
                std::vector<u32> sorted = sources;
                std::ranges::stable_sort(sorted, {},
                                         [&](u32 source) { return graph_.calls[source].begin; });
                if (sorted == sources) continue;
                for (std::size_t i = 0; i < calls.size(); ++i) senders[calls[i]] = sorted[i];
                ranks.insert(rank);
                example = calls.front();
            }
        }
        if (example == kNone) return;
        Candidate& made = add(
            Kind::fixed_order,
            [senders](const RunGraph&, RunDurations& durations) { durations.senders = senders; });
        made.cause.ranks.assign(ranks.begin(), ranks.end());
        made.cause.path = path_of_call(example);
        add_wait(made, WaitKind::wrong_order);
    }

    /// Whether a call receives one message, looks for it, or completes its receive.
    [[nodiscard]] bool waits_for_one(u32 call) const {
        const std::span<const RunGraph::Need> needs = graph_.needs_of(call);
        const CallFamily family = graph_.calls[call].family;
        return (family == CallFamily::completion || family == CallFamily::receive ||
                family == CallFamily::probe) &&
               needs.size() == 1 && needs.front().count == 0 &&
               needs.front().kind == RunDurations::messages;
    }
};

}  // namespace

void find_order_causes(const RunEvidence& evidence, std::vector<Candidate>& found) {
    OrderRules(evidence, found).find();
}

}  // namespace tracefold
