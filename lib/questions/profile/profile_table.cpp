// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/profile_table.hpp"

#include "model/participant_names.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tracefold {

std::span<const u64> groups_of(const TraceProfile& profile, u32 node, ProfileMetric metric,
                               bool inclusive) {
    const NodeSummary& summary = profile.profile.nodes[node];
    return (inclusive ? summary.inclusive : summary.exclusive).groups(metric);
}

namespace {

/// Writes the cells that identify the call path of a row.
void put_path(const TraceProfile& profile, u32 node, TableSink& table) {
    const CallTree::Node& it = profile.profile.tree[node];
    table.whole(node);
    it.parent == kNone ? table.none() : table.whole(it.parent);
    table.whole(it.depth);
    table.text(profile.path(node));
}

void put_number(double number, TableSink& table) {
    std::isnan(number) ? table.none() : table.real(number);
}

/// Whole numbers of the trace are written as such.
void put_group(const TraceProfile& profile, u32 node, u32 number, bool inclusive, std::size_t group,
               TableSink& table) {
    const auto metric = static_cast<ProfileMetric>(number);
    const double value = group_value(profile, node, number, inclusive, group);
    if (std::isnan(value) || metric == ProfileMetric::time || profile.column(number) != nullptr) {
        return put_number(value, table);
    }
    const std::span<const u64> groups = groups_of(profile, node, metric, inclusive);
    table.whole(groups.empty() ? 0 : groups[group]);
}

void put_side(const MetricFigures& side, TableSink& table) {
    for (const double number : {side.sum, side.min, side.max, side.mean, side.deviation}) {
        put_number(number, table);
    }
}

}  // namespace

double in_units(const TraceProfile& profile, ProfileMetric metric, double value) {
    if (metric != ProfileMetric::time) return value;
    return profile.rate.seconds(value);
}

namespace {

const ProfileColumn::Side& side_of(const ProfileColumn& column, u32 node, bool inclusive) {
    static const ProfileColumn::Side nothing;
    const auto found = column.nodes.find(node);
    if (found == column.nodes.end()) return nothing;
    return found->second[inclusive ? 0 : 1];
}

}  // namespace

MetricFigures figures(const TraceProfile& profile, u32 node, u32 number, bool inclusive) {
    if (const ProfileColumn* const column = profile.column(number)) {
        return side_of(*column, node, inclusive).figures;
    }
    const auto metric = static_cast<ProfileMetric>(number);
    const Moments moments = profile.profile.moments(node, metric, inclusive);
    const auto units = [&](double value) { return in_units(profile, metric, value); };
    const auto one = [&](u64 value) {
        return value == kOverflow ? std::numeric_limits<double>::quiet_NaN()
                                  : units(static_cast<double>(value));
    };
    return {units(moments.real_sum()), one(moments.min()), one(moments.max()),
            units(moments.mean()), units(moments.deviation())};
}

double group_value(const TraceProfile& profile, u32 node, u32 number, bool inclusive,
                   std::size_t group) {
    if (const ProfileColumn* const column = profile.column(number)) {
        const std::vector<double>& groups = side_of(*column, node, inclusive).groups;
        return groups.empty() ? 0 : groups[group];
    }
    const auto metric = static_cast<ProfileMetric>(number);
    const std::span<const u64> groups = groups_of(profile, node, metric, inclusive);
    const u64 value = groups.empty() ? 0 : groups[group];
    return value == kOverflow ? std::numeric_limits<double>::quiet_NaN()
                              : in_units(profile, metric, static_cast<double>(value));
}

std::vector<u32> nodes_down_to(const TraceProfile& profile, u32 depth) {
    const CallTree& tree = profile.profile.tree;
    std::vector<u32> nodes;
    for (u32 node = 0; node < tree.size(); ++node) {
        if (tree[node].depth <= depth) nodes.push_back(node);
    }
    return nodes;
}

void put_profile(const TraceProfile& profile, std::span<const u32> nodes, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"id", Type::whole},
                 {"parent", Type::whole},
                 {"depth", Type::whole},
                 {"path"},
                 {"metric"},
                 {"inclusive_sum", Type::real},
                 {"inclusive_min", Type::real},
                 {"inclusive_max", Type::real},
                 {"inclusive_mean", Type::real},
                 {"inclusive_std", Type::real},
                 {"exclusive_sum", Type::real},
                 {"exclusive_min", Type::real},
                 {"exclusive_max", Type::real},
                 {"exclusive_mean", Type::real},
                 {"exclusive_std", Type::real}});
    for (const u32 node : nodes) {
        for (const u32 metric : profile.metrics(node)) {
            put_path(profile, node, table);
            table.text(profile.name_of(metric));
            put_side(figures(profile, node, metric, true), table);
            put_side(figures(profile, node, metric, false), table);
        }
    }
}

void put_profile_by(const TraceProfile& profile, std::span<const u32> nodes, std::string_view group,
                    TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"id", Type::whole},
                 {"parent", Type::whole},
                 {"depth", Type::whole},
                 {"path"},
                 {group},
                 {"metric"},
                 {"inclusive", Type::real},
                 {"exclusive", Type::real}});
    for (const u32 node : nodes) {
        for (std::size_t i = 0; i < profile.groups.size(); ++i) {
            for (const u32 metric : profile.metrics(node)) {
                put_path(profile, node, table);
                table.text(profile.groups[i]);
                table.text(profile.name_of(metric));
                put_group(profile, node, metric, true, i, table);
                put_group(profile, node, metric, false, i, table);
            }
        }
    }
}

namespace {

/// Writes rows of one figure each.
class FigureRows {
  public:
    FigureRows(const EfficiencyFigures& figures, TableSink& table)
        : figures_(figures), data_(figures.data), table_(table) {}

    void program() {
        row("program", "", "", "runtime", data_.seconds(data_.runtime));
        if (data_.has_ideal()) {
            ideal("program", "", "ideal_runtime", data_.ideal_runtime);
        }
        for (const EfficiencyFactor& factor : factors(data_)) {
            factor.each_figure([this](const std::string& name, double value) {
                row("efficiency", "", "", name, value);
            });
        }
        focus();
        if (data_.has_counters()) {
            each_counter_figure(data_, data_.counters->total,
                                [this](std::string_view name, double value) {
                                    row("counters", "", "", name, value);
                                });
            row("counters", "", "", "coverage", data_.counters->total.coverage());
        }
        if (data_.without_polling) {
            row("efficiency", "", "", "parallel_without_polling", *data_.without_polling);
        }
        left_out("no_events", data_.gaps.without_events);
        left_out("no_mpi", data_.gaps.without_mpi);
        if (data_.gaps.silent_threads != 0) {
            row("left_out", "", "", "threads", static_cast<double>(data_.gaps.silent_threads));
        }
    }

    void ranks() {
        for (std::size_t i = 0; i < data_.ranks.size(); ++i) {
            const RankEfficiency& times = data_.ranks[i];
            const std::string& name = data_.names[i];
            const std::string_view what = data_.has_mpi ? "rank" : "process";
            row(what, "", name, "computation", data_.seconds(times.computation));
            row(what, "", name, "overhead", data_.seconds(times.overhead));
            row(what, "", name, communication_key(data_), data_.seconds(times.mpi));
            if (!data_.has_mpi) continue;
            row(what, "", name, "io", data_.seconds(times.io));
            row(what, "", name, "polling", data_.seconds(times.polling));
            row(what, "", name, "init", data_.seconds(times.init));
            row(what, "", name, "finalize", data_.seconds(times.finalize));
            if (data_.knows_waits) {
                row(what, "", name, "other_mpi", data_.seconds(times.other_mpi()));
            }
            if (data_.has_ideal()) ideal(what, name, "ideal", times.ideal);
            if (!data_.has_counters()) continue;
            each_counter_figure(
                data_, data_.counters->ranks[i],
                [&](std::string_view figure, double value) { row(what, "", name, figure, value); });
        }
        for (const Efficiency::Wait& wait : data_.waits) {
            row("wait", wait.path, waiter(figures_, wait), wait_name(wait.kind),
                data_.seconds(wait.ticks));
        }
    }

    void threads() {
        for (const ThreadTimes& thread : data_.threads.threads) {
            const std::string& label = figures_.label(thread.location);
            row("thread", "", label, "computation", data_.seconds(thread.of(ThreadUse::work)));
            row("thread", "", label, communication_key(data_), data_.seconds(thread.mpi));
            for (std::size_t use = 1; use < kThreadUses; ++use) {
                row("thread", "", label, thread_use_name(static_cast<ThreadUse>(use)),
                    data_.seconds(thread.uses[use]));
            }
        }
    }

    void accelerators(std::string_view what,
                      const std::vector<AcceleratorActivity::Location>& locations) {
        using Use = AcceleratorUse;
        for (const AcceleratorActivity::Location& it : locations) {
            for (const Use use : {Use::kernel, Use::copy, Use::wait, Use::call}) {
                if (it.ticks_of(use) == 0) continue;
                row(what, "", figures_.label(it.location), accelerator_use_name(use),
                    data_.seconds(it.ticks_of(use)));
            }
        }
    }

    void devices() {
        for (const DeviceTimes& device : data_.devices) {
            const std::string rank = device.process == kNone ? "" : std::to_string(device.process);
            row("device", device.name, rank, "kernel", data_.seconds(device.kernels));
            row("device", device.name, rank, "copy", data_.seconds(device.copies));
            row("device", device.name, rank, "seconds", data_.seconds(device.span));
        }
    }

    /// The path of a step is its number.
    void imbalance(const StepImbalance& found) {
        const auto seconds = [this](double ticks) { return data_.rate.seconds(ticks); };
        row("imbalance", "", "", "mean", found.mean());
        for (std::size_t step = 0; step < found.steps.size(); ++step) {
            const StepImbalance::Step& it = found.steps[step];
            const std::string path = "step " + std::to_string(step);
            const std::string rank = std::to_string(it.rank);
            row("imbalance", path, rank, "max", data_.seconds(it.most));
            row("imbalance", path, "", "mean", seconds(it.mean));
            row("imbalance", path, "", "imbalance", it.imbalance());
        }
        for (const StepImbalance::Rank& it : found.ranks) {
            const std::string rank = std::to_string(it.rank);
            row("imbalance", "", rank, "mean", seconds(it.mean));
            row("imbalance", "", rank, "over_mean", it.over_mean);
            row("imbalance", "", rank, "slowest", static_cast<double>(it.slowest));
        }
    }

    void thread_waits() {
        for (const ThreadEfficiency::Wait& wait : data_.threads.waits) {
            row("thread_wait", wait.path, figures_.label(wait.location), thread_use_name(wait.use),
                data_.seconds(wait.ticks));
        }
    }

  private:
    void focus() {
        if (!data_.focus) return;
        row("focus", "", "", "first_step", static_cast<double>(data_.focus_steps.first));
        row("focus", "", "", "last_step", static_cast<double>(data_.focus_steps.last));
        row("focus", "", "", "runtime", data_.seconds(data_.focus->runtime));
        for (const EfficiencyFactor& factor : factors(*data_.focus)) {
            factor.each_figure([this](const std::string& name, double value) {
                row("focus", "", "", name, value);
            });
        }
    }
    void left_out(std::string_view why, const ParticipantList& processes) {
        for (const u32 process : processes.members()) {
            row("left_out", "", std::to_string(process), why, 1);
        }
    }
    void ideal(std::string_view what, std::string_view rank, const std::string& figure,
               const IdealTime& time) {
        each_figure(
            figure, data_.seconds(time.least), ideal_most(data_, time),
            [&](const std::string& name, double value) { row(what, "", rank, name, value); });
    }
    void row(std::string_view what, std::string_view path, std::string_view rank,
             std::string_view figure, double value) {
        for (const std::string_view cell : {what, path, rank, figure}) table_.text(cell);
        table_.real(value);
    }

    const EfficiencyFigures& figures_;
    const Efficiency& data_;
    TableSink& table_;
};

}  // namespace

std::vector<std::string> location_labels(const TraceFile& file) {
    const ParticipantNames names(file.definitions());
    std::vector<std::string> labels;
    for (u32 location = 0; location < file.location_count(); ++location) {
        labels.push_back(names.label(location));
    }
    return labels;
}

std::optional<double> ideal_most(const Efficiency& efficiency, const IdealTime& time) {
    if (time.most == time.least) return std::nullopt;
    return efficiency.seconds(time.most);
}

std::vector<EfficiencyFactor> factors(const Efficiency& efficiency) {
    const bool devices = !efficiency.devices.empty() || efficiency.device_offload;
    const int host = devices ? 1 : 0;
    const int below = host + (efficiency.has_threads && efficiency.has_processes ? 1 : 0);
    std::vector<EfficiencyFactor> factors;
    const auto add = [&factors](std::initializer_list<EfficiencyFactor> more) {
        factors.insert(factors.end(), more);
    };
    if (devices) add({{"host", 0, efficiency.host}});
    if (below > host) add({{"hybrid", host, efficiency.hybrid}});
    if (efficiency.has_processes) {
        add({{"parallel", below, efficiency.parallel},
             {"load_balance", below + 1, efficiency.load_balance},
             {"communication", below + 1, efficiency.communication},
             {"serialisation", below + 2, efficiency.serialisation, efficiency.serialisation_most},
             {"transfer", below + 2, efficiency.transfer, efficiency.transfer_most}});
    }
    if (efficiency.has_threads) {
        add({{"thread_parallel", below, efficiency.thread_parallel},
             {"thread_load_balance", below + 1, efficiency.thread_load_balance},
             {"thread_communication", below + 1, efficiency.thread_communication}});
    }
    if (devices) add({{"device_offload", 1, efficiency.device_offload}});
    if (efficiency.devices.empty()) return factors;
    add({{"device_parallel", 0, efficiency.device_parallel},
         {"device_load_balance", 1, efficiency.device_load_balance},
         {"device_communication", 1, efficiency.device_communication},
         {"device_orchestration", 1, efficiency.device_orchestration}});
    return factors;
}

std::string_view communication_key(const Efficiency& efficiency) {
    return efficiency.has_mpi ? "mpi" : "communication";
}

std::string waiter(const EfficiencyFigures& figures, const Efficiency::Wait& wait) {
    const bool by_thread = figures.data.threads_call_mpi;
    return by_thread ? figures.label(wait.location) : std::to_string(wait.rank);
}

std::vector<u32> uncounted_ranks(const Efficiency& efficiency) {
    std::vector<u32> ranks;
    for (std::size_t i = 0; i < efficiency.ranks.size(); ++i) {
        const ComputationCounters& counters = efficiency.counters->ranks[i];
        const bool lacks = std::ranges::any_of(kAllCounters, [&](HardwareCounter counter) {
            return efficiency.counters->total.of(counter).is_known() &&
                   counters.of(counter).uncounted != 0;
        });
        if (lacks) ranks.push_back(efficiency.ranks[i].rank);
    }
    return ranks;
}

void put_efficiency(const EfficiencyFigures& figures, TableSink& table) {
    table.begin({{"what"}, {"path"}, {"rank"}, {"figure"}, {"value", TableColumn::Type::real}});
    FigureRows rows(figures, table);
    rows.program();
    rows.ranks();
    if (figures.imbalance) rows.imbalance(*figures.imbalance);
    rows.threads();
    rows.accelerators("accelerator_thread", figures.accelerators.threads);
    rows.accelerators("stream", figures.accelerators.streams);
    rows.devices();
    rows.thread_waits();
}

}  // namespace tracefold
