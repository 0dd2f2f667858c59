// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/report/metric_charts.hpp"

#include "common/csv.hpp"
#include "common/text.hpp"
#include "inspect/metrics/metrics.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr double kTitle = 18;   ///< height of what stands above a chart
constexpr double kChart = 42;   ///< height of a chart
constexpr double kBetween = 6;  ///< from chart to title

std::string unit_of(const MetricMember& member) {
    const bool grows = member.mode != MetricMode::absolute;
    if (!grows) return member.unit;
    return member.unit.empty() || member.unit == "#" ? "per second" : member.unit + " per second";
}

struct Range {
    double least = 0;
    double most = 0;
};

/// From 0 on, or less.
Range range_of(const MetricSeries& series) {
    Range range;
    for (const MetricSeries::Column& column : series.columns) {
        if (column.locations == 0) continue;
        range.least = std::min(range.least, column.least);
        range.most = std::max(range.most, column.most);
    }
    return range;
}

class Chart {
  public:
    Chart(std::ostream& out, const MetricSeries& series, double left, double width, double top)
        : out_(out),
          series_(series),
          range_(range_of(series)),
          left_(left),
          step_(width / static_cast<double>(series.columns.size())),
          bottom_(top + kChart) {}

    void draw(const MetricMember& member) {
        const std::string many = series_.locations == 1
                                     ? "1 location"
                                     : fmt::format("mean of {} locations", series_.locations);
        out_ << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left_,
                            bottom_ - kChart - 5,
                            markup_text(fmt::format("{}, {}, from {} to {} {}", member.name, many,
                                                    metric_text(range_.least),
                                                    metric_text(range_.most), unit_of(member))));
        out_ << fmt::format(
            "<rect class=\"plot\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
            "height=\"{:.1f}\"/>\n",
            left_, bottom_ - kChart, step_ * static_cast<double>(series_.columns.size()), kChart);
        draw_band();
        draw_mean();
    }

  private:
    [[nodiscard]] double y_of(double value) const {
        const double length = range_.most - range_.least;
        return length == 0 ? bottom_ : bottom_ - kChart * (value - range_.least) / length;
    }
    [[nodiscard]] double x_of(std::size_t column) const {
        return left_ + step_ * static_cast<double>(column);
    }

    void draw_band() {
        std::string path;
        for (std::size_t i = 0; i < series_.columns.size(); ++i) {
            const MetricSeries::Column& column = series_.columns[i];
            if (column.locations < 2) continue;
            path += fmt::format("M{:.1f} {:.1f}h{:.2f}V{:.1f}h-{:.2f}z", x_of(i), y_of(column.most),
                                step_ + 0.1, y_of(column.least), step_ + 0.1);
        }
        if (!path.empty()) out_ << "<path class=\"band\" d=\"" << path << "\"/>\n";
    }

    /// Where nothing is known there is no line.
    void draw_mean() {
        std::string path;
        bool open = false;
        for (std::size_t i = 0; i < series_.columns.size(); ++i) {
            const MetricSeries::Column& column = series_.columns[i];
            if (column.locations != 0) {
                path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", open ? "L" : "M", x_of(i),
                                    y_of(column.mean), x_of(i + 1));
            }
            open = column.locations != 0;
        }
        out_ << "<path class=\"curve\" d=\"" << path << "\"/>\n";
    }

    std::ostream& out_;
    const MetricSeries& series_;
    Range range_;
    double left_;
    double step_;
    double bottom_;
};

}  // namespace

void draw_metrics(std::ostream& out, const std::vector<MetricSeries>& all,
                  const MetricCatalogue& catalogue, double left, double width) {
    const double each = kTitle + kChart + kBetween;
    out << fmt::format(
        "<svg class=\"chart\" viewBox=\"0 0 {:.1f} {:.1f}\" role=\"img\"><title>"
        "metrics over time</title>\n",
        left + width + 10, each * static_cast<double>(all.size()));
    double top = kTitle;
    for (const MetricSeries& series : all) {
        Chart(out, series, left, width, top).draw(catalogue.members()[series.member]);
        top += each;
    }
    out << "</svg>\n";
}

std::string series_csv(const std::vector<MetricSeries>& all, const MetricCatalogue& catalogue,
                       double seconds_per_column) {
    std::string csv = "metric,unit,column,begin_seconds,locations,least,mean,most\n";
    for (const MetricSeries& series : all) {
        const MetricMember& member = catalogue.members()[series.member];
        for (std::size_t i = 0; i < series.columns.size(); ++i) {
            const MetricSeries::Column& column = series.columns[i];
            if (column.locations == 0) continue;
            csv += fmt::format(
                "{},{},{},{:.9g},{},{},{},{}\n", csv_field(member.name), csv_field(unit_of(member)),
                i, seconds_per_column * static_cast<double>(i), column.locations,
                csv_number(column.least), csv_number(column.mean), csv_number(column.most));
        }
    }
    return csv;
}

}  // namespace tracefold
