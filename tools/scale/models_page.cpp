// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/html_page.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "scale/models.hpp"
#include "scale/profiles.hpp"

#include <algorithm>
#include <functional>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kMostPictures = 60;  ///< of a section

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
    return error == "-" ? "two sizes tell no growth" : formula + ", error " + error;
}

void put_picture(const PathModel& model, const ModelsView& view, std::ostream& out) {
    out << "<figure>\n<figcaption><b>" << markup_text(model.path) << "</b><br>"
        << markup_text(model.metric) << "<br><span class=\"soft\">"
        << markup_text(caption(model, view)) << "</span></figcaption>\n";
    draw_growth(out, model, view);
    out << "</figure>\n";
}

/// The models that belong to a section, those with the largest numbers first.
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
            << " have a picture; the table at the end has all.";
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
    if (view.at > 0) head.push_back(fmt::format("at {}", view.at));
    head.insert(head.end(), {"error", "function of " + view.parameter});
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
    put_pictures(view, "Times", "Time in a call path itself, without what is called from there.",
                 is_time, out);
    put_pictures(
        view, "Counts and bytes", "Those that are not the same in all runs.",
        [](const PathModel& model) { return !is_time(model) && !model.growth.is_constant(); }, out);
    put_table(view, out);
    end_page(out);
}

}  // namespace tracefold
