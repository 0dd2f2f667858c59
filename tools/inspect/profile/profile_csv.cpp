// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/csv.hpp"
#include "inspect/profile/profile.hpp"

namespace tracefold {

namespace {

class CsvPrinter {
  public:
    CsvPrinter(const ProfileView& view, std::ostream& out)
        : profile_(view.data), depths_(profile_.profile.tree.depths()), out_(out) {}

    void moments(u32 node) {
        for (const ProfileMetric metric : profile_.metrics(node)) {
            place(node);
            out_ << metric_name(metric);
            side(node, metric, true);
            side(node, metric, false);
            out_ << '\n';
        }
    }

    void groups(u32 node) {
        for (std::size_t group = 0; group < profile_.groups.size(); ++group) {
            for (const ProfileMetric metric : profile_.metrics(node)) {
                const NodeSummary& summary = profile_.profile.nodes[node];
                place(node);
                out_ << csv_field(profile_.groups[group]) << ',' << metric_name(metric);
                value(metric, summary.inclusive.groups(metric), group);
                value(metric, summary.exclusive.groups(metric), group);
                out_ << '\n';
            }
        }
    }

  private:
    void place(u32 node) {
        const u32 parent = profile_.profile.tree[node].parent;
        out_ << node << ',' << (parent == kNone ? std::string() : std::to_string(parent)) << ','
             << depths_[node] << ',' << csv_field(profile_.path(node)) << ',';
    }

    void side(u32 node, ProfileMetric metric, bool inclusive) {
        const MetricFigures f = figures(profile_, node, metric, inclusive);
        for (const double number : {f.sum, f.min, f.max, f.mean, f.deviation}) {
            out_ << ',' << csv_number(number);
        }
    }

    void value(ProfileMetric metric, std::span<const u64> values, std::size_t group) {
        const u64 number = values.empty() ? 0 : values[group];
        if (metric == ProfileMetric::time) {
            out_ << ',' << csv_number(in_units(profile_, metric, static_cast<double>(number)));
        } else {
            out_ << ',' << number;
        }
    }

    const TraceProfile& profile_;
    std::vector<u32> depths_;
    std::ostream& out_;
};

}  // namespace

void write_profile_csv(const ProfileView& view, std::ostream& out) {
    CsvPrinter printer(view, out);
    out << "id,parent,depth,path,";
    if (view.by.empty()) {
        out << "metric,inclusive_sum,inclusive_min,inclusive_max,inclusive_mean,inclusive_std,"
               "exclusive_sum,exclusive_min,exclusive_max,exclusive_mean,exclusive_std\n";
    } else {
        out << view.by << ",metric,inclusive,exclusive\n";
    }
    for (const u32 node : view.shown()) {
        view.by.empty() ? printer.moments(node) : printer.groups(node);
    }
}

}  // namespace tracefold
