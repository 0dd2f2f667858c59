// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/rule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

/// Gains of another order over the time lost to the order of calls.
constexpr double kMostOfDependences = 2;
constexpr double kBlocks = 16;     ///< of the work of a rank in a chain
constexpr double kNoLonger = 1.1;  ///< computation of a root over the median

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
        const bool is_exchange = has_one_partner_at_a_time();
        const bool is_chain = visits_all_ranks();
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
        } else if (is_chain && is_large(most)) {
            Candidate& made = add(Kind::chain, in_blocks());
            made.cause.is_limit = true;
            made.most = most;
        } else {
            find_late_senders();
        }
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
        for (u32 call = graph_.first[0]; call < graph_.first[1]; ++call) {
            const bool is_barrier = graph_.calls[call].function == MpiFunction::Barrier;
            if (is_barrier && !is_beside_shared_data(call)) ++barriers;
        }
        if (barriers < std::max<u64>(graph_.steps, 2)) return;
        Candidate& made =
            add(Kind::needless_barrier, [](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (graph.calls[call].function != MpiFunction::Barrier) continue;
                    durations.ignored[call] = RunDurations::all;
                    durations.own[call] = 0;
                }
            });
        made.cause.path = path_of_call(first_of(MpiFunction::Barrier));
        add_calls(made, first_of(MpiFunction::Barrier));
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
        Candidate& made = add(Kind::polling, [](const RunGraph& graph, RunDurations& durations) {
            for (u32 call = 0; call + 1 < graph.calls.size(); ++call) {
                if (!graph.calls[call].in_vain) continue;
                durations.own[call] = 0;
                if (graph.rank_of[call + 1] == graph.rank_of[call] && graph.calls[call + 1].polls) {
                    durations.computation[call + 1] = 0;
                }
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

    /// Whether most ranks meet all others in turn, in the order of ranks.
    [[nodiscard]] bool has_one_partner_at_a_time() const {
        if (graph_.ranks < 3) return false;
        u32 agree = 0;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            std::vector<u32> partners;
            for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1]; ++call) {
                const Call& it = graph_.calls[call];
                if (it.family == CallFamily::send_receive) partners.push_back(it.peer);
            }
            const std::set<u32> met(partners.begin(), partners.end());
            if (met.size() + 1 < graph_.ranks) continue;
            u64 rises = 0;
            for (std::size_t i = 1; i < partners.size(); ++i) {
                if (partners[i] > partners[i - 1]) ++rises;
            }
            // One fall a round.
            const u64 rounds = partners.size() / (graph_.ranks - 1);
            if (rises + rounds >= partners.size() - 1) ++agree;
        }
        return agree >= static_cast<u32>(std::ceil(kChained * graph_.ranks));
    }

    /// Whether the critical path computes on most ranks in turn within a step, without a collective
    /// operation of all ranks in between.
    [[nodiscard]] bool visits_all_ranks() const {
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
        return median(visited) >= std::max(2.0, kChained * graph_.ranks);
    }

    /// Whether all ranks wait for all in a call.
    [[nodiscard]] bool joins_all(u32 call) const {
        return std::ranges::any_of(graph_.needs_of(call), [&](const RunGraph::Need& need) {
            return need.kind == RunDurations::members && need.count > 1 &&
                   graph_.lists[need.source].size() == graph_.ranks;
        });
    }

    /// From the begin of a computation, which ends at `end`, to that of a call.
    [[nodiscard]] double since(u64 end, double computation, u32 call) const {
        const double begin = static_cast<double>(end) - computation;
        return std::max(0.0, static_cast<double>(graph_.calls[call].begin) - begin);
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
            const bool has_more = source + 1 < graph_.first[rank + 1] &&
                                  computation_of(source + 1) > computation_before(source) / 2;
            return is_root && has_more && totals[rank] <= kNoLonger * usual ? source : kNone;
        };
        u64 waits_since = 0;  // begin of the row of calls
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            const bool is_first = call == graph_.first[graph_.rank_of[call]];
            const bool is_in_row = computation_of(call) * kInRow < computation_after(call);
            if (is_first || !is_in_row) waits_since = graph_.calls[call].begin;
            for (const RunGraph::Need& need : graph_.needs_of(call)) {
                const u32 send = sender(call, need);
                if (send == kNone || graph_.calls[send].begin <= waits_since) continue;
                const double sent = computation_before(send);
                const double own = need.kind == RunDurations::messages
                                       ? computation_before(call)
                                       : since(graph_.calls[send].begin, sent, call);
                if (own >= kIdle * sent || computation_after(call) <= sent / 2) {
                    continue;
                }
                earlier[send] = static_cast<u64>(sent);
                ranks.insert(graph_.rank_of[send]);
                example = send;
            }
        }
        if (example == kNone) return;
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
