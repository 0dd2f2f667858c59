// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/profile/efficiency.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

constexpr std::size_t kMostPaths = 10;

/// What all ranks waited for in one way in one call path.
struct PathWait {
    std::string path;
    WaitKind kind{};
    u64 count = 0;
    u64 ticks = 0;
    u64 worst_ticks = 0;
    u32 worst = 0;  ///< the rank that waited most
};

/// The most time first.
std::vector<PathWait> by_path(const Efficiency& data) {
    std::map<std::pair<std::string, WaitKind>, PathWait> all;
    for (const Efficiency::Wait& wait : data.waits) {
        PathWait& sum = all[{wait.path, wait.kind}];
        sum.path = wait.path;
        sum.kind = wait.kind;
        sum.count += wait.count;
        sum.ticks += wait.ticks;
        if (wait.ticks <= sum.worst_ticks) continue;
        sum.worst_ticks = wait.ticks;
        sum.worst = wait.rank;
    }
    std::vector<PathWait> sorted;
    for (const auto& [key, wait] : all) sorted.push_back(wait);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const PathWait& a, const PathWait& b) { return a.ticks > b.ticks; });
    return sorted;
}

class EfficiencyPrinter {
  public:
    EfficiencyPrinter(const EfficiencyView& view, Console& console)
        : view_(view), data_(view.data), console_(console) {}

    void run() {
        console_.out() << console_.paint(Style::bold, view_.file) << "  " << data_.ranks.size()
                       << " ranks, " << time(data_.runtime) << " from MPI_Init to MPI_Finalize\n";
        print_factors();
        print_ranks();
        print_waits();
        if (data_.early_messages == 0) return;
        console_.out() << "  messages received before they were sent: " << data_.early_messages
                       << "; the clocks of the ranks do not agree\n";
    }

  private:
    [[nodiscard]] std::string time(u64 ticks) const { return format_time(data_.seconds(ticks)); }

    void print_factors() {
        Table table({{""}, {"", Table::Align::right}});
        for (const EfficiencyFactor& factor : factors(data_)) {
            std::string name(factor.name);
            std::replace(name.begin(), name.end(), '_', ' ');
            table.add_row(
                {std::string(std::size_t{2} * static_cast<std::size_t>(factor.level), ' ') + name +
                     (factor.level == 1 && name == "load balance" ? "" : " efficiency"),
                 factor.value ? format_percent(*factor.value) : "not computed"});
        }
        table.print(console_.out(), 2);
        if (data_.why_not_split.empty()) return;
        console_.out() << "  not computed: " << data_.why_not_split << '\n';
    }

    void print_ranks() {
        const auto right = Table::Align::right;
        Table table(
            {{"per rank"}, {"min", right}, {"mean", right}, {"max", right}, {"of rank", right}});
        row("computation", table, [](const RankEfficiency& rank) { return rank.computation; });
        row("in MPI", table, [](const RankEfficiency& rank) { return rank.mpi; });
        for (std::size_t kind = 0; kind < kWaitKinds; ++kind) {
            std::string name(wait_name(static_cast<WaitKind>(kind)));
            std::replace(name.begin(), name.end(), '_', ' ');
            row("  " + name, table,
                [kind](const RankEfficiency& rank) { return rank.waits[kind]; });
        }
        table.print(console_.out(), 2);
    }

    /// Nothing if it is zero on all ranks.
    template <class Value>
    void row(const std::string& name, Table& table, const Value& value) {
        u64 least = ~u64{0};
        u64 most = 0;
        u64 sum = 0;
        u32 worst = 0;
        for (u32 rank = 0; rank < data_.ranks.size(); ++rank) {
            const u64 ticks = value(data_.ranks[rank]);
            least = std::min(least, ticks);
            if (ticks > most) worst = rank;
            most = std::max(most, ticks);
            sum += ticks;
        }
        if (most == 0) return;
        table.add_row(
            {name, time(least), time(sum / data_.ranks.size()), time(most), std::to_string(worst)});
    }

    void print_waits() {
        const std::vector<PathWait> waits = by_path(data_);
        if (waits.empty()) return;
        const auto right = Table::Align::right;
        Table table({{"waiting", right},
                     {"calls", right},
                     {"worst", right},
                     {"rank", right},
                     {"for"},
                     {"in"}});
        for (std::size_t i = 0; i < std::min(kMostPaths, waits.size()); ++i) {
            const PathWait& wait = waits[i];
            std::string kind(wait_name(wait.kind));
            std::replace(kind.begin(), kind.end(), '_', ' ');
            table.add_row({time(wait.ticks), format_count(wait.count), time(wait.worst_ticks),
                           std::to_string(wait.worst), kind, printable(wait.path)});
        }
        table.print(console_.out(), 2);
        if (waits.size() > kMostPaths) {
            console_.out() << "  and " << waits.size() - kMostPaths << " more; --csv has all\n";
        }
    }

    const EfficiencyView& view_;
    const Efficiency& data_;
    Console& console_;
};

}  // namespace

void print_efficiency(const EfficiencyView& view, Console& console) {
    EfficiencyPrinter(view, console).run();
}

}  // namespace tracefold
