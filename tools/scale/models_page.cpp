// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/html_page.hpp"
#include "common/text.hpp"
#include "scale/models.hpp"
#include "scale/runs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kMostPictures = 60;  ///< per section

bool is_time(const PathModel& model) { return model.unit == Unit::seconds; }

double largest(const PathModel& model) {
    double most = 0;
    for (const Measurement& measurement : model.measured) most = std::max(most, measurement.value);
    return most;
}

void put_runs(const ModelsView& view, std::ostream& out) {
    begin_section(out, "Runs");
    out << "<table>\n";
    std::vector<std::string> head = {"file", "ranks", "time of a rank"};
    if (!view.is_of_ranks()) head.insert(head.begin() + 1, view.parameter);
    put_row(out, "th", head);
    for (const RunProfile& run : view.runs) {
        std::vector<std::string> row = {
            run.name, std::to_string(run.ranks),
            run.has_times ? format_time(run.total(ProfileMetric::time) / run.ranks) : "-"};
        if (!view.is_of_ranks()) row.insert(row.begin() + 1, fmt::format("{}", run.size));
        put_row(out, "td", row);
    }
    out << "</table>\n";
    draw_times(out, view);
    out << "</section>\n";
}

/// "error 12.3 %: 1.2e-05 p"
std::string caption(const PathModel& model, const ModelsView& view) {
    const std::string error = error_text(model);
    const std::string formula = formula_text(model, view.parameter);
    if (error == "exact") return "exactly " + formula;
    return error == "-" ? "two sizes do not determine growth" : formula + ", error " + error;
}

void put_picture(const PathModel& model, const ModelsView& view, std::ostream& out) {
    out << "<figure>\n<figcaption><b>" << markup_text(model.path) << "</b><br>"
        << markup_text(model.metric) << "<br><span class=\"soft\">"
        << markup_text(caption(model, view)) << "</span></figcaption>\n";
    draw_growth(out, model, view);
    out << "</figure>\n";
}

/// Charts of a section's models, by descending numbers.
void put_pictures(const ModelsView& view, std::string_view title, std::string_view text,
                  const std::function<bool(const PathModel&)>& belongs, std::ostream& out) {
    std::vector<const PathModel*> chosen;
    for (const PathModel& model : view.models) {
        if (belongs(model)) chosen.push_back(&model);
    }
    if (chosen.empty()) return;
    std::ranges::stable_sort(chosen, std::greater{},
                             [](const PathModel* model) { return largest(*model); });
    begin_section(out, title);
    out << "<p>" << markup_text(text);
    if (chosen.size() > kMostPictures) {
        out << " The " << kMostPictures << " largest of " << chosen.size()
            << " are plotted; the table at the end lists all.";
        chosen.resize(kMostPictures);
    }
    out << "</p>\n<div class=\"pictures\">\n";
    for (const PathModel* model : chosen) put_picture(*model, view, out);
    out << "</div>\n</section>\n";
}

void put_table(const ModelsView& view, std::ostream& out) {
    begin_section(out, "All numbers");
    out << "<table>\n";
    std::vector<std::string> head = {"call path", "per rank"};
    for (const RunProfile& run : view.runs) head.push_back(fmt::format("{}", run.size));
    if (view.at > 0) head.insert(head.end(), {fmt::format("at {}", view.at), "90 % interval"});
    head.insert(head.end(), {"error", "ahead", "function of " + view.parameter});
    put_row(out, "th", head);
    for (const PathModel& model : view.models) {
        std::vector<std::string> row = measured_cells(model, view);
        row.insert(row.begin(), {model.path, model.metric});
        put_row(out, "td", row);
    }
    out << "</table>\n</section>\n";
}

}  // namespace

void write_models_page(const ModelsView& view, std::ostream& out) {
    begin_page(out, "How numbers grow");
    out << "<h1>How numbers grow with "
        << (view.is_of_ranks() ? "the number of ranks" : markup_text(view.parameter))
        << "</h1>\n<p class=\"soft\">Points are means over the ranks of a run, curves are "
           "functions "
           "c0 + c1 "
        << markup_text(view.parameter) << "<sup>i</sup> log2(" << markup_text(view.parameter)
        << ")<sup>j</sup> through them. Errors are those of sizes left out one by one and "
           "predicted "
           "from the others.</p>\n";
    put_runs(view, out);
    put_pictures(view, "Times", "Exclusive time of a call path.", is_time, out);
    put_pictures(
        view, "Counts and bytes", "Only those that differ between the runs.",
        [](const PathModel& model) { return !is_time(model) && !model.growth.is_constant(); }, out);
    put_table(view, out);
    end_page(out);
}

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 190;
constexpr double kLeft = 58;  ///< of the plot
constexpr double kRightEdge = kWidth - 14;
constexpr double kTop = 14;
constexpr double kBottom = kHeight - 26;
constexpr int kSteps = 48;           ///< of a curve
constexpr double kLogarithmic = 20;  ///< range of values above which their scale is logarithmic
constexpr double kLabelRoom = 34;    ///< between labels of sizes

/// Maps numbers to positions on the drawing.
class Axis {
  public:
    Axis(double low, double high, double from, double to, bool logarithmic)
        : logarithmic_(logarithmic), low_(scaled(low)), from_(from) {
        const double range = scaled(high) - low_;
        per_unit_ = range > 0 ? (to - from) / range : 0;
    }

    [[nodiscard]] double at(double value) const {
        return from_ + (scaled(value) - low_) * per_unit_;
    }

  private:
    [[nodiscard]] double scaled(double value) const {
        return logarithmic_ ? std::log2(std::max(value, std::numeric_limits<double>::min()))
                            : value;
    }

    bool logarithmic_;
    double low_;
    double from_;
    double per_unit_ = 0;
};

/// The curve of one growth, and its measurements.
class GrowthChart {
  public:
    GrowthChart(std::ostream& out, const PathModel& model, const ModelsView& view)
        : out_(out), model_(model), view_(view) {
        for (const Measurement& measurement : model.measured) include(measurement);
        measured_to_ = last_;
        if (view.at > 0) include({view.at, evaluate(model.growth, view.at)});
        if (first_ == last_) last_ = 2 * first_;
        for (int i = 0; i <= kSteps; ++i) {
            const double value = evaluate(model_.growth, size_at(i));
            high_ = std::max(high_, value);
            low_ = std::min(low_, value);
        }
    }

    void draw() {
        const bool logarithmic = low_ > 0 && high_ > kLogarithmic * low_;
        if (!logarithmic) low_ = std::min(low_, 0.0);
        const Axis x(first_, last_, kLeft, kRightEdge, true);
        const Axis y(low_, high_ > low_ ? high_ : low_ + 1, kBottom, kTop, logarithmic);
        begin_chart(out_, model_.path + ", " + model_.metric, kHeight, kWidth);
        draw_frame(x, y);
        draw_curve(x, y);
        for (const Measurement& measurement : model_.measured) draw_point(x, y, measurement);
        out_ << "</svg>\n";
    }

  private:
    void include(const Measurement& measurement) {
        first_ = std::min(first_, measurement.size);
        last_ = std::max(last_, measurement.size);
        low_ = std::min(low_, measurement.value);
        high_ = std::max(high_, measurement.value);
    }

    [[nodiscard]] double size_at(int step) const {
        return first_ * std::pow(last_ / first_, static_cast<double>(step) / kSteps);
    }

    void draw_frame(const Axis& x, const Axis& y) {
        out_ << fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", kLeft, kTop, kBottom,
                            kRightEdge);
        for (const double value : {low_, high_}) {
            put_chart_text(out_, kLeft - 5, y.at(value) + 4, "end", unit_text(model_.unit, value));
        }
        double free_from = 0;
        const auto put = [&](double size) {
            const double place = x.at(size);
            if (place < free_from) return;
            put_chart_text(out_, place, kBottom + 15, "middle", fmt::format("{}", size));
            free_from = place + kLabelRoom;
        };
        for (const Measurement& measurement : model_.measured) put(measurement.size);
        if (view_.at > measured_to_) put(view_.at);
    }

    /// Solid within the measurements, dashed beyond.
    void draw_curve(const Axis& x, const Axis& y) {
        std::string within;
        std::string beyond;
        for (int i = 0; i <= kSteps; ++i) {
            const double size = size_at(i);
            const std::string point =
                fmt::format("{:.1f},{:.1f} ", x.at(size), y.at(evaluate(model_.growth, size)));
            if (size <= measured_to_ * 1.001) within += point;
            if (size >= measured_to_ * 0.999 || i == kSteps) beyond += point;
        }
        out_ << "<polyline class=\"curve\" points=\"" << within << "\"/>\n";
        if (view_.at > measured_to_) {
            out_ << "<polyline class=\"curve beyond\" points=\"" << beyond << "\"/>\n";
        }
    }

    void draw_point(const Axis& x, const Axis& y, const Measurement& measurement) {
        out_ << fmt::format(
            "<circle class=\"computation\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"><title>{} = {}: "
            "{}, predicted {}</title></circle>\n",
            x.at(measurement.size), y.at(measurement.value), markup_text(view_.parameter),
            measurement.size, unit_text(model_.unit, measurement.value),
            unit_text(model_.unit, evaluate(model_.growth, measurement.size)));
    }

    std::ostream& out_;
    const PathModel& model_;
    const ModelsView& view_;
    double first_ = std::numeric_limits<double>::max();
    double last_ = 0;
    double measured_to_ = 0;
    double low_ = std::numeric_limits<double>::max();
    double high_ = 0;
};

constexpr int kTimesWidth = 900;
constexpr double kBarHeight = 18;
constexpr double kTimesLeft = 70;
constexpr std::size_t kMostParts = 7;  ///< call paths per bar; the rest is combined

/// Call paths with most time in any run, by descending time.
std::vector<std::string> longest_paths(const ModelsView& view) {
    std::vector<std::pair<double, std::string>> times;
    for (const PathModel& model : view.models) {
        if (model.metric != metric_name(ProfileMetric::time)) continue;
        double most = 0;
        for (const Measurement& measurement : model.measured) {
            most = std::max(most, measurement.value);
        }
        times.emplace_back(-most, model.path);
    }
    std::ranges::sort(times);
    std::vector<std::string> paths;
    for (const auto& [time, path] : times) {
        if (paths.size() < kMostParts) paths.push_back(path);
    }
    return paths;
}

double time_of(const RunProfile& run, const std::string& name) {
    for (const RunProfile::Path& path : run.paths) {
        if (path.name == name) return path.totals[index_of(ProfileMetric::time)] / run.ranks;
    }
    return 0;
}

}  // namespace

void draw_growth(std::ostream& out, const PathModel& model, const ModelsView& view) {
    GrowthChart(out, model, view).draw();
}

void draw_times(std::ostream& out, const ModelsView& view) {
    const std::vector<std::string> paths = longest_paths(view);
    double longest = 0;
    for (const RunProfile& run : view.runs) {
        longest = std::max(longest, run.total(ProfileMetric::time) / run.ranks);
    }
    if (longest == 0) return;
    const double step = kBarHeight + 6;
    begin_chart(out, "Mean time of a rank by call path",
                static_cast<int>(step * static_cast<double>(view.runs.size())), kTimesWidth);
    double y = 0;
    for (const RunProfile& run : view.runs) {
        put_chart_text(out, kTimesLeft - 8, y + 13, "end", fmt::format("{}", run.size));
        double rest = run.total(ProfileMetric::time) / run.ranks;
        double x = kTimesLeft;
        const auto put = [&](std::size_t part, double seconds, const std::string& name) {
            const double width = seconds / longest * (kTimesWidth - kTimesLeft);
            out << fmt::format(
                "<rect class=\"part{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                "height=\"{}\"><title>{}: {}</title></rect>\n",
                part, x, y, width, kBarHeight, markup_text(name), format_time(seconds));
            x += width;
        };
        for (std::size_t part = 0; part < paths.size(); ++part) {
            const double seconds = time_of(run, paths[part]);
            rest -= seconds;
            put(part, seconds, paths[part]);
        }
        put(kMostParts, std::max(rest, 0.0), "all others");
        y += step;
    }
    out << "</svg>\n<p class=\"soft\">";
    for (std::size_t part = 0; part < paths.size(); ++part) {
        out << "<span class=\"key part" << part << "\"></span>" << markup_text(paths[part]);
    }
    out << "<span class=\"key part" << kMostParts << "\"></span>all others</p>\n";
}

}  // namespace tracefold
