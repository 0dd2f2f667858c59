// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/predict/predict.hpp"
#include "model/participant_names.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kMostRows = 10;
constexpr double kVisibleShare = 0.001;

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }

/// "12.5 GB/s" from a time per byte.
std::string bandwidth(double per_byte) {
    if (per_byte <= 0) return "unlimited";
    return format_bandwidth(1 / per_byte);
}

/// Time of one kind in one call path on the critical path, over all ranks.
struct PathRow {
    u32 node = kNone;
    CostKind kind{};
    i64 time = 0;
    std::map<u32, i64> by_rank;
};

std::vector<PathRow> rows_of(const std::vector<PathCost>& path) {
    std::map<std::pair<u32, CostKind>, PathRow> rows;
    for (const PathCost& cost : path) {
        PathRow& row = rows[{cost.node, cost.kind}];
        row.node = cost.node;
        row.kind = cost.kind;
        row.time += cost.time;
        row.by_rank[cost.rank] += cost.time;
    }
    std::vector<PathRow> sorted;
    for (auto& [key, row] : rows) sorted.push_back(std::move(row));
    std::ranges::stable_sort(sorted, std::greater<>(), &PathRow::time);
    return sorted;
}

/// Delays of one kind in one call path, over all ranks. Times in picoseconds.
struct DelayRow {
    u32 node = kNone;
    CostKind kind{};
    double caused = 0;
    double direct = 0;
    u32 ranks = 0;
    u32 most_on = 0;
    double most = 0;
};

std::vector<DelayRow> rows_of(const std::vector<DelayCost>& costs) {
    std::map<std::pair<u32, CostKind>, DelayRow> rows;
    for (const DelayCost& cost : costs) {
        DelayRow& row = rows[{cost.node, cost.kind}];
        const double caused = cost.direct + cost.propagated;
        row.node = cost.node;
        row.kind = cost.kind;
        row.caused += caused;
        row.direct += cost.direct;
        ++row.ranks;
        if (caused > row.most) row.most_on = cost.rank;
        row.most = std::max(row.most, caused);
    }
    std::vector<DelayRow> sorted;
    for (auto& [key, row] : rows) sorted.push_back(row);
    std::ranges::stable_sort(sorted, std::greater<>(), &DelayRow::caused);
    return sorted;
}

class PredictionPrinter {
  public:
    PredictionPrinter(const PredictView& view, Console& console)
        : view_(view), data_(view.data), console_(console), out_(console.text()) {}

    void run() {
        out_ << console_.paint(Style::bold, view_.file) << "  "
             << view_.placement.node_of_rank.size() << " ranks, " << format_count(data_.messages)
             << " messages, " << format_time(data_.recorded_run_time)
             << " recorded from MPI_Init to MPI_Finalize\n";
        if (data_.max_to_mean)
            out_ << fmt::format(
                "  mean times: run times are mostly too low (the longest computation "
                "is {:.1f} times its mean)\n",
                *data_.max_to_mean);
        print_placement();
        print_networks();
        for (const NetworkPrediction& network : data_.networks) print_network(network);
        print_unmodelled();
    }

  private:
    void print_placement() {
        const u32 nodes = view_.placement.nodes();
        if (nodes <= 1) return;
        out_ << (view_.placement.is_recorded ? "  on " : "  assumed to be on ") << nodes << " nodes"
             << (view_.placement.is_recorded ? ", as recorded" : " (--ranks-per-node)");
        if (!view_.order.empty()) out_ << ", placement " << printable(view_.order);
        out_ << '\n';
    }

    void print_networks() {
        Table table({{"network"},
                     {"L", kRight, 1},
                     {"o", kRight, 2},
                     {"g", kRight, 2},
                     {"bandwidth", kRight, 1},
                     {"run time", kRight},
                     {"change", kRight},
                     {"ideal", kRight}});
        for (const NetworkPrediction& it : data_.networks) {
            const LinkParameters& link = it.network.levels[it.counted].link;
            const Network::Unknown& unknown = it.network.unknown;
            const auto time = [](i64 picoseconds, bool is_unknown = false) {
                const double seconds = static_cast<double>(picoseconds) / kPicosecondsPerSecond;
                return is_unknown ? "-" : format_time(seconds);
            };
            table.add_row(
                {it.network.name, time(link.latency, unknown.latency),
                 time(link.overhead, unknown.overhead), time(link.gap, unknown.gap),
                 unknown.per_byte ? "-" : bandwidth(link.per_byte / kPicosecondsPerSecond),
                 format_time(it.run_time), than_recorded(it.run_time),
                 it.ideal_run_time ? format_time(*it.ideal_run_time) : "-"});
        }
        table.print(console_, 2);
        for (const NetworkPrediction& it : data_.networks) {
            if (!it.bounds) continue;
            out_ << fmt::format("  {}: {} to {} with all durations at their shortest and longest\n",
                                it.network.name, format_time(it.bounds->least),
                                format_time(it.bounds->most));
        }
        const auto lacks_some = [](const NetworkPrediction& it) {
            return it.network.unknown != Network::Unknown();
        };
        if (std::ranges::any_of(data_.networks, lacks_some))
            out_ << "  L, o, g, bandwidth: -, as the trace does not tell it; taken as no time\n";
        const auto lacks_ideal = [](const NetworkPrediction& it) { return !it.ideal_run_time; };
        if (std::ranges::any_of(data_.networks, lacks_ideal)) {
            out_ << "  ideal: -, as the model would be slower than the recorded run even without "
                    "network: its order of events or its algorithms of collectives are not those "
                    "of the run\n";
        }
    }

    [[nodiscard]] std::string than_recorded(double seconds) const {
        if (data_.recorded_run_time <= 0) return "-";
        return signed_percent(seconds / data_.recorded_run_time - 1);
    }

    void print_network(const NetworkPrediction& it) {
        out_ << '\n' << console_.paint(Style::bold, it.network.name) << '\n';
        out_ << "  " << printable(it.network.source) << '\n';
        print_levels(it);
        print_faster(it);
        print_tolerances(it);
        print_path(it);
        if (view_.has_steps) print_steps(it);
        print_gains(it);
        if (view_.has_delays) print_delays(it);
    }

    /// Where ranks communicate on several levels.
    void print_levels(const NetworkPrediction& it) {
        const auto is_used = [](const WalkResult::Traffic& traffic) { return traffic.messages; };
        if (std::ranges::count_if(it.traffic, is_used) < 2) return;
        Table table({{"level"},
                     {"L", kRight},
                     {"bandwidth", kRight},
                     {"messages", kRight},
                     {"bytes", kRight},
                     {"share", kRight}});
        u64 all = 0;
        for (const WalkResult::Traffic& traffic : it.traffic) all += traffic.bytes;
        for (std::size_t level = 0; level < it.traffic.size(); ++level) {
            const auto& [name, link, cores, nodes] = it.network.levels[level];
            const auto [messages, bytes] = it.traffic[level];
            if (messages == 0) continue;
            table.add_row(
                {name, format_time(static_cast<double>(link.latency) / kPicosecondsPerSecond),
                 bandwidth(link.per_byte / kPicosecondsPerSecond), format_count(messages),
                 format_bytes(static_cast<double>(bytes)),
                 all == 0 ? "-"
                          : format_percent(static_cast<double>(bytes) / static_cast<double>(all))});
        }
        table.print(console_, 2);
        if (it.network.adapters_per_node != 0)
            out_ << "  the ranks of a node share " << it.network.adapters_per_node
                 << (it.network.adapters_per_node == 1 ? " adapter" : " adapters") << '\n';
        out_ << "  tolerances and derivatives: links of level "
             << printable(it.network.levels[it.counted].name) << '\n';
    }

    void print_faster(const NetworkPrediction& it) {
        if (!it.faster_run_time) return;
        out_ << "  with " << view_.faster << ": " << format_time(*it.faster_run_time) << " ("
             << signed_percent(*it.faster_run_time / it.run_time - 1) << ")\n";
    }

    /// What weakens the figures that follow.
    void print_recorded(const NetworkPrediction& it) {
        const double share = PredictView::recorded_share(it);
        if (share < kVisibleShare) return;
        std::string kinds;
        for (const auto& [kind, calls] : data_.unmodelled) {
            kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
        }
        out_ << fmt::format(
            "  {} of the critical path is taken as recorded, whatever the network: tolerances and "
            "changes hold for the rest only ({})\n",
            format_percent(share), kinds);
    }

    void print_tolerances(const NetworkPrediction& it) {
        print_recorded(it);
        out_ << "  tolerance: the run takes longer at\n";
        const Network::Unknown& unknown = it.network.unknown;
        std::vector<Table::Column> columns = {{"slowdown"}};
        if (!unknown.latency) columns.push_back({"latency", kRight});
        if (!unknown.per_byte) columns.push_back({"bandwidth", kRight});
        Table table(columns);
        for (const NetworkPrediction::Tolerance& tolerance : it.tolerances) {
            std::vector<std::string> row = {format_percent(tolerance.slowdown, 0)};
            if (!unknown.latency)
                row.push_back(tolerance.latency ? format_time(*tolerance.latency)
                                                : "> " + format_time(kLargestLatency));
            if (!unknown.per_byte)
                row.push_back(tolerance.per_byte ? bandwidth(*tolerance.per_byte)
                                                 : "< " + bandwidth(kLargestPerByte));
            table.add_row(row);
        }
        table.print(console_, 4);
        if (unknown.latency) return;
        if (it.reorderings.empty()) {
            out_ << "  in this order of events, one microsecond of additional latency costs "
                 << format_time(static_cast<double>(it.latencies) * 1e-6) << '\n';
            return;
        }
        out_ << "  the order of events changes with the latency: the figures above hold for the "
                "order at "
             << latency_text(it) << ", up to " << format_time(last_in_order(it)) << ", not at\n";
        Table orders({{"latency", kRight}, {"in this order", kRight}, {"reordered", kRight}});
        for (const NetworkPrediction::Reordering& at : it.reorderings) {
            orders.add_row(
                {format_time(at.latency), format_time(at.held), format_time(at.reordered)});
        }
        orders.print(console_, 4);
        const auto shortest =
            std::ranges::min_element(it.reorderings, {}, &NetworkPrediction::Reordering::reordered);
        if (shortest->reordered >= it.run_time) return;
        out_ << "  the run time falls to " << format_time(shortest->reordered) << " at "
             << format_time(shortest->latency) << ": at " << latency_text(it)
             << " ranks delay each other by the order in which they handle messages (a convoy), "
                "which a real run may avoid\n";
    }

    /// The greatest latency that was walked below the first one at which the order changes.
    static double last_in_order(const NetworkPrediction& it) {
        const LinkParameters& link = it.network.levels[it.counted].link;
        double last = static_cast<double>(link.latency) / kPicosecondsPerSecond;
        for (const NetworkPrediction::Tolerance& tolerance : it.tolerances) {
            const double latency = tolerance.latency.value_or(0);
            if (latency < it.reorderings.front().latency) last = std::max(last, latency);
        }
        return last;
    }

    static std::string latency_text(const NetworkPrediction& it) {
        return format_time(static_cast<double>(it.network.levels[it.counted].link.latency) /
                           kPicosecondsPerSecond);
    }

    void print_path(const NetworkPrediction& it) {
        const CostSums sums = sums_by_kind(it.path);
        out_ << "  critical path, ending on rank " << it.last_rank << ":";
        for (std::size_t kind = 0; kind < kCostKinds; ++kind) {
            if (sums[kind] == 0) continue;
            out_ << ' ' << format_percent(sums[kind] / it.run_time) << ' '
                 << cost_name(static_cast<CostKind>(kind));
        }
        out_ << '\n';
        Table table({{"time", kRight},
                     {"share", kRight},
                     {"kind"},
                     {"max on", kRight, 1},
                     {"ranks", kRight, 2},
                     {"call path"}});
        const std::vector<PathRow> rows = rows_of(it.path);
        for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) add(rows[i], it, table);
        print_first(table, rows.size());
    }

    /// Prints the first rows and the number of omitted ones; `rows`: their total.
    void print_first(const Table& table, std::size_t rows) {
        table.print(console_, 4);
        if (rows > kMostRows) out_ << "    and " << rows - kMostRows << " more (--csv)\n";
    }

    void add(const PathRow& row, const NetworkPrediction& it, Table& table) const {
        const auto most = std::ranges::max_element(
            row.by_rank, {}, [](const auto& of_rank) { return of_rank.second; });
        const double seconds = static_cast<double>(row.time) / kPicosecondsPerSecond;
        table.add_row({format_time(seconds), format_percent(seconds / it.run_time),
                       std::string(cost_name(row.kind)), "rank " + std::to_string(most->first),
                       std::to_string(row.by_rank.size()), view_.path(row.node)});
    }

    void print_steps(const NetworkPrediction& it) {
        if (data_.steps == 0) {
            out_ << "  the trace shows no steps\n";
            return;
        }
        std::vector<StepRow> rows = rows_by_step(it.path_by_step);
        std::ranges::stable_sort(rows, std::greater<>(), &StepRow::time);
        out_ << "  critical path by step, " << data_.steps << " steps\n";
        Table table({{"time", kRight},
                     {"share", kRight},
                     {"step", kRight},
                     {"computation", kRight},
                     {"messages", kRight},
                     {"max on", kRight},
                     {"ranks"}});
        for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) add(rows[i], it, table);
        print_first(table, rows.size());
    }

    static void add(const StepRow& row, const NetworkPrediction& it, Table& table) {
        const double seconds = static_cast<double>(row.time) / kPicosecondsPerSecond;
        const double computation = row.kinds[static_cast<std::size_t>(CostKind::computation)] +
                                   row.kinds[static_cast<std::size_t>(CostKind::recorded)];
        const auto most =
            std::ranges::max_element(row.ranks, {}, &std::pair<const u32, i64>::second);
        ParticipantList ranks;
        for (const auto& [rank, time] : row.ranks) ranks.add(rank);
        table.add_row({format_time(seconds), format_percent(seconds / it.run_time),
                       row.step == kNone ? "none" : std::to_string(row.step),
                       format_time(computation), format_time(seconds - computation),
                       "rank " + std::to_string(most->first), set_text(ranks)});
    }

    void print_gains(const NetworkPrediction& it) {
        if (it.gains.empty()) return;
        out_ << "  if the computation of one call path were twice as fast\n";
        Table table({{"gain", kRight}, {"share", kRight}, {"call path"}});
        for (const NetworkPrediction::Gain& gain : it.gains) {
            table.add_row({format_time(gain.gain), format_percent(gain.gain / it.run_time),
                           view_.path(gain.node)});
        }
        table.print(console_, 4);
    }

    void print_unmodelled() {
        print_calls("not modelled, taken as recorded:", data_.unmodelled);
        print_calls("in recorded order, which may differ on another network:", data_.held_order);
        if (data_.empty_matrices.calls == 0) return;
        print_calls("without messages, as the run disproves that all members exchange some:",
                    {{kMatrixKind, data_.empty_matrices}});
    }

    void print_delays(const NetworkPrediction& it) {
        out_ << "  waits of all ranks: " << format_time(it.waited) << '\n';
        Table table({{"caused", kRight},
                     {"share", kRight},
                     {"directly", kRight, 2},
                     {"kind"},
                     {"max on", kRight, 1},
                     {"ranks", kRight, 3},
                     {"call path"}});
        const std::vector<DelayRow> rows = rows_of(it.delays);
        for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
            const DelayRow& row = rows[i];
            table.add_row({format_time(row.caused / kPicosecondsPerSecond),
                           format_percent(row.caused / kPicosecondsPerSecond / it.waited),
                           format_percent(row.direct / row.caused),
                           std::string(cost_name(row.kind)), "rank " + std::to_string(row.most_on),
                           std::to_string(row.ranks), view_.path(row.node)});
        }
        print_first(table, rows.size());
    }

    void print_calls(std::string_view what, const UnmodelledByKind& all) {
        if (all.empty()) return;
        out_ << "\n  " << what << '\n';
        Table table({{"calls", kRight}, {"rank time", kRight}, {"share", kRight}, {"kind"}});
        for (const auto& [kind, calls] : all) {
            table.add_row({format_count(calls.calls), format_time(calls.seconds),
                           format_percent(view_.share_of_ranks(calls.seconds)), std::string(kind)});
        }
        table.print(console_, 4);
    }

    const PredictView& view_;
    const Prediction& data_;
    Console& console_;
    std::ostream& out_;
};

}  // namespace

void print_prediction(const PredictView& view, Console& console) {
    PredictionPrinter(view, console).run();
}

void print_placement(const PlacementView& view, Console& console) {
    console.text() << console.paint(Style::bold, view.file) << "  " << view.advice.order.size()
                   << " ranks on " << view.placement.nodes() << " nodes\n"
                   << "  bytes of point-to-point messages by level\n";
    Table table({{"level"}, {"before", kRight}, {"advised", kRight}, {"change", kRight}});
    for (std::size_t level = 0; level < view.advice.levels.size(); ++level) {
        const double before = static_cast<double>(view.advice.levels[level].before);
        const double after = static_cast<double>(view.advice.levels[level].after);
        table.add_row({view.network.levels[level].name, format_bytes(before), format_bytes(after),
                       before > 0 ? signed_percent(after / before - 1) : "-"});
    }
    table.print(console, 4);
    console.text() << "  written to " << printable(view.order_file) << ", for --placement\n";
}

}  // namespace tracefold
