// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/losses.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/gaps.hpp"
#include "inspect/profile/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kBarWidth = 10;
constexpr u32 kMostIndented = 100;  ///< levels; deeper ones have their number in front

std::string bar(double share) {
    if (std::isnan(share)) return {};
    const double length = std::round(std::clamp(share, 0.0, 1.0) * kBarWidth);
    return std::string(static_cast<std::size_t>(length), '#');
}

std::string value_text(ProfileMetric metric, double value) {
    if (metric == ProfileMetric::time) return format_time(value);
    const bool counts = metric == ProfileMetric::visits || metric == ProfileMetric::samples;
    if (!counts) return format_bytes(std::isnan(value) ? value : std::max(value, 0.0));
    return format_count(rounded(std::max(value, 0.0)));
}

/// Bytes that a call path neither sends nor receives are left blank.
std::string size_text(double bytes) {
    return bytes == 0 ? std::string() : value_text(ProfileMetric::sent, bytes);
}

double real_value(u64 value) {
    return value == kOverflow ? std::numeric_limits<double>::quiet_NaN()
                              : static_cast<double>(value);
}

std::string count_text(double count) {
    return count == 0 ? std::string() : value_text(ProfileMetric::samples, count);
}

class ProfilePrinter {
  public:
    ProfilePrinter(const ProfileView& view, Console& console)
        : view_(view),
          profile_(view.data),
          depths_(profile_.profile.tree.depths()),
          console_(console),
          has_files_(has(ProfileMetric::read) || has(ProfileMetric::written)),
          has_samples_(has(ProfileMetric::samples)),
          main_(view.has_metric ? view.metric : main_metric()) {
        for (u32 node = 0; node < depths_.size(); ++node) {
            if (depths_[node] == 0) total_ += figures(profile_, node, main_, true).sum;
        }
    }

    void run() {
        console_.out() << console_.paint(Style::bold, view_.file) << "  " << depths_.size()
                       << " call paths of " << profile_.profile.locations << " locations\n";
        print_nesting(profile_.nesting, console_);
        if (!depths_.empty()) print_table();
        print_gaps(view_.gaps, GapScope::events, console_);
    }

  private:
    void print_table() {
        Table table = view_.has_metric ? one_metric() : overview();
        for (const u32 node : view_.shown()) {
            table.add_row(view_.has_metric ? metric_row(node) : overview_row(node));
            if (view_.by.empty()) continue;
            for (std::size_t group = 0; group < profile_.groups.size(); ++group) {
                table.add_row(group_row(node, group));
            }
        }
        table.print(console_.out(), 2);
        print_overflows();
    }

    /// Sums of a location that need more than 64 bits.
    void print_overflows() const {
        for (const ProfileMetric metric : {ProfileMetric::sent, ProfileMetric::received,
                                           ProfileMetric::read, ProfileMetric::written}) {
            u64 count = 0;
            std::string first;
            for (u32 node = 0; node < depths_.size(); ++node) {
                if (!profile_.profile.moments(node, metric, false).overflows()) continue;
                if (count++ == 0) first = profile_.path(node);
            }
            if (count == 0) continue;
            console_.out() << "  overflow: " << metric_name(metric) << " of a location need more "
                           << "than 64 bits in " << format_count(count) << " call paths, such as "
                           << printable(first) << '\n';
        }
    }

    [[nodiscard]] ProfileMetric main_metric() const {
        if (has_samples_ && !has(ProfileMetric::visits)) return ProfileMetric::samples;
        return profile_.has_times ? ProfileMetric::time : ProfileMetric::visits;
    }

    [[nodiscard]] bool has(ProfileMetric metric) const {
        for (u32 node = 0; node < depths_.size(); ++node) {
            if (figures(profile_, node, metric, false).sum != 0) return true;
        }
        return false;
    }

    [[nodiscard]] Table overview() const {
        std::vector<Table::Column> columns = {
            {"inclusive", kRight}, {"", kRight},         {""},
            {"exclusive", kRight}, {"max/mean", kRight}, {"visits", kRight},
            {"sent", kRight},      {"received", kRight}};
        if (has_files_) columns.insert(columns.end(), {{"read", kRight}, {"written", kRight}});
        if (has_samples_) columns.push_back({"samples", kRight});
        columns.push_back({"call path"});
        return Table(std::move(columns));
    }

    [[nodiscard]] Table one_metric() const {
        return Table({{"inclusive", kRight},
                      {"", kRight},
                      {""},
                      {"exclusive", kRight},
                      {"min", kRight},
                      {"mean", kRight},
                      {"max", kRight},
                      {"std", kRight},
                      {"call path"}});
    }

    [[nodiscard]] std::string tree_name(u32 node, const std::string& name) const {
        const u32 depth = depths_[node];
        std::string text(std::size_t{2} * std::min(depth, kMostIndented), ' ');
        if (depth > kMostIndented) text += fmt::format("[{}] ", depth);
        return text += printable(name);
    }

    [[nodiscard]] double share(double value) const { return total_ == 0 ? 0 : value / total_; }

    [[nodiscard]] std::vector<std::string> overview_row(u32 node) const {
        const MetricFigures inclusive = figures(profile_, node, main_, true);
        const MetricFigures exclusive = figures(profile_, node, main_, false);
        const auto sum = [&](ProfileMetric metric) {
            return figures(profile_, node, metric, false).sum;
        };
        const double imbalance = inclusive.mean == 0 ? 0 : inclusive.max / inclusive.mean;
        std::vector<std::string> row = {
            value_text(main_, inclusive.sum),
            format_percent(share(inclusive.sum)),
            bar(share(inclusive.sum)),
            value_text(main_, exclusive.sum),
            fmt::format("{:.2f}", imbalance),
            value_text(ProfileMetric::visits, sum(ProfileMetric::visits)),
            size_text(sum(ProfileMetric::sent)),
            size_text(sum(ProfileMetric::received))};
        if (has_files_) {
            row.push_back(size_text(sum(ProfileMetric::read)));
            row.push_back(size_text(sum(ProfileMetric::written)));
        }
        if (has_samples_) row.push_back(count_text(sum(ProfileMetric::samples)));
        row.push_back(tree_name(node, profile_.names[node]));
        return row;
    }

    [[nodiscard]] std::vector<std::string> metric_row(u32 node) const {
        const MetricFigures inclusive = figures(profile_, node, main_, true);
        const MetricFigures exclusive = figures(profile_, node, main_, false);
        return {value_text(main_, inclusive.sum),
                format_percent(share(inclusive.sum)),
                bar(share(inclusive.sum)),
                value_text(main_, exclusive.sum),
                value_text(main_, exclusive.min),
                value_text(main_, exclusive.mean),
                value_text(main_, exclusive.max),
                value_text(main_, exclusive.deviation),
                tree_name(node, profile_.names[node])};
    }

    /// What a group has of the metric that the bars are about.
    [[nodiscard]] std::vector<std::string> group_row(u32 node, std::size_t group) const {
        const NodeSummary& summary = profile_.profile.nodes[node];
        const auto value = [&](std::span<const u64> groups) {
            return in_units(profile_, main_, groups.empty() ? 0.0 : real_value(groups[group]));
        };
        const double inclusive = value(summary.inclusive.groups(main_));
        std::vector<std::string> row = {value_text(main_, inclusive),
                                        format_percent(share(inclusive)), bar(share(inclusive)),
                                        value_text(main_, value(summary.exclusive.groups(main_)))};
        const bool overview = !view_.has_metric;
        row.resize(row.size() + 4 + (has_files_ && overview ? 2 : 0) +
                   (has_samples_ && overview ? 1 : 0));
        row.push_back(tree_name(node, "  " + view_.by + " " + profile_.groups[group]));
        return row;
    }

    const ProfileView& view_;
    const TraceProfile& profile_;
    std::vector<u32> depths_;
    Console& console_;
    bool has_files_;
    bool has_samples_;
    ProfileMetric main_;
    double total_ = 0;
};

}  // namespace

void print_profile(const ProfileView& view, Console& console) {
    ProfilePrinter(view, console).run();
}

}  // namespace tracefold
