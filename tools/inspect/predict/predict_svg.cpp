// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/predict/predict.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace tracefold {

namespace {

using Curve = std::vector<NetworkPrediction::CurvePoint>;

constexpr double kLeft = 80;
constexpr double kChartWidth = 300;
constexpr double kChartHeight = 180;
constexpr double kTop = 30;
constexpr double kBetween = 110;
constexpr double kLine = 16;

/// One chart: run time over a parameter, from 0 to the largest value that all curves have.
class CurveChart {
  public:
    CurveChart(std::ostream& out, double left) : out_(out), left_(left) {}

    void add(const std::string& name, const Curve& curve) { curves_.emplace_back(name, &curve); }

    void draw(const std::string& title, const std::string& largest) {
        find_range();
        text(left_, kTop - 10, title);
        out_ << fmt::format(
            "<rect class=\"plot\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
            "height=\"{:.1f}\"/>\n",
            left_, kTop, kChartWidth, kChartHeight);
        text(left_ - 6, kTop + 10, format_time(most_), "end");
        text(left_ - 6, kTop + kChartHeight, "0", "end");
        text(left_, kTop + kChartHeight + kLine, "0");
        text(left_ + kChartWidth, kTop + kChartHeight + kLine, largest, "end");
        for (std::size_t i = 0; i < curves_.size(); ++i) draw_curve(i);
    }

    /// Of the parameter.
    [[nodiscard]] double largest() {
        find_range();
        return widest_;
    }

  private:
    void find_range() {
        widest_ = curves_.empty() ? 0 : curves_.front().second->back().value;
        for (const auto& [name, curve] : curves_) {
            widest_ = std::min(widest_, curve->back().value);
        }
        most_ = 0;
        for (const auto& [name, curve] : curves_) {
            for (const auto& point : *curve) {
                if (point.value <= widest_) most_ = std::max(most_, point.run_time);
            }
        }
    }

    void text(double x, double y, const std::string& content, std::string_view anchor = "start") {
        out_ << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                            anchor, markup_text(content));
    }

    void draw_curve(std::size_t number) {
        const auto& [name, curve] = curves_[number];
        std::string path;
        double end = left_;
        double last = kTop;
        for (const auto& point : *curve) {
            if (point.value > widest_) break;
            end = left_ + kChartWidth * (widest_ > 0 ? point.value / widest_ : 0);
            last = kTop + kChartHeight * (1 - (most_ > 0 ? point.run_time / most_ : 0));
            path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", end, last);
        }
        out_ << "<path class=\"curve\" d=\"" << path << "\"/>\n";
        text(end + 4, last + 4, name);
    }

    std::ostream& out_;
    double left_;
    std::vector<std::pair<std::string, const Curve*>> curves_;
    double widest_ = 0;
    double most_ = 0;
};

}  // namespace

void draw_prediction(const PredictView& view, std::ostream& out) {
    const double width = kLeft + 2 * (kChartWidth + kBetween) + kLeft;
    const double height = kTop + kChartHeight + 2 * kLine;
    out << fmt::format(
        "<svg class=\"chart\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\"><title>run time over "
        "latency and over the time of a megabyte</title>\n",
        width, height);
    CurveChart latency(out, kLeft);
    CurveChart bytes(out, 2 * kLeft + kChartWidth + kBetween);
    for (const NetworkPrediction& it : view.data.networks) {
        latency.add(it.network.name, it.over_latency);
        bytes.add(it.network.name, it.over_bytes);
    }
    latency.draw("run time over latency", format_time(latency.largest()));
    bytes.draw("run time over the time of a megabyte", format_time(1e6 * bytes.largest()));
    out << "</svg>\n";
}

}  // namespace tracefold
