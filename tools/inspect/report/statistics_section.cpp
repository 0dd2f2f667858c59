// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/report/sections.hpp"
#include "inspect/report/text_console.hpp"

#include <sstream>

namespace tracefold {

namespace {

void put_over_time(ReportPage& page, const SharedParts& parts) {
    if (!parts.over_time) return;
    page.note("How the time in " + parts.busiest +
              ", into which most of the time in MPI goes, "
              "spreads over the locations in every step of the program: a column is a step "
              "or a few, the darker a cell, the more locations spent that long.");
    const DistributionTitle title{parts.profile.file, parts.busiest};
    std::ostringstream svg;
    write_distribution_svg(*parts.over_time, title, svg);
    page.picture(svg.str());
    std::ostringstream csv;
    write_distribution_csv(*parts.over_time, csv);
    page.data("over-time.csv", csv.str());
}

}  // namespace

void put_statistics(ReportPage& page, const SharedParts& parts) {
    page.begin("Calls", "calls");
    const bool timed = parts.statistics.timing != TimingLevel::none;
    page.note(timed ? "How often functions are called, and how long one call takes."
                    : "How often functions are called, and how much one call sends.");
    TextConsole text;
    print_statistics(
        parts.statistics,
        {parts.profile.file, "call", Over::calls, timed ? Quantity::time : Quantity::sent, {}},
        text.console());
    page.preformatted(text.text());
    std::ostringstream csv;
    write_statistics_csv(parts.statistics, csv);
    page.data("calls.csv", csv.str());
    put_over_time(page, parts);
    page.end();
    page.explain("standard deviation",
                 "The root of the mean square distance from the mean, of all samples.");
    page.explain("sample",
                 "One call; over ranks all calls of a location, over iterations those "
                 "of a location in one step of the program.");
}

void put_classes(ReportPage& page, const SharedParts& parts) {
    page.begin("Classes of ranks", "classes");
    page.note(
        "Locations that make the same MPI calls equally often, with the time of all calls "
        "of each location.");
    TextConsole text;
    print_classes(parts.classes, text.console());
    page.preformatted(text.text());
    std::ostringstream csv;
    write_classes_csv(parts.classes, csv);
    page.data("classes.csv", csv.str());
    page.end();
    page.explain("class",
                 "Locations that are alike in what is compared, here the MPI functions "
                 "they call and how often.");
    page.explain("reduction", "Locations per class: how many times fewer it is enough to look at.");
}

}  // namespace tracefold
