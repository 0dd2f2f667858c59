// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/profile/io.hpp"
#include "inspect/report/sections.hpp"
#include "inspect/report/text_console.hpp"

#include <sstream>

namespace tracefold {

namespace {

void put_table(ReportPage& page, const IoProfile& profile, ReportSource& source, IoBy by) {
    TextConsole text;
    IoView view = make_io_view(profile, source.names, by);
    view.file = "by " + std::string(io_by_name(by));
    print_io(view, text.console());
    page.preformatted(text.text());
}

}  // namespace

void put_io(ReportPage& page, ReportSource& source) {
    const IoProfile profile = trace_io(source.file, source.everyone);
    page.begin("Files", "files");
    if (profile.rows.empty()) {
        page.note("No operations on files, and no calls of functions for files, were recorded.");
        page.end();
        return;
    }
    page.note(
        "What was read from files and written to them. Times of operations are from their "
        "beginning to their completion, all added up; bandwidth is bytes by that time, as one "
        "process sees it.");
    put_table(page, profile, source, IoBy::file);
    put_table(page, profile, source, IoBy::path);
    std::ostringstream csv;
    write_io_csv(make_io_view(profile, source.names, IoBy::all), csv);
    page.data("files.csv", csv.str());
    page.end();
}

}  // namespace tracefold
