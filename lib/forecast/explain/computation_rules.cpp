// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/rule.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace tracefold {

namespace {

constexpr double kSlower = 0.10;   ///< a slow rank's excess over the slowest other
constexpr double kMostRare = 0.2;  ///< share of rare steps
constexpr double kDriftTau = 0.4;
constexpr double kDriftGrowth =
    0.2;                      ///< of the excess from the first step to the last, over the median
constexpr double kOdd = 1.5;  ///< a delayed cell over the median of its rank
constexpr double kMostOdd = 0.25;   ///< share of cells that noise delays
constexpr double kIrregular = 0.7;  ///< deviation of delays per step over that of chance
constexpr double kOtherWork = 3;    ///< slow ranks with other calls, over the others
constexpr double kLargerTasks = 8;
/// On requests, of the computation of a rank that answers them.
constexpr double kMostOfWork = 0.8;

/// Rules over the computation of ranks in steps.
class ComputationRules : Rule {
  public:
    using Rule::Rule;

    void find() {
        if (graph_.ranks < 2) return;
        find_imbalance();
        find_small_tasks();
        find_ends();
    }

  private:
    void find_imbalance() {
        const u32 columns = cells_.columns();
        const std::vector<double> totals = usual_totals();
        std::vector<double> longest;
        std::vector<double> means;
        for (u32 column = 0; column < columns; ++column) {
            const std::vector<double> cells = cells_.column(column);
            longest.push_back(most(cells));
            means.push_back(mean_value(cells));
        }
        find_rare_steps(longest);
        std::vector<double> excess;
        for (u32 column = 0; column < columns; ++column) {
            excess.push_back(longest[column] - means[column]);
        }
        const double steady = most(totals) - mean_value(totals);
        double moving = -steady;
        for (u32 column = 0; column < columns; ++column) {
            if (!is_other(column)) moving += excess[column];
        }
        if (is_large(steady)) find_slow_ranks(totals, excess);
        if (graph_.steps < kStepsForTrend || !is_large(moving) || moving <= steady) return;
        find_serial_turns(moving, means);
        find_moving(means);
    }

    /// Ranks that work for all others in turn, as roots of collective operations.
    void find_serial_turns(double moving, const std::vector<double>& means) {
        std::vector<u32> ranks;
        std::vector<SerialWork> turns;
        double lost = 0;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            std::vector<SerialWork> work = serial_work(rank);
            std::erase_if(work, [](const SerialWork& it) { return !it.is_root; });
            if (work.empty()) continue;
            ranks.push_back(rank);
            turns.insert(turns.end(), work.begin(), work.end());
            for (const SerialWork& it : work) lost += it.time;
        }
        if (ranks.size() < 2 || lost < moving / 2) return;
        Candidate& made = add(Kind::serial_part, share_serial_work(std::move(turns)));
        made.cause.ranks = std::move(ranks);
        made.cause.path = place_of_excess({}, 0, cells_.columns());
        add_worst_step(made, means);
    }

    /// The step in which the slowest rank exceeds the mean most. Precondition: at least two steps.
    void add_worst_step(Candidate& made, const std::vector<double>& means) const {
        u32 worst = 1;
        for (u32 column = 0; column < cells_.columns(); ++column) {
            if (is_other(column)) continue;
            const double excess = most(cells_.column(column)) - means[column];
            if (excess > most(cells_.column(worst)) - means[worst]) worst = column;
        }
        const std::vector<double> cells = cells_.column(worst);
        figure(made, "worst_step", worst, kByStep);
        figure(made, "worst_step_longest", evidence_.seconds(most(cells)), kByStep);
        figure(made, "worst_step_mean", evidence_.seconds(means[worst]), kByStep);
        figure(made, "worst_step_rank", slowest(cells), kByStep);
    }

    /// Computation of the ranks; of many steps, the usual one times their number, so that single
    /// delays do not count.
    [[nodiscard]] std::vector<double> usual_totals() const {
        if (graph_.steps < kStepsForTrend) return cells_.sums(0, cells_.columns());
        std::vector<double> totals;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            totals.push_back(usual_of(rank) * cells_.columns());
        }
        return totals;
    }

    void find_rare_steps(const std::vector<double>& longest) {
        if (graph_.steps < kStepsForTrend) return;
        const double usual = median(longest);
        std::vector<u64> rare;
        double lost = 0;
        std::vector<double> by_rank(graph_.ranks);
        double all = 0;
        for (u32 column = 0; column < longest.size(); ++column) {
            all += longest[column];
            if (longest[column] <= kRare * usual) continue;
            rare.push_back(column);
            lost += longest[column] - usual;
            for (u32 rank = 0; rank < graph_.ranks; ++rank) {
                by_rank[rank] += std::max(0.0, cells_.at(rank, column) - usual);
            }
        }
        // A set-up in the first or the last step is no rare step, see find_ends(); and steps with
        // most of the computation are not rare, but the others are parts of them.
        const auto is_end = [&](u64 column) { return column == 0 || column + 1 == longest.size(); };
        if (!is_large(lost) || std::ranges::all_of(rare, is_end) || lost > all / 2) return;
        if (static_cast<double>(rare.size()) > kMostRare * static_cast<double>(longest.size())) {
            return;
        }
        // Noise delays now this rank, now that one.
        std::vector<u32> ranks;
        double of_ranks = 0;
        const double most_of_rank = most(by_rank);
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            if (by_rank[rank] < most_of_rank / 2) continue;
            ranks.push_back(rank);
            of_ranks = std::max(of_ranks, by_rank[rank]);
        }
        if (of_ranks < kChained * lost) return;
        rare_steps_.insert(rare.begin(), rare.end());
        Candidate& made =
            add(Kind::rare_steps, scale_computation(factors_to([&](u32 rank, u32 column) {
                    const double cell = cells_.at(rank, column);
                    return rare_steps_.contains(column) ? std::min(cell, usual_of(rank)) : cell;
                })));
        if (ranks.size() < graph_.ranks) made.cause.ranks = ranks;
        made.cause.steps = rare;
        const u32 first = static_cast<u32>(rare.front());
        made.cause.path = place_of_excess(ranks, first, first + 1);
        figure(made, "first_step", first, kByStep);
        figure(made, "first_step_longest", evidence_.seconds(longest[first]), kByStep);
    }

    void find_slow_ranks(const std::vector<double>& totals, const std::vector<double>& excess) {
        const SlowRanks slow = slow_ranks(totals, kSlower);
        const Trend of_excess = trend(excess);
        if (graph_.steps >= kStepsForTrend && kendall_tau(excess) >= kDriftTau &&
            of_excess.last - of_excess.first >= kDriftGrowth * median(excess)) {
            Candidate& made = add(Kind::drift, as_in_first_step());
            made.cause.ranks = slow.ranks.empty() ? std::vector<u32>{slowest(totals)} : slow.ranks;
            made.cause.path = place_of_excess(made.cause.ranks, 0, cells_.columns());
            add_steps(made);
            return;
        }
        if (slow.ranks.empty() || !keeps_slow_ranks(slow) || does_other_work(slow, totals)) {
            if (graph_.steps >= kStepsForTrend && !keeps_order_in_halves()) return;
            // A rank with less work may have next to none, which no factor makes more.
            const double share = mean_value(totals);
            add_slow(Kind::imbalance, {slowest(totals)},
                     scale_computation(factors_to([&](u32 rank, u32 column) {
                         const double cell = cells_.at(rank, column);
                         const double lacks = share - totals[rank];
                         return lacks < 0 ? cell * share / totals[rank]
                                          : cell + lacks / cells_.columns();
                     })));
            return;
        }
        const u32 first = slow.ranks.front();
        if (slow.ranks.size() > 1) {
            add_slow(Kind::slow_group, slow.ranks, like_the_others(slow));
        } else if (!answers_requests(first)) {
            const Kind kind = kind_of_lonely(first, totals[first] - slow.others);
            add_slow(kind, slow.ranks,
                     kind == Kind::hot_spot      ? share_work_on_messages(first)
                     : kind == Kind::serial_part ? share_serial_work(serial_work(first))
                                                 : like_the_others(slow));
        }
    }

    void add_slow(Kind kind, const std::vector<u32>& ranks, Change change) {
        Candidate& made = add(kind, std::move(change));
        made.cause.ranks = ranks;
        // Whether others can do the work of a rank with a role of its own, the trace does not tell.
        made.cause.is_limit = kind == Kind::imbalance && makes_other_calls(ranks.front(), ranks);
        made.cause.path = place_of_excess(ranks, 0, cells_.columns());
        add_computation(made);
    }

    /// Each rank keeps the ratio to the others that it has in the first step.
    [[nodiscard]] Change as_in_first_step() const {
        std::vector<double> first;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            first.push_back(trend(cells_.row(rank)).first);
        }
        const double others = std::max(1.0, median(first));
        std::vector<double> usual;
        for (u32 column = 0; column < cells_.columns(); ++column) {
            usual.push_back(median(cells_.column(column)));
        }
        return scale_computation(factors_to([&](u32 rank, u32 column) {
            return std::min(cells_.at(rank, column), usual[column] * first[rank] / others);
        }));
    }

    /// Slow ranks compute as long as the median of the others in each step.
    [[nodiscard]] Change like_the_others(const SlowRanks& slow) const {
        std::vector<double> usual;
        for (u32 column = 0; column < cells_.columns(); ++column) {
            std::vector<double> rest;
            for (u32 rank = 0; rank < graph_.ranks; ++rank) {
                if (!slow.contains(rank)) rest.push_back(cells_.at(rank, column));
            }
            usual.push_back(std::max(median(std::move(rest)), 1.0));
        }
        return scale_computation(factors_to([&](u32 rank, u32 column) {
            const double cell = cells_.at(rank, column);
            return slow.contains(rank) ? std::min(cell, usual[column]) : cell;
        }));
    }

    /// Whether the excess of a rank is work for the others: on their messages, or for what it
    /// sends to all of them.
    [[nodiscard]] Kind kind_of_lonely(u32 rank, double excess) const {
        if (is_hot_spot(rank, excess)) return Kind::hot_spot;
        double for_all = 0;
        for (const SerialWork& work : serial_work(rank)) for_all += work.time;
        return for_all >= excess / 2 ? Kind::serial_part : Kind::straggler;
    }

    /// Whether a rank receives from all others, part by part, and computes after each part.
    [[nodiscard]] bool is_hot_spot(u32 rank, double excess) const {
        std::set<u32> all;
        std::vector<double> works;
        double on_messages = 0;
        for (u32 call = graph_.first[rank] + 1; call < graph_.first[rank + 1]; ++call) {
            std::set<u32> partners;
            if (evidence_.columns[call] >= cells_.columns() || !receives(call - 1, &partners)) {
                continue;
            }
            all.insert(partners.begin(), partners.end());
            works.push_back(partners.size() + 1 < graph_.ranks ? computation_of(call) : 0);
            on_messages += works.back();
        }
        if (graph_.ranks < 3 || all.size() + 1 < graph_.ranks || on_messages < excess / 2) {
            return false;
        }
        const double usual = on_messages / static_cast<double>(works.size());
        const auto parts =
            std::ranges::count_if(works, [&](double work) { return work > usual / 4; });
        return static_cast<u64>(parts) * 4 >= works.size() * 3;
    }

    /// Computation of a rank before a call, from when the others wait for it.
    struct SerialWork {
        u32 call = 0;
        double time = 0;
        bool is_root = false;  ///< of the collective operation that the others wait for
    };

    /// Of what a rank sends, or broadcasts as a root, when half of the others or more wait.
    [[nodiscard]] std::vector<SerialWork> serial_work(u32 rank) const {
        std::vector<SerialWork> work;
        for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1]; ++call) {
            const double own = computation_of(call);
            if (evidence_.columns[call] >= cells_.columns() || own == 0) continue;
            u32 source = call;
            while (!gives(source) && leads_on(source, own)) ++source;
            if (!gives(source)) continue;
            const double begin = static_cast<double>(graph_.calls[call].begin) - own;
            const std::vector<double> waits = waiting_for(call, begin);
            if (2 * waits.size() + 1 < graph_.ranks) continue;
            const double others = std::max(0.0, median(waits) - begin);
            const bool is_root = graph_.calls[source].root == rank;
            if (others < (is_root ? 1 : kIdle) * own) work.push_back({call, own - others, is_root});
        }
        return work;
    }

    [[nodiscard]] bool gives(u32 call) const {
        return graph_.calls[call].messages != 0 || graph_.calls[call].root == graph_.rank_of[call];
    }
    /// Whether the next call follows without waits, and with next to no computation.
    [[nodiscard]] bool leads_on(u32 call, double computation) const {
        return call + 1 < graph_.first[graph_.rank_of[call] + 1] && graph_.needs_of(call).empty() &&
               computation_of(call + 1) * kInRow < computation;
    }

    /// When the others that wait for the computation before a call began to, if not before
    /// `earliest`.
    [[nodiscard]] std::vector<double> waiting_for(u32 call, double earliest) const {
        const u64 time = graph_.calls[call].begin;
        std::vector<double> waits;
        for (u32 other = 0; other < graph_.ranks; ++other) {
            const auto first = graph_.calls.begin() + graph_.first[other];
            const auto end = graph_.calls.begin() + graph_.first[other + 1];
            const auto after = std::upper_bound(
                first, end, time, [](u64 at, const Call& it) { return at < it.begin; });
            if (other == graph_.rank_of[call] || after == first) continue;
            auto wait = static_cast<u32>(after - graph_.calls.begin()) - 1;
            if (graph_.calls[wait].function == MpiFunction::Finalize) continue;
            if (evidence_.base.readies[wait] < time || !is_released_by(wait, call)) continue;
            const double waited = static_cast<double>(time - graph_.calls[wait].begin);
            const auto since = [&] { return static_cast<double>(graph_.calls[wait].begin); };
            while (wait > graph_.first[other] && since() > earliest &&
                   computation_of(wait) * kInRow < waited) {
                --wait;
            }
            waits.push_back(since());
        }
        return waits;
    }

    /// Whether a call waits for the computation before another one: for its rank, or for ranks that
    /// pass on what they get from it.
    [[nodiscard]] bool is_released_by(u32 wait, u32 call) const {
        const double little = computation_of(call) / kInRow;
        for (u32 i = 0; i < graph_.ranks; ++i) {
            u32 source = waited_for(graph_, evidence_.recorded, evidence_.base, wait);
            if (source == kNone) return false;
            const u32 rank = graph_.rank_of[source];
            if (rank == graph_.rank_of[call]) return source >= call;
            do {
                if (source == graph_.first[rank] || computation_of(source) > little) return false;
                --source;
            } while (evidence_.base.readies[source] <= evidence_.base.begins[source]);
            wait = source;
        }
        return false;
    }

    /// Serial work becomes a share of it for each rank.
    [[nodiscard]] static Change share_serial_work(std::vector<SerialWork> all) {
        return [work = std::move(all)](const RunGraph& graph, RunDurations& durations) {
            const double saved = 1 - 1 / static_cast<double>(graph.ranks);
            for (const SerialWork& it : work) {
                u64& time = durations.computation[it.call];
                time -= std::min(time, static_cast<u64>(saved * it.time));
            }
        };
    }

    /// Each of the others does the computation of a rank on its own messages.
    [[nodiscard]] Change share_work_on_messages(u32 rank) const {
        std::vector<u32> calls;
        for (u32 call = graph_.first[rank] + 1; call < graph_.first[rank + 1]; ++call) {
            if (receives(call - 1, nullptr)) calls.push_back(call);
        }
        return [calls](const RunGraph& graph, RunDurations& durations) {
            for (const u32 call : calls) durations.computation[call] /= graph.ranks - 1;
        };
    }

    /// Whether slow ranks compute much longer than the others and make other calls than all of
    /// them.
    [[nodiscard]] bool does_other_work(const SlowRanks& slow,
                                       const std::vector<double>& totals) const {
        for (const u32 rank : slow.ranks) {
            if (totals[rank] <= kOtherWork * slow.others || !makes_other_calls(rank, slow.ranks)) {
                continue;
            }
            return slow.ranks.size() > 1 ||
                   kind_of_lonely(rank, totals[rank] - slow.others) == Kind::straggler;
        }
        return false;
    }

    /// Whether a rank makes other numbers of calls than all that are not among some (ascending).
    [[nodiscard]] bool makes_other_calls(u32 rank, std::span<const u32> some) const {
        using Counts = std::map<MpiFunction, u64>;
        const auto calls_of = [&](u32 of) {
            Counts calls;
            for (u32 call = graph_.first[of]; call < graph_.first[of + 1]; ++call) {
                ++calls[graph_.calls[call].function];
            }
            return calls;
        };
        const Counts own = calls_of(rank);
        for (u32 other = 0; other < graph_.ranks; ++other) {
            if (other == rank || std::ranges::binary_search(some, other)) continue;
            if (calls_of(other) == own) return false;
        }
        return true;
    }

    /// Whether a rank receives requests one by one, and answers most of them at once.
    [[nodiscard]] bool answers_requests(u32 rank) const {
        u64 requests = 0;
        u64 answers = 0;
        u64 on_messages = 0;
        u64 all = 0;
        std::map<u32, u64> askers;
        for (u32 call = graph_.first[rank]; call + 1 < graph_.first[rank + 1]; ++call) {
            const u64 then = evidence_.recorded.computation[call + 1];
            all += then;
            std::set<u32> partners;
            if (!receives(call, &partners)) continue;
            on_messages += then;
            ++requests;
            for (const u32 partner : partners) ++askers[partner];
            const Call& next = graph_.calls[call + 1];
            if (next.messages == 1 && partners.contains(next.peer)) ++answers;
        }
        const u64 few = std::max(kBatch, 2 * graph_.steps);
        return askers.size() + 1 >= graph_.ranks && graph_.ranks > 2 &&
               std::ranges::all_of(askers, [&](const auto& it) { return it.second >= few; }) &&
               answers * 4 >= requests * 3 &&
               static_cast<double>(on_messages) >= kMostOfWork * static_cast<double>(all);
    }

    void find_small_tasks() {
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            if (!answers_requests(rank)) continue;
            Candidate& made =
                add(Kind::small_tasks, [rank](const RunGraph& graph, RunDurations& durations) {
                    for (u32 call = 0; call < graph.calls.size(); ++call) {
                        if (!is_message_call(graph.calls[call])) continue;
                        durations.own[call] = scaled(durations.own[call], 1 / kLargerTasks);
                        if (graph.rank_of[call] != rank) continue;
                        durations.computation[call] =
                            scaled(durations.computation[call], 1 / kLargerTasks);
                    }
                });
            made.cause.ranks = {rank};
            made.cause.path = path_of_call(graph_.first[rank] + 1);
            add_computation(made);
        }
    }

    [[nodiscard]] bool keeps_slow_ranks(const SlowRanks& slow) const {
        const u32 columns = cells_.columns();
        if (columns < 2) return true;
        for (const auto& [first, end] :
             {std::pair{0U, columns / 2}, std::pair{columns / 2, columns}}) {
            const std::vector<double> half = cells_.sums(first, end);
            double most_others = 0;
            for (u32 rank = 0; rank < graph_.ranks; ++rank) {
                if (!slow.contains(rank)) {
                    most_others = std::max(most_others, half[rank]);
                }
            }
            for (const u32 rank : slow.ranks) {
                if (half[rank] <= most_others) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool keeps_order_in_halves() const {
        const u32 columns = cells_.columns();
        return spearman(cells_.sums(0, columns / 2), cells_.sums(columns / 2, columns)) >= kSteady;
    }

    /// Steps whose excess has a cause of its own: rare ones, and set-up in the first and last step.
    [[nodiscard]] bool is_other(u32 column) const {
        const bool is_end = column == 0 || column + 1 == cells_.columns();
        return rare_steps_.contains(column) || (is_end && graph_.steps >= kStepsForTrend);
    }

    /// Ranks that are balanced in total, but not in each step.
    void find_moving(const std::vector<double>& means) {
        const std::vector<double>& usual = evidence_.usual;
        u64 odd = 0;
        std::set<u64> common;
        std::vector<double> per_step;
        for (u32 column = 0; column < cells_.columns(); ++column) {
            if (is_other(column)) continue;
            u64 here = 0;
            for (u32 rank = 0; rank < graph_.ranks; ++rank) {
                if (cells_.at(rank, column) > kOdd * usual[rank]) ++here;
            }
            // What most ranks do at once is a part of the program.
            if (2 * here > graph_.ranks) {
                common.insert(column);
                continue;
            }
            odd += here;
            per_step.push_back(static_cast<double>(here));
        }
        if (per_step.empty()) return;
        const double all = static_cast<double>(graph_.ranks) * static_cast<double>(per_step.size());
        const double share = static_cast<double>(odd) / all;
        const double expected = share * graph_.ranks;
        double variance = 0;
        for (const double here : per_step) variance += (here - expected) * (here - expected);
        variance /= static_cast<double>(per_step.size());
        const double of_chance = expected * (1 - share);
        const bool is_noise =
            odd != 0 && share < kMostOdd && variance >= kIrregular * kIrregular * of_chance;
        const Change change = scale_computation(factors_to([&](u32 rank, u32 column) {
            const double cell = cells_.at(rank, column);
            if (is_other(column)) return cell;
            if (is_noise && common.contains(column)) return cell;
            return is_noise ? (cell > kOdd * usual[rank] ? usual[rank] : cell) : means[column];
        }));
        Candidate& made = add(is_noise ? Kind::noise : Kind::moving_imbalance, change);
        made.cause.path = place_of_excess({}, 0, cells_.columns());
        add_worst_step(made, means);
        std::vector<u64> slowest_in(graph_.ranks);
        for (u32 column = 0; column < cells_.columns(); ++column) {
            if (!is_other(column)) ++slowest_in[slowest(cells_.column(column))];
        }
        figure(made, "slowest_in_most", static_cast<double>(*std::ranges::max_element(slowest_in)),
               kByStep);
    }

    /// Work of some ranks before the first step or after the last one; a first or last step that
    /// takes longer than usual has such work as well.
    void find_ends() {
        if (graph_.steps < 3) return;
        for (const bool is_end : {false, true}) {
            std::vector<double> times = is_end ? evidence_.after : evidence_.before;
            const u32 column = is_end ? cells_.columns() - 1 : 0;
            for (u32 rank = 0; rank < graph_.ranks; ++rank) {
                const double cell = cells_.at(rank, column);
                const bool is_odd = rare_steps_.empty() && cell > kRare * usual_of(rank);
                if (is_odd) times[rank] += cell - usual_of(rank);
            }
            if (!is_large(most(times) - mean_value(times))) continue;
            Candidate& made = add(
                is_end ? Kind::end : Kind::start_up,
                [deltas = shares(times, is_end)](const RunGraph&, RunDurations& durations) {
                    for (const auto& [call, delta] : deltas) {
                        const double now = static_cast<double>(durations.computation[call]) + delta;
                        durations.computation[call] = static_cast<u64>(std::max(0.0, now));
                    }
                });
            made.cause.ranks = {slowest(times)};
        }
    }

    /// Changes of computation that share work before (or after) the steps equally among the ranks:
    /// those with more lose it from their longest computations, others get it where they wait.
    [[nodiscard]] std::vector<std::pair<u32, double>> shares(const std::vector<double>& times,
                                                             bool is_end) const {
        std::vector<std::pair<u32, double>> deltas;
        const u32 outside = is_end ? RunGraph::kAfter : RunGraph::kBefore;
        const u32 step = is_end ? cells_.columns() - 1 : 0;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            double left = mean_value(times) - times[rank];
            std::vector<u32> calls;
            for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1]; ++call) {
                const u32 column = evidence_.columns[call];
                if (column == outside || column == step) calls.push_back(call);
            }
            if (calls.empty()) continue;
            const auto by = [&](u32 call) {
                return left > 0 ? evidence_.base.readies[call] - evidence_.base.begins[call]
                                : evidence_.recorded.computation[call];
            };
            u64 waits = 1;
            for (const u32 call : calls) waits += by(call);
            for (std::size_t i = 0; i < calls.size() && left > 0; ++i) {
                const u64 wait = by(calls[i]) + (i == 0 ? 1 : 0);
                deltas.emplace_back(calls[i],
                                    left * static_cast<double>(wait) / static_cast<double>(waits));
            }
            std::ranges::stable_sort(calls, std::greater(), by);
            for (std::size_t i = 0; i < calls.size() && left < 0; ++i) {
                const double part = std::min(-left, static_cast<double>(by(calls[i])));
                deltas.emplace_back(calls[i], -part);
                left += part;
            }
        }
        return deltas;
    }

    std::set<u64> rare_steps_;
};

}  // namespace

void find_computation_causes(const RunEvidence& evidence, std::vector<Candidate>& found) {
    ComputationRules(evidence, found).find();
}

}  // namespace tracefold
