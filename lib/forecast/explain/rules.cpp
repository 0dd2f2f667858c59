// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/rules.hpp"

#include "file/io_files.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold {

// Thresholds. Shares are those of the run time, unless said otherwise; docs/reference/explain.md
// has the same table, with their sources.
namespace {

constexpr double kCandidate = kSmallGain;  ///< less lost time is no candidate
constexpr double kSlower = 0.10;           ///< a slow rank's excess over the slowest other
constexpr double kRare = 2;                ///< a rare step's time over the median
constexpr double kMostRare = 0.2;          ///< share of rare steps
constexpr u64 kStepsForTrend = 10;
constexpr double kDriftTau = 0.4;
constexpr double kGrowthTau = 0.5;
constexpr double kGrowth = 0.2;      ///< from the first tenth of steps to the last, over the median
constexpr double kSteady = 0.7;      ///< Spearman correlation of both halves of a run
constexpr double kOdd = 1.5;         ///< a delayed cell over the median of its rank
constexpr double kMostOdd = 0.25;    ///< share of cells that noise delays
constexpr double kIrregular = 0.5;   ///< deviation of delays per step over that of chance
constexpr u64 kBatch = 8;            ///< operations in a row
constexpr u64 kSmallMessage = 4096;  ///< bytes
constexpr u64 kLargeMessage = 131072;  ///< bytes
constexpr double kIdle = 0.35;    ///< computation before a wait, over that of the rank waited for
constexpr double kOtherWork = 3;  ///< slow ranks with other calls, over the others
constexpr double kLargerTasks = 8;
constexpr double kMostOfWork =
    0.8;                           ///< on requests, of the computation of a rank that answers them
constexpr double kChained = 0.75;  ///< share of ranks or messages
/// Gains of another order over the time lost to the order of calls.
constexpr double kMostOfDependences = 2;
constexpr u64 kFewBatches = 3;       ///< of a rank
constexpr double kFewThreads = 0.8;  ///< efficiency of threads
constexpr u64 kStepsPerCreation = 10;
constexpr double kMostOfIo = 0.9;  ///< share of one rank in the time of files

/// Commands that print the numbers.
constexpr const char* kOfRanks = "efficiency";
constexpr const char* kByStep = "efficiency --focus";

using Kind = CauseKind;
using Call = RunGraph::Call;
using Change = std::function<void(const RunGraph&, RunDurations&)>;

u64 scaled(u64 ticks, double factor) {
    return static_cast<u64>(std::llround(static_cast<double>(ticks) * std::max(0.0, factor)));
}

bool is_message_call(const Call& call) {
    switch (call.family) {
        case CallFamily::send:
        case CallFamily::post_send:
        case CallFamily::receive:
        case CallFamily::post_receive:
        case CallFamily::send_receive:
        case CallFamily::completion:
        case CallFamily::start:
        case CallFamily::probe:
        case CallFamily::matched_receive:
            return true;
        default:
            return false;
    }
}

/// Factors of the computation by rank and column, of all call paths.
Change scale_computation(const RunEvidence& evidence, StepMatrix factors) {
    return [columns = evidence.columns, factors = std::move(factors)](const RunGraph& graph,
                                                                      RunDurations& durations) {
        for (u32 call = 0; call < graph.calls.size(); ++call) {
            if (columns[call] >= factors.columns()) continue;
            u64& time = durations.computation[call];
            time = scaled(time, factors.at(graph.rank_of[call], columns[call]));
        }
    };
}

StepMatrix ones(const StepMatrix& cells) {
    StepMatrix factors(cells.ranks(), cells.columns());
    for (u32 rank = 0; rank < cells.ranks(); ++rank) {
        for (u32 column = 0; column < cells.columns(); ++column) factors.at(rank, column) = 1;
    }
    return factors;
}

/// Factors that make cells what WANTED(rank, column) tells.
template <class Wanted>
StepMatrix factors_to(const StepMatrix& cells, const Wanted& wanted) {
    StepMatrix factors = ones(cells);
    for (u32 rank = 0; rank < cells.ranks(); ++rank) {
        for (u32 column = 0; column < cells.columns(); ++column) {
            const double cell = cells.at(rank, column);
            if (cell > 0) factors.at(rank, column) = wanted(rank, column) / cell;
        }
    }
    return factors;
}

double most(const std::vector<double>& values) {
    return values.empty() ? 0 : *std::ranges::max_element(values);
}
double mean(const std::vector<double>& values) {
    return values.empty() ? 0
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
}
u32 slowest(const std::vector<double>& values) {
    return static_cast<u32>(std::ranges::max_element(values) - values.begin());
}

class Rules {
  public:
    explicit Rules(const RunEvidence& evidence)
        : evidence_(evidence), graph_(evidence.graph), cells_(evidence.computation) {}

    std::vector<Candidate> find() {
        if (graph_.ranks > 1) {
            find_imbalance();
            find_ends();
            find_order();
        }
        find_growth();
        find_messages();
        find_calls_in_loop();
        find_files();
        find_threads();
        return std::move(found_);
    }

  private:
    // Computation by rank and step.

    void find_imbalance() {
        const u32 columns = cells_.columns();
        const std::vector<double> totals = usual_totals();
        std::vector<double> longest;
        std::vector<double> means;
        for (u32 column = 0; column < columns; ++column) {
            const std::vector<double> cells = cells_.column(column);
            longest.push_back(most(cells));
            means.push_back(mean(cells));
        }
        find_rare_steps(longest);
        std::vector<double> excess;
        for (u32 column = 0; column < columns; ++column) {
            excess.push_back(longest[column] - means[column]);
        }
        const double steady = most(totals) - mean(totals);
        double moving = -steady;
        for (u32 column = 0; column < columns; ++column) {
            if (!rare_steps_.contains(column)) moving += excess[column];
        }
        if (is_large(steady)) find_slow_ranks(totals, excess);
        if (is_large(moving) && moving > steady) find_moving(means);
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
    [[nodiscard]] double usual_of(u32 rank) const {
        const std::span<const double> row = cells_.row(rank);
        return median({row.begin(), row.end()});
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
        rare_steps_.insert(rare.begin(), rare.end());
        // Noise delays now this rank, now that one.
        std::vector<u32> ranks;
        double of_ranks = 0;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            if (by_rank[rank] < most(by_rank) / 2) continue;
            ranks.push_back(rank);
            of_ranks = std::max(of_ranks, by_rank[rank]);
        }
        if (of_ranks < kChained * lost) return;
        Candidate& made =
            add(Kind::rare_steps,
                scale_computation(evidence_, factors_to(cells_, [&](u32 rank, u32 column) {
                                      const double cell = cells_.at(rank, column);
                                      return rare_steps_.contains(column)
                                                 ? std::min(cell, usual_of(rank))
                                                 : cell;
                                  })));
        if (ranks.size() < graph_.ranks) made.cause.ranks = ranks;
        made.cause.steps = rare;
        const u32 first = static_cast<u32>(rare.front());
        made.cause.path = place_of_excess(ranks, first, first + 1);
        figure(made, "first_step", first, kByStep);
        figure(made, "first_step_longest", evidence_.seconds(longest[first]), kByStep);
    }

    void find_slow_ranks(const std::vector<double>& totals, const std::vector<double>& excess) {
        const u32 columns = cells_.columns();
        const SlowRanks slow = slow_ranks(totals, kSlower);
        const bool keeps_order = keeps_order_in_halves();
        const Trend of_excess = trend(excess);
        if (graph_.steps >= kStepsForTrend && kendall_tau(excess) >= kDriftTau &&
            of_excess.last - of_excess.first >= kGrowth * median(excess)) {
            std::vector<double> first;
            for (u32 rank = 0; rank < graph_.ranks; ++rank) {
                first.push_back(trend(cells_.row(rank)).first);
            }
            const double others = std::max(1.0, median(first));
            const Change change = scale_computation(
                evidence_, factors_to(cells_, [&](u32 rank, u32 column) {
                    const double usual = median(cells_.column(column));
                    return std::min(cells_.at(rank, column), usual * first[rank] / others);
                }));
            Candidate& made = add(Kind::drift, change);
            made.cause.ranks = slow.ranks.empty() ? std::vector<u32>{slowest(totals)} : slow.ranks;
            made.cause.path = place_of_excess(made.cause.ranks, 0, columns);
            add_steps(made);
            return;
        }
        if (slow.ranks.empty() || !keeps_slow_ranks(slow) || does_other_work(slow, totals)) {
            if (!keeps_order && graph_.steps >= kStepsForTrend) return;
            Candidate& made = add(
                Kind::imbalance,
                scale_computation(evidence_, factors_to(cells_, [&](u32 rank, u32 column) {
                                      return totals[rank] == 0 ? 0
                                                               : cells_.at(rank, column) *
                                                                     mean(totals) / totals[rank];
                                  })));
            made.cause.ranks = {slowest(totals)};
            made.cause.path = place_of_excess(made.cause.ranks, 0, columns);
            add_computation(made);
            return;
        }
        const bool alone = slow.ranks.size() == 1;
        if (alone && answers_requests(slow.ranks.front())) return;
        const Kind kind =
            !alone ? Kind::slow_group
                   : kind_of_lonely(slow.ranks.front(), totals[slow.ranks.front()] - slow.others);
        if (kind == Kind::hot_spot) {
            Candidate& made = add(kind, share_work_on_messages(slow.ranks.front()));
            made.cause.ranks = slow.ranks;
            made.cause.path = place_of_excess(slow.ranks, 0, columns);
            add_computation(made);
            return;
        }
        if (kind == Kind::serial_part) {
            Candidate& made = add(kind, share_serial_work(slow.ranks.front()));
            made.cause.ranks = slow.ranks;
            made.cause.path = place_of_excess(slow.ranks, 0, columns);
            add_computation(made);
            return;
        }
        StepMatrix factors = ones(cells_);
        for (u32 column = 0; column < columns; ++column) {
            std::vector<double> rest;
            for (u32 rank = 0; rank < graph_.ranks; ++rank) {
                if (!std::ranges::binary_search(slow.ranks, rank)) {
                    rest.push_back(cells_.at(rank, column));
                }
            }
            const double usual = std::max(median(rest), 1.0);
            for (const u32 rank : slow.ranks) {
                const double cell = cells_.at(rank, column);
                if (cell > usual) factors.at(rank, column) = usual / cell;
            }
        }
        Candidate& made = add(kind, scale_computation(evidence_, std::move(factors)));
        made.cause.ranks = slow.ranks;
        made.cause.path = place_of_excess(slow.ranks, 0, columns);
        add_computation(made);
    }

    /// Whether the excess of a rank is work for the others: on their messages, or for what it
    /// sends to all of them.
    [[nodiscard]] Kind kind_of_lonely(u32 rank, double excess) const {
        double for_all = 0;
        for (const SerialWork& work : serial_work(rank)) for_all += work.time;
        if (for_all >= excess / 2) return Kind::serial_part;
        std::set<u32> partners;
        double on_messages = 0;
        for (u32 call = graph_.first[rank] + 1; call < graph_.first[rank + 1]; ++call) {
            if (evidence_.columns[call] >= cells_.columns()) continue;
            if (receives(call - 1, &partners)) {
                on_messages += static_cast<double>(evidence_.recorded.computation[call]);
            }
        }
        const bool has_all = partners.size() + 1 >= graph_.ranks && graph_.ranks > 2;
        return has_all && on_messages >= excess / 2 && receives_from_all_in_turn(rank)
                   ? Kind::hot_spot
                   : Kind::straggler;
    }

    /// Computation of a rank before a call that others wait for, beyond what these compute before
    /// they wait.
    struct SerialWork {
        u32 call = 0;
        double time = 0;
    };
    [[nodiscard]] std::vector<SerialWork> serial_work(u32 rank) const {
        // By call of the rank: computation of the ranks that wait for it.
        std::map<u32, std::vector<double>> waiting;
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            if (graph_.rank_of[call] == rank) continue;
            for (const RunGraph::Need& need : graph_.needs_of(call)) {
                if (need.count > 1 || need.kind == RunDurations::receivers) continue;
                const u32 source =
                    need.count == 0 ? need.source : graph_.lists[need.source].front();
                if (graph_.rank_of[source] != rank) continue;
                waiting[source].push_back(need.count == 0 ? computation_before(call)
                                                          : computation_of(call));
            }
        }
        std::vector<SerialWork> work;
        u32 done = 0;  // computation before this call has been counted
        for (auto& [source, times] : waiting) {
            if (evidence_.columns[source] >= cells_.columns()) continue;
            u32 call = source;  // the computation may be before the first of several sends
            while (call > done && call > graph_.first[rank] && graph_.needs_of(call - 1).empty() &&
                   evidence_.recorded.computation[call] == 0) {
                --call;
            }
            if (call < done) continue;
            done = source + 1;
            const double own = computation_of(call);
            const double others = median(std::move(times));
            const bool is_root = graph_.calls[source].root == rank;
            if (others < (is_root ? 1 : kIdle) * own) work.push_back({call, own - others});
        }
        return work;
    }

    /// The serial work of a rank becomes a share of it for each rank.
    [[nodiscard]] Change share_serial_work(u32 rank) const {
        return [work = serial_work(rank)](const RunGraph& graph, RunDurations& durations) {
            const double saved = 1 - 1 / static_cast<double>(graph.ranks);
            for (const SerialWork& it : work) {
                u64& time = durations.computation[it.call];
                time -= std::min(time, static_cast<u64>(saved * it.time));
            }
        };
    }

    [[nodiscard]] double computation_of(u32 call) const {
        return static_cast<double>(evidence_.recorded.computation[call]);
    }
    /// Computation of a rank since the last call that waited.
    [[nodiscard]] double computation_before(u32 call) const {
        const u32 first = graph_.first[graph_.rank_of[call]];
        auto sum = static_cast<double>(evidence_.recorded.computation[call]);
        for (; call > first && graph_.needs_of(call - 1).empty(); --call) {
            sum += static_cast<double>(evidence_.recorded.computation[call - 1]);
        }
        return sum;
    }

    /// The computation of a rank on messages becomes a share of it for each rank.
    [[nodiscard]] Change share_work_on_messages(u32 rank) const {
        std::vector<u32> calls;
        for (u32 call = graph_.first[rank] + 1; call < graph_.first[rank + 1]; ++call) {
            if (receives(call - 1, nullptr)) calls.push_back(call);
        }
        return [calls](const RunGraph& graph, RunDurations& durations) {
            for (const u32 call : calls) durations.computation[call] /= graph.ranks;
        };
    }

    /// Whether slow ranks compute much longer than the others and make other calls than all of
    /// them.
    [[nodiscard]] bool does_other_work(const SlowRanks& slow,
                                       const std::vector<double>& totals) const {
        const auto calls_of = [&](u32 rank) {
            std::map<MpiFunction, u64> counts;
            for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1]; ++call) {
                ++counts[graph_.calls[call].function];
            }
            return counts;
        };
        for (const u32 rank : slow.ranks) {
            if (totals[rank] <= kOtherWork * slow.others) continue;
            bool is_alike = false;
            for (u32 other = 0; other < graph_.ranks && !is_alike; ++other) {
                is_alike = !std::ranges::binary_search(slow.ranks, other) &&
                           calls_of(other) == calls_of(rank);
            }
            if (is_alike) continue;
            return slow.ranks.size() > 1 ||
                   kind_of_lonely(rank, totals[rank] - slow.others) == Kind::straggler;
        }
        return false;
    }

    /// Whether a rank receives requests one by one, and answers most of them at once.
    [[nodiscard]] bool answers_requests(u32 rank) const {
        u64 requests = 0;
        u64 answers = 0;
        u64 on_messages = 0;
        u64 all = 0;
        std::set<u32> askers;
        for (u32 call = graph_.first[rank]; call + 1 < graph_.first[rank + 1]; ++call) {
            const u64 then = evidence_.recorded.computation[call + 1];
            all += then;
            std::set<u32> partners;
            if (!receives(call, &partners)) continue;
            on_messages += then;
            ++requests;
            askers.insert(partners.begin(), partners.end());
            const Call& next = graph_.calls[call + 1];
            if (next.messages == 1 && partners.contains(next.peer)) ++answers;
        }
        return askers.size() + 1 >= graph_.ranks && graph_.ranks > 2 &&
               requests >= kBatch * (graph_.ranks - 1) && answers * 4 >= requests * 3 &&
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

    /// Whether a call waits for messages; adds the ranks that send them.
    bool receives(u32 call, std::set<u32>* partners) const {
        bool any = false;
        for (const RunGraph::Need& need : graph_.needs_of(call)) {
            if (need.kind != RunDurations::messages || need.count != 0) continue;
            any = true;
            if (partners != nullptr) partners->insert(graph_.rank_of[need.source]);
        }
        return any;
    }

    /// Whether a rank computes between receives from half of the others or more, one by one.
    [[nodiscard]] bool receives_from_all_in_turn(u32 rank) const {
        u64 turns = 0;
        u64 calls = 0;
        for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1]; ++call) {
            std::set<u32> partners;
            if (!receives(call, &partners)) continue;
            ++calls;
            if (partners.size() == 1) ++turns;
        }
        return calls != 0 && turns * 4 >= calls * 3;
    }

    [[nodiscard]] bool keeps_slow_ranks(const SlowRanks& slow) const {
        const u32 columns = cells_.columns();
        if (columns < 2) return true;
        for (const auto& [first, end] :
             {std::pair{0U, columns / 2}, std::pair{columns / 2, columns}}) {
            const std::vector<double> half = cells_.sums(first, end);
            double most_others = 0;
            for (u32 rank = 0; rank < graph_.ranks; ++rank) {
                if (!std::ranges::binary_search(slow.ranks, rank)) {
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

    /// Ranks that are balanced in total, but not in each step.
    void find_moving(const std::vector<double>& means) {
        if (graph_.steps < kStepsForTrend) return;
        std::vector<double> usual;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) usual.push_back(usual_of(rank));
        u64 odd = 0;
        std::vector<double> per_step;
        for (u32 column = 0; column < cells_.columns(); ++column) {
            if (rare_steps_.contains(column)) continue;
            u64 here = 0;
            for (u32 rank = 0; rank < graph_.ranks; ++rank) {
                if (cells_.at(rank, column) > kOdd * usual[rank]) ++here;
            }
            odd += here;
            per_step.push_back(static_cast<double>(here));
        }
        const double all = static_cast<double>(graph_.ranks) * static_cast<double>(per_step.size());
        const double share = static_cast<double>(odd) / all;
        const double expected = share * graph_.ranks;
        double variance = 0;
        for (const double here : per_step) variance += (here - expected) * (here - expected);
        variance /= static_cast<double>(per_step.size());
        const double of_chance = expected * (1 - share);
        const bool is_noise =
            odd != 0 && share < kMostOdd && variance >= kIrregular * kIrregular * of_chance;
        const Change change = scale_computation(
            evidence_, factors_to(cells_, [&](u32 rank, u32 column) {
                const double cell = cells_.at(rank, column);
                if (rare_steps_.contains(column)) return cell;
                return is_noise ? (cell > kOdd * usual[rank] ? usual[rank] : cell) : means[column];
            }));
        Candidate& made = add(is_noise ? Kind::noise : Kind::moving_imbalance, change);
        made.cause.path = place_of_excess({}, 0, cells_.columns());
        u32 worst = 0;
        std::vector<u64> slowest_in(graph_.ranks);
        for (u32 column = 0; column < cells_.columns(); ++column) {
            const std::vector<double> cells = cells_.column(column);
            ++slowest_in[slowest(cells)];
            const double excess = most(cells) - means[column];
            if (excess > most(cells_.column(worst)) - means[worst]) worst = column;
        }
        const std::vector<double> cells = cells_.column(worst);
        figure(made, "worst_step", worst, kByStep);
        figure(made, "worst_step_longest", evidence_.seconds(most(cells)), kByStep);
        figure(made, "worst_step_mean", evidence_.seconds(means[worst]), kByStep);
        figure(made, "worst_step_rank", slowest(cells), kByStep);
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
            if (!is_large(most(times) - mean(times))) continue;
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
    /// those with more lose it from their longest computations, others get it where they wait
    /// longest.
    [[nodiscard]] std::vector<std::pair<u32, double>> shares(const std::vector<double>& times,
                                                             bool is_end) const {
        std::vector<std::pair<u32, double>> deltas;
        const u32 outside = is_end ? RunGraph::kAfter : RunGraph::kBefore;
        const u32 step = is_end ? cells_.columns() - 1 : 0;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            double left = mean(times) - times[rank];
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
            std::ranges::stable_sort(calls, std::greater(), by);
            if (left > 0) deltas.emplace_back(calls.front(), left);
            for (std::size_t i = 0; i < calls.size() && left < 0; ++i) {
                const double part = std::min(-left, static_cast<double>(by(calls[i])));
                deltas.emplace_back(calls[i], -part);
                left += part;
            }
        }
        return deltas;
    }

    // Growth.

    void find_growth() {
        if (graph_.steps < kStepsForTrend) return;
        std::vector<double> work;
        for (u32 column = 0; column < cells_.columns(); ++column) {
            work.push_back(mean(cells_.column(column)));
        }
        if (grows(work)) {
            const Trend of_work = trend(work);
            const double first = of_work.first;
            Candidate& made =
                add(Kind::growing_work,
                    scale_computation(evidence_, factors_to(cells_, [&](u32 rank, u32 column) {
                                          const double cell = cells_.at(rank, column);
                                          return work[column] == 0
                                                     ? cell
                                                     : cell * std::min(1.0, first / work[column]);
                                      })));
            made.cause.path = place_of_growth();
            add_steps(made);
        }
        std::vector<double> bytes(cells_.columns());
        std::vector<double> own(cells_.columns());
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            if (evidence_.columns[call] >= cells_.columns()) continue;
            bytes[evidence_.columns[call]] += static_cast<double>(graph_.calls[call].bytes);
            if (moves_data(graph_.calls[call])) {
                own[evidence_.columns[call]] += static_cast<double>(evidence_.recorded.own[call]);
            }
        }
        if (!grows(bytes)) return;
        const double first = trend(own).first;
        std::vector<double> factor;
        for (const double of_step : own) {
            factor.push_back(of_step == 0 ? 1 : std::min(1.0, first / of_step));
        }
        Candidate& made = add(
            Kind::growing_messages,
            [columns = evidence_.columns, factor](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (columns[call] >= factor.size() || !moves_data(graph.calls[call])) continue;
                    durations.own[call] = scaled(durations.own[call], factor[columns[call]]);
                }
            });
        add_sizes(made, call_with_most_bytes());
    }

    [[nodiscard]] static bool grows(const std::vector<double>& values) {
        const Trend line = trend(values);
        return kendall_tau(values) >= kGrowthTau &&
               line.last - line.first >= kGrowth * median(values);
    }

    [[nodiscard]] static bool moves_data(const Call& call) {
        return is_message_call(call) || is_collective(call.family);
    }

    // Order of calls.

    void find_order() {
        find_barriers();
        find_polls();
        find_late_receivers();
        find_fixed_order();
        find_small_tasks();
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
            Candidate& made = add(Kind::chain, without_messages);
            made.cause.is_limit = true;
            made.most = most;
        } else {
            find_late_senders();
        }
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

    /// Whether the critical path computes on most ranks in turn within a step.
    [[nodiscard]] bool visits_all_ranks() const {
        if (graph_.ranks < 3 || graph_.steps == 0) return false;
        std::map<u32, std::map<u32, double>> by_step;
        for (const PathPart& part : evidence_.path) {
            const u32 step = graph_.calls[part.call].step;
            if (step >= RunGraph::kBefore || part.computation == 0) continue;
            by_step[step][graph_.rank_of[part.call]] += static_cast<double>(part.computation);
        }
        std::vector<double> visited;
        for (const auto& [step, ranks] : by_step) {
            double all = 0;
            for (const auto& [rank, time] : ranks) all += time;
            double here = 0;
            for (const auto& [rank, time] : ranks) here += time > all / 4 / graph_.ranks ? 1 : 0;
            visited.push_back(here);
        }
        return median(visited) >= std::max(2.0, kChained * graph_.ranks);
    }

    /// Messages that leave after work of their sender, to ranks that have not worked yet.
    void find_late_senders() {
        std::vector<u64> earlier(graph_.calls.size());
        std::set<u32> ranks;
        u32 example = kNone;
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            for (const RunGraph::Need& need : graph_.needs_of(call)) {
                if (need.kind != RunDurations::messages || need.count != 0) continue;
                const u32 send = need.source;
                if (graph_.calls[send].begin <= graph_.calls[call].begin) continue;
                const double sent = computation_before(send);
                if (computation_before(call) >= kIdle * sent ||
                    computation_after(call) <= sent / 2) {
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

    /// Computation of the rank after a call, up to the next call that waits.
    [[nodiscard]] double computation_after(u32 call) const {
        double sum = 0;
        const u32 end = graph_.first[graph_.rank_of[call] + 1];
        for (u32 next = call + 1; next < end; ++next) {
            sum += static_cast<double>(evidence_.recorded.computation[next]);
            if (!graph_.needs_of(next).empty()) break;
        }
        return sum;
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
    /// Whether a call completes one receive that was posted before.
    [[nodiscard]] bool waits_for_one(u32 call) const {
        const std::span<const RunGraph::Need> needs = graph_.needs_of(call);
        return graph_.calls[call].family == CallFamily::completion && needs.size() == 1 &&
               needs.front().count == 0 && needs.front().kind == RunDurations::messages;
    }

    // Messages.

    /// Calls in a row on a rank without computation between them.
    struct Batch {
        u32 first = 0;
        u32 end = 0;
        u64 messages = 0;  ///< to the partner with most
        u64 bytes = 0;     ///< of the largest
        u64 collectives = 0;
        MpiFunction function = MpiFunction::other;
    };

    [[nodiscard]] std::vector<Batch> batches() const {
        std::vector<Batch> all;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            std::vector<double> own;
            for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1]; ++call) {
                own.push_back(
                    static_cast<double>(graph_.calls[call].end - graph_.calls[call].begin));
            }
            const double little = std::max(median(own), 2e-6 / evidence_.seconds(1));
            for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1];) {
                Batch batch{call, call};
                std::map<u32, u64> by_peer;
                std::map<MpiFunction, u64> by_function;
                while (batch.end < graph_.first[rank + 1]) {
                    const Call& it = graph_.calls[batch.end];
                    const bool goes_on =
                        batch.end == call ||
                        static_cast<double>(evidence_.recorded.computation[batch.end]) <= little;
                    if (!goes_on || !moves_data(it)) break;
                    if (it.messages != 0) {
                        by_peer[it.peer] += it.messages;
                        batch.bytes = std::max(batch.bytes, it.bytes / it.messages);
                    }
                    if (is_collective(it.family)) {
                        ++by_function[it.function];
                        batch.bytes = std::max(batch.bytes, it.bytes);
                    }
                    ++batch.end;
                }
                for (const auto& [peer, count] : by_peer) {
                    batch.messages = std::max(batch.messages, count);
                }
                for (const auto& [function, count] : by_function) {
                    if (count <= batch.collectives) continue;
                    batch.collectives = count;
                    batch.function = function;
                }
                if (batch.end > batch.first + 1) all.push_back(batch);
                call = std::max(batch.end, call + 1);
            }
        }
        return all;
    }

    void find_messages() {
        find_batches();
        std::vector<bool> large(graph_.calls.size());
        u64 bytes = 0;
        u32 example = kNone;
        for (const RunGraph::Message& message : graph_.messages) {
            if (message.bytes < kLargeMessage) continue;
            large[message.sender] = true;
            large[message.receiver] = true;
            bytes += message.bytes;
            if (example == kNone) example = message.sender;
        }
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            const Call& it = graph_.calls[call];
            if (it.messages != 0 || it.bytes < kLargeMessage || !moves_data(it)) continue;
            large[call] = true;
            bytes += it.bytes;
            if (example == kNone) example = call;
        }
        if (example == kNone) return;
        std::vector<bool> large_list(graph_.lists.size());
        for (std::size_t list = 0; list < graph_.lists.size(); ++list) {
            large_list[list] =
                std::ranges::any_of(graph_.lists[list], [&](u32 call) { return large[call]; });
        }
        // The completion of a transfer takes its time, and a collective that of all members.
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            for (const RunGraph::Need& need : graph_.needs_of(call)) {
                const bool is_large_need =
                    need.count == 0 ? large[need.source] : large_list[need.source];
                if (is_large_need) large[call] = true;
            }
        }
        Candidate& made =
            add(Kind::bandwidth, [large](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (large[call]) durations.own[call] = 0;
                }
            });
        made.cause.is_limit = true;
        made.cause.path = path_of_call(example);
        add_sizes(made, example);
    }

    void find_batches() {
        std::vector<float> of_messages(graph_.calls.size(), 1);
        std::vector<float> of_collectives(graph_.calls.size(), 1);
        u64 largest_batch = 0;
        u64 largest_row = 0;
        u32 message = kNone;
        u32 collective = kNone;
        u64 bytes = 0;
        MpiFunction function{};
        const std::vector<Batch> all = batches();
        // A program that does not compute at all is one batch.
        std::map<u32, u64> count;
        for (const Batch& batch : all) {
            if (std::max(batch.messages, batch.collectives) >= kBatch) {
                ++count[graph_.rank_of[batch.first]];
            }
        }
        for (const Batch& batch : all) {
            if (count[graph_.rank_of[batch.first]] < kFewBatches) continue;
            if (batch.messages >= kBatch && batch.bytes <= kSmallMessage) {
                std::fill(of_messages.begin() + batch.first, of_messages.begin() + batch.end,
                          1.0F / static_cast<float>(batch.messages));
                if (batch.messages > largest_batch) message = batch.first;
                largest_batch = std::max(largest_batch, batch.messages);
                bytes = std::max(bytes, batch.bytes);
            } else if (batch.collectives >= kBatch && batch.bytes <= kSmallMessage) {
                std::fill(of_collectives.begin() + batch.first, of_collectives.begin() + batch.end,
                          1.0F / static_cast<float>(batch.collectives));
                if (batch.collectives > largest_row) collective = batch.first;
                if (batch.collectives > largest_row) function = batch.function;
                largest_row = std::max(largest_row, batch.collectives);
            }
        }
        const auto shrink = [](std::vector<float> factors) {
            return [factors = std::move(factors)](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (factors[call] == 1) continue;
                    durations.own[call] = scaled(durations.own[call], factors[call]);
                    if (call != 0 && factors[call - 1] == factors[call]) {
                        durations.computation[call] =
                            scaled(durations.computation[call], factors[call]);
                    }
                }
            };
        };
        if (message != kNone) {
            Candidate& made = add(are_answers(message) ? Kind::latency : Kind::small_messages,
                                  shrink(std::move(of_messages)));
            made.cause.path = path_of_call(message);
            add_sizes(made, first_send(message));
        }
        if (collective != kNone) {
            Candidate& made = add(Kind::many_collectives, shrink(std::move(of_collectives)));
            made.cause.path = path_of_call(first_of(function));
            add_calls(made, first_of(function));
        }
    }

    /// Whether the messages of a batch each wait for the answer to the one before: those of most
    /// partners alternate between both directions.
    [[nodiscard]] bool are_answers(u32 first) const {
        const u32 end = graph_.first[graph_.rank_of[first] + 1];
        std::map<u32, std::pair<u64, u64>> by_peer;
        u64 not_blocking = 0;
        u64 all = 0;
        for (u32 call = first; call < end && all < 4 * kBatch; ++call) {
            const Call& it = graph_.calls[call];
            if (!is_message_call(it)) break;
            ++all;
            if (it.family != CallFamily::send && it.family != CallFamily::receive) ++not_blocking;
            if (it.messages != 0) ++by_peer[it.peer].first;
            std::set<u32> partners;
            receives(call, &partners);
            for (const u32 partner : partners) ++by_peer[partner].second;
        }
        const auto alternates = [](const auto& peer) {
            const auto [sent, received] = peer.second;
            return std::max(sent, received) <= std::min(sent, received) + 1 + sent / 4;
        };
        return not_blocking * 4 <= all && std::ranges::all_of(by_peer, alternates);
    }
    // Other calls.

    void find_calls_in_loop() {
        const auto makes = [](const Call& call) {
            return call.family == CallFamily::comm_create || call.family == CallFamily::comm_free;
        };
        u64 made_on_first = 0;
        u32 example = kNone;
        for (u32 call = graph_.first[0]; call < graph_.first[1]; ++call) {
            const Call& it = graph_.calls[call];
            if (it.family != CallFamily::comm_create || it.step >= RunGraph::kBefore) continue;
            ++made_on_first;
            example = call;
        }
        if (example == kNone || made_on_first * kStepsPerCreation <= graph_.steps) return;
        Candidate& made =
            add(Kind::communicators, [makes](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (!makes(graph.calls[call]) || graph.calls[call].step >= RunGraph::kBefore)
                        continue;
                    durations.own[call] = 0;
                    durations.ignored[call] = RunDurations::all;
                }
            });
        made.cause.path = path_of_call(example);
        add_calls(made, example);
    }

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

    // Candidates.

    [[nodiscard]] bool is_large(double ticks) const { return evidence_.share(ticks) >= kCandidate; }

    Candidate& add(Kind kind, Change change) {
        Candidate& made = found_.emplace_back();
        made.cause.kind = kind;
        made.remove = std::move(change);
        return made;
    }
    static void figure(Candidate& made, std::string name, double value, std::string command) {
        made.cause.figures.push_back({std::move(name), value, std::move(command)});
    }
    /// Computation of the slow rank that computes least, and of the other rank that computes most
    /// (of one slow rank with graded work: least).
    void add_computation(Candidate& made) const {
        const std::vector<u32>& slow = made.cause.ranks;
        const bool is_graded = made.cause.kind == Kind::imbalance;
        double least = 0;
        const RankEfficiency* other = nullptr;
        for (const RankEfficiency& rank : evidence_.efficiency.ranks) {
            const auto time = static_cast<double>(rank.computation);
            if (std::ranges::find(slow, rank.rank) != slow.end()) {
                least = least == 0 ? time : std::min(least, time);
            } else if (other == nullptr || (rank.computation > other->computation) != is_graded) {
                other = &rank;
            }
        }
        if (other == nullptr) return;
        figure(made, "computation", evidence_.seconds(least), kOfRanks);
        figure(made, "other_rank", other->rank, kOfRanks);
        figure(made, "other_computation",
               evidence_.seconds(static_cast<double>(other->computation)), kOfRanks);
    }
    /// Computation of the first step and the last one.
    void add_steps(Candidate& made) const {
        const u32 last = cells_.columns() - 1;
        for (const auto& [name, column] : {std::pair{"first", 0U}, std::pair{"last", last}}) {
            const std::vector<double> cells = cells_.column(column);
            figure(made, std::string(name) + "_step_mean", evidence_.seconds(mean(cells)), kByStep);
            figure(made, std::string(name) + "_step_longest", evidence_.seconds(most(cells)),
                   kByStep);
        }
    }
    /// The number of calls of a call's function.
    void add_calls(Candidate& made, u32 example) const {
        if (example == kNone) return;
        const MpiFunction function = graph_.calls[example].function;
        const auto count = std::ranges::count(graph_.calls, function, &Call::function);
        made.cause.function = name_of(function);
        figure(made, "calls", static_cast<double>(count), "stats");
    }
    /// Count and sizes of the messages of a call's function.
    void add_sizes(Candidate& made, u32 example) const {
        if (example == kNone) return;
        const MpiFunction function = graph_.calls[example].function;
        u64 count = 0;
        u64 bytes = 0;
        u64 smallest = ~u64{0};
        u64 largest = 0;
        for (const Call& call : graph_.calls) {
            const bool counts = is_collective(call.family) || call.messages == 1;
            if (call.function != function || !counts) continue;
            ++count;
            bytes += call.bytes;
            smallest = std::min(smallest, call.bytes);
            largest = std::max(largest, call.bytes);
        }
        if (count == 0) return;
        made.cause.function = name_of(function);
        figure(made, "count", static_cast<double>(count), "sizes");
        figure(made, "bytes", static_cast<double>(bytes), "sizes");
        figure(made, "smallest", static_cast<double>(smallest), "sizes");
        figure(made, "largest", static_cast<double>(largest), "sizes");
    }
    /// The longest wait of a kind on a rank, by call path.
    void add_wait(Candidate& made, WaitKind kind) const {
        const Efficiency::Wait* longest = nullptr;
        for (const Efficiency::Wait& wait : evidence_.efficiency.waits) {
            if (wait.kind == kind && (longest == nullptr || wait.ticks > longest->ticks))
                longest = &wait;
        }
        if (longest == nullptr) return;
        figure(made, "wait_rank", longest->rank, kOfRanks);
        figure(made, "wait", evidence_.seconds(static_cast<double>(longest->ticks)), kOfRanks);
    }
    [[nodiscard]] u32 call_with_most_bytes() const {
        const auto found = std::ranges::max_element(graph_.calls, {}, &Call::bytes);
        return found == graph_.calls.end() ? kNone : static_cast<u32>(found - graph_.calls.begin());
    }
    /// The first call from one on that sends.
    [[nodiscard]] u32 first_send(u32 call) const {
        while (call < graph_.calls.size() && graph_.calls[call].messages == 0) ++call;
        return call < graph_.calls.size() ? call : kNone;
    }

    [[nodiscard]] std::string path_of_node(u32 node) const {
        return node == kNone ? std::string()
                             : path_of(evidence_.file.definitions(), graph_.tree, node);
    }
    [[nodiscard]] std::string path_of_call(u32 call) const {
        return call == kNone ? std::string() : path_of_node(graph_.calls[call].node);
    }
    [[nodiscard]] u32 first_of(MpiFunction function) const {
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            if (graph_.calls[call].function == function) return call;
        }
        return kNone;
    }

    /// The call path of most computation of ranks in columns beyond the mean of the others.
    [[nodiscard]] std::string place_of_excess(const std::vector<u32>& ranks, u32 first,
                                              u32 end) const {
        std::map<u32, double> by_node;
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            if (evidence_.columns[call] < first || evidence_.columns[call] >= end) continue;
            const bool is_slow =
                ranks.empty() || std::ranges::find(ranks, graph_.rank_of[call]) != ranks.end();
            const double slow = ranks.empty() ? 1 : static_cast<double>(ranks.size());
            const double weight =
                is_slow ? 1 / slow : -1 / std::max(1.0, static_cast<double>(graph_.ranks) - slow);
            for (const RunGraph::Part& part : graph_.parts_of(call)) {
                by_node[part.node] += weight * static_cast<double>(part.ticks);
            }
        }
        u32 node = kNone;
        double best = 0;
        for (const auto& [place, time] : by_node) {
            if (time <= best) continue;
            best = time;
            node = place;
        }
        return path_of_node(node);
    }
    [[nodiscard]] std::string place_of_growth() const {
        return place_of_excess({}, 0, cells_.columns());
    }

    const RunEvidence& evidence_;
    const RunGraph& graph_;
    const StepMatrix& cells_;
    std::set<u64> rare_steps_;
    std::vector<Candidate> found_;
};

StepMatrix computation_of(const RunGraph& graph, const RunDurations& recorded,
                          const std::vector<u32>& columns) {
    u32 count = 0;
    for (const u32 column : columns) {
        if (column < RunGraph::kBefore) count = std::max(count, column + 1);
    }
    StepMatrix cells(graph.ranks, count);
    for (u32 call = 0; call < graph.calls.size(); ++call) {
        if (columns[call] >= count) continue;
        cells.at(graph.rank_of[call], columns[call]) +=
            static_cast<double>(recorded.computation[call]);
    }
    return cells;
}

std::vector<double> outside(const RunGraph& graph, const RunDurations& recorded,
                            const std::vector<u32>& columns, u32 which) {
    std::vector<double> times(graph.ranks);
    for (u32 call = 0; call < graph.calls.size(); ++call) {
        if (columns[call] != which) continue;
        times[graph.rank_of[call]] += static_cast<double>(recorded.computation[call]);
    }
    return times;
}

}  // namespace

RunEvidence::RunEvidence(TraceFile& of_file, const Efficiency& of_run, RunGraph of_calls)
    : file(of_file),
      efficiency(of_run),
      graph(std::move(of_calls)),
      recorded(graph.recorded()),
      base(walk(graph, recorded)),
      path(critical_path(graph, recorded, base)),
      columns(StepMatrix::columns_of(graph)),
      computation(computation_of(graph, recorded, columns)),
      before(outside(graph, recorded, columns, RunGraph::kBefore)),
      after(outside(graph, recorded, columns, RunGraph::kAfter)) {}

std::vector<Candidate> candidates(const RunEvidence& evidence) { return Rules(evidence).find(); }

}  // namespace tracefold
