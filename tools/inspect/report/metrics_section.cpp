// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/metrics/metrics.hpp"
#include "inspect/report/sections.hpp"
#include "inspect/report/text_console.hpp"

#include <sstream>

namespace tracefold {

namespace {

MetricsView view_of(const TraceProfile& profile, std::string by, const ReportSource& source) {
    MetricsView view;
    view.file = source.name;
    view.members = profile.metric_members;
    if (by == "path") {
        view.rows = rows_of_metrics(
            profile.metric_entries, [](const MetricEntry& entry) { return entry.node; },
            [&](u32 node) { return node == kNone ? std::string() : profile.path(node); });
    } else if (by == "location") {
        view.rows = rows_of_metrics(
            profile.metric_entries, [](const MetricEntry& entry) { return entry.location; },
            [&](u32 location) { return source.names.label(location); });
    } else {
        view.rows = rows_of_metrics(
            profile.metric_entries, [](const MetricEntry&) { return 0U; },
            [](u32) { return std::string(); });
    }
    view.by = std::move(by);
    return view;
}

void put_csv(ReportPage& page, const char* name, const MetricsView& view) {
    std::ostringstream csv;
    write_metrics_csv(view, csv);
    page.data(name, csv.str());
}

}  // namespace

void put_metrics(ReportPage& page, const SharedParts& parts, const ReportSource& source) {
    const TraceProfile& profile = parts.profile.data;
    page.begin("Metrics", "metrics");
    page.note("What the recorder counted and measured, all locations together.");
    TextConsole text;
    print_metrics(view_of(profile, "", source), text.console());
    page.preformatted(text.text());
    put_csv(page, "metrics-by-location.csv", view_of(profile, "location", source));
    put_csv(page, "metrics-by-path.csv", view_of(profile, "path", source));
    page.end();
    page.explain("accumulated",
                 "A counter that goes on since the start: each value counts with what it is more "
                 "than the one before.");
    page.explain("absolute", "A state at a moment, of which there is a mean and no sum.");
}

}  // namespace tracefold
